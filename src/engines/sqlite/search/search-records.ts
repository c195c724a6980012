import { addAll } from "../../../core/arrays.js";
import type { Catalog } from "../../../core/catalog/types.js";
import { fail } from "../../../core/errors.js";
import type { FacetCounts, FacetRequest, RecordPage, RecordSearch, SortKey } from "../../../ports/search-index.js";
import { facetClause } from "../../../query/index-model/buckets.js";
import { describeClause } from "../../../query/resolve/describe-clause.js";
import { cardinality, type DocIdSet, firstIds, lastIds, setOf } from "../bitmaps/doc-id-set.js";
import { type ChangeLog, makeChangeLog } from "../cache/change-log.js";
import type { IndexScan } from "../cache/index-scan.js";
import type { LruCache } from "../cache/lru-cache.js";
import type { SharedScanLoader } from "../cache/single-flight.js";
import { CacheMiss, type SearchLoads, Snapshot, scanKey } from "../cache/snapshot-cache.js";
import type { Db } from "../connection/database.js";
import { startDeadline } from "../connection/deadline.js";
import { mapError } from "../connection/map-error.js";
import { inSeveral, phrase } from "../documents/fts-expression.js";
import type { PathDictionary } from "../documents/path-dictionary.js";
import { keyToken } from "../documents/record-tokens.js";
import { makeValueDictionary, type ValueDictionary } from "../documents/value-dictionary.js";
import { countFacet, type FacetContext } from "../facets/count-facet.js";
import { makeIndexWords } from "../lexicon/expand-words.js";
import { recordsOfRows } from "../records/record-reader.js";
import type { Lineage } from "../vocabulary/store/lineage.js";
import { bestMatchSteps, type Step } from "./best-match.js";
import { type CompileContext, compileQuery, type RecordIdPath } from "./compile-query.js";
import { type CountCache, makeCountCache } from "./count-cache.js";
import { makeTextBelow } from "./element-text.js";
import { evaluate } from "./evaluate.js";
import type { LevelContext } from "./leaf-sets.js";
import { allPlans, EVERYTHING, matchPlan, type Plan } from "./plan.js";
import { makeRecordLevel } from "./record-level.js";
import { keysWithin } from "./within-keys.js";

export interface RecordSearchOptions {
  /** A reading connection. */
  readonly db: Db;
  readonly catalog: Catalog;
  readonly paths: PathDictionary;
  readonly memory: LruCache;
  readonly lineage: Lineage;
  readonly searchTimeoutMs: number;
  /** Rows up to which an answer is quicker asked for than kept. */
  readonly fewRows: number;
  /** Answers what takes long, beside the searches. Absent: it is asked here. */
  readonly load?: SharedScanLoader;
}

/** What searches share as long as the engine is open. */
interface Engine extends RecordSearchOptions {
  readonly keys: ValueDictionary;
  readonly counts: CountCache;
  readonly changes: ChangeLog;
  readonly compiling: Pick<CompileContext, "idOf" | "below" | "textBelow" | "isHierarchical" | "sitesOf">;
}

export function makeRecordSearch(options: RecordSearchOptions): (search: RecordSearch) => Promise<RecordPage> {
  const { db, catalog, paths } = options;
  const engine: Engine = {
    ...options,
    keys: makeValueDictionary(db),
    counts: makeCountCache(),
    changes: makeChangeLog(db),
    compiling: { ...paths, textBelow: makeTextBelow(catalog, paths), ...citedVocabularies(catalog) },
  };
  return async (search) => {
    const told: SearchLoads = { loaded: new Map(), kept: new Map() };
    for (;;) {
      const page = attempt(search, engine, told);
      if (!(page instanceof CacheMiss)) return page;
      await load(page, told, engine, () => describeClause(search.clause));
    }
  };
}

function citedVocabularies({ models, vocabularies }: Catalog): Pick<CompileContext, "isHierarchical" | "sitesOf"> {
  const sites = [...models.values()].flatMap((model) => model.termSites);
  return {
    isHierarchical: (vocabulary) => vocabularies.get(vocabulary)?.hierarchy ?? false,
    sitesOf: (vocabulary) => [
      ...new Set(sites.filter((site) => site.vocabulary === vocabulary).map(({ path }) => path)),
    ],
  };
}

/** Each question is asked once; what changes meanwhile is added to its answer. */
async function load(
  { scans: questions }: CacheMiss,
  { loaded: answers }: SearchLoads,
  { load }: Engine,
  name: () => string,
): Promise<void> {
  const wanted = new Map(questions.map((question) => [scanKey(question), question]));
  if (load === undefined) throw new Error("Nobody answers what was left to be loaded.");
  await Promise.all([...wanted].map(async ([key, question]) => answers.set(key, await load(question, name))));
}

/** One read transaction: total, page and facets are of the same moment. */
function attempt(search: RecordSearch, engine: Engine, told: SearchLoads): RecordPage | CacheMiss {
  const { db } = engine;
  try {
    return db.read(() => searchRecords(search, engine, told));
  } catch (error) {
    throw mapError(error);
  }
}

