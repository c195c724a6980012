import { bucketKey, isNested, isStepped, selectedRanges } from "../../../core/catalog/facet-kinds/facet-kinds.js";
import { makeBins, stepEdges } from "../../../core/catalog/facet-kinds/histogram.js";
import type { Catalog } from "../../../core/catalog/types.js";
import { leastOf } from "../../../core/collections.js";
import { fail } from "../../../core/errors.js";
import type { JsonObject } from "../../../core/json.js";
import { lengthWith, type StoredRecord } from "../../../core/record.js";
import type { FacetCounts, RecordPage, RecordScope, RecordSearch } from "../../../ports/search-index.js";
import { type CountedFacet, type FacetLookup, makeFacetLookup } from "../../../query/facets/declared-facets.js";
import { describeClause } from "../../../query/index-model/clause.js";
import { withRanges } from "../../../query/index-model/list-buckets.js";
import type { IndexSearches, SearchedRecords } from "../../separate-index/driver/index-driver.js";
import { isInScope, type JudgedFacet, type JudgedRecords } from "../../separate-index/overlay/judge-records.js";
import { comparePlaces, type RecordPlace, writePlaceKey } from "../../separate-index/overlay/record-places.js";
import { isTooCostly } from "../connection/map-error.js";
import type { IndexAnswer } from "../connection/multi-search.js";
import type { PathNumbers } from "../documents/index-fields.js";
import {
  counterOf,
  type Extremes,
  type FacetAnswer,
  type FacetTally,
  type ParentInTree,
  readExtremes,
  type WantedCounts,
} from "../facets/counters.js";
import { type CompileContext, makeCompileContext } from "../query/compile-query.js";
import { nearWordsSearch, rankNearWords } from "../query/count-near-words.js";
import { hasToken, notQuery } from "../query/dsl.js";
import { isCut, readTally } from "../query/facet-aggregations.js";
import {
  extremesBody,
  type IndexedHit,
  needsEdges,
  type RecordQuestion,
  readPlace,
  searchBody,
  treeBodies,
} from "../query/record-request.js";

type RecordState = SearchedRecords<IndexAnswer>;
type AskIndex = RecordState["ask"];

interface Context {
  readonly compiling: CompileContext;
  readonly findFacets: FacetLookup;
}

/** Makes the searches of records. @param numbers those of the index that is searched */
export function makeRecordSearches(
  catalog: Catalog,
  numbers: PathNumbers,
): Pick<IndexSearches<IndexAnswer>, "searchRecords" | "nearestRecordWords"> {
  const context = { compiling: makeCompileContext(catalog, numbers), findFacets: makeFacetLookup(catalog.models) };
  return {
    searchRecords: (search, state) => searchRecords(search, state, context),
    nearestRecordWords: async (word, limit, { overlay, ask }) => {
      const among = notQuery(hasToken("id", overlay.ids));
      // A record has hundreds of words: testing each of them takes longer than counting all words by their ordinals.
      const counted = { fields: ["t", "h", "r"], words: "w", among, hint: "global_ordinals" } as const;
      const [answer] = await ask([nearWordsSearch(word, counted)]);
      return rankNearWords(word, limit, answer, overlay.words());
    },
  };
}

/** @throws BinderyError QUERY_TOO_COSTLY, CURSOR_INVALID, ANSWER_TOO_LARGE */
async function searchRecords(search: RecordSearch, state: RecordState, context: Context): Promise<RecordPage> {
  const { view, overlay, ask, askedAll, behind } = state;
  const facets = context.findFacets(search.scope.models, search.facets);
  const judged = await overlay.judge(search, facets);
  const question = await makeQuestion({ search, facets, leftOut: overlay.ids }, judged, ask, context);
  const answer = await askRecords(ask, question, context.compiling);
  const places = mergePlaces(answer.places, judged.places, comparePlaces(search.sort));
  const start = "offset" in search.page ? search.page.offset - question.from : 0;
  const end = start + search.page.limit;
  const page = places.slice(start, end);
  const last = places.length > end ? page.at(-1) : undefined;
  const pageReads = Promise.all([
    behind === undefined ? readBodies(view, page) : readRecordsInScope(view, page, search.scope),
    listFacets(question, answer.facets, judged.facets, view),
  ]);
  // Checking the scope sends a second statement later.
  if (behind === undefined) askedAll();
  const [hits, listed] = await pageReads;
  hits.reduce(lengthWith, 0);
  return {
    hits,
    total: answer.total + judged.total,
    facets: listed,
    next: last === undefined ? undefined : writePlaceKey(last, search.sort),
    behind,
  };
}

