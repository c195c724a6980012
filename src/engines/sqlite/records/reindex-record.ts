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
import { countCitations } from "../documents/citation-counts.js";
import { elementRow } from "../documents/element-row-id.js";
import { noteReplaced, noteWords } from "../lexicon/note-words.js";
import { makeTermNow } from "../vocabulary/store/term-now.js";
import { readIntactBody } from "./read-intact-body.js";
import { indexOf, type RecordWriting } from "./record-index.js";
import { STATE_NUMBER } from "./record-reader.js";
import { changeable, UPDATE, writeIndex } from "./record-writer.js";

/** Columns that the body does not decide, with values that nothing relies on. */
const NEW_ROW = `INSERT INTO rec(id, pid, parent, state, twin, latest, model, owner, created, updated, revision, cites,
  elements, vals) VALUES(?, ?, '', ?, 0, 0, '', '', 0, 0, 0, '[]', 0, x'')`;

/** Each writes rows only where something is wrong: a row is long, and has its indexes. */
const KEY = "UPDATE rec SET pid = $pid, state = $state WHERE id = $row AND (pid <> $pid OR state <> $state)";
const TWINS = `UPDATE rec SET twin = s.others FROM (SELECT count(*) - 1 AS others FROM rec WHERE pid = $pid) s
  WHERE pid = $pid AND twin <> s.others`;

/**
 * Makes everything that a record has beside its body again, in the open transaction: columns, values, words, citations
 * and index. A row of `rec` that is missing is put back.
 * @returns false where there is no body that can be read and is what was written, or no model for it
 */
export function reindexRecord(writing: RecordWriting, row: number, now: number): boolean {
  const { db, catalog } = writing;
  const stored = db.sql<{ json: string; sum: number | null }>("SELECT json, sum FROM doc WHERE id = ?").get(row);
  const body = stored === undefined ? "nothing" : readIntactBody(stored.json, stored.sum);
  const model = typeof body === "string" ? undefined : catalog.models.get(body.model);
  if (typeof body === "string" || model === undefined) return false;

  const leaves = metadataLeaves(body.metadata, model, makeTermNow(db));
  const { rows, uses, words } = indexOf(writing, body, { leaves });
  noteWords(db, words);

  if (db.sql("SELECT 1 FROM rec WHERE id = ?").get(row) === undefined) {
    db.sql(NEW_ROW).run(row, body.id, STATE_NUMBER[body.state]);
  }
  clearIndex(db, row);
  db.sql(KEY).run({ pid: body.id, state: STATE_NUMBER[body.state], row });
  db.sql(UPDATE).run(...changeable(body, rows, uses), row);
  writeIndex(db, row, rows);
  markTwins(db, body.id);
  countCitations(db, citationChanges(undefined, { isLatest: isLatest(body), uses }));
  noteReindexed(db, row, body, now);
  return true;
}

/** Tells what is kept in memory that a row has to be read again. */
function noteReindexed(db: Db, rec: number, { id, model: place }: RecordBody, now: number): void {
  noteChange(db, now, { kind: "record", action: "reindexed", place, id, rec });
}

/** Takes away what the index and the counts of citations have of a row, however many elements it is said to have. */
export function clearIndex(db: Db, row: number): void {
  noteReplaced(db);
  db.sql("DELETE FROM rec_text WHERE id = ?").run(row);
  db.sql("DELETE FROM leaf WHERE rowid = ?").run(BigInt(row));
  const elements = db.sql<number>("SELECT id FROM elem_docsize WHERE id BETWEEN ? AND ?").pluck();
  const drop = db.sql("DELETE FROM elem WHERE rowid = ?");
  for (const id of elements.all(elementRow(row, 0), elementRow(row + 1, 0) - 1)) drop.run(BigInt(id));
  const before = db.sql<{ cites: string; latest: number }>("SELECT cites, latest FROM rec WHERE id = ?").get(row);
  if (before === undefined) return;
  const cited: CitingRow = { isLatest: before.latest === 1, uses: usesIn(before.cites) };
  countCitations(db, citationChanges(cited));
}

/** A text that is no JSON was counted by nobody. */
function usesIn(cites: string): Citations {
  try {
    return storedCitations(cites, "");
  } catch {
    return [];
  }
}

/** Notes with both states of an id whether the other one is there. */
function markTwins(db: Db, pid: string): void {
  db.sql(TWINS).run({ pid });
}
