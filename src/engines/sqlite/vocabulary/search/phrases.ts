import type { Clause } from "../../../../query/index-model/clause.js";
import { existsToken, isTitle, pathToken, startToken } from "../../../../query/index-model/term-tokens.js";
import { phrase } from "../../documents/fts-expression.js";
import type { SearchContext } from "./search-context.js";

/** Where unfielded text is looked for: everywhere, or in some columns only (the steps of `bestmatch`). */
export type TextColumns = "all" | "title" | "names" | "synonyms";

/** Tokens in a row, in one of the full-text tables. */
export interface Phrase {
  readonly table: "term_fts" | "term_at";
  readonly tokens: readonly string[];
  /** The last token is only the beginning of one. */
  readonly isPrefix: boolean;
  readonly columns: TextColumns;
}

const COLUMNS = { all: undefined, title: ["title"], names: ["title", "names"], synonyms: ["names"] } as const;

/** As FTS5 takes it. */
export function expressionOf({ tokens, isPrefix, columns }: Omit<Phrase, "table">): string {
  return phrase(tokens, isPrefix, COLUMNS[columns]);
}

export type TextClause = Extract<Clause, { kind: "words" | "prefix" | "exists" }>;

/** What the clause asks the full-text tables for; each is one alternative. */
export function phrasesOf(context: SearchContext, clause: TextClause, columns: TextColumns): readonly Phrase[] {
  if (clause.kind === "exists") {
    return clause.paths.map(existsPhrase);
  }
  const { place, words } = clause;
  if (words.length === 0) return [];
  const isPrefix = clause.kind === "prefix";
  if (place.in === "text") return [{ table: "term_fts", tokens: words, isPrefix, columns }];
  const { column, paths } = splitPaths(context, place.paths);
  const inColumn: Phrase[] =
    column === undefined ? [] : [{ table: "term_fts", tokens: words, isPrefix, columns: column }];
  const tokensAt = (path: string): string[] => words.map((word) => pathToken(path, word));
  return [...inColumn, ...paths.map((path) => inPaths(tokensAt(path), isPrefix))];
}

/** Finds what has a value at the path. */
export const existsPhrase = (path: string): Phrase => inPaths([existsToken(path)], false);

const inPaths = (tokens: readonly string[], isPrefix: boolean): Phrase => ({
  table: "term_at",
  tokens,
  isPrefix,
  columns: "all",
});

/** Paths that are whole columns of `term_fts`, and the others. */
function splitPaths(
  { vocabulary }: SearchContext,
  paths: readonly string[],
): { readonly column: TextColumns | undefined; readonly paths: readonly string[] } {
  const titles = ["title", ...vocabulary.languages.map((lang) => `title.${lang}`)].every((path) =>
    paths.includes(path),
  );
  const names = paths.includes("synonyms");
  const others = paths.filter((path) => path !== "synonyms" && !(titles && isTitle(path)));
  return { column: titles ? (names ? "names" : "title") : names ? "synonyms" : undefined, paths: others };
}

/** Titles that begin with these words. @param isPrefix the last one is the beginning of a word */
export function titleStart(words: readonly string[], isPrefix: boolean): Phrase {
  const start = startToken(words[0]!);
  return { table: "term_fts", tokens: words.length === 1 ? [start] : [start, ...words], isPrefix, columns: "title" };
}
