import { type CitedKey, compareCited } from "../../../../core/terms/term-order.js";
import { cardinality, contains, type DocIdSet, toIds } from "../../bitmaps/doc-id-set.js";
import { lastChange } from "../../connection/change-table.js";
import type { Generation } from "../store/generation.js";
import type { SearchContext } from "./search-context.js";

/** A row that published records cite, and how many do. */
interface CitedRow extends CitedKey {
  readonly id: number;
}

/** Those of some rows that published records cite. */
export interface Cited {
  /** In the order of `compareCited`. */
  readonly rows: readonly CitedRow[];
  /** Is this one, of the rows asked about, among them? */
  has(id: number): boolean;
}

export function citedAmong(context: SearchContext, rows: DocIdSet): Cited {
  const { list, byId } = allCited(context);
  const has = (id: number): boolean => byId.has(id);
  if (cardinality(rows) >= list.length) return { rows: list.filter(({ id }) => contains(rows, id)), has };
  const few = Array.from(toIds(rows), (id) => byId.get(id) ?? []).flat();
  return { rows: few.sort(compareCited), has };
}

/** All cited rows, as of the change `seq`; right as long as no item was written since. */
interface Kept {
  readonly writes: number;
  readonly seq: number;
  readonly list: readonly CitedRow[];
  readonly byId: ReadonlyMap<number, CitedRow>;
}

const ROW_BYTES = 250;

function allCited({ db, generation, cache }: SearchContext): Kept {
  const { g, writes } = generation;
  const seq = lastChange(db);
  const key = `${g} cited`;
  const known = cache.get<Kept>(key);
  if (known?.writes === writes && known.seq === seq) return known;
  const before = known?.writes === writes ? known : undefined;
  const changed = readCited(generation, before?.seq ?? 0);
  const ids = new Set(changed.map(({ id }) => id));
  const others = (before?.list ?? []).filter(({ id }) => !ids.has(id));
  const list = [...others, ...changed.filter(({ cited }) => cited > 0)].sort(compareCited);
  const byId = ids.size === 0 && before !== undefined ? before.byId : new Map(list.map((row) => [row.id, row]));
  const made: Kept = { writes, seq, list, byId };
  cache.set(key, made, list.length * ROW_BYTES);
  return made;
}

/** Rows whose citations were counted after a change, with those that are cited no more. */
function readCited(generation: Generation, seq: number): CitedRow[] {
  return generation
    .sql<CitedRow>(
      `SELECT t.id, t.status, t.prior, t.length, t.ext, u.n AS cited
       FROM use u INDEXED BY use_seq CROSS JOIN ext_$g e ON e.ext = u.ext CROSS JOIN term_$g t ON t.id = e.id
       WHERE u.vocabulary = ? AND u.seq >= ? AND t.ext = u.ext COLLATE BINARY`,
    )
    .all(generation.vocabulary, seq);
}
