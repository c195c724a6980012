/** The keys of hits, which cursors carry: where a page ends, so that the next one begins behind it. */
import { fail } from "../../core/errors.js";
import type { CitedKey } from "../../core/terms/term-order.js";

/** The key of a hit in its sort: what a cursor carries. The engine makes it and reads it; others only keep it. */
export type SortKey = readonly (string | number)[];

/** A record among the hits: the step of `bestmatch` that has it (0 in other orders), and its row, which only rises. */
export interface RecordPlace {
  readonly step: number;
  readonly row: number;
}

export const recordKey = ({ step, row }: RecordPlace, sort: string): SortKey =>
  sort === "bestmatch" ? [step, row] : [row];

/** @throws BinderyError CURSOR_INVALID */
export function readRecordKey(key: SortKey, sort: string): RecordPlace {
  const [step, row] = sort === "bestmatch" ? key : [0, ...key];
  if (!Number.isSafeInteger(step) || !Number.isSafeInteger(row)) throw fail("CURSOR_INVALID", { issues: [] });
  return { step: Number(step), row: Number(row) };
}

/** A record among the hits in the order of a number: the number, absent where it has none, and its row. */
export interface ValuedPlace {
  readonly value?: number;
  readonly row: number;
}

/** Records without a number come after all others. */
export const valueKey = ({ value, row }: ValuedPlace): SortKey => (value === undefined ? [1, row] : [0, value, row]);

/** @throws BinderyError CURSOR_INVALID */
export function readValueKey(key: SortKey): ValuedPlace {
  const [last, ...place] = key;
  const [value, row] = last === 0 ? place : [undefined, ...place];
  const isValue = last === 0 ? typeof value === "number" : last === 1;
  if (!isValue || !Number.isSafeInteger(row)) throw fail("CURSOR_INVALID", { issues: [] });
  return { ...(value === undefined ? {} : { value: Number(value) }), row: Number(row) };
}

/** An item among the hits of `bestmatch`: its step, then as `compareCited`. */
export interface TermPlace extends CitedKey {
  readonly step: number;
}

export const rankedTermKey = ({ step, status, cited, prior, length, ext }: TermPlace): SortKey => [
  ...[step, status, cited, prior, length],
  ext,
];

/** @throws BinderyError CURSOR_INVALID */
export function readRankedTermKey(key: SortKey): TermPlace {
  const [step, status, cited, prior, length, ext] = key;
  const numbers = [step, status, cited, prior, length];
  if (!numbers.every((value) => typeof value === "number") || typeof ext !== "string") {
    throw fail("CURSOR_INVALID", { issues: [] });
  }
  const [s, t, c, p, l] = numbers as [number, number, number, number, number];
  return { step: s, status: t, cited: c, prior: p, length: l, ext };
}

/** The key of an item in an order of its own: its title's key, or its instant and id. @throws CURSOR_INVALID */
export function readSortedTermKey(key: SortKey, by: "title" | "newest" | "oldest"): SortKey {
  const types = key.map((part) => typeof part).join(" ");
  if (types !== (by === "title" ? "string" : "number string")) throw fail("CURSOR_INVALID", { issues: [] });
  return key;
}
