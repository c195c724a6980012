import type { Bound, Clause } from "../index-model/clause.js";
import type { LeafValue } from "../index-model/leaves.js";
import { compareKeywords, foldKeyword } from "../text/analyse.js";

/** Compiles a range to a test of single values. */
export function compileRange({
  type,
  from,
  to,
}: Pick<Extract<Clause, { kind: "range" }>, "type" | "from" | "to">): (leaf: LeafValue) => boolean {
  return ({ number, keyword }) => {
    const value = type === "keyword" ? keyword && foldKeyword(keyword) : number;
    if (value === undefined) return false;
    return isWithin(from, from === undefined ? 0 : compare(value, from.value)) && isWithin(to, negated(value, to));
  };
}

/** @param order above 0: the value lies on the inner side of the bound */
const isWithin = (bound: Bound | undefined, order: number): boolean =>
  bound === undefined || order > 0 || (order === 0 && bound.inclusive);

const negated = (value: string | number, to: Bound | undefined): number =>
  to === undefined ? 0 : -compare(value, to.value);

const compare = (value: string | number, bound: string | number): number =>
  typeof value === "number" ? value - Number(bound) : compareKeywords(value, String(bound));
