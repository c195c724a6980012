/**
 * Sets of row ids of one generation, the currency of a search: whatever answers a clause (the full-text tables, later
 * sets kept in memory) gives one of these.
 */
export interface RowSet {
  /** Ascending. */
  readonly ids: Uint32Array;
  /** True: all rows but `ids`. */
  readonly except: boolean;
}

export const NO_ROWS: RowSet = { ids: new Uint32Array(0), except: false };
export const ALL_ROWS: RowSet = { ids: new Uint32Array(0), except: true };

/** @param ids ascending */
export function rowSet(ids: ArrayLike<number>): RowSet {
  return { ids: Uint32Array.from(ids), except: false };
}

/** A set of ids in any order, with repeats. */
export function unsortedSet(ids: ArrayLike<number>): RowSet {
  const sorted = Uint32Array.from(ids).sort();
  return { ids: sorted.filter((id, i) => i === 0 || id !== sorted[i - 1]), except: false };
}

export function complement({ ids, except }: RowSet): RowSet {
  return { ids, except: !except };
}

export function intersect(a: RowSet, b: RowSet): RowSet {
  if (a.except && b.except) return { ids: either(a.ids, b.ids), except: true };
  if (a.except) return { ids: without(b.ids, a.ids), except: false };
  if (b.except) return { ids: without(a.ids, b.ids), except: false };
  return { ids: both(a.ids, b.ids), except: false };
}

export function union(a: RowSet, b: RowSet): RowSet {
  return complement(intersect(complement(a), complement(b)));
}

/** In a set that is much smaller than the other each element is searched for: cheaper than walking both. */
const SEARCH_RATIO = 16;

export function both(a: Uint32Array, b: Uint32Array): Uint32Array {
  const [few, many] = a.length <= b.length ? [a, b] : [b, a];
  if (few.length * SEARCH_RATIO < many.length) return few.filter((id) => has(many, id));
  const out = new Uint32Array(few.length);
  let n = 0;
  for (let i = 0, j = 0; i < few.length && j < many.length; ) {
    const x = few[i]!;
    const y = many[j]!;
    if (x === y) out[n++] = x;
    if (x <= y) i += 1;
    if (y <= x) j += 1;
  }
  return out.subarray(0, n);
}

export function without(a: Uint32Array, b: Uint32Array): Uint32Array {
  if (a.length === 0 || b.length === 0) return a;
  if (a.length * SEARCH_RATIO < b.length) return a.filter((id) => !has(b, id));
  const out = new Uint32Array(a.length);
  let n = 0;
  let j = 0;
  for (const id of a) {
    while (j < b.length && b[j]! < id) j += 1;
    if (b[j] !== id) out[n++] = id;
  }
  return out.subarray(0, n);
}

function either(a: Uint32Array, b: Uint32Array): Uint32Array {
  const out = new Uint32Array(a.length + b.length);
  let n = 0;
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const x = a[i] ?? Number.POSITIVE_INFINITY;
    const y = b[j] ?? Number.POSITIVE_INFINITY;
    out[n++] = Math.min(x, y);
    if (x <= y) i += 1;
    if (y <= x) j += 1;
  }
  return out.subarray(0, n);
}

/** Is it among the ascending ids? */
export function has(ids: Uint32Array, id: number): boolean {
  return ids[lowerBound(ids, id)] === id;
}

/** Place of the first that is not below `id`. */
export function lowerBound(ids: Uint32Array, id: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ids[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A set as bits: whether a row belongs to it is one look. */
export function makeBits(ids: Uint32Array): (id: number) => boolean {
  const bits = new Uint32Array(((ids.at(-1) ?? 0) >>> 5) + 1);
  for (const id of ids) bits[id >>> 5]! |= 1 << (id & 31);
  return (id) => id >>> 5 < bits.length && ((bits[id >>> 5]! >>> (id & 31)) & 1) === 1;
}
