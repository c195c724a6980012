/** The counters of all kinds of facet. */
import {
  type BucketsOfKind,
  type FacetBuckets,
  type FacetKindName,
  isStepped,
  type KeyedBuckets,
  leafKey,
} from "../../../core/catalog/facet-kinds/facet-kinds.js";
import { binKeys, type HistogramBuckets, type StepBuckets } from "../../../core/catalog/facet-kinds/histogram.js";
import { listSteps } from "../../../core/catalog/facet-kinds/histogram-steps.js";
import { citationSites, type TreeBuckets } from "../../../core/catalog/facet-kinds/tree.js";
import { findAncestors } from "../../../query/evaluate/record-in-memory.js";
import type { CountedFacet } from "../../../query/facets/declared-facets.js";
import type { LeafValue } from "../../../query/index-model/leaves.js";
import { type ListedBuckets, listBelow, listTop, listTree } from "../../../query/index-model/list-buckets.js";
import {
  type Aggregations,
  type Extremes,
  type FacetAnswer,
  type FacetCounter,
  type FacetTally,
  largestKeys,
  leavesAt,
  type ParentInTree,
} from "./facet-counter.js";

/** Makes the counter of a kind whose keys are in the index: texts, or ranges of dates. */
function makeKeyCounter<Buckets extends KeyedBuckets>(prefix: string): FacetCounter<Buckets> {
  return {
    holds: "keys",
    needsAll: false,
    fieldPrefix: () => prefix,
    contentOf: (buckets, paths, { leaves }) => new Set(keysOf(buckets, paths, leaves).map((key) => key.toWellFormed())),
    termKeys: keysOf,
    aggregate(_, field, wanted, size) {
      const keys = wanted.keys.map((key) => key.toWellFormed());
      const named = keys.length === 0 ? {} : { named: { terms: { field, size: keys.length, include: keys } } };
      return { keys: largestKeys(field, size), ...named };
    },
    readCounts(_, { keys }, __, { counts }) {
      for (const { key, doc_count } of keys?.buckets ?? []) counts.set(key, doc_count);
    },
    list: listKeys,
  };
}

function keysOf(buckets: KeyedBuckets, paths: readonly string[], leaves: readonly LeafValue[]): readonly string[] {
  return leavesAt(paths, leaves).flatMap((leaf) => leafKey(buckets, leaf) ?? []);
}

/** Lists the largest buckets and the selected ones, or those that the request names. */
function listKeys(facet: CountedFacet, tally: FacetTally, parentOf: ParentInTree): ListedBuckets {
  const { size, selected, listed } = facet;
  const { counts, sum } = tally;
  if (listed !== undefined) return listSome(facet, listed, tally, { parentOf, unlisted: [] });
  const { buckets, other } = listTop(counts, size, selected);
  // Hits without a key in the answer are not listed either.
  const listedCount = [...counts.values()].reduce((all, count) => all + count, 0);
  return { buckets, other: other + sum - listedCount };
}

/** Lists the buckets that a request names. */
function listSome(
  { size }: CountedFacet,
  listed: NonNullable<CountedFacet["listed"]>,
  { counts }: FacetTally,
  tree: { readonly parentOf: ParentInTree; readonly unlisted: readonly string[] },
): ListedBuckets {
  if ("keys" in listed) return listTop(new Map(listed.keys.map((key) => [key, counts.get(key) ?? 0])), size, []);
  return listBelow({ counts, ...tree }, listed.below, size);
}

/** Counter of cited terms with all their ancestors. */
const TREE_COUNTER: FacetCounter<TreeBuckets> = {
  holds: "keys",
  needsAll: true,
  fieldPrefix: ({ vocabulary }) => `a_${vocabulary}`,
  contentOf({ vocabulary }, paths, { cites }, lineage) {
    const sites = citationSites(paths);
    const citesAtSites = cites.filter((cite) => cite.vocabulary === vocabulary && sites.includes(cite.site));
    const currentCites = citesAtSites.filter(({ isReplaced }) => isReplaced !== true);
    const ids = currentCites.flatMap(({ id }) => [id, ...findAncestors(lineage.parentOf, vocabulary, id)]);
    return new Set(ids.map((id) => treeKey(id, lineage.parentOf(vocabulary, id))));
  },
  termKeys: () => [],
  aggregate: (_, field, __, size) => ({ keys: largestKeys(field, size) }),
  readCounts(_, { keys }, __, { counts, parents }) {
    for (const { key, doc_count } of keys?.buckets ?? []) {
      const { id, parent } = readTreeKey(key);
      counts.set(id, doc_count);
      if (parent !== undefined) parents.set(id, parent);
    }
  },
  list(facet, tally, parentOf) {
    const { buckets, size, selected, listed } = facet;
    const tree = { parentOf, unlisted: buckets.unlisted ?? [] };
    return listed === undefined
      ? listTree({ counts: tally.counts, ...tree }, size, selected)
      : listSome(facet, listed, tally, tree);
  },
};

/** Separates the ids of a key; no id contains it. */
const ID_SEPARATOR = "\u0001";

/** Returns the key of a bucket of a tree with its parent, which is needed to list buckets. */
export const treeKey = (id: string, parent: string | undefined): string => `${id}${ID_SEPARATOR}${parent ?? ""}`;

/** Parses the result of `treeKey`. */
export function readTreeKey(key: string): { readonly id: string; readonly parent: string | undefined } {
  const [id = "", parent = ""] = key.split(ID_SEPARATOR);
  return { id, parent: parent === "" ? undefined : parent };
}

/** Counter of numbers in bins or in equal steps. */
const NUMBER_COUNTER: FacetCounter<HistogramBuckets> = {
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
  return { min: min.value, max: max.value, aboveZero: first?.key.value };
}

/** Returns the aggregation of ranges. A record counts once in each bucket. */
function binAggregation(field: string, edges: readonly number[]): object {
  const ranges = [...edges, undefined].map((to, bin) => ({
    key: `${bin}`,
    from: bin === 0 ? undefined : edges[bin - 1],
    to,
  }));
  return { range: { field, ranges } };
}

/** Lists equal steps. The first bucket has what is below all steps. */
function listEqualSteps({ counts }: FacetTally, edges: readonly number[] | undefined): ListedBuckets {
  if (edges === undefined) return { buckets: [], other: 0 };
  const [below = 0, ...stepCounts] = binKeys(edges).map((key) => counts.get(key) ?? 0);
  return listSteps(edges, stepCounts, below);
}

const COUNTERS: { readonly [Kind in FacetKindName]: FacetCounter<BucketsOfKind<Kind>> } = {
  terms: makeKeyCounter("t"),
  tree: TREE_COUNTER,
  year: makeKeyCounter("y"),
  histogram: NUMBER_COUNTER,
};

/** Returns the counter of a facet. */
export const counterOf = ({ kind }: FacetBuckets): FacetCounter<FacetBuckets> => COUNTERS[kind];
