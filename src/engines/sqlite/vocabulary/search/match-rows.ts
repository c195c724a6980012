import type { Clause } from "../../../../query/index-model/clause.js";
import {
  and,
  bytesOfSet,
  cardinality,
  type DocIdSet,
  EMPTY_SET,
  or,
  setOfSorted,
  toIds,
} from "../../bitmaps/doc-id-set.js";
import { anyPhrase } from "../../documents/fts-expression.js";
import { kept, keptUntilWrite } from "../store/generation.js";
import { hasDelta } from "./live-docs.js";
import { expressionOf, type Phrase, type TextColumns } from "./phrases.js";
import { hasSavedPostings, savedPostings } from "./saved-postings.js";
import type { SearchContext } from "./search-context.js";

/** Rows of a full-text table that are read between two looks at the clock. */
const ROWS_AT_ONCE = 50_000;

/** Of a phrase of common words so few rows are looked at one by one: quicker than reading where each word stands. */
const CHECKED_ROWS_MAX = 64;

/** Rows with the phrase. Ranked ones that were taken away since may be among them. */
export function phraseRows(context: SearchContext, phrase: Phrase, clause?: Clause): DocIdSet {
  const ranked = isCommon(context, phrase) ? commonRows(context, phrase, clause) : undefined;
  const { table } = phrase;
  return ranked === undefined
    ? expressionRows(context, table, expressionOf(phrase), clause)
    : or(ranked, deltaMatches(context, table, expressionOf(phrase)));
}

/** Is each of its tokens in so many rows that their sets are saved? */
export function isCommon(context: SearchContext, { tokens, isPrefix, columns }: Phrase): boolean {
  return (
    columns !== "synonyms" &&
    tokens.every((token, i) => hasSavedPostings(context, token, isPrefix && i === tokens.length - 1))
  );
}

/** Rows that match an FTS5 expression; the answer is kept. */
export function expressionRows(
  context: SearchContext,
  table: Phrase["table"],
  expression: string,
  clause?: Clause,
): DocIdSet {
  const ranked = kept(context, `${table} ${expression}`, () => {
    const rows = rankedRows(context, table, expression, clause);
    return [rows, bytesOfSet(rows)];
  });
  return or(ranked, deltaMatches(context, table, expression));
}

/** Where words are looked for. */
export interface WordPlace {
  readonly table: Phrase["table"];
  /** Stands before each word of the table's tokens. */
  readonly before: string;
  readonly columns: TextColumns;
  /** The words are beginnings of words. */
  readonly isPrefix: boolean;
}

/** Rows with any of these words; some may be in no row. */
export function wordRows(
  context: SearchContext,
  words: readonly string[],
  place: WordPlace,
  clause?: Clause,
): DocIdSet {
  const { table, before, columns, isPrefix } = place;
  const tokens = words.map((word) => before + word);
  const several = (some: readonly string[], read: (expression: string) => DocIdSet): DocIdSet => {
    let rows = EMPTY_SET;
    for (const expression of anyPhrase(some.map((token) => expressionOf({ tokens: [token], isPrefix, columns })))) {
      context.checkTime(clause);
      rows = or(rows, read(expression));
    }
    return rows;
  };
  const saved = tokens.map((token) => savedPostings(context, token, isPrefix, columns));
  const rare = several(
    tokens.filter((_, i) => saved[i] === undefined),
    (expression) => rankedRows(context, table, expression, clause),
  );
  const common = saved.reduce<DocIdSet>((rows, some) => (some === undefined ? rows : or(rows, some)), EMPTY_SET);
  const delta = hasDelta(context)
    ? several(tokens, (expression) => deltaMatches(context, table, expression))
    : EMPTY_SET;
  return or(or(rare, common), delta);
}

/** Ranked rows with the phrase, by the saved sets of its tokens. */
function commonRows(context: SearchContext, phrase: Phrase, clause: Clause | undefined): DocIdSet {
  const { table, tokens, isPrefix, columns } = phrase;
  const setOf = (i: number): DocIdSet =>
    savedPostings(context, tokens[i]!, isPrefix && i === tokens.length - 1, columns)!;
  if (tokens.length === 1) return setOf(0);
  return kept(context, `${table} ${expressionOf(phrase)}`, () => {
    const together = tokens.map((_, i) => setOf(i)).reduce(and);
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
  return setOfSorted(ids.filter((id) => statement.get(expressionOf(phrase), BigInt(id)) !== undefined));
}

// A bound that is no integer to SQLite is ignored by FTS5 in silence, and numbers of JavaScript are none.
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
  return setOfSorted(joinIds(parts));
}

/** Rows above the ranked ones: few, and new ones with each write. */
function deltaMatches(context: SearchContext, table: Phrase["table"], expression: string): DocIdSet {
  if (!hasDelta(context)) return EMPTY_SET;
  return keptUntilWrite(context, `delta ${table} ${expression}`, () => {
    const ids = context.generation
      .sql<number>(`SELECT rowid FROM ${table}_$g WHERE ${table}_$g MATCH ? AND rowid > ? ORDER BY rowid`)
      .pluck()
      .all(expression, BigInt(context.generation.ranked));
    const rows = setOfSorted(new Uint32Array(ids));
    return [rows, bytesOfSet(rows)];
  });
}

/** Ids from several reads, one after the other. */
export function joinIds(parts: readonly (readonly number[])[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
