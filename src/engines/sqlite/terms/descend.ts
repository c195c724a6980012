import { findRow } from "./put-row.js";
import { type RowSet, rowSet, unsortedSet } from "./row-set.js";
import type { SearchContext } from "./term-search.js";

/** Rows of the items right below one. */
export function childRows({ generation }: SearchContext, parent: string): RowSet {
  return rowSet(generation.sql<number>("SELECT id FROM child_$g WHERE parent = ? ORDER BY id").pluck().all(parent));
}

/**
 * Rows of all items below one, itself not among them (nor where parents lead in a circle). Ranked items have the
 * intervals that were made with the generation; where single writes moved a subtree, and after writes above the
 * ranked ones, parents are followed.
 */
export function descendantRows(context: SearchContext, ancestor: string): RowSet {
  const { generation } = context;
  const row = findRow(generation, ancestor);
  if (generation.nested === 0 || row === undefined || row.lo === null) return followChildren(context, ancestor);
  const ranked = generation.sql<number>("SELECT id FROM span_$g WHERE lo > ? AND lo <= ?").pluck().all(row.lo, row.hi);
  return unsortedSet([...ranked, ...looseBelow(context, ancestor, row.lo, row.hi!)]);
}

function followChildren({ generation, checkTime }: SearchContext, ancestor: string): RowSet {
  const below = generation.sql<{ id: number; ext: string }>(
    "SELECT t.id, t.ext FROM child_$g c JOIN term_$g t ON t.id = c.id WHERE c.parent = ?",
  );
  const seen = new Set([ancestor]);
  const open = [ancestor];
  const ids: number[] = [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    checkTime();
    for (const { id, ext } of below.all(next)) {
      if (seen.has(ext)) continue;
      seen.add(ext);
      ids.push(id);
      open.push(ext);
    }
  }
  return unsortedSet(ids);
}

interface Link {
  readonly ext: string;
  readonly parent: string | null;
  readonly lo: number | null;
}

/** Items without an interval, written later: each is followed up to one that has one. */
function looseBelow({ generation }: SearchContext, ancestor: string, lo: number, hi: number): number[] {
  const loose = generation
    .sql<{ id: number } & Link>(
      "SELECT id, ext, parent, lo FROM term_$g WHERE id > ? AND lo IS NULL AND parent IS NOT NULL",
    )
    .all(generation.ranked);
  const find = generation.sql<Link>(
    `SELECT t.ext, t.parent, t.lo FROM ext_$g e JOIN term_$g t ON t.id = e.id
     WHERE e.ext = ? AND t.ext = ? COLLATE BINARY`,
  );
  const isBelow = (item: Link): boolean => {
    const seen = new Set<string>();
    for (let at: Link | undefined = item; at !== undefined && !seen.has(at.ext); ) {
      if (at !== item && at.lo !== null) return at.lo >= lo && at.lo <= hi;
      seen.add(at.ext);
      if (at.parent === ancestor) return true;
      at = at.parent === null ? undefined : find.get(at.parent, at.parent);
    }
    return false;
  };
  return loose.filter(isBelow).map(({ id }) => id);
}
