/** A set of rows of `rec`: the ids, ascending, or all rows but these. */
export interface IdSet {
  readonly ids: readonly number[];
  readonly complement: boolean;
}

export const NO_IDS: IdSet = { ids: [], complement: false };

export const complementOf = ({ ids, complement }: IdSet): IdSet => ({ ids, complement: !complement });

export function intersect(a: IdSet, b: IdSet): IdSet {
  if (a.complement && b.complement) return { ids: merge(a.ids, b.ids), complement: true };
  if (a.complement) return { ids: subtract(b.ids, a.ids), complement: false };
  if (b.complement) return { ids: subtract(a.ids, b.ids), complement: false };
  return { ids: common(a.ids, b.ids), complement: false };
}

export function unite(a: IdSet, b: IdSet): IdSet {
  return complementOf(intersect(complementOf(a), complementOf(b)));
}

function merge(a: readonly number[], b: readonly number[]): number[] {
  const out: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const x = a[i]!;
    const y = b[j]!;
    out.push(Math.min(x, y));
    if (x <= y) i++;
    if (y <= x) j++;
  }
  while (i < a.length) out.push(a[i++]!);
  while (j < b.length) out.push(b[j++]!);
  return out;
}

function common(a: readonly number[], b: readonly number[]): number[] {
  const out: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const x = a[i]!;
    const y = b[j]!;
    if (x === y) out.push(x);
    if (x <= y) i++;
    if (y <= x) j++;
  }
  return out;
}

function subtract(a: readonly number[], b: readonly number[]): number[] {
  const out: number[] = [];
  let j = 0;
  for (const x of a) {
    while (j < b.length && b[j]! < x) j++;
    if (b[j] !== x) out.push(x);
  }
  return out;
}

/** Where `id` stands in an ascending list, or would stand. */
export function lowerBound(ids: readonly number[], id: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ids[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
