import type { Cache } from "../../../core/caches.js";
import type { Catalog } from "../../../core/catalog/types.js";
import { lengthWith, type StoredRecord } from "../../../core/record.js";
import type { PageWindow, RecordPage, RecordSearch, ValueSort } from "../../../ports/search-index.js";
import { type CountedFacet, type FacetLookup, makeFacetLookup } from "../../../query/facets/declared-facets.js";
import { describeClause } from "../../../query/index-model/clause.js";
import { facetPaths, makeCitedVocabularies, makeTextBelow } from "../../../query/index-model/indexed-paths.js";
import { bestMatchRecordSteps, type RecordStep } from "../../../query/ranking/record-steps.js";
import {
  readRecordSortKey,
  readValueSortKey,
  recordSortKey,
  type SortKey,
  type ValuedPlace,
  valueSortKey,
} from "../../../query/ranking/sort-keys.js";
import {
  cardinality,
  contiguousRanges,
  type DocIdSet,
  firstIds,
  lastIds,
  makeDocIdSet,
  subtractSet,
  toIds,
} from "../bitmaps/doc-id-set.js";
import type { MadeParts, SearchRunner } from "../cache/missing-parts.js";
import type { ScanLoader } from "../cache/scan-loading.js";
import { type ChangeLog, makeChangeLog, Snapshot } from "../cache/snapshot-cache.js";
import type { Db } from "../connection/database.js";
import { startDeadline } from "../connection/deadline.js";
import {
  EVERY_NUMBER,
  extremeColumn,
  inValueOrder,
  type NumericColumn,
  ownersBetween,
} from "../doc-values/numeric-column.js";
import { makeValueDictionary, type PathDictionary, type ValueDictionary } from "../documents/dictionaries.js";
import { keywordTest } from "../documents/packed-values.js";
import type { CountCache } from "../facets/count-facet.js";
import { makeExpandWords, recordWords } from "../lexicon/lexicon.js";
import { allPlans, evaluate } from "../plan/plan.js";
import { type RankingStep, rankedPage } from "../plan/ranked-page.js";
import { recordsOfRows } from "../records/record-reader.js";
import { currentGeneration } from "../vocabulary/store/generation.js";
import type { Lineage } from "../vocabulary/store/lineage.js";
import { type CompileContext, compileQuery, compileTest, isOneValue, type RecordIdPath } from "./compile-query.js";
import { isFew, type LeafContext, makeRecordEvaluator } from "./evaluate-record-leaves.js";
import { countRecordFacets, filterPlan, type RecordFacetContext } from "./record-facets.js";
import { type KeyTest, type RecordPlan, visiblePlan } from "./record-plan.js";

interface RecordSearchOptions {
  /** A read connection. */
  readonly db: Db;
  readonly catalog: Catalog;
  readonly paths: PathDictionary;
  readonly cache: Cache;
  /** Cache of the last shown records. It is separate so that they do not evict search data. */
  readonly shown: Cache;
  readonly counts: CountCache;
  readonly lineage: Lineage;
  readonly searchTimeoutMs: number;
  /** Number of rows up to which a scan is faster than keeping its view up to date. */
  readonly fewRows: number;
  /** Runs slow scans on another thread. If undefined, they run on this one. */
  readonly load?: ScanLoader | undefined;
  readonly runner: SearchRunner;
}

/** State that searches share as long as the engine is open. */
interface Engine extends RecordSearchOptions {
  readonly keys: ValueDictionary;
  readonly changes: ChangeLog;
  readonly findFacets: FacetLookup;
  readonly compiling: Omit<CompileContext, "expand" | "rowsWithId" | "weights">;
}

/** Makes the search for records. */
export function makeRecordSearch(options: RecordSearchOptions): (search: RecordSearch) => Promise<RecordPage> {
  const { db, catalog, paths } = options;
  const keyPaths = facetPaths(catalog);
  const engine: Engine = {
    ...options,
    keys: makeValueDictionary(db),
    changes: makeChangeLog(db),
    findFacets: makeFacetLookup(catalog.models),
    compiling: {
      ...paths,
      textBelow: makeTextBelow(catalog, paths),
      ...makeCitedVocabularies(catalog),
      isKeyPath: (path) => keyPaths.has(path),
    },
  };
  return (search) => {
    const uncached = new Map<string, unknown>();
    return options.runner.run(
      (made) => searchRecords(search, engine, made, uncached),
      () => describeClause(search.clause),
    );
  };
}

/**
 * Searches in the snapshot of one read transaction, so that total, page and facets agree.
 * @throws MissingParts, BinderyError QUERY_TOO_COSTLY
 */
