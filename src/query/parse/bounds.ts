import type { LeafType } from "../../core/catalog/types.js";
import { type DateUnit, parseDateOrNow } from "../../core/time.js";
import { parseNumber } from "../../core/units/amounts.js";
import { plainDashes } from "../../core/units/units.js";
import type { Bound } from "../index-model/clause.js";
import { compareKeywords, foldKeyword } from "../text/analyse.js";
import type { RangeBound } from "./tree.js";

/** Ends of a range as values of one type. */
export interface Ends {
  readonly from?: Bound;
  readonly to?: Bound;
}

/**
 * Converts bounds to values of a type and returns the narrowest bound of each side. A date covers its whole unit:
 * `<=2024` includes the year, `>2024` excludes it.
 *
 * @param now microseconds since 1970 UTC
 * @returns undefined if a bound is not a value of the type
 */
export function readBounds(bounds: readonly RangeBound[], type: LeafType, now: number): Ends | undefined {
  const values = bounds.flatMap(({ op, text }) => {
    const bound = readBound(op, text, type, now);
    return bound === undefined ? [] : [{ op, bound }];
  });
  return values.length < bounds.length ? undefined : narrowestEnds(values);
}

/** Returns the narrowest bound of each side. */
export function narrowestEnds(bounds: readonly { readonly op: RangeBound["op"]; readonly bound: Bound }[]): Ends {
  let ends: Ends = {};
  for (const { op, bound } of bounds) {
    const side = op.startsWith(">") ? "from" : "to";
    const narrowest = ends[side];
    if (narrowest === undefined || isNarrower(bound, narrowest, side)) ends = { ...ends, [side]: bound };
  }
  return ends;
}

/** Returns the range of a text that equals one value, or that covers the whole unit of a date. */
export function readValue(text: string, type: LeafType, now: number): Ends | undefined {
  if (type === "keyword") return undefined;
  return readBounds(
    [
      { op: ">=", text },
      { op: "<=", text },
    ],
    type,
    now,
  );
}

function readBound(op: RangeBound["op"], text: string, type: LeafType, now: number): Bound | undefined {
  if (type === "date") {
    const unit = parseDateOrNow(plainDashes(text), now);
    return unit === undefined ? undefined : dateBound(op, unit);
  }
  const value = type === "number" ? parseNumber(text) : foldKeyword(text);
  return value === undefined ? undefined : { value, inclusive: op.endsWith("=") };
}

/** Converts a bound to an instant. The `to` of a unit is the first instant after it. */
function dateBound(op: RangeBound["op"], { from, to }: DateUnit): Bound {
  switch (op) {
    case ">=":
      return { value: from, inclusive: true };
    case ">":
      return { value: to, inclusive: true };
    case "<=":
      return { value: to, inclusive: false };
    case "<":
      return { value: from, inclusive: false };
  }
}

function isNarrower(bound: Bound, other: Bound, side: "from" | "to"): boolean {
  const order = compareValues(bound.value, other.value);
  if (order === 0) return !bound.inclusive;
  return side === "from" ? order > 0 : order < 0;
}

function compareValues(a: number | string, b: number | string): number {
  return typeof a === "number" && typeof b === "number" ? a - b : compareKeywords(String(a), String(b));
}
