import { bucketKey, hasRanges, type KeyedBuckets, textKey } from "../../../../core/catalog/facet-kinds/facet-kinds.js";
import { readTermContent } from "../../../../core/terms/term-row.js";
import { valueKeys } from "../../../../query/index-model/term-document.js";
import { termLeaves } from "../../../../query/index-model/term-leaves.js";
import { bytesOfSet, type DocIdSet, intersectSets } from "../../bitmaps/doc-id-set.js";
import type { Steps } from "../../cache/missing-parts.js";
import type { NumericColumn, OwnerValues } from "../../doc-values/numeric-column.js";
import { OrdinalColumn, ownersOfKeys } from "../../doc-values/ordinal-column.js";
import type { FacetColumn } from "../../facets/facet-counter.js";
import { currentGeneration, type Generation } from "../store/generation.js";
import { rowsSince } from "../store/term-reader.js";
import { liveRows } from "./live-docs.js";
import type { SearchContext } from "./search-context.js";

/** The values that a facet counts: its paths, and the keys of its buckets. */
interface KeyedSource {
  readonly buckets: KeyedBuckets;
  readonly paths: readonly string[];
}

/** The cached keys of a facet by row, for the rows below `next`. New rows always have larger numbers. */
interface CachedColumn extends FacetColumn {
  readonly keys: FacetKeys;
  readonly next: number;
}

/** Returns the column of a facet. Keys of ranked rows are read from `val` once, keys of later rows from the rows. */
export function facetColumn(context: SearchContext, source: KeyedSource): FacetColumn {
  const { generation, cache } = context;
  const { next } = generation;
  const name = `${generation.g} facet ${JSON.stringify([source.paths, source.buckets])}`;
  let cached = cache.get<CachedColumn>(name);
  if (cached?.next === next) return cached;
  cached ??= context.build(name, () => readRankedColumn(context, source));
  const isRightSize = cached.column.change([], readDeltaValues(context, source, cached));
  const column: CachedColumn = { ...cached, next };
  // A column with too many unused sets of keys is read again the next time.
  if (isRightSize) cache.set(name, column, column.column.bytes + column.keys.bytes);
  else cache.remove(name);
  return column;
}

/** Number of rows that are read in one step, which takes some milliseconds. */
const ROWS_AT_ONCE = 20_000;

/** Reads the column of the ranked rows. Rows that are deleted between two steps may be in it. */
function* readRankedColumn({ db, generation }: SearchContext, { paths, buckets }: KeyedSource): Steps<CachedColumn> {
  const { ranked } = generation;
  const isGone = (): boolean => currentGeneration(db, generation.vocabulary)?.g !== generation.g;
  const rowsWithValue = generation
    .sql<number>("SELECT id FROM val_$g WHERE path = ? AND value = ? AND id > ? AND id <= ? ORDER BY id LIMIT ?")
    .pluck();
  const keys = new FacetKeys(buckets);
  const column = new OrdinalColumn({ owners: new Uint32Array(0), values: new Uint32Array(0) });
  for (const path of paths) {
    for (const value of distinctPathValues(generation, path)) {
      const number = keys.keyNumber(value);
      if (number === undefined) continue;
      for (let last: number | undefined = 0; last !== undefined; ) {
        yield;
        if (isGone()) return undefined;
        const owners: Uint32Array = new Uint32Array(rowsWithValue.all(path, value, last, ranked, ROWS_AT_ONCE));
        column.add({ owners, values: new Uint32Array(owners.length).fill(number) });
        last = owners.length < ROWS_AT_ONCE ? undefined : owners.at(-1);
      }
    }
  }
  return { column, keys, keyName: keys.keyName, next: ranked + 1 };
}

/** Reads the keys of rows that were written since the column was cached. */
function readDeltaValues(
  { generation, vocabulary }: SearchContext,
  { paths }: KeyedSource,
  { keys, next }: CachedColumn,
): OwnerValues {
  const owners: number[] = [];
  const values: number[] = [];
  for (const row of rowsSince(generation, next)) {
    for (const [path, value] of valueKeys(termLeaves(readTermContent(row), vocabulary), vocabulary)) {
      const number = paths.includes(path) ? keys.keyNumber(value) : undefined;
      if (number === undefined) continue;
      owners.push(row.id);
      values.push(number);
    }
  }
  return { owners: new Uint32Array(owners), values };
}

