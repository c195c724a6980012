/** The counters of all kinds of facet. */
import {
  type BucketsOfKind,
  type FacetBuckets,
  type FacetKindName,
  isStepped,
  type KeyedBuckets,
  leafKey,
} from "../../../core/catalog/facet-kinds/facet-kinds.js";
import {
  binKeys,
  type HistogramBuckets,
  listSteps,
  type StepBuckets,
} from "../../../core/catalog/facet-kinds/histogram.js";
import { citationSites, type TreeBuckets } from "../../../core/catalog/facet-kinds/tree.js";
import type { TermLineage } from "../../../ports/index-documents.js";
import { findAncestors } from "../../../query/evaluate/record-in-memory.js";
import type { CountedFacet } from "../../../query/facets/declared-facets.js";
import type { LeafValue, RecordLeaves } from "../../../query/index-model/leaves.js";
import {
  type ListedBuckets,
  listBelow,
  listCited,
  listTop,
  listTree,
} from "../../../query/index-model/list-buckets.js";

/** Returns the parent of a term in the tree that a facet counts. */
export type ParentInTree = (id: string) => string | undefined;

/** Counts that are needed besides the largest buckets. */
export interface WantedCounts {
  /** Keys whose counts are needed. */
  readonly keys: readonly string[];
  /** Edges of equal steps. */
  readonly edges?: readonly number[] | undefined;
}

/** The counts of one facet, from which the listed buckets are chosen. */
export interface FacetTally {
  /** The largest and the wanted buckets; all buckets for trees and ranges. */
  readonly counts: ReadonlyMap<string, number>;
  /** Sum of the counts of all buckets, including those that are not in `counts`. */
  readonly sum: number;
  /** For a tree: the parents of the buckets. */
  readonly parents: ReadonlyMap<string, string>;
  /** Number of hits in each selected range. */
  readonly ranges: ReadonlyMap<string, number>;
  readonly extremes?: Extremes | undefined;
}

/** The smallest and the largest number of the hits, and for a log scale the smallest positive one. */
export interface Extremes {
  readonly min: number;
  readonly max: number;
  readonly aboveZero?: number | undefined;
}

/** Aggregations of a request, by name. */
export type Aggregations = Readonly<Record<string, object>>;

interface AnsweredBucket {
  readonly key: string;
  readonly doc_count: number;
}

/** Answer of OpenSearch to the aggregations of a facet. */
export interface FacetAnswer {
  readonly keys?: { readonly buckets: readonly AnsweredBucket[]; readonly sum_other_doc_count: number };
  readonly named?: { readonly buckets: readonly AnsweredBucket[] };
  readonly bins?: { readonly buckets: readonly AnsweredBucket[] };
  readonly ranges?: { readonly buckets: Readonly<Record<string, { readonly doc_count: number }>> };
  readonly min?: { readonly value: number | null };
  readonly max?: { readonly value: number | null };
  readonly above?: { readonly buckets: readonly { readonly key: { readonly value: number } }[] };
}

/** Counter of one kind of facet in OpenSearch. All paths that are counted together have one field. */
export interface FacetCounter<Buckets> {
  /** Content of the field: keys of buckets, or unchanged numbers. */
  readonly contents: "keys" | "numbers";
  /** Whether the listed buckets depend on all buckets, also on those that are not among the largest. */
  readonly needsAll: boolean;
  /** Returns the start of the name of the field, which no other content has: `t`, `a_organisms`. */
  fieldPrefix(buckets: Buckets): string;
  /** Returns the content of the field for a record. */
  recordKeys(
    buckets: Buckets,
    paths: readonly string[],
    record: RecordLeaves,
    lineage: TermLineage,
  ): ReadonlySet<string | number>;
  /** Returns the keys that the document of a term gets; none for trees, and for histograms, which count numbers. */
  termKeys(buckets: Buckets, paths: readonly string[], leaves: readonly LeafValue[]): readonly string[];
  /** Returns the aggregations that count the buckets. @param size number of the largest buckets */
  aggregate(buckets: Buckets, field: string, wanted: WantedCounts, size: number): Aggregations;
  /** Reads the counts of the answer into maps. */
  readCounts(
    buckets: Buckets,
    answer: FacetAnswer,
    wanted: WantedCounts,
    into: { readonly counts: Map<string, number>; readonly parents: Map<string, string> },
  ): void;
  /** Lists the buckets. No selected key is a range. @param edges of equal steps; undefined if no hit has a number */
  list(
    facet: CountedFacet & { readonly buckets: Buckets },
    tally: FacetTally,
    getParentId: ParentInTree,
    edges: readonly number[] | undefined,
  ): ListedBuckets;
}

