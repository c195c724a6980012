import { addAll } from "../../../../core/collections.js";
import {
  andNot,
  bytesOfSet,
  type DocIdSet,
  EMPTY_SET,
  or,
  setOf,
  setOfBitmap,
  setOfSorted,
} from "../../bitmaps/doc-id-set.js";
import { kept, keptUntilWrite } from "../store/generation.js";
import { findRow } from "../store/term-rows.js";
import { readColumn } from "./saved-columns.js";
import type { SearchContext } from "./search-context.js";

/** Rows of the items right below one. */
export function childRows({ generation }: SearchContext, parent: string): DocIdSet {
  const ids = generation.sql<number>("SELECT id FROM child_$g WHERE parent = ? ORDER BY id").pluck().all(parent);
  return setOfSorted(new Uint32Array(ids));
}

/** Rows of the item, if it is one, and of all below it. */
export function selfAndBelow(context: SearchContext, id: string): DocIdSet {
  const row = findRow(context.generation, id);
  const below = descendantRows(context, id);
  return row === undefined ? below : or(below, setOfSorted(Uint32Array.of(row.id)));
}

/**
 * Rows of all items below one, itself not among them (nor where parents lead in a circle). Ranked items have the
 * pre-order intervals that were made with the generation. A subtree that a single write moved or beheaded is cut out
 * of the interval that it lay in, and hangs where the parents of its top lead now. Rows that were taken away may be
 * among them.
 */
export function descendantRows(context: SearchContext, ancestor: string): DocIdSet {
  const { generation } = context;
  const top = findRow(generation, ancestor);
  if (generation.nested === 0 || top === undefined) return followChildren(context, ancestor);
  const cuts = readCuts(context);
  const isBelow = makeClimb(context, top, cuts);
  const ranges = top.lo === null ? [] : rangesOf(top.lo + 1, top.hi!, cutsBelow(top.lo, cuts));
  for (const { lo, hi, ext } of cuts) {
    if (ext === ancestor || isBelow(ext)) addAll(ranges, rangesOf(lo, hi, cutsBelow(lo, cuts)));
  }
  const loose = deltaLinks(context).filter(({ ext, lo }) => (lo === null ? isBelow(ext) : isWithin(lo, ranges)));
  const all = or(rankedWithin(context, ranges), setOf(loose.map(({ id }) => id)));
  return andNot(all, setOfSorted(Uint32Array.of(top.id)));
}

/** A subtree that is not where its interval is: that of its top item when the generation was made. */
interface Cut {
  readonly lo: number;
  readonly hi: number;
  readonly ext: string;
}

/** Places in pre-order, both included. */
interface Range {
  readonly from: number;
  readonly to: number;
}

const CUT_BYTES = 200;

/** Ascending; of two that overlap the later one lies within the other. */
function readCuts(context: SearchContext): readonly Cut[] {
  return keptUntilWrite(context, "cuts", () => {
    const cuts = context.generation.sql<Cut>("SELECT lo, hi, ext FROM cut_$g ORDER BY lo").all();
    return [cuts, cuts.length * CUT_BYTES];
  });
}

const cutsBelow = (lo: number, cuts: readonly Cut[]): readonly Cut[] => cuts.filter((cut) => cut.lo > lo);

/** An interval without what is cut out of it. */
function rangesOf(lo: number, hi: number, cuts: readonly Cut[]): Range[] {
  const ranges: Range[] = [];
  let from = lo;
  for (const cut of cuts) {
    if (cut.lo < from || cut.lo > hi) continue;
    if (cut.lo > from) ranges.push({ from, to: cut.lo - 1 });
    from = cut.hi + 1;
  }
  if (from <= hi) ranges.push({ from, to: hi });
  return ranges;
}

const isWithin = (lo: number, ranges: readonly Range[]): boolean =>
  ranges.some(({ from, to }) => lo >= from && lo <= to);

function rankedWithin(context: SearchContext, ranges: readonly Range[]): DocIdSet {
  const name = `below ${ranges.map(({ from, to }) => `${from}-${to}`).join(" ")}`;
  return kept(context, name, () => {
    const rows = ranges.map((range) => placesToRows(context, range)).reduce(or, EMPTY_SET);
    return [rows, bytesOfSet(rows)];
  });
}

function placesToRows(context: SearchContext, { from, to }: Range): DocIdSet {
  const ids = readColumn(context, "place").subarray(from - 1, to);
  // What went away while the generation was made left its place empty: 0.
  if (ids.length * 32 < context.generation.ranked) return setOf(ids.filter((id) => id > 0));
  const bits = new Uint32Array((context.generation.ranked >>> 5) + 1);
  for (const id of ids) bits[id >>> 5]! |= 1 << (id & 31);
  bits[0]! &= ~1;
  return setOfBitmap(bits);
}

interface Link {
  readonly ext: string;
  readonly parent: string | null;
  readonly lo: number | null;
}

function deltaLinks(context: SearchContext): readonly (Link & { readonly id: number })[] {
  return keptUntilWrite(context, "delta links", () => {
    const links = context.generation
      .sql<Link & { readonly id: number }>("SELECT id, ext, parent, lo FROM term_$g WHERE id > ?")
      .all(context.generation.ranked);
    return [links, links.length * CUT_BYTES];
  });
}

/** Makes a test: does the item lie below `top`? Only what stands nowhere in pre-order is climbed from one by one. */
function makeClimb(
  { generation }: SearchContext,
  top: { readonly ext: string; readonly lo: number | null; readonly hi: number | null },
  cuts: readonly Cut[],
): (id: string) => boolean {
  const statement = generation.sql<Link>(
    `SELECT t.ext, t.parent, t.lo FROM ext_$g e JOIN term_$g t ON t.id = e.id
     WHERE e.ext = ? AND t.ext = ? COLLATE BINARY`,
  );
  const find = (id: string): Link | undefined => statement.get(id, id);
  // Above what has a place in pre-order: the top of the subtree that was cut out around it, if `top` is not between.
  const aboveCut = (lo: number): Link | boolean => {
    const cut = cuts.findLast((each) => each.lo <= lo && lo <= each.hi);
    const isUnderTop = top.lo !== null && top.lo < lo && lo <= top.hi!;
    if (isUnderTop && (cut === undefined || top.lo >= cut.lo)) return true;
    return cut === undefined ? false : cut.ext === top.ext || (find(cut.ext) ?? false);
  };
  return (id) => {
    const seen = new Set<string>();
    let at = find(id);
    while (at !== undefined && at.parent !== null && !seen.has(at.ext)) {
      seen.add(at.ext);
      if (at.parent === top.ext) return true;
      const above = find(at.parent);
      if (above === undefined || above.lo === null) {
        at = above;
        continue;
      }
      const next = aboveCut(above.lo);
      if (typeof next === "boolean") return next;
      at = next;
    }
    return false;
  };
}

function followChildren({ generation, checkTime }: SearchContext, ancestor: string): DocIdSet {
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
  return setOf(ids);
}
