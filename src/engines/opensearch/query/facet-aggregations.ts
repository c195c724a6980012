import { binKeys, facetClause, selectedRanges } from "../../../query/index-model/buckets.js";
import type { CountedFacet, FacetSource } from "../../../query/index-model/declared-facets.js";
import { facetField } from "../documents/facet-fields.js";
import { readTreeKey } from "../documents/index-tokens.js";
import { type CompileContext, compileQuery } from "./compile-query.js";
import { hasToken, NOTHING, type Query } from "./dsl.js";

export interface WantedCounts {
  /** Keys whose counts are needed. */
  readonly keys: readonly string[];
  /** Edges of equal steps. */
  readonly edges?: readonly number[];
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
  readonly extremes?: Extremes;
}

/** The smallest and the largest number of the hits, and for a log scale the smallest positive one. */
export interface Extremes {
  readonly min: number;
  readonly max: number;
  readonly aboveZero?: number;
}

type Aggregations = Readonly<Record<string, object>>;

/** Returns the query for the selected buckets of a facet. */
export function compileFilter({ buckets, paths, selected }: CountedFacet, context: CompileContext): Query {
  if (buckets.kind !== "terms") {
    return compileQuery(facetClause(buckets, paths, selected) ?? { kind: "everything" }, context);
  }
  const field = facetFieldName({ buckets, paths }, context);
  if (field === undefined) return NOTHING;
  const keys = selected.map((key) => key.toWellFormed());
  return hasToken(field, [...new Set(keys)]);
}

/** Returns the field of a facet; undefined if no record has anything to count. */
function facetFieldName(facet: FacetSource, { numbers, facetFields }: CompileContext): string | undefined {
  const field = facetField(facet, numbers);
  // OpenSearch counts nothing for a missing field, without an error.
  if (field?.startsWith("f.") && !facetFields.has(field)) throw new Error(`The index has no field ${field}.`);
  return field;
}

/** More than the number of keys of any shard, so that the sum over shards is exact. */
const ALL_KEYS = 10_000_000;

/** Returns the aggregations that count a facet over the hits of the other ones. */
export function countAggregations(facet: CountedFacet, wanted: WantedCounts, context: CompileContext): Aggregations {
  const { buckets, size } = facet;
  const field = facetFieldName(facet, context);
  if (field === undefined) return {};
  const ranges = rangeAggregation(facet, context);
  switch (buckets.kind) {
    case "tree":
      return { keys: largestKeys(field, context.bucketsMax) };
    case "terms":
    case "year": {
      const keys = wanted.keys.map((key) => key.toWellFormed());
      const named = keys.length === 0 ? {} : { named: { terms: { field, size: keys.length, include: keys } } };
      const bucketCount = Math.min(Math.max(1, size + keys.length), context.bucketsMax);
      return { keys: largestKeys(field, bucketCount), ...named, ...ranges };
    }
    case "bins":
      return { bins: rangesAggregation(field, buckets.edges), ...extremesAggregation(field), ...ranges };
    case "steps":
      return {
        ...(wanted.edges === undefined ? {} : { bins: rangesAggregation(field, wanted.edges) }),
        ...extremesAggregation(field),
        ...ranges,
      };
  }
}

/** Returns the aggregations for one of several parts of a facet, whose buckets do not fit into one answer. */
export function partAggregations(
  facet: CountedFacet,
  part: number,
  parts: number,
  context: CompileContext,
): Aggregations {
  const field = facetFieldName(facet, context);
  if (field === undefined) return {};
  const include = { partition: part, num_partitions: parts };
  return { keys: { terms: { field, size: context.bucketsMax, shard_size: ALL_KEYS, include } } };
}

/**
 * Returns whether the answer lacks needed buckets: the listed buckets of a tree depend on all of them, and of other
 * facets all may be requested.
 */
export const isCut = (
  { buckets, size }: CountedFacet,
  { keys }: FacetAnswer,
  { bucketsMax }: Pick<CompileContext, "bucketsMax">,
): boolean => (buckets.kind === "tree" || size > bucketsMax) && keys !== undefined && keys.sum_other_doc_count > 0;