/** Returns the leaves at some paths. */
export const leavesAt = (paths: readonly string[], leaves: readonly LeafValue[]): readonly LeafValue[] =>
  leaves.filter(({ path }) => path !== null && paths.includes(path));

/** More than the number of keys of any shard, so that the sum over shards is exact. */
export const ALL_KEYS = 10_000_000;

/** Returns the aggregation of the largest keys of a field. */
const largestKeys = (field: string, size: number): object => ({ terms: { field, size, shard_size: ALL_KEYS } });

/** Makes the counter of a kind whose keys are in the index: texts, or ranges of dates. */
function makeKeyCounter<Buckets extends KeyedBuckets>(prefix: string): FacetCounter<Buckets> {
  return {
    contents: "keys",
    needsAll: false,
    fieldPrefix: () => prefix,
    recordKeys: (buckets, paths, { leaves }) =>
      new Set(leafKeys(buckets, paths, leaves).map((key) => key.toWellFormed())),
    termKeys: leafKeys,
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

function leafKeys(buckets: KeyedBuckets, paths: readonly string[], leaves: readonly LeafValue[]): readonly string[] {
  return leavesAt(paths, leaves).flatMap((leaf) => leafKey(buckets, leaf) ?? []);
}

/** Lists the largest buckets and the selected ones, or those that the request names. */
function listKeys(facet: CountedFacet, tally: FacetTally, getParentId: ParentInTree): ListedBuckets {
  const { size, selected, listed } = facet;
  const { counts, sum } = tally;
  if (listed !== undefined) return listSome(facet, listed, tally, { getParentId, unlisted: [] });
  const { buckets, other } = listTop(counts, size, selected);
  // Hits without a key in the answer are not listed either.
  const listedCount = [...counts.values()].reduce((all, count) => all + count, 0);
  return { buckets, other: other + sum - listedCount };
}

/** Lists the buckets that a request names. */
function listSome(
  { size, selected }: CountedFacet,
  listed: NonNullable<CountedFacet["listed"]>,
  { counts }: FacetTally,
  tree: { readonly getParentId: ParentInTree; readonly unlisted: readonly string[] },
): ListedBuckets {
  if ("keys" in listed) return listTop(new Map(listed.keys.map((key) => [key, counts.get(key) ?? 0])), size, []);
  const counted = { counts, ...tree };
  return "cited" in listed ? listCited(counted, size, selected) : listBelow(counted, listed.below, size);
}

/** Counter of cited terms with all their ancestors. */
const TREE_COUNTER: FacetCounter<TreeBuckets> = {
  contents: "keys",
  needsAll: true,
  fieldPrefix: ({ vocabulary }) => `a_${vocabulary}`,
  recordKeys({ vocabulary }, paths, { cites }, lineage) {
    const sites = citationSites(paths);
    const citesAtSites = cites.filter((cite) => cite.vocabulary === vocabulary && sites.includes(cite.site));
    const currentCites = citesAtSites.filter(({ isReplaced }) => isReplaced !== true);
    const ids = currentCites.flatMap(({ id }) => [id, ...findAncestors(lineage.getParentId, vocabulary, id)]);
    return new Set(ids.map((id) => treeKey(id, lineage.getParentId(vocabulary, id))));
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
  list(facet, tally, getParentId) {
    const { buckets, size, selected, listed } = facet;
    const tree = { getParentId, unlisted: buckets.unlisted ?? [] };
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
  contents: "numbers",
  needsAll: false,
  fieldPrefix: () => "n",
  recordKeys: (_, paths, { leaves }) => new Set(leavesAt(paths, leaves).flatMap(({ number }) => number ?? [])),
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
  list: (facet, tally, getParentId, edges) =>
    isStepped(facet.buckets) ? listEqualSteps(tally, edges) : listKeys(facet, tally, getParentId),
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
