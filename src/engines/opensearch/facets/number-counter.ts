import { isStepped } from "../../../query/facet-kinds/facet-kinds.js";
import { binKeys, type HistogramBuckets, type StepBuckets } from "../../../query/facet-kinds/histogram-keys.js";
import { listSteps } from "../../../query/facet-kinds/histogram-steps.js";
import type { ListedBuckets } from "../../../query/index-model/list-buckets.js";
import {
  type Aggregations,
  type Extremes,
  type FacetAnswer,
  type FacetCounter,
  type FacetTally,
  leavesAt,
} from "./facet-counter.js";
import { listKeys } from "./key-counter.js";

/** Counter of numbers in bins or in equal steps. */
export const NUMBER_COUNTER: FacetCounter<HistogramBuckets> = {
  holds: "numbers",
  needsAll: false,
  fieldPrefix: () => "n",
  contentOf: (_, paths, { leaves }) => new Set(leavesAt(paths, leaves).flatMap(({ number }) => number ?? [])),
  termKeys: () => [],
  aggregate(buckets, field, wanted) {
    const edges = isStepped(buckets) ? wanted.edges : buckets.edges;
    return {
      ...(edges === undefined ? {} : { bins: binAggregation(field, edges) }),
      ...minMaxAggregations(field),
    };
  },
  readCounts(buckets, { bins }, { edges = [] }, { counts }) {
    const keys = isStepped(buckets) ? binKeys(edges) : buckets.keys;
    for (const { key, doc_count } of bins?.buckets ?? []) counts.set(keys[Number(key)]!, doc_count);
  },
  list: (facet, tally, parentOf, edges) =>
    isStepped(facet.buckets) ? listEqualSteps(tally, edges) : listKeys(facet, tally, parentOf),
};

/** Returns the aggregations for the numbers that determine the edges of equal steps. */
export function stepRangeAggregations({ scale }: StepBuckets, field: string): Aggregations {
  // The smallest value of a record may be below zero while another one is above: keys are values.
  const above = { composite: { size: 1, sources: [{ value: { terms: { field } } }], after: { value: 0 } } };
  return { ...minMaxAggregations(field), ...(scale === "log" ? { above } : {}) };
}

const minMaxAggregations = (field: string): Aggregations => ({ min: { min: { field } }, max: { max: { field } } });

/** Reads the extremes; undefined if no hit has a number. */
export function readExtremes({ min, max, above }: FacetAnswer): Extremes | undefined {
  if (min?.value == null || max?.value == null) return undefined;
  const [first] = above?.buckets ?? [];
  return { min: min.value, max: max.value, ...(first === undefined ? {} : { aboveZero: first.key.value }) };
}

/** Returns the aggregation of ranges. A record counts once in each bucket. */
function binAggregation(field: string, edges: readonly number[]): object {
  const ranges = [...edges, undefined].map((to, bin) => ({
    key: `${bin}`,
    ...(bin === 0 ? {} : { from: edges[bin - 1] }),
    ...(to === undefined ? {} : { to }),
  }));
  return { range: { field, ranges } };
}

/** Lists equal steps. The first bucket has what is below all steps. */
function listEqualSteps({ counts }: FacetTally, edges: readonly number[] | undefined): ListedBuckets {
  if (edges === undefined) return { buckets: [], other: 0 };
  const [below = 0, ...stepCounts] = binKeys(edges).map((key) => counts.get(key) ?? 0);
  return listSteps(edges, stepCounts, below);
}
