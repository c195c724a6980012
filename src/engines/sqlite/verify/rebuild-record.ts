import type { RecordHead } from "../../../core/record.js";
import { withRightFlags } from "../../verify/compare-record.js";
import { noteChange } from "../connection/change-table.js";
import { putHead } from "../records/record-heads.js";
import type { RecordWriting } from "../records/record-index.js";
import { remove } from "../records/record-writer.js";
import { clearIndex, reindexRecord } from "../records/reindex-record.js";
import { versionsOf } from "./check-versions.js";
import { stateOf } from "./verify-context.js";

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
  remove(db, now, id, { state: stateOf(state), revision: last });
  return true;
}

/** Writes the flags of the versions under a parent that are wrong, each with the next revision of its id. */
export function rebuildFlags(writing: RecordWriting, parent: string, now: number): boolean {
  const { db, catalog } = writing;
  const counter = db.sql<number>("SELECT revision FROM taken WHERE id = ?").pluck();
  // Without its model the row could not be made again, and may be damaged.
  const canChange = ({ model }: RecordHead): boolean => catalog.models.has(model);
  const right = withRightFlags(versionsOf(db, parent), now, canChange, (id) => counter.get(id));
  for (const [version, head] of right) putHead(writing, now, version, head);
  return right.length > 0;
}
