import { compareRank, type RankKey } from "../../../../core/terms/term-order.js";
import {
  bytesOfSet,
  type DocIdSet,
  EMPTY_SET,
  type MatchSet,
  makeBitmapSet,
  makeSortedSet,
  matchesAmong,
  subtractSet,
  uniteSets,
} from "../../bitmaps/doc-id-set.js";
import { cachedUntilWrite } from "../store/generation.js";
import type { SearchContext } from "./search-context.js";

/** Returns the ranked rows that were deleted. Saved and cached sets may still contain them. */
export function deletedRows(context: SearchContext): DocIdSet {
  return cachedUntilWrite(context, "deleted rows", () => {
    const ids = context.generation.sql<number>("SELECT id FROM dead_$g ORDER BY id").pluck().all();
    const rows = makeSortedSet(new Uint32Array(ids));
    return [rows, bytesOfSet(rows)];
  });
}

/** A row of the delta: its row number is above those of the ranked rows. */
export interface DeltaRow extends RankKey {
  readonly id: number;
  /** The last ranked row that precedes it, once `walkStatic` has looked for it. */
  border?: number;
}

/** Bytes of a delta row in memory. */
const DELTA_ROW_BYTES = 150;

/** Returns the rows of the delta, best first. */
export function deltaRows(context: SearchContext): readonly DeltaRow[] {
  const { generation } = context;
  if (!hasDelta(context)) return [];
  return cachedUntilWrite(context, "delta rows", () => {
    const rows = generation
      .sql<DeltaRow>("SELECT id, status, prior, length, ext FROM term_$g WHERE id > ?")
      .all(generation.ranked)
      .sort(compareRank);
    return [rows, rows.length * DELTA_ROW_BYTES];
  });
}

/** Returns whether the delta may have rows. */
export const hasDelta = ({ generation }: SearchContext): boolean => generation.next > generation.ranked + 1;

/** Returns the rows of all terms. */
export function liveRows(context: SearchContext): DocIdSet {
  const { ranked } = context.generation;
  return cachedUntilWrite(context, "live rows", () => {
    const bits = new Uint32Array((ranked >>> 5) + 1).fill(0xffffffff);
    bits[0]! &= ~1;
    // Shifting by 32 bits would have no effect.
    bits[ranked >>> 5]! &= 0xffffffff >>> (31 - (ranked & 31));
    const all = subtractSet(ranked === 0 ? EMPTY_SET : makeBitmapSet(bits), deletedRows(context));
    const delta = Uint32Array.from(deltaRows(context), ({ id }) => id).sort();
    const rows = uniteSets(all, makeSortedSet(delta));
    return [rows, bytesOfSet(rows)];
  });
}

/** Returns the rows of a set that are terms. */
export function liveAmong(context: SearchContext, set: MatchSet): DocIdSet {
  return set.isComplement ? matchesAmong(liveRows(context), set) : subtractSet(set.rows, deletedRows(context));
}
