import { isStepped, selectedRanges } from "../../../core/catalog/facet-kinds/facet-kinds.js";
import { type CountedFacet, type FacetSource, facetClause } from "../../../query/facets/declared-facets.js";
import { facetField } from "../documents/index-fields.js";
import {
  type Aggregations,
  ALL_KEYS,
  counterOf,
  type FacetAnswer,
  type FacetTally,
  readExtremes,
  stepRangeAggregations,
  type WantedCounts,
} from "../facets/counters.js";
import { type CompileContext, compileQuery } from "./compile-query.js";
import { hasToken, type IndexQuery, NOTHING_QUERY } from "./dsl.js";

/** Returns the query for the selected buckets of a facet. */
export function facetFilterQuery({ buckets, paths, selected }: CountedFacet, context: CompileContext): IndexQuery {
  const clause = facetClause(buckets, paths, selected);
  if (clause !== undefined) return compileQuery(clause, context);
  const field = facetFieldName({ buckets, paths }, context);
  if (field === undefined) return NOTHING_QUERY;
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

/** Returns the aggregations that count a facet over the hits of the other ones. */
export function countAggregations(facet: CountedFacet, wanted: WantedCounts, context: CompileContext): Aggregations {
  const { buckets, size } = facet;
  const field = facetFieldName(facet, context);
  if (field === undefined) return {};
  const counter = counterOf(buckets);
  const largest = counter.needsAll ? context.bucketsMax : Math.max(1, size + wanted.keys.length);
  return {
    ...counter.aggregate(buckets, field, wanted, Math.min(largest, context.bucketsMax)),
    ...rangeAggregation(facet, context),
  };
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
): boolean => (counterOf(buckets).needsAll || size > bucketsMax) && keys !== undefined && keys.sum_other_doc_count > 0;

/** Returns the aggregations for the numbers that determine the edges of equal steps; none for other facets. */
export function edgeAggregations(facet: CountedFacet, context: CompileContext): Aggregations {
  const field = facetFieldName(facet, context);
  return field === undefined || !isStepped(facet.buckets) ? {} : stepRangeAggregations(facet.buckets, field);
}

function rangeAggregation(facet: CountedFacet, context: CompileContext): Aggregations {
  const keys = selectedRanges(facet.buckets, facet.selected);
  if (keys.length === 0) return {};
  const filters = keys.map((key) => facetFilterQuery({ ...facet, selected: [key] }, context));
  return { ranges: { filters: { filters: Object.fromEntries(filters.map((filter, i) => [`r${i}`, filter])) } } };
}

/** Reads the counts of a facet. */
export function readTally(facet: CountedFacet, answer: FacetAnswer, wanted: WantedCounts): FacetTally {
  const { buckets, selected } = facet;
  const extremes = readExtremes(answer);
  const counts = new Map<string, number>();
  const parents = new Map<string, string>();
  counterOf(buckets).readCounts(buckets, answer, wanted, { counts, parents });
  const sum = [...counts.values()].reduce((all, count) => all + count, answer.keys?.sum_other_doc_count ?? 0);
  for (const { key, doc_count } of answer.named?.buckets ?? []) counts.set(key, doc_count);
  const selectedKeys = selectedRanges(buckets, selected);
  const ranges = new Map(selectedKeys.map((key, i) => [key, answer.ranges?.buckets[`r${i}`]?.doc_count ?? 0]));
  return { counts, sum, parents, ranges, extremes };
}
