import type { Clause } from "../../../query/clause.js";
import type { SearchContext } from "./term-search.js";
import { existsToken, isTitle, pathToken, startToken } from "./tokens.js";

/** Where unfielded text is looked for: everywhere, or in some columns only (the steps of `bestmatch`). */
export type TextColumns = "all" | "title" | "names";

/** An FTS5 expression on one of the two full-text tables. */
export interface Match {
  readonly table: "term_fts" | "term_at";
  readonly expression: string;
}

/** Inside double quotes FTS5 reads no operators, so quoting is the whole defence. */
const quote = (tokens: readonly string[]): string => `"${tokens.join(" ").replaceAll('"', '""')}"`;

const FILTERS = { all: "", title: "{title} : ", names: "{title names} : " } as const;

/** The clause as one expression on one table; undefined where it takes more. */
export function compileMatch(context: SearchContext, clause: Clause, columns: TextColumns): Match | undefined {
  switch (clause.kind) {
    case "words":
    case "prefix":
      return compileWords(context, clause, columns);
    case "exists":
      if (clause.paths.length === 0) return undefined;
      return { table: "term_at", expression: anyOf(clause.paths.map((path) => quote([existsToken(path)]))) };
    case "any":
      return combine(
        clause.of.map((part) => compileMatch(context, part, columns)),
        "OR",
      );
    case "all":
      return compileAll(context, clause.of, columns);
    default:
      return undefined;
  }
}

function compileAll(context: SearchContext, of: readonly Clause[], columns: TextColumns): Match | undefined {
  const wanted = of.filter((part) => part.kind !== "not");
  const found = combine(
    wanted.map((part) => compileMatch(context, part, columns)),
    "AND",
  );
  const unwanted = of.flatMap((part) => (part.kind === "not" ? [compileMatch(context, part.of, "all")] : []));
  if (found === undefined || unwanted.length === 0) return found;
  const taken = combine(unwanted, "OR");
  if (taken === undefined || taken.table !== found.table) return undefined;
  return { table: found.table, expression: `(${found.expression} NOT ${taken.expression})` };
}

function combine(parts: readonly (Match | undefined)[], operator: "AND" | "OR"): Match | undefined {
  const [first] = parts;
  if (first === undefined) return undefined;
  const expressions: string[] = [];
  for (const part of parts) {
    if (part === undefined || part.table !== first.table) return undefined;
    expressions.push(part.expression);
  }
  return { table: first.table, expression: `(${expressions.join(` ${operator} `)})` };
}

type Words = Extract<Clause, { kind: "words" | "prefix" }>;

function compileWords(context: SearchContext, clause: Words, columns: TextColumns): Match | undefined {
  const { kind, place, words } = clause;
  const phrase = (tokens: readonly string[]): string => quote(tokens) + (kind === "prefix" ? " *" : "");
  if (place.in === "text") return { table: "term_fts", expression: `(${FILTERS[columns]}${phrase(words)})` };
  if (place.paths.length === 0) return undefined;
  const parts = splitPaths(context, place.paths);
  const texts = [...(parts.titles ? ["title"] : []), ...(parts.names ? ["names"] : [])];
  if (texts.length > 0 && parts.paths.length > 0) return undefined;
  if (texts.length > 0) return { table: "term_fts", expression: `({${texts.join(" ")}} : ${phrase(words)})` };
  const phrases = parts.paths.map((path) => phrase(words.map((word) => pathToken(path, word))));
  return { table: "term_at", expression: anyOf(phrases) };
}

/** Paths that are a whole column of `term_fts`, and the others. */
export function splitPaths(
  { vocabulary }: SearchContext,
  paths: readonly string[],
): { readonly titles: boolean; readonly names: boolean; readonly paths: readonly string[] } {
  const titles = ["title", ...vocabulary.languages.map((lang) => `title.${lang}`)].every((path) =>
    paths.includes(path),
  );
  const names = paths.includes("synonyms");
  const others = paths.filter((path) => path !== "synonyms" && !(titles && isTitle(path)));
  return { titles, names, paths: others };
}

function anyOf(expressions: readonly string[]): string {
  return expressions.length === 1 ? expressions[0]! : `(${expressions.join(" OR ")})`;
}

/** Any of these words, in text or at a path. */
export function matchAny(words: readonly string[], columns: TextColumns): string {
  return `(${FILTERS[columns]}${anyOf(words.map((word) => quote([word])))})`;
}

/** Titles that begin with these words. @param isPrefix the last one is the beginning of a word */
export function matchTitleStart(words: readonly string[], isPrefix: boolean): string {
  const tokens = words.length === 1 && isPrefix ? [startToken(words[0]!)] : [startToken(words[0]!), ...words];
  return `({title} : ${quote(tokens)}${isPrefix ? " *" : ""})`;
}
