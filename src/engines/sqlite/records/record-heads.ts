import { type RecordHead, type StoredRecord, withHead } from "../../../core/record.js";
import { citationChanges, isLatest, putAction, storedCitations } from "../../../core/records/record-change.js";
import { parseInstant } from "../../../core/time.js";
import { noteChange } from "../connection/change-table.js";
import { countCitations } from "../documents/citation-counts.js";
import { replaceNumber } from "../documents/packed-values.js";
import { recountDraft } from "./draft-usage.js";
import { updateBody } from "./record-bodies.js";
import type { RecordWriting } from "./record-index.js";
import { STATE_NUMBER } from "./record-reader.js";
import { raiseCounter } from "./taken-ids.js";

interface Row {
  readonly id: number;
  readonly latest: number;
  readonly cites: string;
  readonly vals: Buffer;
  readonly owner: string;
}

/**
 * Writes another head over a stored body. Of what a head may change the index holds `updated` only, as a number in the
 * row of `rec`: nothing is analysed, and no full-text row is written.
 */
export function putHead(
  { db, paths }: Pick<RecordWriting, "db" | "paths">,
  now: number,
  { id, state, json }: Pick<StoredRecord, "id" | "state" | "json">,
  head: RecordHead,
): void {
  const { model, revision_id: revision } = head;
  const row = db
    .sql<Row>("SELECT id, latest, cites, vals, owner FROM rec WHERE pid = ? AND state = ?")
    .get(id, STATE_NUMBER[state]);
  if (row === undefined) throw new Error(`There is no ${state} record ${id}.`);
  const updated = parseInstant(head.updated);
  const owner = head.parent.owner.user;
  const written = withHead(json, head);
  const vals = replaceNumber(row.vals, paths.give("updated"), updated);
  db.sql("UPDATE rec SET latest = ?, owner = ?, updated = ?, revision = ?, vals = ? WHERE id = ?").run(
    isLatest(head) ? 1 : 0,
    owner,
    updated,
    revision,
    vals,
    row.id,
  );
  updateBody(db, row.id, written, revision);
  if (state === "draft") {
    const after = { owner, bytes: Buffer.byteLength(written) };
    recountDraft(db, { owner: row.owner, bytes: Buffer.byteLength(json) }, after);
  }
  raiseCounter(db, id, revision);
  const uses = storedCitations(row.cites, id);
  countCitations(db, citationChanges({ isLatest: row.latest === 1, uses }, { isLatest: isLatest(head), uses }));
  const action = putAction(head, true);
  noteChange(db, now, { kind: "record", place: model, id, state, rec: row.id, action, revision });
}
