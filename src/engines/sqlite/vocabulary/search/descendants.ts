import { addAll } from "../../../../core/collections.js";
import {
  bytesOfSet,
  type DocIdSet,
  EMPTY_SET,
  makeBitmapSet,
  makeDocIdSet,
  makeSortedSet,
  subtractSet,
  uniteSets,
} from "../../bitmaps/doc-id-set.js";
import { cachedForGeneration, cachedUntilWrite } from "../store/generation.js";
import { findRow } from "../store/term-rows.js";
import { readColumn } from "./saved-data.js";
import type { SearchContext } from "./search-context.js";

/** Returns the rows of the children of a term. */
export function childRows({ generation }: SearchContext, parent: string): DocIdSet {
  const ids = generation.sql<number>("SELECT id FROM child_$g WHERE parent = ? ORDER BY id").pluck().all(parent);
  return makeSortedSet(new Uint32Array(ids));
}

/** Returns the rows of a term, if it exists, and of its descendants. */
export function subtreeRows(context: SearchContext, id: string): DocIdSet {
  const row = findRow(context.generation, id);
  const descendants = descendantRows(context, id);
  return row === undefined ? descendants : uniteSets(descendants, makeSortedSet(Uint32Array.of(row.id)));
}

/**
 * Returns the rows of the descendants of a term, without the term itself, even if parents form a circle. Ranked terms
 * have pre-order intervals, which were computed with the generation. If a single write moved the top term of a subtree
 * or deleted it, the subtree is cut out of the interval around it, and is placed by the current parents of its top
 * term. Some rows may be deleted rows.
 */
export function descendantRows(context: SearchContext, ancestor: string): DocIdSet {
  const { generation } = context;
  const top = findRow(generation, ancestor);
  if (generation.nested === 0 || top === undefined) return followChildren(context, ancestor);
  const cuts = readCuts(context);
  const isBelow = makeDescendantTest(context, top, cuts);
  const ranges = top.lo === null ? [] : rangesWithoutCuts(top.lo + 1, top.hi!, cutsBelow(top.lo, cuts));
  for (const { lo, hi, ext } of cuts) {
    if (ext === ancestor || isBelow(ext)) addAll(ranges, rangesWithoutCuts(lo, hi, cutsBelow(lo, cuts)));
  }
  const deltaRows = readDeltaLinks(context).filter(({ ext, lo }) =>
    lo === null ? isBelow(ext) : isWithin(lo, ranges),
  );
  const all = uniteSets(rankedWithin(context, ranges), makeDocIdSet(deltaRows.map(({ id }) => id)));
  return subtractSet(all, makeSortedSet(Uint32Array.of(top.id)));
}

/** A subtree that is no longer where its interval is. The interval is that of its top term in the generation. */
interface Cut {
  readonly lo: number;
  readonly hi: number;
  readonly ext: string;
}

/** A range of places in pre-order, ends included. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Bytes of a cut or a link in memory. */
const CUT_BYTES = 200;

/** Reads the cuts in ascending order. If two overlap, the later one is within the other. */
function readCuts(context: SearchContext): readonly Cut[] {
  return cachedUntilWrite(context, "cuts", () => {
    const cuts = context.generation.sql<Cut>("SELECT lo, hi, ext FROM cut_$g ORDER BY lo").all();
    return [cuts, cuts.length * CUT_BYTES];
  });
}

const cutsBelow = (lo: number, cuts: readonly Cut[]): readonly Cut[] => cuts.filter((cut) => cut.lo > lo);

/** Returns the ranges of an interval that remain without the cuts in it. */
function rangesWithoutCuts(lo: number, hi: number, cuts: readonly Cut[]): Range[] {
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
  return cachedForGeneration(context, name, () => {
    const rows = ranges.map((range) => placesToRows(context, range)).reduce(uniteSets, EMPTY_SET);
    return [rows, bytesOfSet(rows)];
  });
}

function placesToRows(context: SearchContext, { from, to }: Range): DocIdSet {
  const ids = readColumn(context, "place").subarray(from - 1, to);
  // A term that was deleted while the generation was built leaves its place empty: 0.
  if (ids.length * 32 < context.generation.ranked) return makeDocIdSet(ids.filter((id) => id > 0));
  const bits = new Uint32Array((context.generation.ranked >>> 5) + 1);
  for (const id of ids) bits[id >>> 5]! |= 1 << (id & 31);
  bits[0]! &= ~1;
  return makeBitmapSet(bits);
}

/** A term with its parent, and its place in pre-order if it has one. */
interface Link {
  readonly ext: string;
  readonly parent: string | null;
  readonly lo: number | null;
}

function readDeltaLinks(context: SearchContext): readonly (Link & { readonly id: number })[] {
  return cachedUntilWrite(context, "delta links", () => {
    const links = context.generation
      .sql<Link & { readonly id: number }>("SELECT id, ext, parent, lo FROM term_$g WHERE id > ?")
      .all(context.generation.ranked);
    return [links, links.length * CUT_BYTES];
  });
}

/** Makes a test whether a term is a descendant of `top`. It follows parents only up to a place in pre-order. */
function makeDescendantTest(
  { generation }: SearchContext,
  top: { readonly ext: string; readonly lo: number | null; readonly hi: number | null },
  cuts: readonly Cut[],
): (id: string) => boolean {
  const statement = generation.sql<Link>(
    `SELECT t.ext, t.parent, t.lo FROM ext_$g e JOIN term_$g t ON t.id = e.id
     WHERE e.ext = ? AND t.ext = ? COLLATE BINARY`,
  );
  const find = (id: string): Link | undefined => statement.get(id, id);
  // Returns whether a place in pre-order is below `top`, or the top term of the cut around it to go on from.
  const followPlace = (lo: number): Link | boolean => {
    const cut = cuts.findLast((each) => each.lo <= lo && lo <= each.hi);
    const isUnderTop = top.lo !== null && top.lo < lo && lo <= top.hi!;
    if (isUnderTop && (cut === undefined || top.lo >= cut.lo)) return true;
    return cut === undefined ? false : cut.ext === top.ext || (find(cut.ext) ?? false);
  };
  return (id) => {
    const seen = new Set<string>();
    let link = find(id);
    while (link !== undefined && link.parent !== null && !seen.has(link.ext)) {
      seen.add(link.ext);
      if (link.parent === top.ext) return true;
      const parent = find(link.parent);
      if (parent === undefined || parent.lo === null) {
        link = parent;
        continue;
      }
      const next = followPlace(parent.lo);
      if (typeof next === "boolean") return next;
      link = next;
    }
    return false;
  };
}

/** Returns the descendants of a term by following children level by level. */
function followChildren({ generation, checkTime }: SearchContext, ancestor: string): DocIdSet {
  const children = generation.sql<{ id: number; ext: string }>(
    "SELECT t.id, t.ext FROM child_$g c JOIN term_$g t ON t.id = c.id WHERE c.parent = ?",
  );
  const seen = new Set([ancestor]);
  const open = [ancestor];
  const ids: number[] = [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    checkTime();
    for (const { id, ext } of children.all(next)) {
      if (seen.has(ext)) continue;
      seen.add(ext);
      ids.push(id);
      open.push(ext);
    }
  }
  return makeDocIdSet(ids);
}
