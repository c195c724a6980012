import type { Clause } from "../../../query/clause.js";
import { both, bytesOfRows, countRows, either, idsOf, NO_ROWS, type Rows, rowsOf } from "../rows.js";
import { hotRows, isHot } from "./hot-rows.js";
import { hasLate } from "./live-rows.js";
import { anyToken, expressionOf, type Phrase, type TextColumns } from "./match-words.js";
import { kept, type SearchContext } from "./term-search.js";

/** Rows of a full-text table that are read between two looks at the clock. */
const ROWS_AT_ONCE = 50_000;

/** Of a phrase of common words so few rows are looked at one by one: quicker than reading where each word stands. */
const CHECKED_ROWS_MAX = 64;

/** Words that one expression asks for; more are asked for in several. */
const WORDS_AT_ONCE = 200;

/** Rows with the phrase. Ranked ones that were taken away since may be among them. */
export function phraseRows(context: SearchContext, phrase: Phrase, clause?: Clause): Rows {
  const ranked = isCommon(context, phrase) ? commonRows(context, phrase, clause) : undefined;
  const { table } = phrase;
  return ranked === undefined
    ? expressionRows(context, table, expressionOf(phrase), clause)
    : either(ranked, lateRows(context, table, expressionOf(phrase)));
}

/** Is each of its tokens in so many rows that their sets are saved? */
export function isCommon(context: SearchContext, { tokens, isPrefix, columns }: Phrase): boolean {
  return (
    columns !== "synonyms" && tokens.every((token, i) => isHot(context, token, isPrefix && i === tokens.length - 1))
  );
}

/** Rows that match an FTS5 expression; the answer is kept. */
export function expressionRows(
  context: SearchContext,
  table: Phrase["table"],
  expression: string,
  clause?: Clause,
): Rows {
  const ranked = kept(context, `${table} ${expression}`, () => {
    const rows = rankedRows(context, table, expression, clause);
    return [rows, bytesOfRows(rows)];
  });
  return either(ranked, lateRows(context, table, expression));
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
export function wordRows(context: SearchContext, words: readonly string[], place: WordPlace, clause?: Clause): Rows {
  const { table, before, columns, isPrefix } = place;
  const tokens = words.map((word) => before + word);
  const several = (some: readonly string[], read: (expression: string) => Rows): Rows => {
    let rows = NO_ROWS;
    for (let from = 0; from < some.length; from += WORDS_AT_ONCE) {
      context.checkTime(clause);
      rows = either(rows, read(anyToken(some.slice(from, from + WORDS_AT_ONCE), columns, isPrefix)));
    }
    return rows;
  };
  const hot = tokens.map((token) => hotRows(context, token, isPrefix, columns));
  const rare = several(
    tokens.filter((_, i) => hot[i] === undefined),
    (expression) => rankedRows(context, table, expression, clause),
  );
  const common = hot.reduce<Rows>((rows, some) => (some === undefined ? rows : either(rows, some)), NO_ROWS);
  const late = hasLate(context) ? several(tokens, (expression) => lateRows(context, table, expression)) : NO_ROWS;
  return either(either(rare, common), late);
}

/** Ranked rows with the phrase, by the saved sets of its tokens. */
function commonRows(context: SearchContext, phrase: Phrase, clause: Clause | undefined): Rows {
  const { table, tokens, isPrefix, columns } = phrase;
  const setOf = (i: number): Rows => hotRows(context, tokens[i]!, isPrefix && i === tokens.length - 1, columns)!;
  if (tokens.length === 1) return setOf(0);
  return kept(context, `${table} ${expressionOf(phrase)}`, () => {
    const together = tokens.map((_, i) => setOf(i)).reduce(both);
    const rows =
      countRows(together) <= CHECKED_ROWS_MAX
        ? checkedRows(context, phrase, idsOf(together))
        : rankedRows(context, table, expressionOf(phrase), clause);
    return [rows, bytesOfRows(rows)];
  });
}

function checkedRows({ generation }: SearchContext, phrase: Phrase, ids: Uint32Array): Rows {
  const { table } = phrase;
  const statement = generation.sql(`SELECT 1 FROM ${table}_$g WHERE ${table}_$g MATCH ? AND rowid = ?`).pluck();
  return rowsOf(ids.filter((id) => statement.get(expressionOf(phrase), BigInt(id)) !== undefined));
}

// A bound that is no integer to SQLite is ignored by FTS5 in silence, and numbers of JavaScript are none.
function rankedRows(context: SearchContext, table: Phrase["table"], expression: string, clause?: Clause): Rows {
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
  return rowsOf(joinIds(parts));
}

/** Rows above the ranked ones: few, and new ones with each write. */
function lateRows(context: SearchContext, table: Phrase["table"], expression: string): Rows {
  if (!hasLate(context)) return NO_ROWS;
  const ids = context.generation
    .sql<number>(`SELECT rowid FROM ${table}_$g WHERE ${table}_$g MATCH ? AND rowid > ? ORDER BY rowid`)
    .pluck()
    .all(expression, BigInt(context.generation.ranked));
  return rowsOf(Uint32Array.from(ids));
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
