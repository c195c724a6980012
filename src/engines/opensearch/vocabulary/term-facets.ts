import {
  hasNumberBuckets,
  isStepped,
  type KeyedBuckets,
  selectedRanges,
} from "../../../core/catalog/facet-kinds/facet-kinds.js";
import type { StepBuckets } from "../../../core/catalog/facet-kinds/histogram.js";
import { listSteps, stepEdges } from "../../../core/catalog/facet-kinds/histogram.js";
import type { FacetCounts } from "../../../ports/search-index.js";
import { numbersAt, recordBucketKeys } from "../../../query/evaluate/facet-values.js";
import type { CountedFacet } from "../../../query/facets/declared-facets.js";
import { type ListedBuckets, listTop, withRanges } from "../../../query/index-model/list-buckets.js";
import type { AggregationAnswer } from "../connection/multi-search.js";
import { fieldName } from "../documents/term-document.js";
import {
  allConditions,
  clauseCondition,
  facetCondition,
  type TermCondition,
  WITHOUT_TERMS,
} from "./term-conditions.js";
import { changedMatches, unchangedQuery, type VocabularyState } from "./vocabulary-state.js";

/** Maximum number of keys counted of a facet: the default limit of OpenSearch for buckets. */
const KEYS_MAX = 65_000;

/** Counts each facet over the terms that pass the filters of all other facets. */
export async function countTermFacets(
  state: VocabularyState,
  matched: TermCondition,
  facets: readonly CountedFacet[],
): Promise<FacetCounts[]> {
  const conditions = facets.map(facetCondition);
  const countedFacets = facets.flatMap((facet, i) => {
    if (facet.size === 0) return [];
    return [{ facet, condition: allConditions([matched, ...conditions.filter((_, j) => j !== i)]) }];
  });
  return Promise.all(countedFacets.map(({ facet, condition }) => countFacet(state, facet, condition)));
}

async function countFacet(state: VocabularyState, facet: CountedFacet, condition: TermCondition): Promise<FacetCounts> {
  const { name, buckets, selected, size, listed } = facet;
  const extremes = hasNumberBuckets(buckets) ? await readExtremes(state, facet, condition) : {};
  const ranges = selectedRanges(buckets, selected);
  const range = extremes.min === undefined ? {} : { min: extremes.min, max: extremes.max! };
  if (isStepped(buckets)) {
    const steps = await countSteps(state, { ...facet, buckets }, condition, extremes);
    return { name, ...withRanges(steps, await countRanges(state, facet, condition, ranges)), ...range };
  }
  const counts = hasNumberBuckets(buckets)
    ? new Map((await countRanges(state, facet, condition, buckets.keys)).map(({ key, count }) => [key, count]))
    : await countKeys(state, { ...facet, buckets }, condition);
  const keys = selected.filter((key) => !ranges.includes(key));
  const top =
    listed !== undefined && "keys" in listed
      ? listTop(new Map(listed.keys.map((key) => [key, counts.get(key) ?? 0])), size, [])
      : listTop(counts, size, keys);
  return { name, ...withRanges(top, await countRanges(state, facet, condition, ranges)), ...range };
}

