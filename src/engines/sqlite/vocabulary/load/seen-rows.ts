import type { LoadedSource } from "../../../term-loads/loaded-source.js";
import type { Generation } from "../store/generation.js";

/** Rows that are read in one go to find those that the source no longer has. */
const ROWS_AT_ONCE = 4_096;

/** Of a sync: the rows whose items the source has, in its list or by saying what became of their ids. */
export class SeenRows {
  readonly #source: LoadedSource;
  readonly #generation: Generation | undefined;
  /** A bit for each row that is current when the sync begins. */
  readonly #seen: Uint8Array | undefined;

  /** @param generation current as the load begins */
  constructor(source: LoadedSource, generation: Generation | undefined) {
    this.#source = source;
    this.#generation = generation;
    this.#seen = source.isSync ? new Uint8Array(Math.ceil((generation?.next ?? 0) / 8)) : undefined;
  }

  add(row: number): void {
    const at = row >> 3;
    // Rows with higher numbers were written since by others: they are left alone.
    if (this.#seen !== undefined && at < this.#seen.length) this.#seen[at]! |= 1 << (row & 7);
  }

  /** Ids of the items that came from the source and that it no longer has. */
  *missing(): Generator<string> {
    const seen = this.#seen;
    if (seen === undefined || this.#generation === undefined || !this.#source.withdraws()) return;
    const { next } = this.#generation;
    const read = this.#generation.sql<{ id: number; ext: string }>(
      "SELECT id, ext FROM term_$g WHERE id >= ? AND id < ? AND (sources & ?) <> 0",
    );
    for (let from = 0; from < next; from += ROWS_AT_ONCE) {
      // Most rows are there: blocks of them are not read at all.
      if (seen.subarray(from >> 3, (from + ROWS_AT_ONCE) >> 3).every((bits) => bits === 255)) continue;
      for (const { id, ext } of read.all(from, Math.min(from + ROWS_AT_ONCE, next), this.#source.bit)) {
        if ((seen[id >> 3]! & (1 << (id & 7))) === 0) yield ext;
      }
    }
  }
}
