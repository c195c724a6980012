import { contiguousRanges, type DocIdRange } from "../bitmaps/doc-id-set.js";
import { lastChange } from "../connection/change-table.js";
import type { Db } from "../connection/database.js";

/** Log of changed rows of `rec` by the numbers of their changes, from which caches are updated. */
export interface ChangeLog {
  /** Reads the changes that the open transaction sees. @returns the number of the last one */
  catchUp(): number;
  /**
   * Returns the rows that changed after the change `seq`, as ascending ranges; undefined if they are unknown, or so
   * many that reading everything is faster.
   */
  since(seq: number): readonly DocIdRange[] | undefined;
}

/** Maximum number of changes in memory. */
const CHANGES_MAX = 20_000;

/** Maximum number of ranges that are read one by one. */
const RANGES_MAX = 500;

/** SQL for changes with the rows of all states of their record: a new draft hides its published state. */
const CHANGED_ROWS = `SELECT c.seq, c.rec, r.id FROM change c LEFT JOIN rec r ON r.pid = c.id
  WHERE c.seq > ? AND c.kind = 'record' AND c.rec IS NOT NULL ORDER BY c.seq`;

/** Makes the log. @param db a read connection */
export function makeChangeLog(db: Db): ChangeLog {
  let lastSeq: number | undefined;
  /** The log has all changes after this one. */
  let completeAfter = 0;
  let changes: { readonly seq: number; readonly row: number }[] = [];
  const rangesBySeq = new Map<number, readonly DocIdRange[] | undefined>();

  const read = (from: number): void => {
    for (const [seq, row, otherRow] of db.sql<[number, number, number | null]>(CHANGED_ROWS).raw().iterate(from)) {
      changes.push({ seq, row });
      if (otherRow !== null && otherRow !== row) changes.push({ seq, row: otherRow });
    }
    const surplus = changes.length - CHANGES_MAX;
    if (surplus <= 0) return;
    completeAfter = changes[surplus - 1]!.seq;
    changes = changes.slice(surplus);
  };

  return {
    catchUp() {
      const currentSeq = lastChange(db);
      if (currentSeq === lastSeq) return currentSeq;
      rangesBySeq.clear();
      if (lastSeq === undefined || currentSeq - lastSeq > CHANGES_MAX) {
        changes = [];
        completeAfter = currentSeq;
      } else read(lastSeq);
      lastSeq = currentSeq;
      return currentSeq;
    },
    since(seq) {
      if (!rangesBySeq.has(seq)) {
        const rows = changes.filter((change) => change.seq > seq).map(({ row }) => row);
        rangesBySeq.set(seq, seq < completeAfter ? undefined : changedRanges(rows));
      }
      return rangesBySeq.get(seq);
    },
  };
}

function changedRanges(rows: readonly number[]): readonly DocIdRange[] | undefined {
  const ranges = contiguousRanges(Float64Array.from(new Set(rows)).sort());
  return ranges.length > RANGES_MAX ? undefined : ranges;
}
