import type { Bound, Clause } from "../../../query/index-model/clause.js";
import { keywordsAt, keywordValue, numbersAt, numberValue } from "../documents/index-tokens.js";
import { NOTHING, type Query } from "./dsl.js";

type Range = Extract<Clause, { kind: "range" }>;

type Ends = Pick<Range, "from" | "to">;

/** The values at a path that are tokens lie in a range. @param p the path as tokens have it */
export function tokenRange({ from, to, type }: Range, field: string, p: string): Query {
  const tokenOf = ({ value }: Bound): string =>
    type === "keyword" ? keywordValue(p, `${value}`) : numberValue(p, Number(value));
  const { gte, lt } = type === "keyword" ? keywordsAt(p) : numbersAt(p);
  const lower = from === undefined ? { gte } : { [from.inclusive ? "gte" : "gt"]: tokenOf(from) };
  const upper = to === undefined ? { lt } : { [to.inclusive ? "lte" : "lt"]: tokenOf(to) };
  return { range: { [field]: { ...lower, ...upper } } };
}

/** One of the numbers of a field lies in a range. JSON has no infinite numbers, and no record has. */
export function numberRange({ from, to }: Ends, field: string): Query {
  const [least, most] = [from?.value ?? Number.NEGATIVE_INFINITY, to?.value ?? Number.POSITIVE_INFINITY].map(Number);
  if (least === Number.POSITIVE_INFINITY || most === Number.NEGATIVE_INFINITY) return NOTHING;
  const lower = Number.isFinite(least) ? { [from?.inclusive ? "gte" : "gt"]: least } : {};
  const upper = Number.isFinite(most) ? { [to?.inclusive ? "lte" : "lt"]: most } : {};
  const ends = { ...lower, ...upper };
  return Object.keys(ends).length === 0 ? { exists: { field } } : { range: { [field]: ends } };
}
