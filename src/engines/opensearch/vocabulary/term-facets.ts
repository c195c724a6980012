import type { JsonObject } from "../../../core/json.js";
import type { FacetCounts } from "../../../ports/search-index.js";
import type { CountedFacet } from "../../../query/facet-kinds/declared-facets.js";
import { facetClause, isNumeric, isStepped, selectedRanges } from "../../../query/facet-kinds/facet-kinds.js";
import { listSteps, type StepBuckets, stepEdges } from "../../../query/facet-kinds/histogram-buckets.js";
import { type ListedBuckets, listTop, withRanges } from "../../../query/index-model/list-buckets.js";
import {
  ALWAYS,
  allOf,
  hasAny,
  makeDocumentFilter,
  NEVER,
  type TermPredicate,
} from "../../separate-index/overlay/term-predicates.js";
import type { Aggregation } from "../connection/multi-search.js";
import { fieldName } from "../documents/term-document.js";
import { compileTermClause } from "./compile-predicates.js";
import { toQuery } from "./term-query.js";
import { changedMatches, unchangedQuery, type VocabularyState } from "./vocabulary-state.js";

/** Maximum number of keys counted of a facet: the default limit of OpenSearch for buckets. */
const KEYS_MAX = 65_000;

/** Returns the predicate of terms with a selected value of a facet. */
export function facetPredicate({ name, buckets, paths, selected }: CountedFacet): TermPredicate {
  if (selected.length === 0) return ALWAYS;
  const clause = facetClause(buckets, paths, selected);
  if (clause === undefined) return hasAny(`facet.${fieldName(name)}`, selected);
  return compileTermClause(clause, "all", { vocabulary: "", below: () => NEVER });
}

/** Counts each facet over the terms that pass the filters of all other facets. */
export async function countTermFacets(
  state: VocabularyState,
  matched: TermPredicate,
  facets: readonly CountedFacet[],
): Promise<FacetCounts[]> {
  const predicates = facets.map(facetPredicate);
  const countedFacets = facets.flatMap((facet, i) => {
    if (facet.size === 0) return [];
    return [{ facet, predicate: allOf([matched, ...predicates.filter((_, j) => j !== i)]) }];
  });
  return Promise.all(countedFacets.map(({ facet, predicate }) => countFacet(state, facet, predicate)));
}

async function countFacet(state: VocabularyState, facet: CountedFacet, predicate: TermPredicate): Promise<FacetCounts> {
  const { name, buckets, selected, size, listed } = facet;
  const extremes = isNumeric(buckets) ? await readExtremes(state, facet, predicate) : {};
  const ranges = selectedRanges(buckets, selected);
  const range = extremes.min === undefined ? {} : { min: extremes.min, max: extremes.max! };
  if (isStepped(buckets)) {
    const steps = await countSteps(state, { ...facet, buckets }, predicate, extremes);
    return { name, ...withRanges(steps, await countRanges(state, facet, predicate, ranges)), ...range };
  }
  const counts = isNumeric(buckets)
    ? new Map((await countRanges(state, facet, predicate, buckets.keys)).map(({ key, count }) => [key, count]))
    : await countKeys(state, facet, predicate);
  const keys = selected.filter((key) => !ranges.includes(key));
  const top =
    listed !== undefined && "keys" in listed
      ? listTop(new Map(listed.keys.map((key) => [key, counts.get(key) ?? 0])), size, [])
      : listTop(counts, size, keys);
  return { name, ...withRanges(top, await countRanges(state, facet, predicate, ranges)), ...range };
}

