import { compareCited, type RankKey } from "../../../../core/terms/term-order.js";
import type { Page } from "../../../../ports/search-index.js";
import { rankedTermKey, readRankedTermKey, type SortKey, type TermPlace } from "../../../../query/ranking/sort-keys.js";
import type { DocIdSet } from "../../bitmaps/doc-id-set.js";
import { rankedPage, type Step } from "../../plan/ranked-page.js";
import { citedAmong } from "./cited-rows.js";
import { deltaRows } from "./live-docs.js";
import type { SearchContext } from "./search-context.js";
import { rankKey, walkStatic } from "./static-order.js";

/** One page of rows, and the key of its last one where another follows. */
export interface RowPage {
  readonly ids: readonly number[];
  /** The step of each, in `bestmatch`. */
  readonly steps?: readonly number[];
  readonly next?: SortKey;
}

interface Hit {
  readonly id: number;
  readonly cited: number;
}

/** @param matched live rows */
export function rankedTerms(context: SearchContext, matched: DocIdSet, steps: readonly Step[], page: Page): RowPage {
  const after = "after" in page && page.after !== null ? readRankedTermKey(page.after) : undefined;
  const wanted = { after, skip: "offset" in page ? page.offset : 0, limit: page.limit };
  const { hits, last } = rankedPage(matched, steps, wanted, (rows, from) => walkStep(context, rows, from));
  const rows = { ids: hits.map((hit) => hit.id), steps: hits.map((hit) => hit.step) };
  if (last === undefined) return rows;
  const key = rankKey(context.generation, last.id)!;
  return { ...rows, next: rankedTermKey({ ...key, step: last.step, cited: last.cited }) };
}

function* walkStep(context: SearchContext, rows: DocIdSet, after: TermPlace | undefined): Generator<Hit> {
  const { generation } = context;
  const all = citedAmong(context, rows);
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
