import type { Catalog } from "../../../core/catalog/types.js";
import { lengthWith, type StoredRecord } from "../../../core/record.js";
import type { SourceView } from "../../../ports/index-source.js";
import type { FacetCounts, RecordPage, RecordScope, RecordSearch } from "../../../ports/search-index.js";
import { binsOf, bucketKey } from "../../../query/index-model/buckets.js";
import { type CountedFacet, type FacetLookup, makeFacetLookup } from "../../../query/index-model/declared-facets.js";
import type { AskIndex } from "../connection/multi-search.js";
import type { PathNumbers } from "../documents/path-numbers.js";
import { isInScope } from "../overlay/in-scope.js";
import type { JudgedFacet, JudgedRecords } from "../overlay/judge-records.js";
import type { RecordOverlay } from "../overlay/record-overlay.js";
import { type CompileContext, compileContext } from "../query/compile-query.js";
import { comparePlaces, type RecordPlace, writePlaceKey } from "../query/record-places.js";
import type { FacetTally, RecordQuestion, WantedCounts } from "../query/record-question.js";
import { isStepped } from "../query/record-request.js";
import { askExtremes, askRecords } from "./ask-records.js";
import { listFacet } from "./list-facet.js";
import { edgesOf, extremesAmong, mergeExtremes, mergePlaces, mergeTally } from "./merge-answers.js";

/** One state of the store, and who answers for which of its records. */
export interface RecordState {
  readonly view: Pick<SourceView, "bodiesOf" | "recordsOf" | "lineageOf">;
  readonly overlay: RecordOverlay;
  readonly ask: AskIndex;
  /** See `SearchedState`. */
  askedAll(): void;
  /** Changes that neither the index nor the overlay has; absent: none. */
  readonly behind?: number;
}

export type SearchRecords = (search: RecordSearch, state: RecordState) => Promise<RecordPage>;

interface Context {
  readonly compiling: CompileContext;
  readonly facetsOf: FacetLookup;
}

/** @param numbers those of the index that is asked */
export function makeRecordSearch(catalog: Catalog, numbers: PathNumbers): SearchRecords {
  const context = { compiling: compileContext(catalog, numbers), facetsOf: makeFacetLookup(catalog.models) };
  return (search, state) => searchRecords(search, state, context);
}

/** @throws BinderyError QUERY_TOO_COSTLY, CURSOR_INVALID, ANSWER_TOO_LARGE */
async function searchRecords(search: RecordSearch, state: RecordState, context: Context): Promise<RecordPage> {
  const { view, overlay, ask, askedAll, behind } = state;
  const facets = context.facetsOf(search.scope.models, search.facets);
  const judged = await overlay.judge(search, facets);
  const question = await questionFor({ search, facets, leftOut: overlay.ids }, judged, ask, context);
  const answer = await askRecords(ask, question, context.compiling);
  const places = mergePlaces(answer.places, judged.places, comparePlaces(search.sort));
  const start = "offset" in search.page ? search.page.offset - question.from : 0;
  const end = start + search.page.limit;
  const page = places.slice(start, end);
  const last = places.length > end ? page.at(-1) : undefined;
  const reading = Promise.all([
    behind === undefined ? bodiesOf(view, page) : stillInScope(view, page, search.scope),
    listFacets(question, answer.facets, judged.facets, view),
  ]);
  // What is still in scope takes a statement after another one.
  if (behind === undefined) askedAll();
  const [hits, listed] = await reading;
  hits.reduce(lengthWith, 0);
  return {
    hits,
    total: answer.total + judged.total,
    facets: listed,
    ...(last === undefined ? {} : { next: writePlaceKey(last, search.sort) }),
    ...(behind === undefined ? {} : { behind }),
  };
}

/** Whatever is in the view is in its index: a body cannot be missing. */
async function bodiesOf(view: RecordState["view"], page: readonly RecordPlace[]): Promise<readonly StoredRecord[]> {
  const bodies = await view.bodiesOf(page);
  return bodies.map((body, i) => body ?? missing(page[i]!));
}

