import { compareRank, type RankKey } from "../../../../core/terms/term-order.js";
import { contains, type DocIdSet, firstIds } from "../../bitmaps/doc-id-set.js";
import type { Generation } from "../store/generation.js";

/** A row and its key. */
interface KeyedRow extends RankKey {
  readonly id: number;
}

/** A row above the ranked ones. */
export interface DeltaRow extends KeyedRow {
  /** The last ranked row that comes before it, once a walk has asked for it. */
  border?: number;
}

const KEY_COLUMNS = "id, status, prior, length, ext";

export function rankKey(generation: Generation, id: number): KeyedRow | undefined {
  return generation.sql<KeyedRow>(`SELECT ${KEY_COLUMNS} FROM term_$g WHERE id = ?`).get(id);
}

/** The last ranked row (0: none) whose key is not above this one: those after it follow. */
function lastRankedUpTo(generation: Generation, key: RankKey): number {
  const next = generation.sql<KeyedRow>(
    `SELECT ${KEY_COLUMNS} FROM term_$g WHERE id >= ? AND id <= ? ORDER BY id LIMIT 1`,
  );
  let low = 1;
  let high = generation.ranked + 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    // Rows that were taken away leave gaps.
    const row = next.get(middle, generation.ranked);
    if (row !== undefined && compareRank(row, key) <= 0) low = row.id + 1;
    else high = middle;
  }
  return low - 1;
}

/** Rows that a walk takes from a set in one go; more each time, for who goes on goes far. */
const ROWS_FIRST = 16;
const ROWS_MOST = 4_096;

/** Rows from `from` to `to`, both included, ascending. */
function* walkRows(rows: DocIdSet, from: number, to: number): Generator<number> {
  let above = from - 1;
  for (let many = ROWS_FIRST; ; many = Math.min(many * 4, ROWS_MOST)) {
    const some = firstIds(rows, above, many);
    for (const id of some) {
      if (id > to) return;
      yield id;
    }
    if (some.length < many) return;
    above = some.at(-1)!;
  }
}

/**
 * Rows in static order, those after a key where one is given: the ranked ones by number, the delta ones put between
 * them by key. @param delta all delta rows, best first, as they are kept until the next write
 */
export function* walkStatic(
  generation: Generation,
  rows: DocIdSet,
  delta: readonly DeltaRow[],
  after?: RankKey,
): Generator<number> {
  let from = after === undefined ? 1 : lastRankedUpTo(generation, after) + 1;
  for (const row of delta) {
    if (!contains(rows, row.id) || (after !== undefined && compareRank(row, after) <= 0)) continue;
    row.border ??= lastRankedUpTo(generation, row);
    yield* walkRows(rows, from, row.border);
    from = Math.max(from, row.border + 1);
    yield row.id;
  }
  yield* walkRows(rows, from, generation.ranked);
}