/** Returns the aggregations for the numbers that determine the edges of equal steps. */
export function extremeAggregations(facet: CountedFacet, context: CompileContext): Aggregations {
  const field = facetFieldName(facet, context);
  if (field === undefined) return {};
  const isLog = facet.buckets.kind === "steps" && facet.buckets.scale === "log";
  // The smallest value of a record may be below zero while another one is above: keys are values.
  const above = { composite: { size: 1, sources: [{ value: { terms: { field } } }], after: { value: 0 } } };
  return { ...extremesAggregation(field), ...(isLog ? { above } : {}) };
}

const largestKeys = (field: string, size: number): object => ({ terms: { field, size, shard_size: ALL_KEYS } });

const extremesAggregation = (field: string): Aggregations => ({ min: { min: { field } }, max: { max: { field } } });

/** Returns the aggregation of ranges. A record counts once in each bucket. */
function rangesAggregation(field: string, edges: readonly number[]): object {
  const ranges = [...edges, undefined].map((to, bin) => ({
    key: `${bin}`,
    ...(bin === 0 ? {} : { from: edges[bin - 1] }),
    ...(to === undefined ? {} : { to }),
  }));
  return { range: { field, ranges } };
}

function rangeAggregation(facet: CountedFacet, context: CompileContext): Aggregations {
  const keys = selectedRanges(facet.buckets, facet.selected);
  if (keys.length === 0) return {};
  const filters = keys.map((key) => compileFilter({ ...facet, selected: [key] }, context));
  return { ranges: { filters: { filters: Object.fromEntries(filters.map((filter, i) => [`r${i}`, filter])) } } };
}

interface Bucket {
  readonly key: string;
  readonly doc_count: number;
}

/** Answer of OpenSearch to the aggregations of a facet. */
export interface FacetAnswer {
  readonly keys?: { readonly buckets: readonly Bucket[]; readonly sum_other_doc_count: number };
  readonly named?: { readonly buckets: readonly Bucket[] };
  readonly bins?: { readonly buckets: readonly Bucket[] };
  readonly ranges?: { readonly buckets: Readonly<Record<string, { readonly doc_count: number }>> };
  readonly min?: { readonly value: number | null };
  readonly max?: { readonly value: number | null };
  readonly above?: { readonly buckets: readonly { readonly key: { readonly value: number } }[] };
}

/** Reads the counts of a facet. */
export function readTally(facet: CountedFacet, answer: FacetAnswer, { edges }: WantedCounts): FacetTally {
  const { buckets, selected } = facet;
  const extremes = readExtremes(answer);
  const parents = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const { key, doc_count } of answer.keys?.buckets ?? []) {
    if (buckets.kind !== "tree") counts.set(key, doc_count);
    else {
      const { id, parent } = readTreeKey(key);
      counts.set(id, doc_count);
      if (parent !== undefined) parents.set(id, parent);
    }
  }
  const keys = buckets.kind === "bins" ? buckets.keys : edges === undefined ? [] : binKeys(edges);
  for (const { key, doc_count } of answer.bins?.buckets ?? []) counts.set(keys[Number(key)]!, doc_count);
  const sum = [...counts.values()].reduce((all, count) => all + count, answer.keys?.sum_other_doc_count ?? 0);
  for (const { key, doc_count } of answer.named?.buckets ?? []) counts.set(key, doc_count);
  const selectedKeys = selectedRanges(buckets, selected);
  const ranges = new Map(selectedKeys.map((key, i) => [key, answer.ranges?.buckets[`r${i}`]?.doc_count ?? 0]));
  return { counts, sum, parents, ranges, ...(extremes === undefined ? {} : { extremes }) };
}

/** Reads the extremes; undefined if no hit has a number. */
export function readExtremes({ min, max, above }: FacetAnswer): Extremes | undefined {
  if (min?.value == null || max?.value == null) return undefined;
  const [first] = above?.buckets ?? [];
  return { min: min.value, max: max.value, ...(first === undefined ? {} : { aboveZero: first.key.value }) };
}
