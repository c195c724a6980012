import { leastOf } from "../../../core/arrays.js";
import type { FacetBuckets } from "../../../query/index-model/buckets.js";
import type { OrdinalColumn } from "../doc-values/ordinal-column.js";
import type { Lineage } from "../vocabulary/store/lineage.js";

/** What a facet counts at one path: keys, and what they are called. */
export interface FacetColumn {
  readonly column: OrdinalColumn;
  nameOf(key: number): string;
}

/** Above all buckets; it is none. */
const ROOT = 0;

/**
 * The buckets of a facet, by number from 1, and which of them the sets of some columns count in. The buckets of a tree
 * are all items that are cited or stand above one of these; those of other facets all stand below the root. A parent
 * has a smaller number than its children. Changes in place.
 */
export class FacetCounter {
  readonly names: string[] = [""];
  readonly #parents: number[] = [ROOT];
  readonly #numbers = new Map<string, number>();
  /** Items that stand above each other in a circle: each with the one that counts for all, and with its parent. */
  readonly #circles = new Map<number, { readonly counted: number; readonly parent: number }>();
  /** The last set that passed a bucket, by a number from 1. */
  #marks = new Uint32Array(1);
  #lastMark = 0;
  readonly #sets: readonly SetBuckets[];

  constructor(
    readonly buckets: FacetBuckets,
    columns: readonly FacetColumn[],
    readonly lineage: Lineage,
  ) {
    this.#sets = columns.map(({ column }) => ({ identity: column.identity, starts: [0], buckets: [] }));
    this.extend(columns);
  }

  /** Bytes that it takes. */
  get bytes(): number {
    const inSets = this.#sets.reduce((sum, { starts, buckets }) => sum + starts.length + buckets.length, 0);
    return this.names.length * BUCKET_BYTES + inSets * 8;
  }

  /** Is it about these columns? */
  isOf(columns: readonly FacetColumn[]): boolean {
    return columns.every(({ column }, i) => column.identity === this.#sets[i]?.identity);
  }

  numberOf(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  /** The bucket above, undefined below the root. */
  parentOf(bucket: number): number | undefined {
    return (this.#circles.get(bucket)?.parent ?? this.#parents[bucket]!) || undefined;
  }

  isInCircle(bucket: number): boolean {
    return this.#circles.has(bucket);
  }

  /** Takes up the sets that came to the columns. @returns are there any? */
  extend(columns: readonly FacetColumn[]): boolean {
    if (columns.every(({ column }, i) => column.sets.size === this.#sets[i]!.starts.length - 1)) return false;
    this.#addBuckets(columns.flatMap(({ column, nameOf }, i) => this.#namesIn(column, nameOf, this.#sets[i]!)));
    for (const [i, { column, nameOf }] of columns.entries()) {
      const { starts, buckets } = this.#sets[i]!;
      for (let set = starts.length - 1; set < column.sets.size; set++) {
        const having = Array.from(column.sets.keysOf(set), (key) => this.#numbers.get(nameOf(key))!);
        for (const bucket of this.#onceEach(having)) buckets.push(bucket);
        starts.push(buckets.length);
      }
    }
    return true;
  }

  /**
   * @param seen by column how many hits have each set
   * @param joined sets of single hits, by column
   * @returns by bucket how many hits have it, or something below it
   */
  count(seen: readonly Uint32Array[], joined: Iterable<readonly number[]>): Int32Array {
    const counts = new Int32Array(this.names.length);
    for (const [i, { starts, buckets }] of this.#sets.entries()) {
      const having = seen[i]!;
      for (let set = 1; set < having.length; set++) {
        const n = having[set]!;
        if (n > 0) addTo(counts, n, buckets, starts[set]!, starts[set + 1]!);
      }
    }
    for (const sets of joined) {
      const having = sets.flatMap((set, i) => this.#bucketsOf(i, set));
      const buckets = this.#onceEach(having);
      addTo(counts, 1, buckets, 0, buckets.length);
    }
    if (this.buckets.kind === "tree") this.#sumUp(counts);
    return counts;
  }

  /** What stands below a bucket is counted there too. */
  #sumUp(counts: Int32Array): void {
    for (let bucket = counts.length - 1; bucket > ROOT; bucket--) counts[this.#parents[bucket]!]! += counts[bucket]!;
    counts[ROOT] = 0;
    for (const [bucket, { counted }] of this.#circles) counts[bucket] = counts[counted]!;
  }

  #bucketsOf(i: number, set: number): number[] {
    const { starts, buckets } = this.#sets[i]!;
    return buckets.slice(starts[set], starts[set + 1]).filter((bucket) => bucket > ROOT);
  }

  #namesIn({ sets }: OrdinalColumn, nameOf: (key: number) => string, { starts }: SetBuckets): string[] {
    const keys = new Set(sets.keys.subarray(sets.starts[starts.length - 1], sets.starts[sets.size]));
    return [...keys].map(nameOf).filter((name) => !this.#numbers.has(name));
  }

  #addBuckets(names: readonly string[]): void {
    const { buckets, lineage } = this;
    if (names.length === 0) return;
    if (buckets.kind !== "tree") for (const name of names) this.#add([name]);
    else {
      const above = lineage.ancestorsOf(buckets.vocabulary, names);
      const chains = Array.from(above, ([name, ancestors]) => [name, ...ancestors]);
      const tops = lineage.ancestorsOf(buckets.vocabulary, [...new Set(chains.map((chain) => chain.at(-1)!))]);
      for (const chain of chains) this.#add(chain);
      // What has something above it and is the last of a chain stands in a circle with it.
      for (const [top, others] of tops) if (others.length > 0) this.#close([top, ...others]);
    }
    this.#marks = new Uint32Array(this.names.length);
    this.#lastMark = 0;
  }

  /** @param chain a name and all above it, nearest first */
  #add(chain: readonly string[]): void {
    let known = 0;
    while (known < chain.length && !this.#numbers.has(chain[known]!)) known++;
    let parent = known < chain.length ? this.#numbers.get(chain[known]!)! : ROOT;
    for (const name of chain.slice(0, known).reverse()) {
      const bucket = this.names.push(name) - 1;
      this.#parents.push(parent);
      this.#numbers.set(name, bucket);
      parent = bucket;
    }
  }

  /** @param circle each below the next, and the last one below the first */
  #close(circle: readonly string[]): void {
    const buckets = circle.map((name) => this.#numbers.get(name)!);
    const counted = leastOf(buckets);
    for (const [i, bucket] of buckets.entries()) {
      this.#circles.set(bucket, { counted, parent: buckets[(i + 1) % buckets.length]! });
    }
  }

  /**
   * Buckets so that each of them, and each above one of them, counts once when all are summed up: a bucket counts what
   * is below it, `~bucket` takes away what is there twice.
   */
  #onceEach(having: readonly number[]): readonly number[] {
    if (having.length < 2) return having;
    const marks = this.#marks;
    const mark = ++this.#lastMark;
    marks[ROOT] = mark;
    const once: number[] = [];
    for (const bucket of having) {
      let at = bucket;
      for (; marks[at] !== mark; at = this.#parents[at]!) marks[at] = mark;
      if (at === bucket) continue;
      once.push(bucket);
      if (at !== ROOT) once.push(~at);
    }
    return once;
  }
}

/** What a bucket, its name and its number take in memory, at a guess. */
const BUCKET_BYTES = 160;

/** The buckets of set n of a column stand in `buckets` from `starts[n]` to `starts[n + 1]`, as `#onceEach` has them. */
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
