import { binKeys, facetClause, selectedRanges } from "../../../query/index-model/buckets.js";
import type { CountedFacet, FacetSource } from "../../../query/index-model/declared-facets.js";
import { facetField } from "../documents/facet-fields.js";
import { readTreeKey } from "../documents/index-tokens.js";
import { type CompileContext, compileQuery } from "./compile-query.js";
import { hasToken, NOTHING, type Query } from "./dsl.js";
import type { Extremes, FacetTally, WantedCounts } from "./record-question.js";

type Aggregations = Readonly<Record<string, object>>;

/** What a facet lets through. */
export function compileFilter({ buckets, paths, selected }: CountedFacet, context: CompileContext): Query {
  if (buckets.kind !== "terms") {
    return compileQuery(facetClause(buckets, paths, selected) ?? { kind: "everything" }, context);
  }
  const field = fieldOf({ buckets, paths }, context);
  if (field === undefined) return NOTHING;
  const keys = selected.map((key) => key.toWellFormed());
  return hasToken(field, [...new Set(keys)]);
}

/** Undefined where no record has anything to count. */
function fieldOf(facet: FacetSource, { numbers, facetFields }: CompileContext): string | undefined {
  const field = facetField(facet, numbers);
  // A field that is not there counts nothing, and says nothing.
  if (field?.startsWith("f.") && !facetFields.has(field)) throw new Error(`The index has no field ${field}.`);
  return field;
}

/** More than any shard has keys: what all shards send is exact. */
const ALL_KEYS = 10_000_000;

/** What counts a facet over the hits of the other ones. */
export function countAggregations(facet: CountedFacet, wanted: WantedCounts, context: CompileContext): Aggregations {
  const { buckets, size } = facet;
  const field = fieldOf(facet, context);
  if (field === undefined) return {};
  const ranges = rangeAggregation(facet, context);
  switch (buckets.kind) {
    case "tree":
      return { keys: largest(field, context.bucketsMax) };
    case "terms":
    case "year": {
      const keys = wanted.keys.map((key) => key.toWellFormed());
      const named = keys.length === 0 ? {} : { named: { terms: { field, size: keys.length, include: keys } } };
      const most = Math.min(Math.max(1, size + keys.length), context.bucketsMax);
      return { keys: largest(field, most), ...named, ...ranges };
    }
    case "bins":
      return { bins: binned(field, buckets.edges), ...extremesOf(field), ...ranges };
    case "steps":
      return {
        ...(wanted.edges === undefined ? {} : { bins: binned(field, wanted.edges) }),
        ...extremesOf(field),
        ...ranges,
      };
  }
}

/** One of some parts of what counts a facet, each with other buckets: together they have more than one answer can. */
export function partAggregations(
  facet: CountedFacet,
  part: number,
  parts: number,
  context: CompileContext,
): Aggregations {
  const field = fieldOf(facet, context);
  if (field === undefined) return {};
  const include = { partition: part, num_partitions: parts };
  return { keys: { terms: { field, size: context.bucketsMax, shard_size: ALL_KEYS, include } } };
}

/**
 * Are there more buckets than the answer has, and wanted? Which ones of a tree are listed depends on all of them, and
 * of others all may have been asked for.
 */
export const isCut = (
  { buckets, size }: CountedFacet,
  { keys }: FacetAnswer,
  { bucketsMax }: Pick<CompileContext, "bucketsMax">,
): boolean => (buckets.kind === "tree" || size > bucketsMax) && keys !== undefined && keys.sum_other_doc_count > 0;

/** What finds the numbers between which equal steps are made. */
export function extremeAggregations(facet: CountedFacet, context: CompileContext): Aggregations {
  const field = fieldOf(facet, context);
  if (field === undefined) return {};
  const isLog = facet.buckets.kind === "steps" && facet.buckets.scale === "log";
  // The smallest value of a record need not be above zero where another one is: keys are values.
  const above = { composite: { size: 1, sources: [{ value: { terms: { field } } }], after: { value: 0 } } };
  return { ...extremesOf(field), ...(isLog ? { above } : {}) };
}

const largest = (field: string, size: number): object => ({ terms: { field, size, shard_size: ALL_KEYS } });

const extremesOf = (field: string): Aggregations => ({ min: { min: { field } }, max: { max: { field } } });

/** A record counts once in each bucket. */
function binned(field: string, edges: readonly number[]): object {
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

/** What OpenSearch answers to the aggregations of a facet. */
export interface FacetAnswer {
  readonly keys?: { readonly buckets: readonly Bucket[]; readonly sum_other_doc_count: number };
  readonly named?: { readonly buckets: readonly Bucket[] };
  readonly bins?: { readonly buckets: readonly Bucket[] };
  readonly ranges?: { readonly buckets: Readonly<Record<string, { readonly doc_count: number }>> };
  readonly min?: { readonly value: number | null };
  readonly max?: { readonly value: number | null };
  readonly above?: { readonly buckets: readonly { readonly key: { readonly value: number } }[] };
}

/** Reads what was counted. */
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
  const asked = selectedRanges(buckets, selected);
  const ranges = new Map(asked.map((key, i) => [key, answer.ranges?.buckets[`r${i}`]?.doc_count ?? 0]));
  return { counts, sum, parents, ranges, ...(extremes === undefined ? {} : { extremes }) };
}

/** Undefined where no hit has a number. */
export function readExtremes({ min, max, above }: FacetAnswer): Extremes | undefined {
  if (min?.value == null || max?.value == null) return undefined;
  const [first] = above?.buckets ?? [];
  return { min: min.value, max: max.value, ...(first === undefined ? {} : { aboveZero: first.key.value }) };
}
