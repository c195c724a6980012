import { compareCited, type RankKey } from "../../../../core/terms/static-rank.js";
import type { Page, SortKey } from "../../../../ports/search-index.js";
import { rankedTermKey, readRankedTermKey, type TermPlace } from "../../../../query/ranking/sort-keys.js";
import { andNot, cardinality, type DocIdSet } from "../../bitmaps/doc-id-set.js";
import type { CitedAmong } from "./cited-rows.js";
import { deltaRows } from "./live-docs.js";
import type { SearchContext } from "./search-context.js";
import { rankKey, walkStatic } from "./static-order.js";

/** A step of `bestmatch`: which of the rows that no earlier step took it takes. `number` is its place for ever. */
export interface Step {
  readonly number: number;
  take(among: DocIdSet): DocIdSet;
  /**
   * Where taking all is dear: rows among which those of the step are, and a test of each. A page that is full after a
   * few tests need not know the others.
   */
  readonly try?: (among: DocIdSet) => { readonly rows: DocIdSet; test(id: number): boolean } | undefined;
}

/** One page of rows, and the key of its last one where another follows. */
export interface RowPage {
  readonly ids: readonly number[];
  /** The step of each, in `bestmatch`. */
  readonly steps?: readonly number[];
  readonly next?: SortKey;
}

interface Hit {
  readonly id: number;
  readonly step: number;
  readonly cited: number;
}

/** @param matched live rows; the last step has to take all that is left */
export function rankedPage(
  context: SearchContext,
  matched: DocIdSet,
  steps: readonly Step[],
  citedAmong: CitedAmong,
  page: Page,
): RowPage {
  const after = "after" in page && page.after !== null ? readRankedTermKey(page.after) : undefined;
  const skip = "offset" in page ? page.offset : 0;
  // One more than wanted tells whether anything follows.
  const wanted = skip + page.limit + 1;
  const found: Hit[] = [];
  let rest = matched;
  for (const step of steps) {
    if (found.length >= wanted || cardinality(rest) === 0) break;
    const isPast = after !== undefined && step.number < after.step;
    const from = step.number === after?.step ? after : undefined;
    const walk = (rows: DocIdSet): Iterable<Omit<Hit, "step">> => walkStep(context, rows, citedAmong, from);
    const some = isPast ? undefined : tryStep(step, rest, walk, wanted - found.length);
    if (some !== undefined) {
      for (const hit of some) found.push({ ...hit, step: step.number });
      break;
    }
    const rows = step.take(rest);
    if (!isPast) {
      for (const hit of walk(rows)) {
        found.push({ ...hit, step: step.number });
        if (found.length === wanted) break;
      }
    }
    if (found.length < wanted) rest = andNot(rest, rows);
  }
  const shown = found.slice(skip, skip + page.limit);
  const rows = { ids: shown.map((hit) => hit.id), steps: shown.map((hit) => hit.step) };
  const last = found[skip + page.limit - 1];
  if (found.length < wanted || last === undefined) return rows;
  const key = rankKey(context.generation, last.id)!;
  return { ...rows, next: rankedTermKey({ ...key, step: last.step, cited: last.cited }) };
}

/** More tests than this and taking all is no dearer. */
const TESTS_MAX = 150;

/** The first hits of a step, as many as wanted; undefined where too many tests would have to be made. */
function tryStep(
  step: Step,
  among: DocIdSet,
  walk: (rows: DocIdSet) => Iterable<Omit<Hit, "step">>,
  wanted: number,
): Omit<Hit, "step">[] | undefined {
  const trial = wanted > TESTS_MAX ? undefined : step.try?.(among);
  if (trial === undefined) return undefined;
  const hits: Omit<Hit, "step">[] = [];
  let tests = 0;
  for (const hit of walk(trial.rows)) {
    tests += 1;
    if (tests > TESTS_MAX) return undefined;
    if (trial.test(hit.id)) hits.push(hit);
    if (hits.length === wanted) return hits;
  }
  return undefined;
}

function* walkStep(
  context: SearchContext,
  rows: DocIdSet,
  citedAmong: CitedAmong,
  after: TermPlace | undefined,
): Generator<Omit<Hit, "step">> {
  const { generation } = context;
  const all = citedAmong(rows);
  const cited = after === undefined ? all.rows : all.rows.filter((row) => compareCited(row, after) > 0);
  let at = 0;
  for (const id of walkStatic(generation, rows, deltaRows(context), after && othersAfter(after))) {
    if (all.has(id)) continue;
    const status = statusOf(context, id);
    while (at < cited.length && cited[at]!.status <= status) yield cited[at++]!;
    yield { id, cited: 0 };
  }
  yield* cited.slice(at);
}

/** Where the key is that of a cited row, all others of its status follow. */
const othersAfter = (after: TermPlace): RankKey =>
  after.cited === 0 ? after : { ...after, prior: Number.POSITIVE_INFINITY, length: 0, ext: "" };

function statusOf({ generation }: SearchContext, id: number): number {
  const { active, ranked, sql } = generation;
  if (id <= ranked) return id <= active ? 0 : 1;
  return sql<number>("SELECT status FROM term_$g WHERE id = ?").pluck().get(id) ?? 0;
}