/** Returns the bodies of a page. Everything in the view is in its index, so no body can be missing. */
async function readBodies(view: RecordState["view"], page: readonly RecordPlace[]): Promise<readonly StoredRecord[]> {
  const bodies = await view.readBodies(page);
  return bodies.map((body, i) => body ?? throwMissing(page[i]!));
}

/**
 * Returns the records of a page that the caller may still find: a record in the index may have been withdrawn or
 * transferred since.
 */
async function readRecordsInScope(
  view: RecordState["view"],
  page: readonly RecordPlace[],
  scope: RecordScope,
): Promise<readonly StoredRecord[]> {
  const sources = await view.readRecords(page.map(({ id }) => id));
  const recordsByKey = new Map(
    sources
      .filter((source) => isInScope(scope, source))
      .map(({ record }): [string, StoredRecord] => [`${record.state} ${record.id}`, record]),
  );
  return page.flatMap(({ id, state }) => recordsByKey.get(`${state} ${id}`) ?? []);
}

function throwMissing({ id, state }: RecordPlace): never {
  throw new Error(`The index has the ${state} record ${id}, and the store has not; run "bindery verify".`);
}

/** Makes the question to the index, such that the page is complete and counts are exact together with the overlay. */
async function makeQuestion(
  request: Pick<RecordQuestion, "search" | "facets" | "leftOut">,
  judged: JudgedRecords,
  ask: AskIndex,
  { compiling }: Context,
): Promise<RecordQuestion> {
  const { page } = request.search;
  // Each hit of the overlay may move those of the index by one place.
  const from = "offset" in page ? Math.max(0, page.offset - judged.places.length) : 0;
  const skipped = "offset" in page ? page.offset - from : 0;
  const limit = page.limit === 0 ? 0 : skipped + page.limit + 1;
  const question = { ...request, from, limit, wanted: new Map<string, WantedCounts>() };
  const extremes = request.facets.some(needsEdges) ? await askExtremes(ask, question, compiling) : new Map();
  const countedFacets = request.facets.filter(({ size }) => size > 0);
  const wantedCounts = countedFacets.map((facet, i): [string, WantedCounts] => {
    const judgedFacet = judged.facets[i]!;
    const edges = stepEdgesOf(facet, mergeExtremes(extremes.get(facet.name), extremesAmong(judgedFacet.numbers)));
    return [facet.name, { keys: namedKeys(facet, judgedFacet), edges }];
  });
  return { ...question, wanted: new Map(wantedCounts) };
}

/** Returns the keys whose counts are needed, regardless of their size. */
function namedKeys({ selected, listed }: CountedFacet, { counts }: JudgedFacet): readonly string[] {
  const listedKeys = listed !== undefined && "keys" in listed ? listed.keys : [];
  return [...new Set([...selected, ...listedKeys, ...counts.keys()])];
}

async function listFacets(
  { facets, wanted }: RecordQuestion,
  tallies: readonly FacetTally[],
  judged: readonly JudgedFacet[],
  view: RecordState["view"],
): Promise<readonly FacetCounts[]> {
  const countedFacets = facets.filter(({ size }) => size > 0);
  return Promise.all(
    countedFacets.map(async (facet, i) => {
      const edges = wanted.get(facet.name)?.edges;
      const judgedFacet = judged[i]!;
      const tally = mergeTally(
        tallies[i]!,
        judgedFacet,
        edges === undefined ? judgedFacet.counts : stepCounts(judgedFacet, edges),
      );
      return listFacet(facet, tally, await readParents(facet, tallies[i]!, tally, view), edges);
    }),
  );
}

