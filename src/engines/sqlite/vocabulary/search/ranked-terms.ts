import { type CitedKey, compareCited, compareRank, type RankKey } from "../../../../core/terms/term-order.js";
import type { PageWindow } from "../../../../ports/search-index.js";
import { rankedTermKey, readRankedTermKey, type SortKey, type TermPlace } from "../../../../query/ranking/sort-keys.js";
import { cardinality, containsRow, type DocIdSet, firstIds, toIds } from "../../bitmaps/doc-id-set.js";
import { lastChange } from "../../connection/change-table.js";
import { type RankingStep, rankedPage } from "../../plan/ranked-page.js";
import type { Generation } from "../store/generation.js";
import { type DeltaRow, deltaRows } from "./live-docs.js";
import type { SearchContext } from "./search-context.js";

/** A page of rows. */
export interface RowPage {
  readonly ids: readonly number[];
  /** In the order `bestmatch`: the step that found each row. */
  readonly steps?: readonly number[];
  /** Key of the last row; absent if there is no next page. */
  readonly next?: SortKey;
}

interface Hit {
  readonly id: number;
  readonly cited: number;
}

/** Returns a page in the order `bestmatch`. @param matched live rows */
export function rankedTerms(
  context: SearchContext,
  matched: DocIdSet,
  steps: readonly RankingStep[],
  page: PageWindow,
): RowPage {
  const after = "after" in page && page.after !== null ? readRankedTermKey(page.after) : undefined;
  const window = { after, skip: "offset" in page ? page.offset : 0, limit: page.limit };
  const { hits, last } = rankedPage(matched, steps, window, (rows, from) => walkStep(context, rows, from));
  const rows = { ids: hits.map((hit) => hit.id), steps: hits.map((hit) => hit.step) };
  if (last === undefined) return rows;
  const key = rankKey(context.generation, last.id)!;
  return { ...rows, next: rankedTermKey({ ...key, step: last.step, cited: last.cited }) };
}

/** Yields the rows of a step: by status, and for each status the cited rows first, the most cited ones first. */
function* walkStep(context: SearchContext, rows: DocIdSet, after: TermPlace | undefined): Generator<Hit> {
  const { generation } = context;
  const cited = findCited(context, rows);
  const citedRows = after === undefined ? cited.rows : cited.rows.filter((row) => compareCited(row, after) > 0);
  let next = 0;
  for (const id of walkStatic(generation, rows, deltaRows(context), after && afterCited(after))) {
    if (cited.has(id)) continue;
    const status = rowStatus(context, id);
    while (next < citedRows.length && citedRows[next]!.status <= status) yield citedRows[next++]!;
    yield { id, cited: 0 };
  }
  yield* citedRows.slice(next);
}

/** Returns the key after which uncited rows follow. After a cited row, all uncited ones of its status follow. */
const afterCited = (after: TermPlace): RankKey =>
  after.cited === 0 ? after : { ...after, prior: Number.POSITIVE_INFINITY, length: 0, ext: "" };

function rowStatus({ generation }: SearchContext, id: number): number {
  const { active, ranked, sql } = generation;
  if (id <= ranked) return id <= active ? 0 : 1;
  return sql<number>("SELECT status FROM term_$g WHERE id = ?").pluck().get(id) ?? 0;
}

/** A row that published records cite, with the number of citations. */
interface CitedRow extends CitedKey {
  readonly id: number;
}

/** The cited rows of a set. */
interface CitedRows {
  /** In the order of `compareCited`. */
  readonly rows: readonly CitedRow[];
  /** Returns whether a row of the set is cited. */
  has(id: number): boolean;
}

function findCited(context: SearchContext, rows: DocIdSet): CitedRows {
  const { list, byId } = readAllCited(context);
  const has = (id: number): boolean => byId.has(id);
  if (cardinality(rows) >= list.length) return { rows: list.filter(({ id }) => containsRow(rows, id)), has };
  const few = Array.from(toIds(rows), (id) => byId.get(id) ?? []).flat();
  return { rows: few.sort(compareCited), has };
}

/** The cached list of all cited rows, as of the change `seq`. It is invalid after a write to the vocabulary. */
interface CachedCitations {
  readonly writes: number;
  readonly seq: number;
  readonly list: readonly CitedRow[];
  readonly byId: ReadonlyMap<number, CitedRow>;
}

