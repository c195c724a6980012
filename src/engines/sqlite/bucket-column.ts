import { bucketEnds, bucketKey, type RangeBuckets } from "../../query/buckets.js";
import { placeOf, type Values, valuesOf } from "./columns.js";
import { KeyColumn } from "./key-column.js";
import type { Thing } from "./looking.js";

/** The buckets that the numbers of records at a path lie in, numbered in the order they came. Changes in place. */
export interface BucketColumn {
  readonly column: KeyColumn;
  readonly names: BucketNames;
}

export function bucketColumn(path: number, buckets: RangeBuckets): Thing<BucketColumn> {
  return {
    key: `buckets ${path} ${JSON.stringify(buckets)}`,
    question: { kind: "numbers", path },
    make(answer) {
      const names = new BucketNames(buckets);
      return { column: new KeyColumn(names.bucketed(valuesOf(answer, "records"))), names };
    },
    patch: (value, ranges, found) =>
      value.column.change(ranges, value.names.bucketed(valuesOf(found, "records"))) ? value : undefined,
    bytesOf: ({ column, names }) => column.bytes + names.all.length * NAME_BYTES,
  };
}

/** What a name takes in a list and a map, at a guess. */
const NAME_BYTES = 120;

class BucketNames {
  readonly all: string[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(readonly buckets: RangeBuckets) {}

  /** The numbers of buckets in the place of values. @param values ascending */
  bucketed({ owners, values }: Values): Values {
    const numbers = new Uint32Array(values.length);
    for (let at = 0; at < values.length; ) {
      const name = bucketKey(this.buckets, values[at]!);
      const { to } = bucketEnds(this.buckets, name) ?? {};
      const end = to === undefined ? values.length : Math.max(placeOf(values, to), at + 1);
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
