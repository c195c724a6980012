import { fail } from "../../../core/errors.js";
import type { Page, SortKey } from "../../../ports/search-index.js";
import type { Generation } from "./generation.js";
import { without } from "./row-set.js";
import { compareRank, type LateRow, type RankKey, rankKey, StaticOrder } from "./static-order.js";

/** A step of `bestmatch`: which of the rows that no earlier step took it takes. `number` is its place for ever. */
export interface Step {
  readonly number: number;
  take(among: Uint32Array): Uint32Array;
}

/** One page of rows, and the key of its last one where another follows. */
export interface RowPage {
  readonly ids: readonly number[];
  /** The step of each, in `bestmatch`. */
  readonly steps?: readonly number[];
  readonly next?: SortKey;
}

/** In how many published records rows are cited: those that are. */
export type CitedAmong = (ids: Uint32Array) => ReadonlyMap<number, number>;

/** A hit in its order: step, status, then most cited, then static rank. */
interface Place extends RankKey {
  readonly step: number;
  readonly cited: number;
}

/** @param matched ascending; the last step has to take all that is left */
export function rankedPage(
  generation: Generation,
  matched: Uint32Array,
  steps: readonly Step[],
  citedAmong: CitedAmong,
  page: Page,
): RowPage {
  const after = "after" in page && page.after !== null ? readPlace(page.after) : undefined;
  const skip = "offset" in page ? page.offset : 0;
  const found: { id: number; step: number; cited: number }[] = [];
  let rest = matched;
  for (const step of steps) {
    if (rest.length === 0 || found.length > skip + page.limit) break;
    const rows = step.take(rest);
    if (after === undefined || step.number >= after.step) {
      const from = step.number === after?.step ? after : undefined;
      for (const hit of walkStep(generation, rows, citedAmong, from)) {
        found.push({ ...hit, step: step.number });
        if (found.length > skip + page.limit) break;
      }
    }
    rest = without(rest, rows);
  }
  const shown = found.slice(skip, skip + page.limit);
  const rows = { ids: shown.map((hit) => hit.id), steps: shown.map((hit) => hit.step) };
  const last = found[skip + page.limit - 1];
  if (found.length <= skip + page.limit || last === undefined) return rows;
  const key = rankKey(generation, last.id)!;
  return { ...rows, next: [last.step, key.status, last.cited, key.prior, key.length, key.ext] };
}

function* walkStep(
  generation: Generation,
  rows: Uint32Array,
  citedAmong: CitedAmong,
  after: Place | undefined,
): Generator<{ id: number; cited: number }> {
  const counts = citedAmong(rows);
  const cited = [...counts]
    .flatMap(([id, n]): (LateRow & { cited: number })[] => {
      const key = rankKey(generation, id);
      return key === undefined ? [] : [{ ...key, cited: n }];
    })
    .sort(compareCited)
    .filter((row) => after === undefined || compareCited(row, after) > 0);
  const others = counts.size === 0 ? rows : without(rows, Uint32Array.from(counts.keys()).sort());
  // Where the key is that of a cited row, all others of its status follow.
  const from = after === undefined || after.cited > 0 ? undefined : after;
  let at = 0;
  for (const id of new StaticOrder(generation, others).walk(from)) {
    const status = statusOf(generation, id);
    if (after !== undefined && status < after.status) continue;
    while (at < cited.length && cited[at]!.status <= status) yield cited[at++]!;
    yield { id, cited: 0 };
  }
  yield* cited.slice(at);
}

function statusOf({ active, ranked, sql }: Generation, id: number): number {
  if (id <= ranked) return id <= active ? 0 : 1;
  return sql<number>("SELECT status FROM term_$g WHERE id = ?").pluck().get(id) ?? 0;
}

type Cited = RankKey & { readonly cited: number };

function compareCited(a: Cited, b: Cited): number {
  return a.status - b.status || b.cited - a.cited || compareRank(a, b);
}

function readPlace(key: SortKey): Place {
  const [step, status, cited, prior, length, ext] = key;
  const numbers = [step, status, cited, prior, length];
  if (!numbers.every((value) => typeof value === "number") || typeof ext !== "string") {
    throw fail("CURSOR_INVALID", { issues: [] });
  }
  const [s, t, c, p, l] = numbers as [number, number, number, number, number];
  return { step: s, status: t, cited: c, prior: p, length: l, ext };
}
