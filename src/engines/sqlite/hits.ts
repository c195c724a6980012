import type { Evaluation } from "./evaluate-plan.js";
import { lowerBound } from "./id-sets.js";
import type { Match } from "./match.js";

export type Order = "newest" | "oldest";

/** All that a search found, not yet fetched. Row ids are in the order of `created`. */
export interface Hits {
  count(): number;
  /** Row ids in this order, those beyond a row only, at most so many. */
  take(order: Order, beyond: number | undefined, limit: number): readonly number[];
  /** The facet keys of each hit (u32 each). */
  keys(): Iterable<Buffer>;
}

/** Hits that one statement finds. */
export function matchHits(match: Match, evaluation: Evaluation): Hits {
  if (match.kind === "none") return rowHits([], evaluation);
  const { db, scope, deadline } = evaluation;
  const [id, from, params] =
    match.kind === "text"
      ? (["leaf.rowid", "leaf CROSS JOIN rec INDEXED BY rec_seen ON rec.id = leaf.rowid", [match.text]] as const)
      : (["rec.id", `rec INDEXED BY ${scope.inOrder}`, []] as const);
  const where = `WHERE ${match.kind === "text" ? "leaf MATCH ? AND " : ""}${scope.where}`;
  const toCount = match.kind === "text" ? from : `rec INDEXED BY ${scope.toCount}`;
  const toRead = match.kind === "text" ? "leaf CROSS JOIN rec ON rec.id = leaf.rowid" : "rec";
  return {
    count() {
      deadline.check();
      const statement = db.sql<number>(`SELECT count(*) FROM ${toCount} ${where}`).pluck();
      return statement.get(...params, ...scope.params) ?? 0;
    },
    take(order, beyond, limit) {
      deadline.check();
      const [sign, direction] = order === "newest" ? ["<", "DESC"] : [">", "ASC"];
      const bound = beyond === undefined ? "" : `AND ${id} ${sign} ?`;
      return (
        db
          .sql<number>(`SELECT ${id} FROM ${from} ${where} ${bound} ORDER BY ${id} ${direction} LIMIT ?`)
          .pluck()
          // FTS5 ignores a row id bound that is not an integer, and a JS number binds as REAL.
          .all(...params, ...scope.params, ...(beyond === undefined ? [] : [BigInt(beyond)]), limit)
      );
    },
    keys: () =>
      db
        .sql<Buffer>(`SELECT rec.keys FROM ${toRead} ${where}`)
        .pluck()
        .iterate(...params, ...scope.params),
  };
}

/** Hits whose rows are known, ascending. */
export function rowHits(ids: readonly number[], { db }: Evaluation): Hits {
  return {
    count: () => ids.length,
    take(order, beyond, limit) {
      if (order === "oldest") {
        const start = beyond === undefined ? 0 : lowerBound(ids, beyond + 1);
        return ids.slice(start, start + limit);
      }
      const end = beyond === undefined ? ids.length : lowerBound(ids, beyond);
      return ids.slice(Math.max(0, end - limit), end).reverse();
    },
    *keys() {
      const statement = db.sql<Buffer>("SELECT keys FROM rec WHERE id = ?").pluck();
      for (const id of ids) yield statement.get(id) ?? Buffer.alloc(0);
    },
  };
}
