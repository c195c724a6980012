import type { JsonObject } from "../../../core/json.js";
import type { FacetCounts } from "../../../ports/search-index.js";
import { type FacetBuckets, facetClause, selectedRanges } from "../../../query/index-model/buckets.js";
import type { CountedFacet } from "../../../query/index-model/declared-facets.js";
import { listSteps, stepEdges } from "../../../query/index-model/histogram-steps.js";
import { type ListedBuckets, listTop, withRanges } from "../../../query/index-model/list-buckets.js";
import type { Aggregation } from "../connection/multi-search.js";
import { fieldName } from "../documents/term-document.js";
import { among, type TermPlace, unchanged } from "./asked-place.js";
import { ALWAYS, allTests, type DocumentTest, hasAny, NEVER } from "./document-test.js";
import { makeJudge } from "./fulfils.js";
import { clauseTest } from "./test-clause.js";
import { toQuery } from "./to-query.js";

/** Keys of one facet that are counted at most: as many buckets as OpenSearch gives. */
const KEYS_MAX = 65_000;

/** What a facet lets through. */
export function facetTest({ name, buckets, paths, selected }: CountedFacet): DocumentTest {
  if (selected.length === 0) return ALWAYS;
  if (buckets.kind === "terms") return hasAny(`facet.${fieldName(name)}`, selected);
  return rangesTest(buckets, paths, selected);
}

function rangesTest(
  buckets: Exclude<FacetBuckets, { kind: "terms" }>,
  paths: readonly string[],
  keys: readonly string[],
): DocumentTest {
  const clause = facetClause(buckets, paths, keys);
  return clause === undefined ? NEVER : clauseTest(clause, "all", { vocabulary: "", below: () => NEVER });
}

/** Counts each facet over the items that all other facets let through. */
export async function countTermFacets(
  place: TermPlace,
  matched: DocumentTest,
  facets: readonly CountedFacet[],
): Promise<FacetCounts[]> {
  const tests = facets.map(facetTest);
  const counted = facets.flatMap((facet, i) => {
    if (facet.size === 0) return [];
    return [{ facet, test: allTests([matched, ...tests.filter((_, j) => j !== i)]) }];
  });
  return Promise.all(counted.map(({ facet, test }) => countFacet(place, facet, test)));
}

async function countFacet(place: TermPlace, facet: CountedFacet, test: DocumentTest): Promise<FacetCounts> {
  const { name, buckets, selected, size, listed } = facet;
  const numbers = buckets.kind === "bins" || buckets.kind === "steps";
  const extremes = numbers ? await extremesOf(place, facet, test) : {};
  const ranges = selectedRanges(buckets, selected);
  const shown = { ...(extremes.min === undefined ? {} : { min: extremes.min, max: extremes.max! }) };
  if (buckets.kind === "steps") {
    const steps = await countSteps(place, { ...facet, buckets }, test, extremes);
    return { name, ...withRanges(steps, await countRanges(place, facet, test, ranges)), ...shown };
  }
  const counts =
    buckets.kind === "bins"
      ? new Map((await countRanges(place, facet, test, buckets.keys)).map(({ key, count }) => [key, count]))
      : await countKeys(place, facet, test);
  const keys = selected.filter((key) => !ranges.includes(key));
  const top =
    listed !== undefined && "keys" in listed
      ? listTop(new Map(listed.keys.map((key) => [key, counts.get(key) ?? 0])), size, [])
      : listTop(counts, size, keys);
  return { name, ...withRanges(top, await countRanges(place, facet, test, ranges)), ...shown };
}