/** The cached numbers at a path, of the rows below `next`. */
interface CachedNumbers {
  readonly column: NumericColumn;
  readonly next: number;
}

/** Bytes of a number of the delta, in two lists. */
const DELTA_NUMBER_BYTES = 32;

/** Returns the column of the numbers at the path of a histogram, read and cached like `facetColumn`. */
export function facetNumberColumn(context: SearchContext, path: string): NumericColumn {
  const { generation, vocabulary, cache } = context;
  const { next } = generation;
  const name = `${generation.g} numbers ${path}`;
  const cached = cache.get<CachedNumbers>(name) ?? context.build(name, () => readRankedNumbers(context, path));
  if (cached.next === next) return cached.column;
  const delta = { owners: [...cached.column.delta.owners], values: [...cached.column.delta.values] };
  for (const row of rowsSince(generation, cached.next)) {
    for (const [leafPath, value] of valueKeys(termLeaves(readTermContent(row), vocabulary), vocabulary)) {
      if (leafPath !== path || typeof value !== "number") continue;
      delta.owners.push(row.id);
      delta.values.push(value);
    }
  }
  const column = { ...cached.column, delta };
  const bytes = column.owners.byteLength + column.values.byteLength + delta.owners.length * DELTA_NUMBER_BYTES;
  cache.set(name, { column, next } satisfies CachedNumbers, bytes);
  return column;
}

/** Reads the numbers of the ranked rows, in ascending order. */
function* readRankedNumbers({ db, generation }: SearchContext, path: string): Steps<CachedNumbers> {
  const { ranked } = generation;
  const numbersAfter = generation
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
    const rows: [value: number, id: number][] = numbersAfter.all(path, ...after, ROWS_AT_ONCE);
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

/** Bytes of a key in memory. */
const KEY_BYTES = 120;

/** The keys of a facet's buckets, numbered in the order of their first use. */
class FacetKeys {
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(readonly buckets: KeyedBuckets) {}

  get bytes(): number {
    return this.#names.length * KEY_BYTES;
  }

  readonly keyName = (key: number): string => this.#names[key]!;

  /** Returns the number of a value's key; undefined if no bucket contains the value, such as a text among numbers. */
  keyNumber(value: string | number): number | undefined {
    const name = this.#keyOf(value);
    if (name === undefined) return undefined;
    const number = this.#numbers.get(name) ?? this.#names.push(name) - 1;
    this.#numbers.set(name, number);
    return number;
  }

  #keyOf(value: string | number): string | undefined {
    const { buckets } = this;
    if (!hasRanges(buckets)) return textKey(buckets, String(value));
    return typeof value === "number" ? bucketKey(buckets, value) : undefined;
  }
}

/** The cached rows below `next` with some keys of a facet. `live` are those that were not deleted, as of `writes`. */
interface CachedRows {
  readonly next: number;
  readonly rows: DocIdSet;
  readonly writes: number;
  readonly live: DocIdSet;
}

/** Returns the live rows with one of the keys in a facet. */
export function rowsWithKeys(context: SearchContext, source: KeyedSource, keys: readonly string[]): DocIdSet {
  const { generation, cache } = context;
  const { next, writes } = generation;
  const name = `${generation.g} facet rows ${JSON.stringify([source.paths, keys])}`;
  const cached = cache.get<CachedRows>(name);
  if (cached?.writes === writes) return cached.live;
  const readRows = (): DocIdSet => {
    const { column, keyName } = facetColumn(context, source);
    const names = new Set(keys);
    return ownersOfKeys(column, (key) => names.has(keyName(key)));
  };
  const rows = cached?.next === next ? cached.rows : readRows();
  // The column still contains later rows that were deleted.
  const live = intersectSets(rows, liveRows(context));
  cache.set(name, { next, rows, writes, live } satisfies CachedRows, bytesOfSet(rows) + bytesOfSet(live));
  return live;
}

/** Returns the distinct values at a path, each found by skipping from one to the next. */
export function distinctPathValues(generation: Generation, path: string): (string | number)[] {
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
