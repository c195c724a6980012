import type { Vocabulary } from "../../../core/catalog/types.js";
import type { Clause } from "../../../query/clause.js";
import { startDeadline } from "../deadline.js";
import { describeClause } from "../describe-clause.js";
import type { Memory } from "../memory.js";
import type { Generation } from "./generation.js";

/** One search: where it looks, and how long it may take. */
export interface SearchContext {
  readonly vocabulary: Vocabulary;
  readonly generation: Generation;
  /** Keeps what is read from the tables of a generation. */
  readonly memory: Memory;
  /** @param clause what is being looked up, for the message. @throws BinderyError QUERY_TOO_COSTLY */
  checkTime(clause?: Clause): void;
}

export function makeContext(
  vocabulary: Vocabulary,
  generation: Generation,
  memory: Memory,
  timeoutMs: number,
): SearchContext {
  let costly: Clause | undefined;
  const deadline = startDeadline(timeoutMs, () => (costly === undefined ? "the query" : describeClause(costly)));
  return {
    vocabulary,
    generation,
    memory,
    checkTime: (clause) => {
      costly = clause ?? costly;
      deadline.check();
    },
  };
}

/** Rows of a full-text table that are read between two looks at the clock. */
const ROWS_AT_ONCE = 50_000;

/** Ascending row ids that match an FTS5 expression. */
export function matchRows(
  { generation, checkTime }: SearchContext,
  table: "term_fts" | "term_at",
  expression: string,
  clause?: Clause,
): Uint32Array {
  const statement = generation
    .sql<number>(
      `SELECT rowid FROM ${table}_$g WHERE ${table}_$g MATCH ? AND rowid > ? ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`,
    )
    .pluck();
  let rows = statement.all(expression, 0n);
  if (rows.length < ROWS_AT_ONCE) return Uint32Array.from(rows);
  const parts: number[][] = [];
  for (;;) {
    parts.push(rows);
    if (rows.length < ROWS_AT_ONCE) break;
    checkTime(clause);
    // A bound that is no integer to SQLite is ignored by FTS5 in silence, and numbers of JavaScript are none.
    rows = statement.all(expression, BigInt(rows.at(-1)!));
  }
  return joined(parts);
}

/** Ascending row ids of all items. */
export function allRows({ generation, checkTime }: SearchContext): Uint32Array {
  const statement = generation
    .sql<number>(`SELECT id FROM term_$g WHERE id > ? ORDER BY id LIMIT ${ROWS_AT_ONCE}`)
    .pluck();
  const parts: number[][] = [];
  let last = 0;
  for (;;) {
    const rows = statement.all(last);
    parts.push(rows);
    if (rows.length < ROWS_AT_ONCE) return joined(parts);
    last = rows.at(-1)!;
    checkTime();
  }
}

function joined(parts: readonly (readonly number[])[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