function searchRecords(
  search: RecordSearch,
  engine: Engine,
  made: MadeParts,
  uncached: Map<string, unknown>,
): RecordPage {
  const { db, keys, cache, changes, counts, compiling, lineage } = engine;
  const deadline = startDeadline(engine.searchTimeoutMs, () => describeClause(search.clause));
  const { fewRows, load } = engine;
  const { check } = deadline;
  const snapshot = new Snapshot({
    db,
    keys,
    check,
    cache,
    changes,
    made,
    uncached,
    load,
    fewRows,
  });
  const leafContext: LeafContext = {
    snapshot,
    makeKeyFilter: (path, test) => makeKeyFilter(path, test, engine),
  };
  const context: CompileContext = {
    ...compiling,
    expand: makeExpandWords(() => recordWords(db, cache, deadline)),
    rowsWithId: (path, id) => rowsWithId(db, path, id),
  };
  const evaluator = makeRecordEvaluator(leafContext);
  const rowsOfPlan = (plan: RecordPlan): DocIdSet => evaluate(plan, evaluator).rows;

  const matchingRows = rowsOfPlan(allPlans([visiblePlan(search.scope), compileQuery(search.clause, context)]));
  const countedFacets = engine.findFacets(search.scope.models, search.facets);
  const planOf = (facet: CountedFacet): RecordPlan => filterPlan(facet, context, keys);
  const filterHits = (some: readonly RecordPlan[]): DocIdSet =>
    rowsOfPlan(allPlans([{ kind: "rows", rows: matchingRows }, ...some]));
  const hits = filterHits(countedFacets.map(planOf));
  const facetContext: RecordFacetContext = { db, keys, lineage, cache, snapshot, ...compiling };
  const counted = counts.get(["records", search.clause, search.scope, search.facets], `${snapshot.seq}`, () => ({
    total: cardinality(hits),
    facets: countRecordFacets(countedFacets, hits, { planOf, filterHits }, facetContext),
  }));
  const { sort } = search;
  const page =
    typeof sort === "string"
      ? takePage({ ...search, sort }, hits, rowsOfPlan, context)
      : valuedPage(search.page, sort, hits, { snapshot, findPathId: compiling.findPathId });
  const records = shownRecords(engine, page.rows, snapshot.seq);
  return { hits: records, ...counted, next: page.next };
}

const ID_COLUMNS = { id: "pid", "parent.id": "parent" } as const;

function rowsWithId(db: Db, path: RecordIdPath, id: string): DocIdSet {
  const rows = db.sql<number>(`SELECT id FROM rec WHERE ${ID_COLUMNS[path]} = ?`).pluck().all(id);
  return makeDocIdSet(rows);
}

/** The only step of an order that does not rank. */
const EVERY_HIT: RankingStep = { number: 0, take: (among) => among };

function takePage(
  search: RecordSearch & { readonly sort: string },
  hits: DocIdSet,
  rowsOfPlan: (plan: RecordPlan) => DocIdSet,
  context: CompileContext,
): TakenPage {
  const { page, sort } = search;
  const after = "after" in page && page.after !== null ? readRecordSortKey(page.after, sort) : undefined;
  const window = { after, skip: "offset" in page ? page.offset : 0, limit: page.limit };
  const stepOf = ({ number, test }: RecordStep): RankingStep => ({
    number,
    take: (among) => rowsOfPlan(allPlans([{ kind: "rows", rows: among }, compileTest(test, context)])),
  });
  const steps = sort === "bestmatch" ? bestMatchRecordSteps(search).map(stepOf) : [EVERY_HIT];
  const { hits: pageHits, last } = rankedPage(hits, steps, window, (rows, from) =>
    inOrder(rows, sort, from?.row, window.skip + window.limit + 1),
  );
  const next = last && { next: recordSortKey({ step: last.step, row: last.id }, sort) };
  return { rows: pageHits.map(({ id }) => id), ...next };
}

/** Returns hits in the order of row ids, in which records were first committed. */
function inOrder(rows: DocIdSet, sort: string, after: number | undefined, limit: number): readonly { id: number }[] {
  const ids =
    sort === "oldest" ? firstIds(rows, after ?? -1, limit) : lastIds(rows, after ?? Number.POSITIVE_INFINITY, limit);
  return ids.map((id) => ({ id }));
}

interface KeysContext {
  readonly db: Db;
  readonly keys: ValueDictionary;
  readonly lineage: Lineage;
  readonly cache: Cache;
}

function makeKeyFilter(path: number, test: KeyTest, context: KeysContext): ReturnType<LeafContext["makeKeyFilter"]> {
  if (test.kind === "range" && isOneValue(test)) {
    const found = context.keys.findFolded(path, String(test.from?.value));
    return found.length === 0 ? undefined : (key) => found.includes(key);
  }
  const passes = findKeys(path, test, context);
  return (key) => passes[key] === 1;
}

/** Returns an array with 1 for each row of `key` at the path that passes the test. */
function findKeys(path: number, test: KeyTest, { db, keys, lineage, cache }: KeysContext): Uint8Array {
  const end = keys.end();
  const generation = test.kind === "within" ? currentGeneration(db, test.vocabulary) : undefined;
  const state = `${generation?.g} ${generation?.writes}`;
  const name = `keys ${path} ${JSON.stringify(test)}`;
  const cached = cache.get<{ readonly state: string; readonly counts: Uint8Array }>(name);
  const knownKeys = cached?.state === state ? cached.counts : new Uint8Array(0);
  if (knownKeys.length === end) return knownKeys;
  // If the tree is unchanged, only new keys are tested.
  const newKeys: number[] = [];
  for (let key = knownKeys.length; key < end; key++) if (keys.pathOf(key) === path) newKeys.push(key);
  const counts = new Uint8Array(end);
  counts.set(knownKeys);
  if (test.kind === "within") {
    const descendants = lineage.descendantsAmong(test.vocabulary, test.id, newKeys.map(keys.keyText));
    for (const key of newKeys) if (descendants.has(keys.keyText(key))) counts[key] = 1;
  } else {
    const isInRange = keywordTest(test);
    for (const key of newKeys) if (isInRange(keys.folded(key))) counts[key] = 1;
  }
  cache.set(name, { state, counts }, end);
  return counts;
}

