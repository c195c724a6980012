import { foldKeyword } from "../text/analyse.js";
import { greekSpellings } from "../text/greek-spellings.js";
import type { Clause, TextScope } from "./clause.js";

export const EVERYTHING: Clause = { kind: "everything" };
export const NOTHING: Clause = { kind: "nothing" };

/** All of some clauses: flat, without what is always so. */
export function allOf(clauses: readonly Clause[]): Clause {
  const of = clauses.flatMap((clause) => (clause.kind === "all" ? clause.of : [clause]));
  if (of.some((clause) => clause.kind === "nothing")) return NOTHING;
  return (
    joined(
      "all",
      of.filter((clause) => clause.kind !== "everything"),
    ) ?? EVERYTHING
  );
}

/** Any of some clauses: flat, without what never is. */
export function anyOf(clauses: readonly Clause[]): Clause {
  const of = clauses.flatMap((clause) => (clause.kind === "any" ? clause.of : [clause]));
  if (of.some((clause) => clause.kind === "everything")) return EVERYTHING;
  return (
    joined(
      "any",
      of.filter((clause) => clause.kind !== "nothing"),
    ) ?? NOTHING
  );
}

export function notOf(clause: Clause): Clause {
  if (clause.kind === "everything") return NOTHING;
  if (clause.kind === "nothing") return EVERYTHING;
  return clause.kind === "not" ? clause.of : { kind: "not", of: clause };
}

/** Returns a clause that matches if a keyword at one of the paths equals the text. Case is ignored. */
export function isValue(paths: readonly string[], text: string): Clause {
  const end = { value: foldKeyword(text), inclusive: true };
  return { kind: "range", paths, type: "keyword", from: end, to: end };
}

/**
 * Returns a clause that matches consecutive words, in all spellings of their Greek letters.
 * @param kind `prefix`: the last word is a prefix of a word
 */
export function rowOfWords(words: readonly string[], place: TextScope, kind: "words" | "prefix" = "words"): Clause {
  if (words.length === 0) return NOTHING;
  const rows = greekSpellings(words);
  if (rows.length === 1) return { kind, place, words };
  return anyOf(rows.map((row) => ({ kind, place, words: row })));
}

/** What is said again says nothing: each clause stands once. */
function joined(kind: "all" | "any", clauses: readonly Clause[]): Clause | undefined {
  const of = [...new Map(clauses.map((clause) => [JSON.stringify(clause), clause])).values()];
  return of.length > 1 ? { kind, of } : of[0];
}
