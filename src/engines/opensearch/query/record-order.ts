/** The order of hits, and the place of each hit in it. */
import type { RecordSearch, ValueSort } from "../../../ports/search-index.js";
import { bestMatchSteps } from "../../../query/ranking/record-steps.js";
import type { PlaceKey, RecordPlace } from "../../separate-index/overlay/record-places.js";
import { type CompileContext, compileTest } from "./compile-query.js";
import type { Query } from "./dsl.js";

/** The last step has all remaining hits: no score is 0. */
const LAST_STEP = 6;

/** Returns the query for hits, scored by the steps of `bestmatch` if they order the hits. */
export function orderedQuery(hits: Query, search: RecordSearch, context: CompileContext): Query {
  if (search.sort !== "bestmatch") return { bool: { filter: [hits] } };
  const steps = bestMatchSteps(search)
    .filter(({ test }) => test.kind !== "everything")
    .map(({ number, test }) => ({
      constant_score: { filter: compileTest(test, context), boost: LAST_STEP - number },
    }));
  const ranked = steps.length === 0 ? {} : { should: [{ dis_max: { queries: steps } }], minimum_should_match: 0 };
  return { bool: { filter: [hits], ...ranked } };
}

type Sorts = readonly object[];

/** Returns `sort` of a request. */
export function makeSort({ sort }: Pick<RecordSearch, "sort">, context: CompileContext): Sorts {
  if (sort === "bestmatch") return [{ _score: "desc" }, NEWEST];
  if (typeof sort === "string") return [{ order: sort === "oldest" ? "asc" : "desc" }];
  return [...valueSort(sort, context), NEWEST];
}

const NEWEST = { order: "desc" };

/** Sorts records without a number last. */
function valueSort({ by, first }: ValueSort, { numbers, numberFields }: CompileContext): Sorts {
  const fields = by.filter((path) => numberFields.has(path)).map((path) => `n.${numbers.tokenOf(path)}`);
  const [order, mode] = first === "smallest" ? ["asc", "min"] : ["desc", "max"];
  if (fields.length === 0) return [];
  if (fields.length === 1) return [{ [fields[0]!]: { order, mode, missing: "_last" } }];
  const script = { source: EXTREME, params: { fields, isSmallest: first === "smallest" } };
  return [{ _script: { type: "number", script, order } }];
}

/** Computes the smallest or largest value of some fields. The text is constant, so that it is compiled once. */
const EXTREME = `
double best = params.isSmallest ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
for (def field : params.fields) {
  for (def value : doc[field]) {
    if (params.isSmallest ? value < best : value > best) { best = value; }
  }
}
return best;`;

/** Returns `search_after` of a request for the hits after a place. A text has all digits of a `long`. */
export function makeSearchAfter(
  { sort }: Pick<RecordSearch, "sort">,
  { order, step, value }: PlaceKey,
  context: CompileContext,
): readonly unknown[] {
  const age = String(order);
  if (sort === "bestmatch") return [LAST_STEP - step, age];
  if (typeof sort === "string" || valueSort(sort, context).length === 0) return [age];
  return [value ?? (sort.first === "smallest" ? "Infinity" : "-Infinity"), age];
}

/**
 * Fields that a search reads from each hit. `_id` is not among them: decompressing its blocks took half of a search.
 * The format gives `order` as a text, because a number of JSON, such as those in `sort`, loses its last digits.
 */
export const HIT_FIELDS = {
  stored_fields: "_none_",
  docvalue_fields: ["id", "state", { field: "order", format: "#" }],
} as const;

export interface Hit {
  readonly fields: {
    readonly id: readonly [string];
    readonly state: readonly [RecordPlace["state"]];
    readonly order: readonly [string];
  };
  readonly sort: readonly unknown[];
}

/** Reads the place of a hit. */
export function readPlace({ fields, sort }: Hit, search: Pick<RecordSearch, "sort">): RecordPlace {
  const [[id], [state], [order]] = [fields.id, fields.state, fields.order];
  const place = { id, state, order: BigInt(order) };
  if (search.sort === "bestmatch") return { ...place, step: LAST_STEP - Number(sort[0]) };
  const value = typeof search.sort !== "string" && sort.length > 1 ? Number(sort[0]) : Number.NaN;
  return { ...place, step: 0, value: Number.isFinite(value) ? value : undefined };
}