function searchRecords(search: RecordSearch, engine: Engine, told: SearchLoads): RecordPage | CacheMiss {
  const { db, keys, memory, changes, counts, compiling, lineage } = engine;
  const deadline = startDeadline(engine.searchTimeoutMs, () => describeClause(search.clause));
  const { fewRows, load } = engine;
  const { check } = deadline;
  const looking = new Snapshot({ db, keys, check, memory, changes, told, loadsElsewhere: load !== undefined, fewRows });
  const levels: LevelContext = {
    looking,
    keysWithin: (path, vocabulary, id) => keysWithin({ path, vocabulary, id }, engine),
  };
  const context: CompileContext = {
    ...compiling,
    ...makeIndexWords(db, deadline, memory),
    rowsWithId: (path, id) => rowsWithId(db, path, id),
  };
  const level = makeRecordLevel(levels);
  const rowsOfPlan = (plan: Plan): DocIdSet | CacheMiss => {
    const set = evaluate(plan, level);
    return set instanceof CacheMiss ? set : set.rows;
  };

  const visible: Plan = { kind: "visible", scope: search.scope };
  const found = rowsOfPlan(allPlans([visible, compileQuery(search.clause, context)]));
  if (found instanceof CacheMiss) return found;
  const filters = search.facets.map((facet) => filterPlan(facet, context, keys));
  const hitsOf = (some: readonly Plan[]): DocIdSet | CacheMiss =>
    rowsOfPlan(allPlans([{ kind: "rows", rows: found }, ...some]));
  const hits = hitsOf(filters);
  if (hits instanceof CacheMiss) return hits;
  const counted = counts.get(search, looking.seq, () => {
    const facets = facetCounts(search.facets, filters, hits, hitsOf, {
      db,
      keys,
      lineage,
      memory,
      looking,
      ...compiling,
    });
    return facets instanceof CacheMiss ? facets : { total: cardinality(hits), facets };
  });
  if (counted instanceof CacheMiss) return counted;
  const page = takePage(search, hits, rowsOfPlan, context);
  if (page instanceof CacheMiss) return page;
  return { hits: recordsOfRows(db, page.rows), ...counted, ...(page.next === undefined ? {} : { next: page.next }) };
}

const ID_COLUMNS = { id: "pid", "parent.id": "parent" } as const;

function rowsWithId(db: Db, path: RecordIdPath, id: string): DocIdSet {
  const rows = db.sql<number>(`SELECT id FROM rec WHERE ${ID_COLUMNS[path]} = ?`).pluck().all(id);
  return setOf(rows);
}

interface Taken {
  readonly rows: readonly number[];
  readonly next?: SortKey;
}

/** Steps are looked at when the page reaches them. */
function takePage(
  search: RecordSearch,
  hits: DocIdSet,
  rowsOfPlan: (plan: Plan) => DocIdSet | CacheMiss,
  context: CompileContext,
): Taken | CacheMiss {
  const { page, sort } = search;
  const after = "after" in page && page.after !== null ? readKey(page.after, sort) : undefined;
  const skip = "offset" in page ? page.offset : 0;
  const end = skip + page.limit;
  const isRanked = sort === "bestmatch" && cardinality(hits) > 0;
  const all: Plan = { kind: "rows", rows: hits };
  const steps: readonly Step[] = isRanked ? bestMatchSteps(search, all, context) : [{ number: 0, plan: all }];
  const taken: { readonly step: number; readonly row: number }[] = [];
  for (const { number, plan } of steps) {
    // One more than wanted tells whether anything follows.
    if (taken.length > end || (after !== undefined && number < after.step)) continue;
    const rows = rowsOfPlan(plan);
    if (rows instanceof CacheMiss) return rows;
    const beyond = after?.step === number ? after.row : undefined;
    for (const row of inOrder(rows, sort, beyond, end + 1 - taken.length)) taken.push({ step: number, row });
  }
  const rows = taken.slice(skip, end);
  const last = rows.at(-1);
  const next = last !== undefined && taken.length > end ? { next: writeKey(last.step, last.row, sort) } : {};
  return { rows: rows.map(({ row }) => row), ...next };
}

/** Row ids are in the order of `created`. */
function inOrder(rows: DocIdSet, sort: string, beyond: number | undefined, limit: number): readonly number[] {
  if (sort === "oldest") return firstIds(rows, beyond ?? -1, limit);
  return lastIds(rows, beyond ?? Number.POSITIVE_INFINITY, limit);
}

const writeKey = (step: number, row: number, sort: string): SortKey => (sort === "bestmatch" ? [step, row] : [row]);

function readKey(key: SortKey, sort: string): { step: number; row: number } {
  const [step, row] = sort === "bestmatch" ? key : [0, ...key];
  if (!Number.isSafeInteger(step) || !Number.isSafeInteger(row)) throw fail("CURSOR_INVALID", { issues: [] });
  return { step: Number(step), row: Number(row) };
}

function filterPlan({ buckets, paths, selected }: FacetRequest, context: CompileContext, keys: ValueDictionary): Plan {
  if (selected.length === 0) return EVERYTHING;
  if (buckets.kind !== "terms")
    return compileQuery(facetClause(buckets, paths, selected) ?? { kind: "everything" }, context);
  const known = paths.map(context.idOf).filter((path) => path !== undefined);
  const found = selected.flatMap((value) => keys.find(known, value));
  return matchPlan(...inSeveral(found.map((key) => phrase([keyToken(key)]))));
}

/** Each facet is counted over the hits of all filters but its own. */
function facetCounts(
  requests: readonly FacetRequest[],
  filters: readonly Plan[],
  hits: DocIdSet,
  hitsOf: (filters: readonly Plan[]) => DocIdSet | CacheMiss,
  context: FacetContext,
): FacetCounts[] | CacheMiss {
  const counts: FacetCounts[] = [];
  const missing: IndexScan[] = [];
  for (const [i, request] of requests.entries()) {
    if (request.size === 0) continue;
    const others = request.selected.length === 0 ? hits : hitsOf(filters.filter((_, j) => j !== i));
    const counted = others instanceof CacheMiss ? others : countFacet(request, others, context);
    if (counted instanceof CacheMiss) addAll(missing, counted.scans);
    else counts.push(counted);
  }
  return missing.length === 0 ? counts : new CacheMiss(missing);
}
