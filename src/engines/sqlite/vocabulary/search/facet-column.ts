import { contentOf } from "../../../../core/terms/term-row.js";
import { bucketKey, type KeyedBuckets } from "../../../../query/index-model/buckets.js";
import { valueKeys } from "../../../../query/index-model/term-keys.js";
import { termLeaves } from "../../../../query/index-model/term-leaves.js";
import { and, bytesOfSet, type DocIdSet } from "../../bitmaps/doc-id-set.js";
import type { Steps } from "../../cache/slow-parts.js";
import type { NumericColumn, OwnerValues } from "../../doc-values/numeric-column.js";
import { OrdinalColumn, ownersOfKeys } from "../../doc-values/ordinal-column.js";
import type { FacetColumn } from "../../facets/facet-counter.js";
import { currentGeneration, type Generation } from "../store/generation.js";
import { rowsSince } from "../store/term-reader.js";
import { liveRows } from "./live-docs.js";
import type { SearchContext } from "./search-context.js";

/** What a facet counts: the keys of the values at its paths. */
interface KeyedSource {
  readonly buckets: KeyedBuckets;
  readonly paths: readonly string[];
}

/** The keys of a facet by row, as they were before row `next` was written: later rows only ever come above. */
interface Kept extends FacetColumn {
  readonly keys: FacetKeys;
  readonly next: number;
}

/** The column of a facet: of the ranked rows read from `val` when first asked for, of later ones from the rows. */
export function facetColumn(context: SearchContext, source: KeyedSource): FacetColumn {
  const { generation, cache } = context;
  const { next } = generation;
  const name = `${generation.g} facet ${JSON.stringify([source.paths, source.buckets])}`;
  let kept = cache.get<Kept>(name);
  if (kept?.next === next) return kept;
  kept ??= context.slowly(name, () => rankedColumn(context, source));
  const isRightSize = kept.column.change([], deltaValues(context, source, kept));
  const column: Kept = { ...kept, next };
  // One with too many sets of keys that nobody has any more is made anew the next time.
  if (isRightSize) cache.set(name, column, column.column.bytes + column.keys.bytes);
  else cache.remove(name);
  return column;
}

/** Rows that are read in one step: some milliseconds. */
const ROWS_AT_ONCE = 20_000;

/** Ranked rows may go away between two steps, and be among those that have the key. */
function* rankedColumn({ db, generation }: SearchContext, { paths, buckets }: KeyedSource): Steps<Kept> {
  const { ranked } = generation;
  const isGone = (): boolean => currentGeneration(db, generation.vocabulary)?.g !== generation.g;
  const having = generation
    .sql<number>("SELECT id FROM val_$g WHERE path = ? AND value = ? AND id > ? AND id <= ? ORDER BY id LIMIT ?")
    .pluck();
  const keys = new FacetKeys(buckets);
  const column = new OrdinalColumn({ owners: new Uint32Array(0), values: new Uint32Array(0) });
  for (const path of paths) {
    for (const value of valuesAt(generation, path)) {
      const number = keys.numberOf(value);
      if (number === undefined) continue;
      for (let last: number | undefined = 0; last !== undefined; ) {
        yield;
        if (isGone()) return undefined;
        const owners: Uint32Array = new Uint32Array(having.all(path, value, last, ranked, ROWS_AT_ONCE));
        column.add({ owners, values: new Uint32Array(owners.length).fill(number) });
        last = owners.length < ROWS_AT_ONCE ? undefined : owners.at(-1);
      }
    }
  }
  return { column, keys, nameOf: keys.nameOf, next: ranked + 1 };
}

/** What rows have that came since. */
function deltaValues(
  { generation, vocabulary }: SearchContext,
  { paths }: KeyedSource,
  { keys, next }: Kept,
): OwnerValues {
  const owners: number[] = [];
  const values: number[] = [];
  for (const row of rowsSince(generation, next)) {
    for (const [path, value] of valueKeys(termLeaves(contentOf(row), vocabulary), vocabulary)) {
      const number = paths.includes(path) ? keys.numberOf(value) : undefined;
      if (number === undefined) continue;
      owners.push(row.id);
      values.push(number);
    }
  }
  return { owners: new Uint32Array(owners), values };
}

/** The numbers of items at a path, as they were before row `next` was written. */
interface KeptNumbers {
  readonly column: NumericColumn;
  readonly next: number;
}

/** What a number that came later takes in two lists. */
const LATE_NUMBER_BYTES = 32;