/** How many items have each key. */
async function countKeys(place: TermPlace, { name }: CountedFacet, test: DocumentTest): Promise<Map<string, number>> {
  const field = fieldName(name);
  const keys = { terms: { field: `facet.${field}`, size: KEYS_MAX, shard_size: KEYS_MAX } };
  const { aggregations } = await askCounts(place, test, { keys });
  const counts = new Map(aggregations.keys!.buckets!.map(({ key, doc_count: count }) => [String(key), count]));
  for (const { facet } of among(place, test)) {
    for (const key of facet[field] ?? []) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

type Count = ListedBuckets["buckets"][number];

/** How many items have a number or date in each range. */
async function countRanges(
  place: TermPlace,
  { buckets, paths }: CountedFacet,
  test: DocumentTest,
  keys: readonly string[],
): Promise<readonly Count[]> {
  if (keys.length === 0 || buckets.kind === "terms") return [];
  const counts = await countTests(
    place,
    test,
    keys.map((key) => rangesTest(buckets, paths, [key])),
  );
  return keys.map((key, i) => ({ key, count: counts[i]! }));
}

/** How many of the items that fulfil the test fulfil each of the others. */
async function countTests(
  place: TermPlace,
  test: DocumentTest,
  tests: readonly DocumentTest[],
): Promise<readonly number[]> {
  const filters = Object.fromEntries(tests.map((each, i) => [`${i}`, { filter: toQuery(each) }]));
  const { aggregations } = await askCounts(place, test, filters);
  const changed = among(place, test);
  return tests.map((each, i) => aggregations[`${i}`]!.doc_count + changed.filter(makeJudge(each)).length);
}

interface Extremes {
  readonly min?: number;
  readonly max?: number;
  /** The smallest above zero. */
  readonly minAbove?: number;
}

/** The smallest and the largest number of the items. */
async function extremesOf(place: TermPlace, { paths }: CountedFacet, test: DocumentTest): Promise<Extremes> {
  const fields = paths.map(fieldName);
  const ofPath = fields.map((name, i): [string, JsonObject][] => {
    const field = `number.${name}`;
    const values = { size: 1, sources: [{ value: { terms: { field } } }], after: { value: 0 } };
    return [
      [`min${i}`, { min: { field } }],
      [`max${i}`, { max: { field } }],
      [`above${i}`, { composite: values }],
    ];
  });
  const { aggregations } = await askCounts(place, test, Object.fromEntries(ofPath.flat()));
  const changed = among(place, test).flatMap(({ number }) => fields.flatMap((name) => number[name] ?? []));
  const valuesOf = (name: string): number[] => fields.flatMap((_, i) => aggregations[`${name}${i}`]?.value ?? []);
  const above = fields.flatMap((_, i) => aboveOf(aggregations[`above${i}`]));
  return {
    ...least("min", [...valuesOf("min"), ...changed]),
    ...least("minAbove", [...above, ...changed.filter((value) => value > 0)]),
    ...largest([...valuesOf("max"), ...changed]),
  };
}

const aboveOf = (found: Aggregation | undefined): number[] =>
  (found?.buckets ?? []).flatMap(({ key }) => (typeof key === "string" ? [] : key.value));

const least = (name: "min" | "minAbove", values: readonly number[]): Extremes =>
  values.length === 0 ? {} : { [name]: values.reduce((a, b) => Math.min(a, b)) };

const largest = (values: readonly number[]): Extremes =>
  values.length === 0 ? {} : { max: values.reduce((a, b) => Math.max(a, b)) };

type StepsFacet = CountedFacet & { readonly buckets: Extract<FacetBuckets, { kind: "steps" }> };

async function countSteps(
  place: TermPlace,
  { buckets, paths }: StepsFacet,
  test: DocumentTest,
  { min, max, minAbove }: Extremes,
): Promise<ListedBuckets> {
  const smallest = (buckets.scale === "log" ? minAbove : undefined) ?? min;
  if (smallest === undefined || max === undefined) return { buckets: [], other: 0 };
  const edges = stepEdges(buckets, { smallest, largest: max });
  const between = (from: number | undefined, to: number): DocumentTest => ({
    kind: "any",
    of: paths.map((path) => ({
      ...{ kind: "between", path: fieldName(path), to: { value: to, inclusive: false } },
      ...(from === undefined ? {} : { from: { value: from, inclusive: true } }),
    })),
  });
  const steps = edges.slice(1).map((to, i) => between(edges[i], to));
  const [below = 0, ...counts] = await countTests(place, test, [between(undefined, edges[0]!), ...steps]);
  return listSteps(edges, counts, below);
}

/** Aggregations over the items of the index that fulfil the test. */
async function askCounts(
  place: TermPlace,
  test: DocumentTest,
  aggs: JsonObject,
): Promise<{ readonly aggregations: Readonly<Record<string, Aggregation>> }> {
  const [answer] = await place.ask([{ size: 0, track_total_hits: false, query: unchanged(place, test), aggs }]);
  return { aggregations: answer?.aggregations ?? {} };
}
