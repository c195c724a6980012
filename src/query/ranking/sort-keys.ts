/** Sort keys of hits. A cursor contains the key of the last hit of a page, after which the next page begins. */
import { fail } from "../../core/errors.js";
import type { CitedKey } from "../../core/terms/term-order.js";

/** Key of a hit in the sort order. Engines make and read it; other layers only pass it on. */
export type SortKey = readonly (string | number)[];

/** Place of a record among the hits: its step of `bestmatch` (0 in other orders) and its row number. */
interface RecordSortPlace {
  readonly step: number;
  readonly row: number;
}

/** Returns the sort key of a record. */
export const recordSortKey = ({ step, row }: RecordSortPlace, sort: string): SortKey =>
  sort === "bestmatch" ? [step, row] : [row];

/** Reads the result of `recordSortKey`. @throws BinderyError CURSOR_INVALID */
export function readRecordSortKey(key: SortKey, sort: string): RecordSortPlace {
  const [step, row] = sort === "bestmatch" ? key : [0, ...key];
  if (!Number.isSafeInteger(step) || !Number.isSafeInteger(row)) throw fail("CURSOR_INVALID", { issues: [] });
  return { step: Number(step), row: Number(row) };
}

/** Place of a record among hits sorted by a number. `value` is absent if the record has no number. */
export interface ValuedPlace {
  readonly value?: number | undefined;
  readonly row: number;
}

/** Returns the sort key of a record by a number. Records without a number come last. */
export const valueSortKey = ({ value, row }: ValuedPlace): SortKey =>
  value === undefined ? [1, row] : [0, value, row];

/** Reads the result of `valueSortKey`. @throws BinderyError CURSOR_INVALID */
export function readValueSortKey(key: SortKey): ValuedPlace {
  const [isLast, ...place] = key;
  const [value, row] = isLast === 0 ? place : [undefined, ...place];
  const isValue = isLast === 0 ? typeof value === "number" : isLast === 1;
  if (!isValue || !Number.isSafeInteger(row)) throw fail("CURSOR_INVALID", { issues: [] });
  return { value: value === undefined ? undefined : Number(value), row: Number(row) };
}

/** Place of a term among the hits of `bestmatch`: its step, then the order of `compareCited`. */
export interface TermPlace extends CitedKey {
  readonly step: number;
}

/** Returns the sort key of a term in `bestmatch`. */
export const rankedTermKey = ({ step, status, cited, prior, length, ext }: TermPlace): SortKey => [
  step,
  status,
  cited,
  prior,
  length,
  ext,
];

/** Reads the result of `rankedTermKey`. @throws BinderyError CURSOR_INVALID */
export function readRankedTermKey(key: SortKey): TermPlace {
  const [step, status, cited, prior, length, ext] = key;
  const numbers = [step, status, cited, prior, length];
  if (!numbers.every((value) => typeof value === "number") || typeof ext !== "string") {
    throw fail("CURSOR_INVALID", { issues: [] });
  }
  const [s, t, c, p, l] = numbers as [number, number, number, number, number];
  return { step: s, status: t, cited: c, prior: p, length: l, ext };
}

/**
 * Checks the sort key of a term by title (the key of its title) or by age (its instant and id).
 * @throws BinderyError CURSOR_INVALID
 */
export function readSortedTermKey(key: SortKey, by: "title" | "newest" | "oldest"): SortKey {
  const types = key.map((part) => typeof part).join(" ");
  if (types !== (by === "title" ? "string" : "number string")) throw fail("CURSOR_INVALID", { issues: [] });
  return key;
}
