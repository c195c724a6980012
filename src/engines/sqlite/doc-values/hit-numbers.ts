import { greatestOf, leastOf } from "../../../core/collections.js";
import {
  asBitmap,
  contains,
  type DocIdSet,
  lowerBoundOfValue,
  removeRanges,
  upperBoundOfValue,
} from "../bitmaps/doc-id-set.js";
import type { NumericColumn } from "./numeric-column.js";

/** Numbers in ascending order, of which those count whose owner is among the hits. */
interface SortedNumbers {
  readonly owners: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  readonly hits: DocIdSet;
}

/** The numbers of some hits at the paths of a facet. */
export class HitNumbers {
  readonly #parts: readonly SortedNumbers[];

  constructor(columns: readonly NumericColumn[], hits: DocIdSet) {
    this.#parts = columns.flatMap(({ owners, values, gone, delta }) => {
      const base = { owners, values, hits: asBitmap(removeRanges(hits, gone)) };
      return delta.owners.length === 0 ? [base] : [base, { ...sortedByValue(delta), hits: asBitmap(hits) }];
    });
  }

  /** Returns the smallest number greater than `above`, undefined if there is none. */
  smallest(above = Number.NEGATIVE_INFINITY): number | undefined {
    const candidates = this.#parts.flatMap(({ owners, values, hits }) => {
      for (let i = upperBoundOfValue(values, above); i < values.length; i++) {
        if (contains(hits, owners[i]!)) return [values[i]!];
      }
      return [];
    });
    return candidates.length === 0 ? undefined : leastOf(candidates);
  }

  largest(): number | undefined {
    const candidates = this.#parts.flatMap(({ owners, values, hits }) => {
      for (let i = values.length - 1; i >= 0; i--) if (contains(hits, owners[i]!)) return [values[i]!];
      return [];
    });
    return candidates.length === 0 ? undefined : greatestOf(candidates);
  }

  /**
   * Returns for each step between two ascending edges the number of hits with a number in it; the upper edge is
   * excluded.
   */
  countSteps(edges: readonly number[]): Int32Array {
    const counts = new Int32Array(edges.length - 1);
    // For each owner the last step, from 1, in which it was counted, because it may have several numbers there.
    const lastCountedStep = new Uint32Array(this.#parts.reduce((end, { hits }) => Math.max(end, rowsEnd(hits)), 0));
    for (let step = 0; step < counts.length; step++) {
      for (const { owners, values, hits } of this.#parts) {
        const end = lowerBoundOfValue(values, edges[step + 1]!);
        for (let i = lowerBoundOfValue(values, edges[step]!); i < end; i++) {
          const owner = owners[i]!;
          if (!contains(hits, owner) || lastCountedStep[owner] === step + 1) continue;
          lastCountedStep[owner] = step + 1;
          counts[step]! += 1;
        }
      }
    }
    return counts;
  }
}

/** Returns a number greater than all rows of a set. */
function rowsEnd(rows: DocIdSet): number {
  return rows.kind === "ids" ? (rows.ids.at(-1) ?? -1) + 1 : rows.bits.length * 32;
}

function sortedByValue({ owners, values }: NumericColumn["delta"]): Pick<SortedNumbers, "owners" | "values"> {
  const order = Array.from(values, (_, i) => i).sort((a, b) => values[a]! - values[b]!);
  return { owners: order.map((i) => owners[i]!), values: order.map((i) => values[i]!) };
}