/** Counts the terms with each key. */
async function countKeys(
  state: VocabularyState,
  facet: CountedFacet & { readonly buckets: KeyedBuckets },
  condition: TermCondition,
): Promise<Map<string, number>> {
  const keys = { terms: { field: `facet.${fieldName(facet.name)}`, size: KEYS_MAX, shard_size: KEYS_MAX } };
  const { aggregations } = await aggregate(state, condition, { keys });
  const counts = new Map(aggregations.keys!.buckets!.map(({ key, doc_count: count }) => [String(key), count]));
  for (const { inMemory } of changedMatches(state, condition)) {
    for (const key of recordBucketKeys(inMemory, facet, () => undefined)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

type Count = ListedBuckets["buckets"][number];

/** Counts the terms with a number or date in each range. */
async function countRanges(
  state: VocabularyState,
  facet: CountedFacet,
  condition: TermCondition,
  keys: readonly string[],
): Promise<readonly Count[]> {
  if (keys.length === 0) return [];
  const counts = await countConditions(
    state,
    condition,
    keys.map((key) => facetCondition({ ...facet, selected: [key] })),
  );
  return keys.map((key, i) => ({ key, count: counts[i]! }));
}

/** Counts the matching terms that match each of several other conditions. */
async function countConditions(
  state: VocabularyState,
  condition: TermCondition,
  conditions: readonly TermCondition[],
): Promise<readonly number[]> {
  const filters = Object.fromEntries(conditions.map(({ query }, i) => [`${i}`, { filter: query }]));
  const { aggregations } = await aggregate(state, condition, filters);
  const changed = changedMatches(state, condition);
  return conditions.map(
    ({ test }, i) => aggregations[`${i}`]!.doc_count + changed.filter(({ inMemory }) => test(inMemory)).length,
  );
}

interface Extremes {
  readonly min?: number;
  readonly max?: number;
  /** The smallest positive number. */
  readonly minAbove?: number;
}

/** Reads the smallest and the largest number of the matching terms. */
async function readExtremes(
  state: VocabularyState,
  { paths }: CountedFacet,
  condition: TermCondition,
): Promise<Extremes> {
  const fields = paths.map(fieldName);
  const aggsByPath = fields.map((name, i): [string, object][] => {
    const field = `number.${name}`;
    const values = { size: 1, sources: [{ value: { terms: { field } } }], after: { value: 0 } };
    return [
      [`min${i}`, { min: { field } }],
      [`max${i}`, { max: { field } }],
      [`above${i}`, { composite: values }],
    ];
  });
  const { aggregations } = await aggregate(state, condition, Object.fromEntries(aggsByPath.flat()));
  const changed = changedMatches(state, condition).flatMap(({ inMemory }) => numbersAt(inMemory, paths));
  const aggregatedValues = (name: string): number[] =>
    fields.flatMap((_, i) => aggregations[`${name}${i}`]?.value ?? []);
  const above = fields.flatMap((_, i) => positiveValues(aggregations[`above${i}`]));
  return {
    ...minimum("min", [...aggregatedValues("min"), ...changed]),
    ...minimum("minAbove", [...above, ...changed.filter((value) => value > 0)]),
    ...maximum([...aggregatedValues("max"), ...changed]),
  };
}

const positiveValues = (aggregation: AggregationAnswer | undefined): number[] =>
  (aggregation?.buckets ?? []).flatMap(({ key }) => (typeof key === "string" ? [] : key.value));

const minimum = (name: "min" | "minAbove", values: readonly number[]): Extremes =>
  values.length === 0 ? {} : { [name]: values.reduce((a, b) => Math.min(a, b)) };

const maximum = (values: readonly number[]): Extremes =>
  values.length === 0 ? {} : { max: values.reduce((a, b) => Math.max(a, b)) };

type StepsFacet = CountedFacet & { readonly buckets: StepBuckets };

async function countSteps(
  state: VocabularyState,
  { buckets, paths }: StepsFacet,
  condition: TermCondition,
  { min, max, minAbove }: Extremes,
): Promise<ListedBuckets> {
  const smallest = (buckets.scale === "log" ? minAbove : undefined) ?? min;
  if (smallest === undefined || max === undefined) return { buckets: [], other: 0 };
  const edges = stepEdges(buckets, { smallest, largest: max });
  const between = (from: number | undefined, to: number): TermCondition => {
    const end = { to: { value: to, inclusive: false } };
    const ends = from === undefined ? end : { from: { value: from, inclusive: true }, ...end };
    return clauseCondition({ kind: "range", type: "number", paths, ...ends }, WITHOUT_TERMS);
  };
  const steps = edges.slice(1).map((to, i) => between(edges[i], to));
  const [below = 0, ...counts] = await countConditions(state, condition, [between(undefined, edges[0]!), ...steps]);
  return listSteps(edges, counts, below);
}

/** Aggregates over the matching unchanged terms. */
async function aggregate(
  state: VocabularyState,
  condition: TermCondition,
  aggs: object,
): Promise<{ readonly aggregations: Readonly<Record<string, AggregationAnswer>> }> {
  const [answer] = await state.ask([
    { size: 0, track_total_hits: false, query: unchangedQuery(state, condition), aggs },
  ]);
  return { aggregations: answer?.aggregations ?? {} };
}