/** The numbers at the path of a histogram, read as the column of a facet is. */
export function numberColumn(context: SearchContext, path: string): NumericColumn {
  const { generation, vocabulary, cache } = context;
  const { next } = generation;
  const name = `${generation.g} numbers ${path}`;
  const kept = cache.get<KeptNumbers>(name) ?? context.slowly(name, () => rankedNumbers(context, path));
  if (kept.next === next) return kept.column;
  const delta = { owners: [...kept.column.delta.owners], values: [...kept.column.delta.values] };
  for (const row of rowsSince(generation, kept.next)) {
    for (const [at, value] of valueKeys(termLeaves(contentOf(row), vocabulary), vocabulary)) {
      if (at !== path || typeof value !== "number") continue;
      delta.owners.push(row.id);
      delta.values.push(value);
    }
  }
  const column = { ...kept.column, delta };
  const bytes = column.owners.byteLength + column.values.byteLength + delta.owners.length * LATE_NUMBER_BYTES;
  cache.set(name, { column, next } satisfies KeptNumbers, bytes);
  return column;
}

function* rankedNumbers({ db, generation }: SearchContext, path: string): Steps<KeptNumbers> {
  const { ranked } = generation;
  const having = generation
    .sql<[value: number, id: number]>(
      `SELECT value, id FROM val_$g WHERE path = ? AND (value, id) > (?, ?) AND typeof(value) <> 'text'
       ORDER BY value, id LIMIT ?`,
    )
    .raw();
  const owners: number[] = [];
  const values: number[] = [];
  for (let after: readonly [number, number] | undefined = [Number.NEGATIVE_INFINITY, 0]; after !== undefined; ) {
    yield;
    if (currentGeneration(db, generation.vocabulary)?.g !== generation.g) return undefined;
    const rows: [value: number, id: number][] = having.all(path, ...after, ROWS_AT_ONCE);
    for (const [value, id] of rows) {
      if (id > ranked) continue;
      owners.push(id);
      values.push(value);
    }
    after = rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1);
  }
  const sorted = { owners: new Uint32Array(owners), values: new Float64Array(values) };
  return { column: { ...sorted, end: ranked + 1, gone: [], delta: { owners: [], values: [] } }, next: ranked + 1 };
}

const KEY_BYTES = 120;

/** The keys of a facet's buckets, numbered in the order in which they came. */
class FacetKeys {
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(readonly buckets: KeyedBuckets) {}

  get bytes(): number {
    return this.#names.length * KEY_BYTES;
  }

  readonly nameOf = (key: number): string => this.#names[key]!;

  /** undefined where the value lies in no bucket: texts among numbers */
  numberOf(value: string | number): number | undefined {
    const name = this.#keyOf(value);
    if (name === undefined) return undefined;
    const number = this.#numbers.get(name) ?? this.#names.push(name) - 1;
    this.#numbers.set(name, number);
    return number;
  }

  #keyOf(value: string | number): string | undefined {
    const { buckets } = this;
    if (buckets.kind === "terms" || buckets.kind === "tree") return String(value);
    return typeof value === "number" ? bucketKey(buckets, value) : undefined;
  }
}

/** Rows with some keys of a facet, as they were before row `next`; `live` of them were there after so many writes. */
interface KeptRows {
  readonly next: number;
  readonly rows: DocIdSet;
  readonly writes: number;
  readonly live: DocIdSet;
}

/** The items with one of the keys in a facet. */
export function rowsWithKeys(context: SearchContext, source: KeyedSource, keys: readonly string[]): DocIdSet {
  const { generation, cache } = context;
  const { next, writes } = generation;
  const name = `${generation.g} facet rows ${JSON.stringify([source.paths, keys])}`;
  const known = cache.get<KeptRows>(name);
  if (known?.writes === writes) return known.live;
  const readRows = (): DocIdSet => {
    const { column, nameOf } = facetColumn(context, source);
    const wanted = new Set(keys);
    return ownersOfKeys(column, (key) => wanted.has(nameOf(key)));
  };
  const rows = known?.next === next ? known.rows : readRows();
  // The column keeps what later rows had that were taken away again.
  const live = and(rows, liveRows(context));
  cache.set(name, { next, rows, writes, live } satisfies KeptRows, bytesOfSet(rows) + bytesOfSet(live));
  return live;
}

/** Distinct values at a path, each found by skipping from one to the next. */
export function valuesAt(generation: Generation, path: string): (string | number)[] {
  return generation
    .sql<string | number>(
      `WITH RECURSIVE k(value) AS (
         SELECT min(value) FROM val_$g WHERE path = @path
         UNION ALL
         SELECT (SELECT min(v.value) FROM val_$g v WHERE v.path = @path AND v.value > k.value) FROM k
         WHERE k.value IS NOT NULL)
       SELECT value FROM k WHERE value IS NOT NULL`,
    )
    .pluck()
    .all({ path });
}
