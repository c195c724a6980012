import type { Clause } from "../../../../query/index-model/clause.js";
import { STEP_COLUMNS, type StepColumns } from "../../../../query/ranking/term-steps.js";
import {
  bytesOfSet,
  cardinality,
  type DocIdSet,
  EMPTY_SET,
  intersectSets,
  joinIds,
  makeSortedSet,
  toIds,
  uniteSets,
} from "../../bitmaps/doc-id-set.js";
import { anyPhrase } from "../../documents/fts-expression.js";
import { cachedForGeneration, cachedUntilWrite } from "../store/generation.js";
import { hasDelta } from "./live-docs.js";
import { expressionOf, type Phrase, type TextColumns } from "./phrases.js";
import { hasSavedSet, readSavedSet } from "./saved-data.js";
import type { RowsByColumns, SearchContext } from "./search-context.js";
import { anyTokenRows, hasPostings, tokenRows } from "./term-postings.js";

/** Number of rows of a full-text table that are read between two checks of the time limit. */
const ROWS_AT_ONCE = 50_000;

/**
 * Maximum number of rows that are checked one by one for a phrase. For so few, this is faster than reading the
 * positions of each word.
 */
const CHECKED_ROWS_MAX = 64;

/** Returns the rows with the phrase. Some may be deleted rows, see `liveAmong`. */
export function phraseRows(context: SearchContext, phrase: Phrase, clause?: Clause): DocIdSet {
  const { table } = phrase;
  const expression = expressionOf(phrase);
  return hasLists(context, phrase)
    ? uniteSets(rowsOfLists(context, phrase, clause), deltaMatches(context, table, expression))
    : expressionRows(context, table, expression, clause);
}

/** Returns whether the ranked rows of each token of the phrase are saved as lists or sets. */
export function hasLists(context: SearchContext, { table, tokens, isPrefix, columns }: Phrase): boolean {
  if (columns === "synonyms") return false;
  if (table === "term_fts") return hasPostings(context);
  return tokens.every((token, i) => hasSavedSet(context, token, isPrefix && i === tokens.length - 1));
}

/** Returns the rows that match an FTS5 expression. The result is cached. */
function expressionRows(context: SearchContext, table: Phrase["table"], expression: string, clause?: Clause): DocIdSet {
  const ranked = cachedForGeneration(context, `${table} ${expression}`, () => {
    const rows = rankedRows(context, table, expression, clause);
    return [rows, bytesOfSet(rows)];
  });
  return uniteSets(ranked, deltaMatches(context, table, expression));
}

/** The table, prefix and columns in which words are searched. */
export interface WordPlace {
  readonly table: Phrase["table"];
  /** Prefix of the tokens in the table. */
  readonly before: string;
  readonly columns: TextColumns;
  /** Whether the words are prefixes. */
  readonly isPrefix: boolean;
}

/** Returns the rows with any of the words. Words without rows are allowed. */
export function wordRows(
  context: SearchContext,
  words: readonly string[],
  place: WordPlace,
  clause?: Clause,
): DocIdSet {
  return uniteSets(rankedWordRows(context, words, place, clause), deltaWordRows(context, words, place, clause));
}

/** Returns the ranked rows with any of the words, for each choice of columns. */
export function rankedRowsByColumns(
  context: SearchContext,
  words: readonly string[],
  isPrefix: boolean,
): RowsByColumns {
  if (hasPostings(context)) return anyTokenRows(context, words, isPrefix, STEP_COLUMNS);
  const rowsIn = (columns: StepColumns): DocIdSet =>
    rankedWordRows(context, words, { table: "term_fts", before: "", columns, isPrefix });
  return { title: rowsIn("title"), names: rowsIn("names"), all: rowsIn("all") };
}

/** Returns the ranked rows with any of the words. */
function rankedWordRows(
  context: SearchContext,
  words: readonly string[],
  { table, before, columns, isPrefix }: WordPlace,
  clause?: Clause,
): DocIdSet {
  const tokens = words.map((word) => before + word);
  if (table === "term_fts" && columns !== "synonyms" && hasPostings(context)) {
    return anyTokenRows(context, tokens, isPrefix, [columns], clause)[columns];
  }
  const saved = tokens.map((token) => readSavedSet(context, token, isPrefix, columns));
  const rareTokens = tokens.filter((_, i) => saved[i] === undefined);
  const read = (expression: string): DocIdSet => rankedRows(context, table, expression, clause);
  const rare = rowsOfAny(context, rareTokens, { columns, isPrefix }, read, clause);
  return saved.reduce<DocIdSet>((rows, some) => (some === undefined ? rows : uniteSets(rows, some)), rare);
}

