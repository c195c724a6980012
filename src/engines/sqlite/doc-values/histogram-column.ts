import { bucketEnds, bucketKey, type KeyedRanges } from "../../../query/index-model/buckets.js";
import { lowerBoundOfValue } from "../bitmaps/binary-search.js";
import type { CachedView } from "../cache/snapshot-cache.js";
import { type OwnerValues, ownerValues } from "./numeric-column.js";
import { OrdinalColumn } from "./ordinal-column.js";

/** The buckets that the numbers of records at a path lie in, numbered in the order they came. Changes in place. */
interface BucketColumn {
  readonly column: OrdinalColumn;
  readonly names: BucketNames;
}

export function bucketColumn(path: number, buckets: KeyedRanges): CachedView<BucketColumn> {
  return {
    key: `buckets ${path} ${JSON.stringify(buckets)}`,
    scan: { kind: "numbers", path },
    make(answer) {
      const names = new BucketNames(buckets);
      return { column: new OrdinalColumn(names.bucketed(ownerValues(answer, "records"))), names };
    },
    patch: (value, ranges, found) =>
      value.column.change(ranges, value.names.bucketed(ownerValues(found, "records"))) ? value : undefined,
    bytesOf: ({ column, names }) => column.bytes + names.all.length * NAME_BYTES,
  };
}

/** What a name takes in a list and a map, at a guess. */
const NAME_BYTES = 120;

class BucketNames {
  readonly all: string[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(readonly buckets: KeyedRanges) {}

  /** The numbers of buckets in the place of values. @param values ascending */
  bucketed({ owners, values }: OwnerValues): OwnerValues {
    const numbers = new Uint32Array(values.length);
    for (let at = 0; at < values.length; ) {
      const name = bucketKey(this.buckets, values[at]!);
      const { to } = bucketEnds(this.buckets, name) ?? {};
      const end = to === undefined ? values.length : Math.max(lowerBoundOfValue(values, to), at + 1);
      numbers.fill(this.#numberOf(name), at, end);
      at = end;
    }
    return { owners, values: numbers };
  }

  #numberOf(name: string): number {
    const number = this.#numbers.get(name) ?? this.all.push(name) - 1;
    this.#numbers.set(name, number);
    return number;
  }
}
