import { type RowSet, rowsAmong } from "../row-set.js";
import { bytesOfRows, either, NO_ROWS, type Rows, rowsOf, rowsOfBits, without } from "../rows.js";
import { compareRank, type LateRow } from "./static-order.js";
import { keptUntilWrite, type SearchContext } from "./term-search.js";

/** Ranked rows that were taken away since: what was saved or kept before still names them. */
export function deadRows(context: SearchContext): Rows {
  return keptUntilWrite(context, "dead rows", () => {
    const ids = context.generation.sql<number>("SELECT id FROM dead_$g ORDER BY id").pluck().all();
    const rows = rowsOf(Uint32Array.from(ids));
    return [rows, bytesOfRows(rows)];
  });
}

/** What a late row takes in memory. */
const LATE_BYTES = 150;

/** The rows above the ranked ones, best first. */
export function lateRows(context: SearchContext): readonly LateRow[] {
  const { generation } = context;
  if (!hasLate(context)) return [];
  return keptUntilWrite(context, "late rows", () => {
    const rows = generation
      .sql<LateRow>("SELECT id, status, prior, length, ext FROM term_$g WHERE id > ?")
      .all(generation.ranked)
      .sort(compareRank);
    return [rows, rows.length * LATE_BYTES];
  });
}

/** May there be rows above the ranked ones? */
export const hasLate = ({ generation }: SearchContext): boolean => generation.next > generation.ranked + 1;

/** All items. */
export function liveRows(context: SearchContext): Rows {
  const { ranked } = context.generation;
  return keptUntilWrite(context, "live rows", () => {
    const bits = new Uint32Array((ranked >>> 5) + 1).fill(0xffffffff);
    bits[0]! &= ~1;
    // Shifting by 32 would be shifting by nothing.
    bits[ranked >>> 5]! &= 0xffffffff >>> (31 - (ranked & 31));
    const all = without(ranked === 0 ? NO_ROWS : rowsOfBits(bits), deadRows(context));
    const late = Uint32Array.from(lateRows(context), ({ id }) => id).sort();
    const rows = either(all, rowsOf(late));
    return [rows, bytesOfRows(rows)];
  });
}

/** The items of a set. */
export function liveAmong(context: SearchContext, set: RowSet): Rows {
  return set.except ? rowsAmong(liveRows(context), set) : without(set.rows, deadRows(context));
}