/** Returns the number of judged records with a number in each step. */
function stepCounts({ numbers }: JudgedFacet, edges: readonly number[]): ReadonlyMap<string, number> {
  const bins = makeBins(edges);
  const counts = new Map<string, number>();
  for (const numbersOfRecord of numbers) {
    for (const key of new Set(numbersOfRecord.map((number) => bucketKey(bins, number)))) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

/** Returns the parents of terms of a tree: from the index for terms that it counts, from the view for all others. */
async function readParents(
  { buckets, selected }: CountedFacet,
  { counts, parents }: FacetTally,
  merged: FacetTally,
  view: RecordState["view"],
): Promise<(id: string) => string | undefined> {
  if (!isNested(buckets)) return () => undefined;
  const { vocabulary } = buckets;
  const uncountedIds = [...merged.counts.keys(), ...selected].filter((id) => !counts.has(id));
  const lineage =
    uncountedIds.length === 0 ? undefined : await view.trees.lineageOf(uncountedIds.map((id) => ({ vocabulary, id })));
  return (id) => parents.get(id) ?? (counts.has(id) ? undefined : lineage?.getParentId(vocabulary, id));
}

/** Returns the extremes of both; undefined if neither has any. */
function mergeExtremes(a: Extremes | undefined, b: Extremes | undefined): Extremes | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const positives = [a.aboveZero, b.aboveZero].filter((number) => number !== undefined);
  const aboveZero = positives.length === 0 ? undefined : leastOf(positives);
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max), aboveZero };
}

/** Returns the extremes of the numbers of some records. */
function extremesAmong(numbers: JudgedFacet["numbers"]): Extremes | undefined {
  return numbers.flat().reduce<Extremes | undefined>((total, number) => {
    const ownExtremes = { min: number, max: number, aboveZero: number > 0 ? number : undefined };
    return mergeExtremes(total, ownExtremes);
  }, undefined);
}

/** Returns the edges of the steps of a facet; undefined if there is nothing to count. */
function stepEdgesOf({ buckets }: CountedFacet, extremes: Extremes | undefined): readonly number[] | undefined {
  if (!isStepped(buckets) || extremes === undefined) return undefined;
  const { min, max, aboveZero } = extremes;
  return stepEdges(buckets, { smallest: (buckets.scale === "log" ? aboveZero : undefined) ?? min, largest: max });
}

/** Joins the counts of a facet. @param counts of the overlay, by bucket */
function mergeTally(tally: FacetTally, judged: JudgedFacet, counts: ReadonlyMap<string, number>): FacetTally {
  const merged = new Map(tally.counts);
  let { sum } = tally;
  for (const [key, count] of counts) {
    merged.set(key, (merged.get(key) ?? 0) + count);
    sum += count;
  }
  const ranges = new Map(tally.ranges);
  for (const [key, count] of judged.ranges) ranges.set(key, (ranges.get(key) ?? 0) + count);
  const extremes = mergeExtremes(tally.extremes, extremesAmong(judged.numbers));
  return { counts: merged, sum, parents: tally.parents, ranges, extremes };
}

/** Merges two ordered lists. */
function mergePlaces(
  indexPlaces: readonly RecordPlace[],
  overlayPlaces: readonly RecordPlace[],
  compare: ReturnType<typeof comparePlaces>,
): readonly RecordPlace[] {
  if (overlayPlaces.length === 0) return indexPlaces;
  return [...indexPlaces, ...overlayPlaces].sort(compare);
}

/** Lists the buckets of a facet. @param edges of equal steps; undefined: there was nothing to count */
function listFacet(
  facet: CountedFacet,
  tally: FacetTally,
  getParentId: ParentInTree,
  edges?: readonly number[],
): FacetCounts {
  const { name, buckets, selected } = facet;
  const ranges = selectedRanges(buckets, selected);
  const keys = selected.filter((key) => !ranges.includes(key));
  const listed = counterOf(buckets).list({ ...facet, selected: keys }, tally, getParentId, edges);
  const rangeCounts = ranges.map((key) => ({ key, count: tally.ranges.get(key) ?? 0 }));
  const { min, max } = tally.extremes ?? {};
  return { name, ...withRanges(listed, rangeCounts), ...(min === undefined || max === undefined ? {} : { min, max }) };
}

