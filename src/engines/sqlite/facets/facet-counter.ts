import { leastOf } from "../../../core/collections.js";
import type { OrdinalColumn } from "../doc-values/ordinal-column.js";
import type { Lineage } from "../vocabulary/store/lineage.js";

/** The keys that a facet counts at one path, with their names. */
export interface FacetColumn {
  readonly column: OrdinalColumn;
  keyName(key: number): string;
}

/** The root above all buckets, which is not a bucket itself. */
const ROOT = 0;

/**
 * The buckets of a facet, numbered from 1, and the buckets that the sets of some columns count in. The buckets of a
 * tree are all cited terms and their ancestors; those of other facets are all children of the root. A parent has a
 * smaller number than its children. Changes in place.
 */
export class FacetCounter {
  readonly names: string[] = [""];
  readonly #parents: number[] = [ROOT];
  readonly #numbers = new Map<string, number>();
  /** Terms that are ancestors of each other: each with the one that counts for all, and with its parent. */
  readonly #circles = new Map<number, { readonly counted: number; readonly parent: number }>();
  /** For each bucket the number, from 1, of the last set that visited it. */
  #marks = new Uint32Array(1);
  #lastMark = 0;
  readonly #sets: readonly SetBuckets[];

  /** @param vocabulary the one whose terms and their ancestors are counted; undefined: buckets have no ancestors */
  constructor(
    readonly vocabulary: string | undefined,
    columns: readonly FacetColumn[],
    readonly lineage: Lineage,
  ) {
    this.#sets = columns.map(({ column }) => ({ identity: column.identity, starts: [0], buckets: [] }));
    this.extend(columns);
  }

  /** Bytes in memory. */
  get bytes(): number {
    const inSets = this.#sets.reduce((sum, { starts, buckets }) => sum + starts.length + buckets.length, 0);
    return this.names.length * BUCKET_BYTES + inSets * 8;
  }

