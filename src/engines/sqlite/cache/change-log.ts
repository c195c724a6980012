import { type DocIdRange, rangesOf } from "../bitmaps/doc-id-set.js";
import { lastChange } from "../connection/change-table.js";
import type { Db } from "../connection/database.js";

/** Which rows of `rec` changed, by the numbers of the changes: what is kept in memory is brought up to date by it. */
export interface ChangeLog {
  /** Reads what the open transaction sees. @returns the number of its last change */
  catchUp(): number;
  /**
   * Rows that changed after the change `seq`, ascending, neighbours as one range; undefined where it cannot be said,
   * or where they are so many that asking for everything is quicker.
   */
  since(seq: number): readonly DocIdRange[] | undefined;
}

/** Changes that are remembered; what is older than these is read anew. */
const CHANGES_MAX = 20_000;

/** Ranges that are asked for one by one. */
const RANGES_MAX = 500;

/** Each change with the rows of all states of its record: a draft that is made hides its published twin. */
const CHANGED = `SELECT c.seq, c.rec, r.id FROM change c LEFT JOIN rec r ON r.pid = c.id
  WHERE c.seq > ? AND c.kind = 'record' AND c.rec IS NOT NULL ORDER BY c.seq`;

/** @param db a reading connection */
export function makeChangeLog(db: Db): ChangeLog {
  let last: number | undefined;
  /** The log knows all changes after this one. */
  let knownAfter = 0;
  let changes: { readonly seq: number; readonly row: number }[] = [];
  const asked = new Map<number, readonly DocIdRange[] | undefined>();

  const read = (from: number): void => {
    for (const [seq, row, twin] of db.sql<[number, number, number | null]>(CHANGED).raw().iterate(from)) {
      changes.push({ seq, row });
      if (twin !== null && twin !== row) changes.push({ seq, row: twin });
    }
    const surplus = changes.length - CHANGES_MAX;
    if (surplus <= 0) return;
    knownAfter = changes[surplus - 1]!.seq;
    changes = changes.slice(surplus);
  };

  return {
    catchUp() {
      const now = lastChange(db);
      if (now === last) return now;
      asked.clear();
      if (last === undefined || now - last > CHANGES_MAX) {
        changes = [];
        knownAfter = now;
      } else read(last);
      last = now;
      return now;
    },
    since(seq) {
      if (!asked.has(seq)) {
        const rows = changes.filter((change) => change.seq > seq).map(({ row }) => row);
        asked.set(seq, seq < knownAfter ? undefined : changedRanges(rows));
      }
      return asked.get(seq);
    },
  };
}

function changedRanges(rows: readonly number[]): readonly DocIdRange[] | undefined {
  const ranges = rangesOf(Float64Array.from(new Set(rows)).sort());
  return ranges.length > RANGES_MAX ? undefined : ranges;
}