/** Bytes of a cited row in memory. */
const ROW_BYTES = 250;

/** Returns all cited rows. Only rows whose citations changed are read again. */
function readAllCited({ db, generation, cache }: SearchContext): CachedCitations {
  const { g, writes } = generation;
  const seq = lastChange(db);
  const key = `${g} cited`;
  const cached = cache.get<CachedCitations>(key);
  if (cached?.writes === writes && cached.seq === seq) return cached;
  const previous = cached?.writes === writes ? cached : undefined;
  const changed = readChangedCitations(generation, previous?.seq ?? 0);
  const ids = new Set(changed.map(({ id }) => id));
  const unchanged = (previous?.list ?? []).filter(({ id }) => !ids.has(id));
  const list = [...unchanged, ...changed.filter(({ cited }) => cited > 0)].sort(compareCited);
  const byId = ids.size === 0 && previous !== undefined ? previous.byId : new Map(list.map((row) => [row.id, row]));
  const citations: CachedCitations = { writes, seq, list, byId };
  cache.set(key, citations, list.length * ROW_BYTES);
  return citations;
}

/** Reads the rows whose citations were counted after a change, including rows without citations. */
function readChangedCitations(generation: Generation, seq: number): CitedRow[] {
  return generation
    .sql<CitedRow>(
      `SELECT t.id, t.status, t.prior, t.length, t.ext, u.n AS cited
       FROM use u INDEXED BY use_seq CROSS JOIN ext_$g e ON e.ext = u.ext CROSS JOIN term_$g t ON t.id = e.id
       WHERE u.vocabulary = ? AND u.seq >= ? AND t.ext = u.ext COLLATE BINARY`,
    )
    .all(generation.vocabulary, seq);
}

/** A row with its key in the static order. */
interface KeyedRow extends RankKey {
  readonly id: number;
}

const KEY_COLUMNS = "id, status, prior, length, ext";

function rankKey(generation: Generation, id: number): KeyedRow | undefined {
  return generation.sql<KeyedRow>(`SELECT ${KEY_COLUMNS} FROM term_$g WHERE id = ?`).get(id);
}

/** Returns the last ranked row whose key is not above this one, or 0. The rows after it follow the key. */
function lastRankedUpTo(generation: Generation, key: RankKey): number {
  const next = generation.sql<KeyedRow>(
    `SELECT ${KEY_COLUMNS} FROM term_$g WHERE id >= ? AND id <= ? ORDER BY id LIMIT 1`,
  );
  let low = 1;
  let high = generation.ranked + 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    // Deleted rows leave gaps.
    const row = next.get(middle, generation.ranked);
    if (row !== undefined && compareRank(row, key) <= 0) low = row.id + 1;
    else high = middle;
  }
  return low - 1;
}

/** Number of rows that a walk takes from a set at once: first few, then more each time. */
const ROWS_FIRST = 16;
const ROWS_MAX = 4_096;

/** Yields the rows from `from` to `to`, both included, ascending. */
function* walkRows(rows: DocIdSet, from: number, to: number): Generator<number> {
  let last = from - 1;
  for (let limit = ROWS_FIRST; ; limit = Math.min(limit * 4, ROWS_MAX)) {
    const ids = firstIds(rows, last, limit);
    for (const id of ids) {
      if (id > to) return;
      yield id;
    }
    if (ids.length < limit) return;
    last = ids.at(-1)!;
  }
}

/**
 * Yields rows in static order, after a key if one is given: ranked rows by number, delta rows between them by key.
 * @param delta all delta rows, best first; the same objects until the next write, so that each border is found once
 */
function* walkStatic(
  generation: Generation,
  rows: DocIdSet,
  delta: readonly DeltaRow[],
  after?: RankKey,
): Generator<number> {
  let from = after === undefined ? 1 : lastRankedUpTo(generation, after) + 1;
  for (const row of delta) {
    if (!containsRow(rows, row.id) || (after !== undefined && compareRank(row, after) <= 0)) continue;
    row.border ??= lastRankedUpTo(generation, row);
    yield* walkRows(rows, from, row.border);
    from = Math.max(from, row.border + 1);
    yield row.id;
  }
  yield* walkRows(rows, from, generation.ranked);
}
