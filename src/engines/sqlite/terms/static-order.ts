import type { Generation } from "./generation.js";
import { lowerBound } from "./row-set.js";

/** What orders items that match equally well: active first, larger prior, shorter title, id byte by byte. */
export interface RankKey {
  readonly status: number;
  readonly prior: number;
  readonly length: number;
  readonly ext: string;
}

/** A row above the ranked ones. */
export interface LateRow extends RankKey {
  readonly id: number;
}

const KEY_COLUMNS = "id, status, prior, length, ext";

export function compareRank(a: RankKey, b: RankKey): number {
  return a.status - b.status || b.prior - a.prior || a.length - b.length || compareBytes(a.ext, b.ext);
}

/** Order of two texts as SQLite has it: by their UTF-8 bytes. */
export function compareBytes(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

export function rankKey(generation: Generation, id: number): LateRow | undefined {
  return generation.sql<LateRow>(`SELECT ${KEY_COLUMNS} FROM term_$g WHERE id = ?`).get(id);
}

/** The last ranked row (0: none) whose key is not above this one: those after it follow. */
export function lastRankedUpTo(generation: Generation, key: RankKey): number {
  const next = generation.sql<LateRow>(
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

/** Rows in static order: the ranked ones by number, the late ones put between them by key. */
export class StaticOrder {
  readonly #generation: Generation;
  readonly #late: readonly LateRow[];
  readonly #ranked: Uint32Array;

  /** @param ids ascending */
  constructor(generation: Generation, ids: Uint32Array) {
    this.#generation = generation;
    const border = lowerBound(ids, generation.ranked + 1);
    this.#ranked = ids.subarray(0, border);
    this.#late = [...ids.subarray(border)].flatMap((id) => rankKey(generation, id) ?? []).sort(compareRank);
  }

  /** Row ids in order, those after a key where one is given. */
  *walk(after?: RankKey): Generator<number> {
    let at = after === undefined ? 0 : lowerBound(this.#ranked, lastRankedUpTo(this.#generation, after) + 1);
    for (const late of this.#late) {
      if (after !== undefined && compareRank(late, after) <= 0) continue;
      const border = lastRankedUpTo(this.#generation, late);
      while (at < this.#ranked.length && this.#ranked[at]! <= border) yield this.#ranked[at++]!;
      yield late.id;
    }
    while (at < this.#ranked.length) yield this.#ranked[at++]!;
  }
}
