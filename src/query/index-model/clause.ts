import { foldKeyword } from "../text/analyse.js";
import { greekSpellings } from "../text/greek-spellings.js";

/**
 * Meaning of a query, independent of its syntax (`tree.ts`): names are resolved to paths, and texts are analysed to
 * words. Engines compile clauses; the reference evaluator of the tests evaluates them.
 *
 * A record or term is a set of leaves: (path, element, value). The words of a value come from `analyse`.
 */

/** Searched text: all text, declared or not, or the values at some declared leaf paths. */
export type TextScope = { readonly in: "text" } | { readonly in: "paths"; readonly paths: readonly string[] };

/** End of a range: a number, a date in microseconds since 1970 UTC, or a keyword folded by `foldKeyword`. */
export interface Bound {
  readonly value: number | string;
  readonly inclusive: boolean;
}

/** The meaning of a query: conditions on paths, words and values, without syntax. Engines compile it. */
export type Clause =
  | { readonly kind: "everything" }
  | { readonly kind: "nothing" }
  /** Consecutive words in one value. At least one word. */
  | { readonly kind: "words"; readonly place: TextScope; readonly words: readonly string[] }
  /** Consecutive words in one value; the last one is a prefix of a word. */
  | { readonly kind: "prefix"; readonly place: TextScope; readonly words: readonly string[] }
  /** One word with `*` for any characters and `?` for one. It begins with neither. */
  | { readonly kind: "wildcard"; readonly place: TextScope; readonly pattern: string }
  /** One word within an edit distance, in which a transposition counts as one edit. */
  | { readonly kind: "fuzzy"; readonly place: TextScope; readonly word: string; readonly edits: 1 | 2 }
  /** One value of the type at one of the paths is in the range. An absent end is open. */
  | {
      readonly kind: "range";
      readonly paths: readonly string[];
      readonly type: "number" | "date" | "keyword";
      readonly from?: Bound | undefined;
      readonly to?: Bound | undefined;
    }
  /** One of the leaf paths has a value other than null, "", [] or {}. */
  | { readonly kind: "exists"; readonly paths: readonly string[] }
  /**
   * A record cites the term, at one of `sites` (paths of TermSites) or anywhere if they are absent; a term has the id.
   * `within`: also descendants of the term.
   */
  | {
      readonly kind: "cites";
      readonly vocabularies: readonly string[];
      readonly id: string;
      readonly sites?: readonly string[] | undefined;
      readonly within: boolean;
    }
  /** One element of the array of objects at `path` matches `of`, whose paths are all below `path`. */
  | { readonly kind: "element"; readonly path: string; readonly of: Clause }
  | { readonly kind: "all"; readonly of: readonly Clause[] }
  | { readonly kind: "any"; readonly of: readonly Clause[] }
  | { readonly kind: "not"; readonly of: Clause };

/** A clause about the words of one value. */
export type TextClause = Extract<Clause, { readonly place: TextScope }>;

/** Clause that matches everything. */
export const EVERYTHING: Clause = { kind: "everything" };
/** Clause that matches nothing. */
export const NOTHING: Clause = { kind: "nothing" };

/** Joins clauses by AND. The result is flat and simplified. */
export function andClauses(clauses: readonly Clause[]): Clause {
  const of = clauses.flatMap((clause) => (clause.kind === "all" ? clause.of : [clause]));
  if (of.some((clause) => clause.kind === "nothing")) return NOTHING;
  return (
    joinClauses(
      "all",
      of.filter((clause) => clause.kind !== "everything"),
    ) ?? EVERYTHING
  );
}

/** Joins clauses by OR. The result is flat and simplified. */
export function orClauses(clauses: readonly Clause[]): Clause {
  const of = clauses.flatMap((clause) => (clause.kind === "any" ? clause.of : [clause]));
  if (of.some((clause) => clause.kind === "everything")) return EVERYTHING;
  return (
    joinClauses(
      "any",
      of.filter((clause) => clause.kind !== "nothing"),
    ) ?? NOTHING
  );
}

/** Negates a clause. The result is simplified. */
export function notClause(clause: Clause): Clause {
  if (clause.kind === "everything") return NOTHING;
  if (clause.kind === "nothing") return EVERYTHING;
  return clause.kind === "not" ? clause.of : { kind: "not", of: clause };
}

/** Returns a clause that matches if a keyword at one of the paths equals the text. Case is ignored. */
export function valueClause(paths: readonly string[], text: string): Clause {
  const end = { value: foldKeyword(text), inclusive: true };
  return { kind: "range", paths, type: "keyword", from: end, to: end };
}

/**
 * Returns a clause that matches consecutive words, in all spellings of their Greek letters.
 *
 * @param kind `prefix`: the last word is a prefix of a word
 */
export function phraseClause(words: readonly string[], place: TextScope, kind: "words" | "prefix" = "words"): Clause {
  if (words.length === 0) return NOTHING;
  const rows = greekSpellings(words);
  if (rows.length === 1) return { kind, place, words };
  return orClauses(rows.map((row) => ({ kind, place, words: row })));
}

/** Joins clauses without duplicates. Returns a single clause unchanged, and undefined for an empty list. */
function joinClauses(kind: "all" | "any", clauses: readonly Clause[]): Clause | undefined {
  if (clauses.length < 2) return clauses[0];
  const of = [...new Map(clauses.map((clause) => [JSON.stringify(clause), clause])).values()];
  return of.length > 1 ? { kind, of } : of[0];
}

/** Maximum length of a description, in UTF-16 units. */
const LENGTH_MAX = 120;

/** Describes a clause in a form that its author recognises: similar to the query, with one path for a short name. */
export function describeClause(clause: Clause): string {
  const text = describe(clause);
  return text.length <= LENGTH_MAX ? text : `${text.slice(0, LENGTH_MAX - 3)}...`;
}

function describe(clause: Clause): string {
  switch (clause.kind) {
    case "everything":
      return "*";
    case "nothing":
      return "nothing";
    case "words":
      return `${field(clause.place)}${clause.words.length === 1 ? clause.words[0] : `"${clause.words.join(" ")}"`}`;
    case "prefix":
      return `${field(clause.place)}${clause.words.join(" ")}*`;
    case "wildcard":
      return `${field(clause.place)}${clause.pattern}`;
    case "fuzzy":
      return `${field(clause.place)}${clause.word}~${clause.edits}`;
    case "range":
      return `${clause.paths[0] ?? ""}:${range(clause.from, clause.to)}`;
    case "exists":
      return `${clause.paths[0] ?? ""}:*`;
    case "cites":
      return clause.id;
    case "element":
      return `${clause.path}:(${describe(clause.of)})`;
    case "all":
      return clause.of.map(nested).join(" AND ");
    case "any":
      return clause.of.map(nested).join(" OR ");
    case "not":
      return `NOT ${nested(clause.of)}`;
  }
}

const nested = (clause: Clause): string =>
  clause.kind === "all" || clause.kind === "any" ? `(${describe(clause)})` : describe(clause);

const field = (place: TextScope): string => (place.in === "text" ? "" : `${place.paths[0] ?? ""}:`);

function range(from: Bound | undefined, to: Bound | undefined): string {
  const open = from === undefined || from.inclusive ? "[" : "{";
  const close = to === undefined || to.inclusive ? "]" : "}";
  return `${open}${from?.value ?? "*"} TO ${to?.value ?? "*"}${close}`;
}
