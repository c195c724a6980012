import { flagsIn, flagsOf, withFlags } from "../../../core/records/version-flags.js";
import { formatInstant } from "../../../core/time.js";
import { noteChange } from "../connection/change-table.js";
import { putHead } from "../records/record-heads.js";
import type { RecordWriting } from "../records/record-index.js";
import { remove } from "../records/record-writer.js";
import { clearIndex, reindexRecord } from "../records/reindex-record.js";
import { versionsOf } from "./check-versions.js";

/**
 * Makes all that belongs to a row again, in the open transaction: what its body makes, or nothing where there is no
 * record, or where it was retracted.
 * @returns false where its body cannot be read
 */
export function rebuildRecord(writing: RecordWriting, row: number, now: number): boolean {
  const { db } = writing;
  const isIndexed = reindexRecord(writing, row, now);
  const record = db
    .sql<{ id: string; state: number; revision: number; last: number | null }>(
      `SELECT rec.pid AS id, rec.state, rec.revision, tombstone.revision AS last
       FROM rec LEFT JOIN tombstone ON tombstone.id = rec.pid WHERE rec.id = ?`,
    )
    .get(row);
  if (record === undefined) {
    clearIndex(db, row);
    noteChange(db, now, { kind: "record", action: "reindexed", place: "", rec: row });
    return true;
  }
  const { id, state, revision, last } = record;
  if (last === null || revision > last) return isIndexed;
  clearIndex(db, row);
  db.sql("UPDATE rec SET cites = '[]', elements = 0 WHERE id = ?").run(row);
  remove(db, now, id, { state: state === 0 ? "draft" : "published", revision: last });
  return true;
}

/** Writes the flags of the versions under a parent that are wrong, each with the next revision of its id. */
export function rebuildFlags(writing: RecordWriting, parent: string, now: number): boolean {
  const all = versionsOf(writing.db, parent);
  const raised = new Map<string, number>();
  for (const version of all) {
    const { id, head } = version;
    const flags = flagsOf(version, all);
    // Without its model the row could not be made again, and may be damaged.
    if (!writing.catalog.models.has(head.model)) continue;
    if (JSON.stringify(flags) === JSON.stringify(flagsIn(head))) continue;
    const last = writing.db.sql<number>("SELECT revision FROM taken WHERE id = ?").pluck().get(id) ?? head.revision_id;
    // All rows of an id that change together take the same number.
    const revision_id = raised.get(id) ?? last + 1;
    raised.set(id, revision_id);
    putHead(writing, now, version, { ...withFlags(head, flags), updated: formatInstant(now), revision_id });
  }
  return raised.size > 0;
}
