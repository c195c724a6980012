import { lengthWith, type StoredRecord } from "../../../core/record.js";
import type { ChangeLog } from "../cache/change-log.js";
import type { LruCache } from "../cache/lru-cache.js";
import type { Db } from "../connection/database.js";
import { recordsOfRows } from "../records/record-reader.js";

/** A record as it was after the change `seq`. */
interface Kept {
  seq: number;
  readonly record: StoredRecord;
}

/** The text may have two bytes a character; whoever shows it keeps it as it is sent beside it. */
const CHARACTER_BYTES = 3;

interface ShownRecords {
  readonly db: Db;
  /** Keeps what was shown last. */
  readonly shown: LruCache;
  readonly changes: ChangeLog;
}

/**
 * The records of rows, in the order asked. To read a body and its checksum takes most of the time of a search, and
 * many searches show the same records.
 * @param seq the last change that the open transaction sees
 * @throws ANSWER_TOO_LARGE, before the rest is read
 */
export function shownRecords({ db, shown, changes }: ShownRecords, rows: readonly number[], seq: number) {
  const recordOf = (row: number): StoredRecord => {
    const key = `record ${row}`;
    const kept = shown.get<Kept>(key);
    if (kept !== undefined && isUnchanged(changes, row, kept.seq, seq)) {
      kept.seq = seq;
      return kept.record;
    }
    const record = recordsOfRows(db, [row])[0]!;
    shown.set(key, { seq, record } satisfies Kept, record.json.length * CHARACTER_BYTES);
    return record;
  };
  let length = 0;
  return rows.map((row) => {
    const record = recordOf(row);
    length = lengthWith(length, record);
    return record;
  });
}

function isUnchanged(changes: ChangeLog, row: number, since: number, now: number): boolean {
  if (since === now) return true;
  const ranges = changes.since(since);
  return ranges !== undefined && !ranges.some(({ first, last }) => row >= first && row <= last);
}
