import type { Cache } from "../../../core/caches.js";
import { lengthWith, type StoredRecord } from "../../../core/record.js";
import type { ChangeLog } from "../cache/change-log.js";
import type { Db } from "../connection/database.js";
import { recordsOfRows } from "../records/record-reader.js";

/** A record as it was after the change `seq`. */
interface CachedRecord {
  seq: number;
  readonly record: StoredRecord;
}

/** A text may have two bytes per character, and the caller keeps its UTF-8 too. */
const CHARACTER_BYTES = 3;

interface ShownRecords {
  readonly db: Db;
  /** Cache of the last shown records. */
  readonly shown: Cache;
  readonly changes: ChangeLog;
}

/**
 * Returns the records of rows in the given order. Reading bodies and checking their checksums takes most of the time of
 * a search, and many searches show the same records.
 * @param seq the last change that the open transaction sees
 * @throws ANSWER_TOO_LARGE, before the remaining rows are read
 */
export function shownRecords({ db, shown, changes }: ShownRecords, rows: readonly number[], seq: number) {
  const readRecord = (row: number): StoredRecord => {
    const key = `record ${row}`;
    const cached = shown.get<CachedRecord>(key);
    if (cached !== undefined && isUnchanged(changes, row, cached.seq, seq)) {
      cached.seq = seq;
      return cached.record;
    }
    const record = recordsOfRows(db, [row])[0]!;
    shown.set(key, { seq, record } satisfies CachedRecord, record.json.length * CHARACTER_BYTES);
    return record;
  };
  let length = 0;
  return rows.map((row) => {
    const record = readRecord(row);
    length = lengthWith(length, record);
    return record;
  });
}

function isUnchanged(changes: ChangeLog, row: number, cachedSeq: number, currentSeq: number): boolean {
  if (cachedSeq === currentSeq) return true;
  const ranges = changes.since(cachedSeq);
  return ranges !== undefined && !ranges.some(({ first, last }) => row >= first && row <= last);
}
