import type { BulkLoader } from "./bulk-loader.js";

/** Rows read into memory together. */
const ROWS_AT_ONCE = 50_000;

/** What stands above the items that a load adds or changes. */
export interface ParentLinks {
  /** By row of `scratch.item` that of the parent, where the load adds or changes that as well; else 0. */
  readonly above: Uint32Array;
  /** Those with another parent. */
  readonly others: readonly OtherParent[];
}

interface OtherParent {
  readonly n: number;
  readonly parent: string;
  /** Does the line give it a parent that it did not have? */
  readonly isMoved: boolean;
}

export function linkParents({ db }: BulkLoader): ParentLinks {
  const last = db.sql<number>("SELECT coalesce(max(n), 0) FROM scratch.item").pluck().get() ?? 0;
  const above = new Uint32Array(last + 1);
  const others: OtherParent[] = [];
  const read = db
    .sql<[n: number, above: number | null, parent: string | null, moved: number]>(
      `SELECT i.n, p.n, CASE WHEN p.n IS NULL THEN i.parent END, i.moved
       FROM scratch.item i LEFT JOIN scratch.item p ON p.ext = i.parent AND p.fresh > 0
       WHERE i.n > ? AND i.n <= ? AND i.fresh > 0 AND i.parent IS NOT NULL`,
    )
    .raw();
  for (let from = 0; from < last; from += ROWS_AT_ONCE) {
    for (const [n, known, parent, moved] of read.all(from, from + ROWS_AT_ONCE)) {
      if (known !== null) above[n] = known;
      else if (parent !== null) others.push({ n, parent, isMoved: moved === 1 });
    }
  }
  return { above, others };
}