  /** Returns whether the counter belongs to these columns. */
  isOf(columns: readonly FacetColumn[]): boolean {
    return columns.every(({ column }, i) => column.identity === this.#sets[i]?.identity);
  }

  bucketNumber(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  /** Returns the parent bucket, undefined below the root. */
  parentBucket(bucket: number): number | undefined {
    return (this.#circles.get(bucket)?.parent ?? this.#parents[bucket]!) || undefined;
  }

  isInCircle(bucket: number): boolean {
    return this.#circles.has(bucket);
  }

  /** Adds the new sets of the columns. @returns whether there were any */
  extend(columns: readonly FacetColumn[]): boolean {
    if (columns.every(({ column }, i) => column.sets.size === this.#sets[i]!.starts.length - 1)) return false;
    this.#addBuckets(columns.flatMap(({ column, keyName }, i) => this.#namesIn(column, keyName, this.#sets[i]!)));
    for (const [i, { column, keyName }] of columns.entries()) {
      const { starts, buckets } = this.#sets[i]!;
      for (let set = starts.length - 1; set < column.sets.size; set++) {
        const bucketsOfSet = Array.from(column.sets.keysInSet(set), (key) => this.#numbers.get(keyName(key))!);
        for (const bucket of this.#onceEach(bucketsOfSet)) buckets.push(bucket);
        starts.push(buckets.length);
      }
    }
    return true;
  }

  /**
   * Counts hits.
   * @param countsBySet number of hits of each set, by column
   * @param joined sets of single hits, by column
   * @returns for each bucket the number of hits in it or below it
   */
  count(countsBySet: readonly Uint32Array[], joined: Iterable<readonly number[]>): Int32Array {
    const counts = new Int32Array(this.names.length);
    for (const [i, { starts, buckets }] of this.#sets.entries()) {
      const bucketsOfSet = countsBySet[i]!;
      for (let set = 1; set < bucketsOfSet.length; set++) {
        const n = bucketsOfSet[set]!;
        if (n > 0) addTo(counts, n, buckets, starts[set]!, starts[set + 1]!);
      }
    }
    for (const sets of joined) {
      const bucketsOfSet = sets.flatMap((set, i) => this.#bucketsOf(i, set));
      const buckets = this.#onceEach(bucketsOfSet);
      addTo(counts, 1, buckets, 0, buckets.length);
    }
    if (this.vocabulary !== undefined) this.#sumUp(counts);
    return counts;
  }

  /** Adds the counts of each bucket to its ancestors. */
  #sumUp(counts: Int32Array): void {
    for (let bucket = counts.length - 1; bucket > ROOT; bucket--) counts[this.#parents[bucket]!]! += counts[bucket]!;
    counts[ROOT] = 0;
    for (const [bucket, { counted }] of this.#circles) counts[bucket] = counts[counted]!;
  }

  #bucketsOf(i: number, set: number): number[] {
    const { starts, buckets } = this.#sets[i]!;
    return buckets.slice(starts[set], starts[set + 1]).filter((bucket) => bucket > ROOT);
  }

  #namesIn({ sets }: OrdinalColumn, keyName: (key: number) => string, { starts }: SetBuckets): string[] {
    const keys = new Set(sets.keys.subarray(sets.starts[starts.length - 1], sets.starts[sets.size]));
    return [...keys].map(keyName).filter((name) => !this.#numbers.has(name));
  }

  #addBuckets(names: readonly string[]): void {
    const { vocabulary, lineage } = this;
    if (names.length === 0) return;
    if (vocabulary === undefined) for (const name of names) this.#add([name]);
    else {
      const ancestorsByName = lineage.findAncestors(vocabulary, names);
      const chains = Array.from(ancestorsByName, ([name, ancestors]) => [name, ...ancestors]);
      const tops = lineage.findAncestors(vocabulary, [...new Set(chains.map((chain) => chain.at(-1)!))]);
      for (const chain of chains) this.#add(chain);
      // A last element of a chain that has ancestors is in a circle with them.
      for (const [top, ancestors] of tops) if (ancestors.length > 0) this.#close([top, ...ancestors]);
    }
    this.#marks = new Uint32Array(this.names.length);
    this.#lastMark = 0;
  }

  /** Adds buckets. @param chain a name and its ancestors, nearest first */
  #add(chain: readonly string[]): void {
    let newCount = 0;
    while (newCount < chain.length && !this.#numbers.has(chain[newCount]!)) newCount++;
    let parent = newCount < chain.length ? this.#numbers.get(chain[newCount]!)! : ROOT;
    for (const name of chain.slice(0, newCount).reverse()) {
      const bucket = this.names.push(name) - 1;
      this.#parents.push(parent);
      this.#numbers.set(name, bucket);
      parent = bucket;
    }
  }

  /** Records a circle. @param circle each below the next, and the last one below the first */
  #close(circle: readonly string[]): void {
    const buckets = circle.map((name) => this.#numbers.get(name)!);
    const counted = leastOf(buckets);
    for (const [i, bucket] of buckets.entries()) {
      this.#circles.set(bucket, { counted, parent: buckets[(i + 1) % buckets.length]! });
    }
  }

  /**
   * Returns buckets such that each of them and each of their ancestors counts once when all are added up: a bucket
   * counts what is below it, and `~bucket` subtracts what is counted twice.
   */
  #onceEach(bucketsOfSet: readonly number[]): readonly number[] {
    if (bucketsOfSet.length < 2) return bucketsOfSet;
    const marks = this.#marks;
    const mark = ++this.#lastMark;
    marks[ROOT] = mark;
    const once: number[] = [];
    for (const bucket of bucketsOfSet) {
      let at = bucket;
      for (; marks[at] !== mark; at = this.#parents[at]!) marks[at] = mark;
      if (at === bucket) continue;
      once.push(bucket);
      if (at !== ROOT) once.push(~at);
    }
    return once;
  }
}

/** Estimated bytes of a bucket, its name and its number. */
const BUCKET_BYTES = 160;

/**
 * The buckets of set n of a column are in `buckets` from `starts[n]` to `starts[n + 1]`, as `#onceEach` returns them.
 */
interface SetBuckets {
  readonly identity: symbol;
  readonly starts: number[];
  readonly buckets: number[];
}

function addTo(counts: Int32Array, n: number, buckets: readonly number[], start: number, end: number): void {
  for (let at = start; at < end; at++) {
    const bucket = buckets[at]!;
    if (bucket > ROOT) counts[bucket]! += n;
    else counts[~bucket]! -= n;
  }
}