/** Counts the terms with each key. */
async function countKeys(
  state: VocabularyState,
  { name }: CountedFacet,
  predicate: TermPredicate,
): Promise<Map<string, number>> {
  const field = fieldName(name);
  const keys = { terms: { field: `facet.${field}`, size: KEYS_MAX, shard_size: KEYS_MAX } };
  const { aggregations } = await aggregate(state, predicate, { keys });
  const counts = new Map(aggregations.keys!.buckets!.map(({ key, doc_count: count }) => [String(key), count]));
  for (const { facet } of changedMatches(state, predicate)) {
    for (const key of facet[field] ?? []) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

type Count = ListedBuckets["buckets"][number];

/** Counts the terms with a number or date in each range. */
async function countRanges(
  state: VocabularyState,
  facet: CountedFacet,
  predicate: TermPredicate,
  keys: readonly string[],
): Promise<readonly Count[]> {
  if (keys.length === 0) return [];
  const counts = await countPredicates(
    state,
    predicate,
    keys.map((key) => facetPredicate({ ...facet, selected: [key] })),
  );
  return keys.map((key, i) => ({ key, count: counts[i]! }));
}

/** Counts the matching terms that match each of several other predicates. */
async function countPredicates(
  state: VocabularyState,
  predicate: TermPredicate,
  predicates: readonly TermPredicate[],
): Promise<readonly number[]> {
  const filters = Object.fromEntries(predicates.map((each, i) => [`${i}`, { filter: toQuery(each) }]));
  const { aggregations } = await aggregate(state, predicate, filters);
  const changed = changedMatches(state, predicate);
  return predicates.map((each, i) => aggregations[`${i}`]!.doc_count + changed.filter(makeDocumentFilter(each)).length);
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
  predicate: TermPredicate,
): Promise<Extremes> {
  const fields = paths.map(fieldName);
  const aggsByPath = fields.map((name, i): [string, JsonObject][] => {
    const field = `number.${name}`;
    const values = { size: 1, sources: [{ value: { terms: { field } } }], after: { value: 0 } };
    return [
      [`min${i}`, { min: { field } }],
      [`max${i}`, { max: { field } }],
      [`above${i}`, { composite: values }],
    ];
  });
  const { aggregations } = await aggregate(state, predicate, Object.fromEntries(aggsByPath.flat()));
  const changed = changedMatches(state, predicate).flatMap(({ number }) =>
    fields.flatMap((name) => number[name] ?? []),
  );
  const valuesOf = (name: string): number[] => fields.flatMap((_, i) => aggregations[`${name}${i}`]?.value ?? []);
  const above = fields.flatMap((_, i) => positiveValues(aggregations[`above${i}`]));
  return {
    ...minimum("min", [...valuesOf("min"), ...changed]),
    ...minimum("minAbove", [...above, ...changed.filter((value) => value > 0)]),
    ...maximum([...valuesOf("max"), ...changed]),
  };
}

const positiveValues = (aggregation: Aggregation | undefined): number[] =>
  (aggregation?.buckets ?? []).flatMap(({ key }) => (typeof key === "string" ? [] : key.value));

const minimum = (name: "min" | "minAbove", values: readonly number[]): Extremes =>
  values.length === 0 ? {} : { [name]: values.reduce((a, b) => Math.min(a, b)) };

const maximum = (values: readonly number[]): Extremes =>
  values.length === 0 ? {} : { max: values.reduce((a, b) => Math.max(a, b)) };

type StepsFacet = CountedFacet & { readonly buckets: StepBuckets };

async function countSteps(
  state: VocabularyState,
  { buckets, paths }: StepsFacet,
  predicate: TermPredicate,
  { min, max, minAbove }: Extremes,
): Promise<ListedBuckets> {
  const smallest = (buckets.scale === "log" ? minAbove : undefined) ?? min;
  if (smallest === undefined || max === undefined) return { buckets: [], other: 0 };
  const edges = stepEdges(buckets, { smallest, largest: max });
  const between = (from: number | undefined, to: number): TermPredicate => ({
    kind: "any",
    of: paths.map((path) => ({
      kind: "between",
      path: fieldName(path),
      to: { value: to, inclusive: false },
      ...(from === undefined ? {} : { from: { value: from, inclusive: true } }),
    })),
  });
  const steps = edges.slice(1).map((to, i) => between(edges[i], to));
  const [below = 0, ...counts] = await countPredicates(state, predicate, [between(undefined, edges[0]!), ...steps]);
  return listSteps(edges, counts, below);
}

/** Aggregates over the matching unchanged terms. */
async function aggregate(
  state: VocabularyState,
  predicate: TermPredicate,
  aggs: JsonObject,
): Promise<{ readonly aggregations: Readonly<Record<string, Aggregation>> }> {
  const [answer] = await state.ask([
    { size: 0, track_total_hits: false, query: unchangedQuery(state, predicate), aggs },
  ]);
  return { aggregations: answer?.aggregations ?? {} };
}