/** Returns the rows of the delta with any of the words. */
export function deltaWordRows(
  context: SearchContext,
  words: readonly string[],
  { table, before, columns, isPrefix }: WordPlace,
  clause?: Clause,
): DocIdSet {
  if (!hasDelta(context)) return EMPTY_SET;
  const tokens = words.map((word) => before + word);
  const read = (expression: string): DocIdSet => deltaMatches(context, table, expression);
  return rowsOfAny(context, tokens, { columns, isPrefix }, read, clause);
}

/** Returns the rows with any of the tokens. @param read returns the rows of one expression */
function rowsOfAny(
  context: SearchContext,
  tokens: readonly string[],
  { columns, isPrefix }: Pick<WordPlace, "columns" | "isPrefix">,
  read: (expression: string) => DocIdSet,
  clause: Clause | undefined,
): DocIdSet {
  let rows = EMPTY_SET;
  for (const expression of anyPhrase(tokens.map((token) => expressionOf({ tokens: [token], isPrefix, columns })))) {
    context.checkTime(clause);
    rows = uniteSets(rows, read(expression));
  }
  return rows;
}

/** Returns the ranked rows with a phrase whose tokens have lists. */
function rowsOfLists(context: SearchContext, phrase: Phrase, clause: Clause | undefined): DocIdSet {
  const { table, tokens, isPrefix } = phrase;
  const columns = phrase.columns as StepColumns;
  const rowsOfToken = (i: number): DocIdSet => {
    const isLastPrefix = isPrefix && i === tokens.length - 1;
    return table === "term_fts"
      ? tokenRows(context, tokens[i]!, isLastPrefix, columns)
      : readSavedSet(context, tokens[i]!, isLastPrefix, columns)!;
  };
  if (tokens.length === 1) return rowsOfToken(0);
  return cachedForGeneration(context, `${table} ${expressionOf(phrase)}`, () => {
    const together = tokens.map((_, i) => rowsOfToken(i)).reduce(intersectSets);
    const rows =
      cardinality(together) <= CHECKED_ROWS_MAX
        ? checkedRows(context, phrase, toIds(together))
        : rankedRows(context, table, expressionOf(phrase), clause);
    return [rows, bytesOfSet(rows)];
  });
}

function checkedRows({ generation }: SearchContext, phrase: Phrase, ids: Uint32Array): DocIdSet {
  const { table } = phrase;
  const statement = generation.sql(`SELECT 1 FROM ${table}_$g WHERE ${table}_$g MATCH ? AND rowid = ?`).pluck();
  const expression = expressionOf(phrase);
  return makeSortedSet(ids.filter((id) => statement.get(expression, BigInt(id)) !== undefined));
}

// FTS5 silently ignores a bound that is not an SQLite integer; numbers of JavaScript are bound as reals, so use BigInt.
function rankedRows(context: SearchContext, table: Phrase["table"], expression: string, clause?: Clause): DocIdSet {
  const { generation, checkTime } = context;
  const statement = generation
    .sql<number>(
      `SELECT rowid FROM ${table}_$g WHERE ${table}_$g MATCH ? AND rowid > ? AND rowid <= ?
       ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`,
    )
    .pluck();
  const last = BigInt(generation.ranked);
  const parts: number[][] = [];
  let rows = statement.all(expression, 0n, last);
  parts.push(rows);
  while (rows.length === ROWS_AT_ONCE) {
    checkTime(clause);
    rows = statement.all(expression, BigInt(rows.at(-1)!), last);
    parts.push(rows);
  }
  return makeSortedSet(joinIds(parts));
}

/** Returns the matching rows of the delta, which is small and changes with each write. */
function deltaMatches(context: SearchContext, table: Phrase["table"], expression: string): DocIdSet {
  if (!hasDelta(context)) return EMPTY_SET;
  return cachedUntilWrite(context, `delta ${table} ${expression}`, () => {
    const ids = context.generation
      .sql<number>(`SELECT rowid FROM ${table}_$g WHERE ${table}_$g MATCH ? AND rowid > ? ORDER BY rowid`)
      .pluck()
      .all(expression, BigInt(context.generation.ranked));
    const rows = makeSortedSet(new Uint32Array(ids));
    return [rows, bytesOfSet(rows)];
  });
}
