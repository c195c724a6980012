import type { Clause } from "../../../../query/index-model/clause.js";
import { existsToken, isTitle, pathToken, startToken } from "../../../../query/index-model/term-document.js";
import { phrase } from "../../documents/fts-expression.js";
import type { SearchContext } from "./search-context.js";

/** The columns in which text without a field is searched. Only the steps of `bestmatch` use less than all. */
export type TextColumns = "all" | "title" | "names" | "synonyms";

/** A sequence of tokens, in one of the full-text tables. */
export interface Phrase {
  readonly table: "term_fts" | "term_at";
  readonly tokens: readonly string[];
  /** Whether the last token is a prefix. */
  readonly isPrefix: boolean;
  readonly columns: TextColumns;
}

const COLUMNS = { all: undefined, title: ["title"], names: ["title", "names"], synonyms: ["names"] } as const;

/** Returns the FTS5 expression of a phrase. */
export function expressionOf({ tokens, isPrefix, columns }: Omit<Phrase, "table">): string {
  return phrase(tokens, isPrefix, COLUMNS[columns]);
}

/** A clause that the full-text tables answer. */
export type PhraseClause = Extract<Clause, { kind: "words" | "prefix" | "exists" }>;

/** Returns the phrases that match a clause. A row needs one of them. */
export function phrasesOf(context: SearchContext, clause: PhraseClause, columns: TextColumns): readonly Phrase[] {
  if (clause.kind === "exists") {
    return clause.paths.map(existsPhrase);
  }
  const { place, words } = clause;
  if (words.length === 0) return [];
  const isPrefix = clause.kind === "prefix";
  if (place.in === "text") return [{ table: "term_fts", tokens: words, isPrefix, columns }];
  const { column, paths } = splitPaths(context, place.paths);
  const columnPhrases: Phrase[] =
    column === undefined ? [] : [{ table: "term_fts", tokens: words, isPrefix, columns: column }];
  const tokensAt = (path: string): string[] => words.map((word) => pathToken(path, word));
  return [...columnPhrases, ...paths.map((path) => pathPhrase(tokensAt(path), isPrefix))];
}

/** Returns the phrase that matches each row with a value at the path. */
export const existsPhrase = (path: string): Phrase => pathPhrase([existsToken(path)], false);

const pathPhrase = (tokens: readonly string[], isPrefix: boolean): Phrase => ({
  table: "term_at",
  tokens,
  isPrefix,
  columns: "all",
});

/** Splits paths into those that are a whole column of `term_fts`, and the others. */
function splitPaths(
  { vocabulary }: SearchContext,
  paths: readonly string[],
): { readonly column: TextColumns | undefined; readonly paths: readonly string[] } {
  const titles = ["title", ...vocabulary.languages.map((lang) => `title.${lang}`)].every((path) =>
    paths.includes(path),
  );
  const names = paths.includes("synonyms");
  const otherPaths = paths.filter((path) => path !== "synonyms" && !(titles && isTitle(path)));
  return { column: titles ? (names ? "names" : "title") : names ? "synonyms" : undefined, paths: otherPaths };
}

/** Returns the phrase of titles that start with these words. @param isPrefix whether the last word is a prefix */
export function titleStart(words: readonly string[], isPrefix: boolean): Phrase {
  const start = startToken(words[0]!);
  return { table: "term_fts", tokens: words.length === 1 ? [start] : [start, ...words], isPrefix, columns: "title" };
}