/** An answer of OpenSearch to a request of this file. */
interface RecordSearchAnswer {
  readonly hits: { readonly total?: { readonly value: number }; readonly hits: readonly IndexedHit[] };
  readonly aggregations?: Readonly<Record<string, FacetAnswer>>;
}

/** Answer of the index to a question. */
interface RecordQuestionAnswer {
  /** Number of all hits, exact. */
  readonly total: number;
  readonly places: readonly RecordPlace[];
  /** In the order of the counted facets. */
  readonly facets: readonly FacetTally[];
}

/** Requests total, page and facets. @throws BinderyError QUERY_TOO_COSTLY */
export async function askRecords(
  ask: AskIndex,
  question: RecordQuestion,
  context: CompileContext,
): Promise<RecordQuestionAnswer> {
  const { hits, aggregations } = await askOne(ask, question, searchBody(question, context));
  const countedFacets = question.facets.filter(({ size }) => size > 0);
  const facets = countedFacets.map(async (facet, i) => {
    const answer = aggregations?.[`f${i}`] ?? {};
    const completeAnswer = isCut(facet, answer, context)
      ? { ...answer, keys: await askAllKeys(ask, question, facet, context) }
      : answer;
    return readTally(facet, completeAnswer, question.wanted.get(facet.name) ?? { keys: [] });
  });
  return {
    total: hits.total?.value ?? 0,
    places: hits.hits.map((hit) => readPlace(hit, question.search)),
    facets: await Promise.all(facets),
  };
}

/** Requests all buckets of a facet that has more than fit into one answer, in several parts. */
async function askAllKeys(
  ask: AskIndex,
  question: RecordQuestion,
  facet: CountedFacet,
  context: CompileContext,
): Promise<NonNullable<FacetAnswer["keys"]>> {
  for (let parts = 2; ; parts *= 2) {
    const answers = await askAll(ask, question, treeBodies(question, facet, parts, context));
    const answersByPart = answers.map(({ aggregations }) => aggregations?.f0 ?? {});
    if (answersByPart.some((answer) => isCut(facet, answer, context))) continue;
    return { buckets: answersByPart.flatMap(({ keys }) => keys?.buckets ?? []), sum_other_doc_count: 0 };
  }
}

/**
 * Requests the numbers that determine the edges of equal steps, by the names of facets. Facets without a number in any
 * hit are left out.
 * @throws BinderyError QUERY_TOO_COSTLY
 */
async function askExtremes(
  ask: AskIndex,
  question: RecordQuestion,
  context: CompileContext,
): Promise<ReadonlyMap<string, Extremes>> {
  const { aggregations } = await askOne(ask, question, extremesBody(question, context));
  const extremesByFacet = question.facets.filter(needsEdges).flatMap((facet, i): [string, Extremes][] => {
    const extremes = readExtremes(aggregations?.[`f${i}`] ?? {});
    return extremes === undefined ? [] : [[facet.name, extremes]];
  });
  return new Map(extremesByFacet);
}

async function askOne(ask: AskIndex, question: RecordQuestion, body: object): Promise<RecordSearchAnswer> {
  return (await askAll(ask, question, [body]))[0]!;
}

async function askAll(
  ask: AskIndex,
  { search }: RecordQuestion,
  bodies: readonly object[],
): Promise<readonly RecordSearchAnswer[]> {
  try {
    return (await ask(bodies as readonly JsonObject[])) as unknown as readonly RecordSearchAnswer[];
  } catch (error) {
    if (!isTooCostly(error)) throw error;
    throw fail("QUERY_TOO_COSTLY", { clause: describeClause(search.clause) }, error);
  }
}
