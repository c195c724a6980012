import type { Catalog } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import type { FacetCounts, FacetRequest, RecordPage, RecordSearch, SortKey } from "../../ports/search-index.js";
import { bestMatchSteps, type Step } from "./best-match.js";
import { lastChange } from "./change.js";
import { type CompileContext, compileQuery } from "./compile-query.js";
import { type CountMemory, makeCountMemory } from "./count-memory.js";
import type { Db } from "./database.js";
import { startDeadline } from "./deadline.js";
import { describeClause } from "./describe-clause.js";
import { makeTextBelow, type TextBelow } from "./element-text.js";
import { type Evaluation, visibleRows } from "./evaluate-plan.js";
import { makeIndexWords } from "./expand-words.js";
import { countFacets, type FacetContext } from "./facets.js";
import { type Hits, matchHits, type Order, rowHits } from "./hits.js";
import { type Keys, makeKeys } from "./keys.js";
import { reading } from "./map-error.js";
import { phrase } from "./match.js";
import type { Memory } from "./memory.js";
import type { Paths } from "./paths.js";
import { allPlans, anyPlan, EVERYTHING, matchPlan, type Plan } from "./plan.js";
import { recordsOfRows } from "./record-reader.js";
import { scopeSql } from "./scope.js";
import { keyToken } from "./tokens.js";

/** What searches share as long as the engine is open. */
interface Searching {
  readonly db: Db;
  readonly paths: Paths;
  readonly keys: Keys;
  readonly memory: CountMemory;
  readonly textBelow: TextBelow;
  readonly words: Memory;
  readonly searchTimeoutMs: number;
}

/** @param db a reading connection */
export function makeRecordSearch(
  db: Db,
  catalog: Catalog,
  paths: Paths,
  searchTimeoutMs: number,
  words: Memory,
): (search: RecordSearch) => Promise<RecordPage> {
  const textBelow = makeTextBelow(catalog, paths);
  const shared = { db, paths, keys: makeKeys(db), memory: makeCountMemory() };
  const searching: Searching = { ...shared, words, textBelow, searchTimeoutMs };
  return (search) =>
    reading(() => {
      // One read transaction: total, page and facets are of the same moment.
      db.sql("BEGIN").run();
      try {
        return searchRecords(search, searching);
      } finally {
        db.sql("COMMIT").run();
      }
    });
}

function searchRecords(search: RecordSearch, searching: Searching): RecordPage {
  const { db, paths, keys, memory, words, textBelow, searchTimeoutMs } = searching;
  const { clause, facets, sort } = search;
  const deadline = startDeadline(searchTimeoutMs, () => describeClause(clause));
  const evaluation: Evaluation = { db, scope: scopeSql(search.scope), keys, deadline, groups: new Map() };
  const context: CompileContext = { ...paths, textBelow, ...makeIndexWords(db, deadline, words) };
  const facetContext: FacetContext = { keys, deadline, idOf: paths.idOf };
  const hitsOf = (plan: Plan): Hits =>
    plan.kind === "match" ? matchHits(plan.match, evaluation) : rowHits(visibleRows(plan, evaluation), evaluation);

  // What is no single MATCH is found once, and then is rows.
  const compiled = compileQuery(clause, context);
  const found: Plan = compiled.kind === "match" ? compiled : { kind: "rows", ids: visibleRows(compiled, evaluation) };
  const filters = facets.map((facet) => filterPlan(facet, facetContext));
  const all = hitsOf(allPlans([found, ...filters]));
  const counts = memory.get(search, lastChange(db), () => ({
    total: all.count(),
    facets: facetCounts(facets, filters, found, all, hitsOf, facetContext),
  }));
  const [order, steps]: [Order, LazyStep[]] =
    sort === "bestmatch" && counts.total > 0
      ? ["newest", bestMatchSteps(search, found, allPlans(filters), context).map((step) => lazily(step, hitsOf))]
      : [sort === "oldest" ? "oldest" : "newest", [{ number: 0, hits: () => all }]];
  const { rows, next } = takePage(search, order, steps);
  return { hits: recordsOfRows(db, rows), ...counts, ...(next === undefined ? {} : { next }) };
}

/** A step whose hits are looked for when the page reaches it. */
interface LazyStep {
  readonly number: number;
  hits(): Hits;
}

const lazily = (step: Step, hitsOf: (plan: Plan) => Hits): LazyStep => ({
  number: step.number,
  hits: () => hitsOf(step.plan),
});

function takePage(
  { page, sort }: RecordSearch,
  order: Order,
  steps: readonly LazyStep[],
): { rows: readonly number[]; next?: SortKey } {
  const after = "after" in page && page.after !== null ? readKey(page.after, sort) : undefined;
  const skip = "offset" in page ? page.offset : 0;
  const end = skip + page.limit;
  const taken: { readonly step: number; readonly row: number }[] = [];
  for (const { number, hits } of steps) {
    // One more than wanted tells whether anything follows.
    if (taken.length > end || (after !== undefined && number < after.step)) continue;
    const beyond = after?.step === number ? after.row : undefined;
    for (const row of hits().take(order, beyond, end + 1 - taken.length)) taken.push({ step: number, row });
  }
  const rows = taken.slice(skip, end);
  const last = rows.at(-1);
  const next = last !== undefined && taken.length > end ? { next: writeKey(last.step, last.row, sort) } : {};
  return { rows: rows.map(({ row }) => row), ...next };
}

const writeKey = (step: number, row: number, sort: string): SortKey => (sort === "bestmatch" ? [step, row] : [row]);

function readKey(key: SortKey, sort: string): { step: number; row: number } {
  const [step, row] = sort === "bestmatch" ? key : [0, ...key];
  if (!Number.isSafeInteger(step) || !Number.isSafeInteger(row)) throw fail("CURSOR_INVALID", { issues: [] });
  return { step: Number(step), row: Number(row) };
}

function filterPlan({ paths, selected }: FacetRequest, { keys, idOf }: FacetContext): Plan {
  if (selected.length === 0) return EVERYTHING;
  const known = paths.map(idOf).filter((path) => path !== undefined);
  const found = selected.flatMap((value) => keys.find(known, value));
  return anyPlan(found.map((key) => matchPlan(phrase([keyToken(key)]))));
}

/** Each facet is counted over the hits of all filters but its own. */
function facetCounts(
  requests: readonly FacetRequest[],
  filters: readonly Plan[],
  found: Plan,
  all: Hits,
  hitsOf: (plan: Plan) => Hits,
  context: FacetContext,
): FacetCounts[] {
  const wanted = requests.filter(({ size }) => size > 0);
  const counts = new Map<string, FacetCounts>();
  for (const result of countFacets(unselected(wanted), all, context)) counts.set(result.name, result);
  for (const [i, request] of requests.entries()) {
    if (request.size === 0 || request.selected.length === 0) continue;
    const others = filters.filter((_, j) => j !== i);
    for (const result of countFacets([request], hitsOf(allPlans([found, ...others])), context)) {
      counts.set(result.name, result);
    }
  }
  return wanted.flatMap(({ name }) => counts.get(name) ?? []);
}

const unselected = (requests: readonly FacetRequest[]): FacetRequest[] =>
  requests.filter(({ selected }) => selected.length === 0);