/** What the index has may be withdrawn, or somebody else's, since: the view says what the caller may find now. */
async function stillInScope(
  view: RecordState["view"],
  page: readonly RecordPlace[],
  scope: RecordScope,
): Promise<readonly StoredRecord[]> {
  const sources = await view.recordsOf(page.map(({ id }) => id));
  const found = new Map(
    sources
      .filter((source) => isInScope(scope, source))
      .map(({ record }): [string, StoredRecord] => [`${record.state} ${record.id}`, record]),
  );
  return page.flatMap(({ id, state }) => found.get(`${state} ${id}`) ?? []);
}

function missing({ id, state }: RecordPlace): never {
  throw new Error(`The index has the ${state} record ${id}, and the store has not; run "bindery verify".`);
}

/** What the index is asked, so that with what was judged beside it the page is whole and each count exact. */
async function questionFor(
  asked: Pick<RecordQuestion, "search" | "facets" | "leftOut">,
  judged: JudgedRecords,
  ask: AskIndex,
  { compiling }: Context,
): Promise<RecordQuestion> {
  const { page } = asked.search;
  // Each hit of the overlay may move those of the index by one.
  const from = "offset" in page ? Math.max(0, page.offset - judged.places.length) : 0;
  const skipped = "offset" in page ? page.offset - from : 0;
  const question = { ...asked, from, limit: skipped + page.limit + 1, wanted: new Map<string, WantedCounts>() };
  const extremes = asked.facets.some(isStepped) ? await askExtremes(ask, question, compiling) : new Map();
  const counted = asked.facets.filter(({ size }) => size > 0);
  const wanted = counted.map((facet, i): [string, WantedCounts] => {
    const beside = judged.facets[i]!;
    const edges = edgesOf(facet, mergeExtremes(extremes.get(facet.name), extremesAmong(beside.numbers)));
    return [facet.name, { keys: namedKeys(facet, beside), ...(edges === undefined ? {} : { edges }) }];
  });
  return { ...question, wanted: new Map(wanted) };
}

/** Keys whose counts are needed, however small they are. */
function namedKeys({ selected, listed }: CountedFacet, { counts }: JudgedFacet): readonly string[] {
  const some = listed !== undefined && "keys" in listed ? listed.keys : [];
  return [...new Set([...selected, ...some, ...counts.keys()])];
}

async function listFacets(
  { facets, wanted }: RecordQuestion,
  tallies: readonly FacetTally[],
  judged: readonly JudgedFacet[],
  view: RecordState["view"],
): Promise<readonly FacetCounts[]> {
  const counted = facets.filter(({ size }) => size > 0);
  return Promise.all(
    counted.map(async (facet, i) => {
      const edges = wanted.get(facet.name)?.edges;
      const beside = judged[i]!;
      const tally = mergeTally(tallies[i]!, beside, edges === undefined ? beside.counts : stepCounts(beside, edges));
      return listFacet(facet, tally, await parentsIn(facet, tallies[i]!, tally, view), edges);
    }),
  );
}

/** How many of the judged records have a number in each step. */
function stepCounts({ numbers }: JudgedFacet, edges: readonly number[]): ReadonlyMap<string, number> {
  const bins = binsOf(edges);
  const counts = new Map<string, number>();
  for (const some of numbers) {
    for (const key of new Set(some.map((number) => bucketKey(bins, number)))) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

/** What stands above the items of a tree: the index says it of those that it counts, the view of all others. */
async function parentsIn(
  { buckets, selected }: CountedFacet,
  { counts, parents }: FacetTally,
  merged: FacetTally,
  view: RecordState["view"],
): Promise<(id: string) => string | undefined> {
  if (buckets.kind !== "tree") return () => undefined;
  const { vocabulary } = buckets;
  const others = [...merged.counts.keys(), ...selected].filter((id) => !counts.has(id));
  const lineage = others.length === 0 ? undefined : await view.lineageOf(others.map((id) => ({ vocabulary, id })));
  return (id) => parents.get(id) ?? (counts.has(id) ? undefined : lineage?.parentOf(vocabulary, id));
}
