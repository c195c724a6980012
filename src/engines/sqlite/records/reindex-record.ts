import type { RecordBody } from "../../../core/record.js";
import {
  type Citations,
  type CitingRow,
  citationChanges,
  isLatest,
  storedCitations,
} from "../../../core/records/record-change.js";
import { metadataLeaves } from "../../../query/index-model/record-leaves.js";
import { noteChange } from "../connection/change-table.js";
import type { Db } from "../connection/database.js";
import { elementRow } from "../documents/record-rows.js";
import { noteReplaced, noteWords } from "../lexicon/record-words.js";
import { makeTermNow } from "../vocabulary/store/cited-terms.js";
import { readIntactBody } from "./checksums.js";
import { makeRecordIndex, type RecordWriting } from "./record-index.js";
import { STATE_NUMBER } from "./record-reader.js";
import { changeableValues, UPDATE_ROW, writeIndex } from "./record-writer.js";
import { countCitations } from "./usage-counters.js";

/** SQL for a row with placeholders in the columns that the body does not determine. */
const NEW_ROW = `INSERT INTO rec(id, pid, parent, state, other_state, latest, model, owner, created, updated, revision,
  cites, elements, vals) VALUES(?, ?, '', ?, 0, 0, '', '', 0, 0, 0, '[]', 0, x'')`;

/** SQL that writes rows only if something is wrong, because a row is long and has indexes. */
const CORRECT_KEY = "UPDATE rec SET pid = $pid, state = $state WHERE id = $row AND (pid <> $pid OR state <> $state)";
const CORRECT_OTHER_STATES = `UPDATE rec SET other_state = s.others
  FROM (SELECT count(*) - 1 AS others FROM rec WHERE pid = $pid) s WHERE pid = $pid AND other_state <> s.others`;

/**
 * Rebuilds everything that is derived from the body of a record, in the open transaction: columns, values, words,
 * citations and index. Restores a missing row of `rec`.
 * @returns false if there is no readable and intact body, or no model for it
 */
export function reindexRecord(writing: RecordWriting, row: number, now: number): boolean {
  const { db, catalog } = writing;
  const stored = db.sql<{ json: string; sum: number | null }>("SELECT json, sum FROM doc WHERE id = ?").get(row);
  const body = stored === undefined ? "nothing" : readIntactBody(stored.json, stored.sum);
  const model = typeof body === "string" ? undefined : catalog.models.get(body.model);
  if (typeof body === "string" || model === undefined) return false;

  const leaves = metadataLeaves(body.metadata, model, makeTermNow(db));
  const { rows, uses, words } = makeRecordIndex(writing, body, { leaves });
  noteWords(db, words);

  if (db.sql("SELECT 1 FROM rec WHERE id = ?").get(row) === undefined) {
    db.sql(NEW_ROW).run(row, body.id, STATE_NUMBER[body.state]);
  }
  clearIndex(db, row);
  db.sql(CORRECT_KEY).run({ pid: body.id, state: STATE_NUMBER[body.state], row });
  db.sql(UPDATE_ROW).run(...changeableValues(body, rows, uses), row);
  writeIndex(db, row, rows);
  markOtherStates(db, body.id);
  countCitations(db, citationChanges(undefined, { isLatest: isLatest(body), uses }));
  noteReindexed(db, row, body, now);
  return true;
}

/** Makes caches read the row again. */
function noteReindexed(db: Db, rec: number, { id, model: place }: RecordBody, now: number): void {
  noteChange(db, now, { kind: "record", action: "reindexed", place, id, rec });
}

/** Removes a row from the index and the citation counts, regardless of the number of elements in its row. */
export function clearIndex(db: Db, row: number): void {
  noteReplaced(db);
  db.sql("DELETE FROM rec_text WHERE id = ?").run(row);
  db.sql("DELETE FROM leaf WHERE rowid = ?").run(BigInt(row));
  const elements = db.sql<number>("SELECT id FROM elem_docsize WHERE id BETWEEN ? AND ?").pluck();
  const drop = db.sql("DELETE FROM elem WHERE rowid = ?");
  for (const id of elements.all(elementRow(row, 0), elementRow(row + 1, 0) - 1)) drop.run(BigInt(id));
  const before = db.sql<{ cites: string; latest: number }>("SELECT cites, latest FROM rec WHERE id = ?").get(row);
  if (before === undefined) return;
  const citingRow: CitingRow = { isLatest: before.latest === 1, uses: readCitations(before.cites) };
  countCitations(db, citationChanges(citingRow));
}

/** Returns the stored citations. Invalid JSON was never counted. */
function readCitations(cites: string): Citations {
  try {
    return storedCitations(cites, "");
  } catch {
    return [];
  }
}

/** Corrects the column `other_state` of both states of an id. */
function markOtherStates(db: Db, pid: string): void {
  db.sql(CORRECT_OTHER_STATES).run({ pid });
}
