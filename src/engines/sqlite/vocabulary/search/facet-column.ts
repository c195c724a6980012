import { bucketKey, type FacetBuckets } from "../../../../query/index-model/buckets.js";
import type { FacetSource } from "../../../../query/index-model/declared-facets.js";
import { contains, type DocIdSet, lowerBound, setOf, toIds } from "../../bitmaps/doc-id-set.js";
import { kept } from "../store/generation-cache.js";
import type { SearchContext } from "./search-context.js";

/** The keys of a facet by ranked row. Most rows have one key at most: it is in `first`, all others in `more`. */
export interface FacetColumn {
  readonly keys: readonly string[];
  /** Number of the first key by row, from 1; 0: none. */
  readonly first: Uint32Array;
  /** Rows and numbers of their other keys, one after the other. */
  readonly more: Uint32Array;
}

/** The column of a facet, read from `val` when first asked for. */
export function facetColumn(context: SearchContext, { paths, buckets }: FacetSource): FacetColumn {
  return kept(context, `facet ${JSON.stringify([paths, buckets])}`, () => {
    const column = readColumn(context, paths, buckets);
    return [column, column.first.byteLength + column.more.byteLength + column.keys.length * KEY_BYTES];
  });
}

const KEY_BYTES = 100;

/** The key of a value; undefined where it lies in no bucket: texts among numbers. */
export function keyIn(buckets: FacetBuckets, value: string | number): string | undefined {
  if (buckets.kind === "terms" || buckets.kind === "tree") return String(value);
  return typeof value === "number" ? bucketKey(buckets, value) : undefined;
}

function readColumn(context: SearchContext, paths: readonly string[], buckets: FacetBuckets): FacetColumn {
  const { generation, checkTime } = context;
  const places = new Map<string, [path: string, value: string | number][]>();
  for (const path of paths) {
    for (const value of valuesAt(context, path)) {
      const key = keyIn(buckets, value);
      if (key === undefined) continue;
      places.set(key, [...(places.get(key) ?? []), [path, value]]);
    }
  }
  const ranked = generation
    .sql<number>("SELECT id FROM val_$g WHERE path = ? AND value = ? AND id <= ? ORDER BY id")
    .pluck();
  const first = new Uint32Array(generation.ranked + 1);
  const more: number[] = [];
  let number = 0;
  for (const at of places.values()) {
    checkTime();
    number += 1;
    const ids = at.map(([path, value]) => ranked.all(path, value, generation.ranked));
    for (const id of ids.length === 1 ? ids[0]! : toIds(setOf(ids.flat()))) {
      if (first[id] === 0) first[id] = number;
      else more.push(id, number);
    }
  }
  return { keys: [...places.keys()], first, more: Uint32Array.from(more) };
}

/** Distinct values at a path, each found by skipping from one to the next. */
export function valuesAt({ generation }: SearchContext, path: string): (string | number)[] {
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

/** How many of the rows have each key, by its number. */
export function countKeys({ keys, first, more }: FacetColumn, rows: DocIdSet): Uint32Array {
  const counts = new Uint32Array(keys.length + 1);
  if (rows.kind === "ids") {
    for (const id of rows.ids.subarray(0, lowerBound(rows.ids, first.length))) counts[first[id]!]! += 1;
  } else {
    const words = Math.min(rows.bits.length, Math.ceil(first.length / 32));
    for (let w = 0; w < words; w++) {
      for (let word = rows.bits[w]!; word !== 0; word &= word - 1) {
        const id = (w << 5) + 31 - Math.clz32(word & -word);
        if (id < first.length) counts[first[id]!]! += 1;
      }
    }
  }
  for (let i = 0; i < more.length; i += 2) if (contains(rows, more[i]!)) counts[more[i + 1]!]! += 1;
  return counts;
}
