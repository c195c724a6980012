import { bucketEnds, bucketKey, type KeyedRanges } from "../../../query/facet-kinds/facet-kinds.js";
import { lowerBoundOfValue } from "../bitmaps/doc-id-set.js";
import type { CachedView } from "../cache/snapshot-cache.js";
import { type OwnerValues, ownerValues } from "./numeric-column.js";
import { OrdinalColumn } from "./ordinal-column.js";

/** The buckets of the numbers of records at a path. Bucket names are numbered in order of arrival. Changes in place. */
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

/** Estimated bytes of a name in a list and a map. */
const NAME_BYTES = 120;

class BucketNames {
  readonly all: string[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(readonly buckets: KeyedRanges) {}

  /** Returns bucket numbers in place of values. @param values ascending */
  bucketed({ owners, values }: OwnerValues): OwnerValues {
    const numbers = new Uint32Array(values.length);
    for (let start = 0; start < values.length; ) {
      const name = bucketKey(this.buckets, values[start]!);
      const { to } = bucketEnds(this.buckets, name) ?? {};
      const end = to === undefined ? values.length : Math.max(lowerBoundOfValue(values, to), start + 1);
      numbers.fill(this.#numberOf(name), start, end);
      start = end;
    }
    return { owners, values: numbers };
  }

  #numberOf(name: string): number {
    const number = this.#numbers.get(name) ?? this.all.push(name) - 1;
    this.#numbers.set(name, number);
    return number;
  }
}