/** A record as it was after the change `seq`. */
interface CachedRecord {
  seq: number;
  readonly record: StoredRecord;
}

/** A text may have two bytes per character, and the caller keeps its UTF-8 too. */
const CHARACTER_BYTES = 3;

interface ShownRecords {
  readonly db: Db;
  /** Cache of the last shown records. */
  readonly shown: Cache;
  readonly changes: ChangeLog;
}

/**
 * Returns the records of rows in the given order. Reading bodies and checking their checksums takes most of the time of
 * a search, and many searches show the same records.
 * @param seq the last change that the open transaction sees
 * @throws ANSWER_TOO_LARGE, before the remaining rows are read
 */
export function shownRecords({ db, shown, changes }: ShownRecords, rows: readonly number[], seq: number) {
  const readRecord = (row: number): StoredRecord => {
    const key = `record ${row}`;
    const cached = shown.get<CachedRecord>(key);
    if (cached !== undefined && isUnchanged(changes, row, cached.seq, seq)) {
      cached.seq = seq;
      return cached.record;
    }
    const record = recordsOfRows(db, [row])[0]!;
    shown.set(key, { seq, record } satisfies CachedRecord, record.json.length * CHARACTER_BYTES);
    return record;
  };
  let length = 0;
  return rows.map((row) => {
    const record = readRecord(row);
    length = lengthWith(length, record);
    return record;
  });
}

function isUnchanged(changes: ChangeLog, row: number, cachedSeq: number, currentSeq: number): boolean {
  if (cachedSeq === currentSeq) return true;
  const ranges = changes.since(cachedSeq);
  return ranges !== undefined && !ranges.some(({ first, last }) => row >= first && row <= last);
}

/** Rows of one page; `next` is set if more follow. */
interface TakenPage {
  readonly rows: readonly number[];
  readonly next?: SortKey | undefined;
}

interface ValueContext {
  readonly snapshot: Snapshot;
  /** Returns the number of a path, undefined if no record has it. */
  findPathId(path: string): number | undefined;
}

/** Returns one page of hits in the order of a number. @throws MissingParts */
function valuedPage(page: PageWindow, { by, first }: ValueSort, hits: DocIdSet, context: ValueContext): TakenPage {
  const after = "after" in page && page.after !== null ? readValueSortKey(page.after) : undefined;
  const skip = "offset" in page ? page.offset : 0;
  const paths = by.map(context.findPathId).filter((path) => path !== undefined);
  const column = sortColumn(paths, first, hits, context);
  // One row more than requested tells whether more follow.
  const rowsNeeded = skip + page.limit + 1;
  const places: ValuedPlace[] = [];
  for (const place of placesAfter(hits, column, { first, after, limit: rowsNeeded })) {
    places.push(place);
    if (places.length === rowsNeeded) break;
  }
  const pagePlaces = places.slice(skip, skip + page.limit);
  const last = pagePlaces.at(-1);
  const next = places.length < rowsNeeded || last === undefined ? undefined : valueSortKey(last);
  return { rows: pagePlaces.map(({ row }) => row), next };
}

const NO_NUMBERS: NumericColumn = {
  owners: new Uint32Array(),
  values: new Float64Array(),
  end: 0,
  gone: [],
  delta: { owners: [], values: [] },
};

function sortColumn(
  paths: readonly number[],
  first: ValueSort["first"],
  hits: DocIdSet,
  { snapshot }: ValueContext,
): NumericColumn {
  if (paths.length === 0) return NO_NUMBERS;
  const view = extremeColumn(paths, first);
  return isFew(hits, snapshot) ? snapshot.getWithin(view, contiguousRanges(toIds(hits))) : snapshot.get(view);
}

interface PlaceWindow extends Pick<ValueSort, "first"> {
  readonly after: ValuedPlace | undefined;
  readonly limit: number;
}

function* placesAfter(
  hits: DocIdSet,
  column: NumericColumn,
  { first, after, limit }: PlaceWindow,
): Generator<ValuedPlace> {
  const { value, row } = after ?? {};
  if (row === undefined || value !== undefined) {
    const from = row === undefined || value === undefined ? undefined : { id: row, value };
    for (const { id, value } of inValueOrder(column, hits, first === "largest", from)) yield { value, row: id };
  }
  const unvalued = subtractSet(hits, ownersBetween(column, EVERY_NUMBER));
  const below = row === undefined || value !== undefined ? Number.POSITIVE_INFINITY : row;
  for (const id of lastIds(unvalued, below, limit)) yield { row: id };
}
