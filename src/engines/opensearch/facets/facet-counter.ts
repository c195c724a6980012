import type { Lineage } from "../../../ports/index-documents.js";
import type { CountedFacet } from "../../../query/facets/declared-facets.js";
import type { LeafValue, RecordLeaves } from "../../../query/index-model/leaves.js";
import type { ListedBuckets } from "../../../query/index-model/list-buckets.js";

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
  readonly holds: "keys" | "numbers";
  /** Whether the listed buckets depend on all buckets, also on those that are not among the largest. */
  readonly needsAll: boolean;
  /** Returns the start of the name of the field, which no other content has: `t`, `a_organisms`. */
  fieldPrefix(buckets: Buckets): string;
  /** Returns the content of the field for a record. */
  contentOf(
    buckets: Buckets,
    paths: readonly string[],
    record: RecordLeaves,
    lineage: Lineage,
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
    parentOf: ParentInTree,
    edges: readonly number[] | undefined,
  ): ListedBuckets;
}

/** Returns the leaves at some paths. */
export const leavesAt = (paths: readonly string[], leaves: readonly LeafValue[]): readonly LeafValue[] =>
  leaves.filter(({ path }) => path !== null && paths.includes(path));

/** More than the number of keys of any shard, so that the sum over shards is exact. */
export const ALL_KEYS = 10_000_000;

/** Returns the aggregation of the largest keys of a field. */
export const largestKeys = (field: string, size: number): object => ({ terms: { field, size, shard_size: ALL_KEYS } });
