import {
  type RawJson,
  type RecordBody,
  type RecordHead,
  type RecordState,
  recordText,
  type StoredRecord,
  type Tombstone,
  withHead,
} from "../../../core/record.js";
import {
  type Citations,
  type CitingRow,
  citationChanges,
  isLatest,
  otherState,
  putAction,
  type Removal,
  statesDeletedBy,
  storedCitations,
  takenIds,
  type WrittenBody,
} from "../../../core/records/record-change.js";
import { parseInstant } from "../../../core/time.js";
import type { RecordWriter } from "../../../ports/store.js";
import { metadataLeaves } from "../../../query/index-model/record-leaves.js";
import { noteChange } from "../connection/change-table.js";
import type { Db } from "../connection/database.js";
import { replaceNumber } from "../documents/packed-values.js";
import { ELEMENT_BITS, type RecordRows } from "../documents/record-rows.js";
import { noteReplaced, noteWords } from "../lexicon/record-words.js";
import { makeTermNow } from "../vocabulary/store/cited-terms.js";
import { termsVersion } from "../vocabulary/store/generation.js";
import { checksumOf } from "./checksums.js";
import {
  areTermsNow,
  makeRecordIndex,
  type PreparedMetadata,
  type PreparedRecordIndex,
  type RecordWriting,
  requireModel,
} from "./record-index.js";
import { makeRecordReader, STATE_NUMBER, writeTombstone } from "./record-reader.js";
import { countCitations, countDrafts, readDraftUsage, recountDraft } from "./usage-counters.js";

/** State of a row before it changes. */
interface PreviousRow {
  readonly id: number;
  readonly latest: number;
  readonly elements: number;
  readonly cites: string;
  readonly owner: string;
  /** Size of the body of a draft in bytes of UTF-8; 0 for a published record. */
  readonly bytes: number;
}

/** Makes the writer of records in the open transaction. @param now its instant in microseconds */
export function makeRecordWriter(writing: RecordWriting, now: number): RecordWriter {
  return {
    ...makeRecordReader(writing.db),
    draftUsage: async (owner) => readDraftUsage(writing.db, owner),
    put: async (body, index) => put(writing, now, body, withCurrentTerms(writing, body, index as PreparedRecordIndex)),
    putHead: async (stored, head) => putHead(writing, now, stored, head),
    delete: async (id, state) => removeState(writing.db, now, id, { state }),
    bury: async (tombstone) => bury(writing.db, now, tombstone),
  };
}

/** Returns the prepared index data, or the leaves analysed again if a cited term has changed since. */
function withCurrentTerms(
  writing: RecordWriting,
  body: RecordBody<RawJson>,
  prepared: PreparedRecordIndex,
): PreparedMetadata {
  if (prepared.termsAt === termsVersion(writing.db)) return prepared;
  const currentTerm = makeTermNow(writing.db);
  if (areTermsNow(prepared.terms, currentTerm)) return prepared;
  return { leaves: metadataLeaves(JSON.parse(body.metadata.text), requireModel(writing, body.model), currentTerm) };
}

function put(writing: RecordWriting, now: number, body: RecordBody<RawJson>, prepared: PreparedMetadata): StoredRecord {
  const { db } = writing;
  const { rows, uses, words } = makeRecordIndex(writing, body, prepared);
  noteWords(db, words);
  const previousRow = findRow(db, body.id, body.state);
  const json = recordText(body);
  const id =
    previousRow === undefined ? insert(db, body, json, rows, uses) : update(db, previousRow, body, json, rows, uses);
  if (body.state === "draft") countPutDraft(db, previousRow, body.parent.owner.user, json);
  for (const [takenId, revision] of takenIds(body)) raiseCounter(db, takenId, revision);
  countCitations(
    db,
    citationChanges(previousRow && citingRow(previousRow, body.id), { isLatest: isLatest(body), uses }),
  );
  const change = { kind: "record", place: body.model, id: body.id, state: body.state, rec: id } as const;
  noteChange(db, now, { ...change, action: putAction(body, previousRow !== undefined), revision: body.revision_id });
  return writtenRecord(db, id, body, json);
}

function countPutDraft(db: Db, previousRow: PreviousRow | undefined, owner: string, json: string): void {
  const bytes = Buffer.byteLength(json);
  if (previousRow === undefined) countDrafts(db, owner, { drafts: 1, bytes });
  else recountDraft(db, previousRow, { owner, bytes });
}

/** Returns the record that a reader would return for the row that was just written. */
function writtenRecord(db: Db, row: number, body: RecordBody<RawJson>, json: string): StoredRecord {
  const { id, parent, model, state, revision_id: revision } = body;
  const hasOtherState = db.sql<number>("SELECT other_state FROM rec WHERE id = ?").pluck().get(row) === 1;
  const isPublished = state === "published" || hasOtherState;
  return {
    id,
    parent: parent.id,
    model,
    state,
    isPublished,
    owner: parent.owner.user,
    revision,
    json,
  };
}

/** Removes a state of an id in the open transaction. */
export function removeState(db: Db, now: number, pid: string, { state, revision: lastRevision }: Removal): void {
  const previousRow = findRow(db, pid, state);
  if (previousRow === undefined) return;
  const { model, revision } = db
    .sql<{ model: string; revision: number }>("SELECT model, revision FROM rec WHERE id = ?")
    .get(previousRow.id) as { model: string; revision: number };
  dropIndex(db, previousRow);
  db.sql("DELETE FROM rec WHERE id = ?").run(previousRow.id);
  db.sql("DELETE FROM doc WHERE id = ?").run(previousRow.id);
  markOtherState(db, pid, state, 0);
  if (state === "draft") {
    db.sql("DELETE FROM access WHERE pid = ?").run(pid);
    countDrafts(db, previousRow.owner, { drafts: -1, bytes: -previousRow.bytes });
  }
  countCitations(db, citationChanges(citingRow(previousRow, pid)));
  const change = { kind: "record", action: "removed", place: model, id: pid, state, rec: previousRow.id } as const;
  noteChange(db, now, { ...change, revision: lastRevision ?? revision });
}

function bury(db: Db, now: number, tombstone: Tombstone): void {
  const { body, revision } = tombstone;
  for (const removal of statesDeletedBy(tombstone)) removeState(db, now, body.id, removal);
  writeTombstone(db, tombstone);
  raiseCounter(db, body.id, revision);
}

const citingRow = ({ latest, cites }: PreviousRow, id: string): CitingRow => ({
  isLatest: latest === 1,
  uses: storedCitations(cites, id),
});

/** SQL that reads the size of a text without the text. */
const SELECT_ROW = `SELECT id, latest, elements, cites, owner,
    iif(state = 0, coalesce((SELECT octet_length(json) FROM doc WHERE doc.id = rec.id), 0), 0) AS bytes
  FROM rec WHERE pid = ? AND state = ?`;

function findRow(db: Db, pid: string, state: RecordState): PreviousRow | undefined {
  return db.sql<PreviousRow>(SELECT_ROW).get(pid, STATE_NUMBER[state]);
}

/** Columns of a row that an edit rewrites, in the order of `changeable`. */
export const CHANGEABLE_COLUMNS =
  "parent latest model owner created updated revision version cites elements vals".split(" ");

/** Returns the values of `CHANGEABLE_COLUMNS`, in their order. */
export function changeableValues(body: WrittenBody, rows: RecordRows, uses: Citations): unknown[] {
  return [
    body.parent.id,
    isLatest(body) ? 1 : 0,
    body.model,
    body.parent.owner.user,
    parseInstant(body.created),
    parseInstant(body.updated),
    body.revision_id,
    body.versions.index,
    JSON.stringify(uses),
    rows.elements.length,
    rows.vals,
  ];
}

const INSERT_ROW = `INSERT INTO rec(pid, state, other_state, ${CHANGEABLE_COLUMNS.join(", ")})
  VALUES(?, ?, ?, ${CHANGEABLE_COLUMNS.map(() => "?").join(", ")})`;
/** SQL that rewrites these columns of a row. */
export const UPDATE_ROW = `UPDATE rec SET ${CHANGEABLE_COLUMNS.map((column) => `${column} = ?`).join(", ")}
  WHERE id = ?`;

function insert(db: Db, body: RecordBody<RawJson>, json: string, rows: RecordRows, uses: Citations): number {
  const hasOther = markOtherState(db, body.id, body.state, 1);
  const result = db
    .sql(INSERT_ROW)
    .run(body.id, STATE_NUMBER[body.state], hasOther, ...changeableValues(body, rows, uses));
  const id = Number(result.lastInsertRowid);
  insertBody(db, id, json, body.revision_id);
  writeIndex(db, id, rows);
  return id;
}

/**
 * Sets the column `other_state` in the row of a record's other state: whether this state has a row too. Updates one row
 * by its whole key: an UPDATE that may match several rows makes FTS5 flush its tables, once per record.
 * @returns number of rows (0 or 1) of the other state
 */
function markOtherState(db: Db, pid: string, state: RecordState, hasOther: 0 | 1): number {
  return db
    .sql("UPDATE rec SET other_state = ? WHERE pid = ? AND state = ?")
    .run(hasOther, pid, STATE_NUMBER[otherState(state)]).changes;
}

function update(
  db: Db,
  { id, ...previousRow }: PreviousRow,
  body: RecordBody<RawJson>,
  json: string,
  rows: RecordRows,
  uses: Citations,
): number {
  dropIndex(db, { id, ...previousRow });
  db.sql(UPDATE_ROW).run(...changeableValues(body, rows, uses), id);
  updateBody(db, id, json, body.revision_id);
  writeIndex(db, id, rows);
  return id;
}

/** Writes the full-text rows and the keywords of a record that has none. */
export function writeIndex(db: Db, id: number, rows: RecordRows): void {
  db.sql("INSERT INTO rec_text(id, texts) VALUES(?, ?)").run(id, rows.texts);
  // JS numbers bind as REAL, which a full-text table does not accept as a row id.
  const row = BigInt(id);
  db.sql("INSERT INTO leaf(rowid, paths, title, heavy, rest) VALUES(?, ?, ?, ?, ?)").run(
    row,
    rows.paths,
    rows.title,
    rows.heavy,
    rows.rest,
  );
  const insertElement = db.sql("INSERT INTO elem(rowid, t) VALUES(?, ?)");
  // In ascending order, because a smaller row id would make FTS5 write a segment of its own.
  for (const [i, tokens] of rows.elements.entries()) insertElement.run(elementRow(row, i + 1), tokens);
}

function dropIndex(db: Db, { id, elements }: Pick<PreviousRow, "id" | "elements">): void {
  const row = BigInt(id);
  noteReplaced(db);
  db.sql("DELETE FROM rec_text WHERE id = ?").run(id);
  db.sql("DELETE FROM leaf WHERE rowid = ?").run(row);
  const dropElement = db.sql("DELETE FROM elem WHERE rowid = ?");
  for (let n = 1; n <= elements; n++) dropElement.run(elementRow(row, n));
}

const elementRow = (row: bigint, n: number): bigint => (row << BigInt(ELEMENT_BITS)) | BigInt(n);

interface HeadRow {
  readonly id: number;
  readonly latest: number;
  readonly cites: string;
  readonly vals: Buffer;
  readonly owner: string;
}

/**
 * Writes another head over a stored body. Of the fields of a head, the index only has `updated`, as a number in the row
 * of `rec`: no text is analysed, and no full-text row is written.
 */
export function putHead(
  { db, paths }: Pick<RecordWriting, "db" | "paths">,
  now: number,
  { id, state, json }: Pick<StoredRecord, "id" | "state" | "json">,
  head: RecordHead,
): void {
  const { model, revision_id: revision } = head;
  const row = db
    .sql<HeadRow>("SELECT id, latest, cites, vals, owner FROM rec WHERE pid = ? AND state = ?")
    .get(id, STATE_NUMBER[state]);
  if (row === undefined) throw new Error(`There is no ${state} record ${id}.`);
  const updated = parseInstant(head.updated);
  const owner = head.parent.owner.user;
  const newJson = withHead(json, head);
  const vals = replaceNumber(row.vals, paths.give("updated"), updated);
  db.sql("UPDATE rec SET latest = ?, owner = ?, updated = ?, revision = ?, vals = ? WHERE id = ?").run(
    isLatest(head) ? 1 : 0,
    owner,
    updated,
    revision,
    vals,
    row.id,
  );
  updateBody(db, row.id, newJson, revision);
  if (state === "draft") {
    const usage = { owner, bytes: Buffer.byteLength(newJson) };
    recountDraft(db, { owner: row.owner, bytes: Buffer.byteLength(json) }, usage);
  }
  raiseCounter(db, id, revision);
  const uses = storedCitations(row.cites, id);
  countCitations(db, citationChanges({ isLatest: row.latest === 1, uses }, { isLatest: isLatest(head), uses }));
  const action = putAction(head, true);
  noteChange(db, now, { kind: "record", place: model, id, state, rec: row.id, action, revision });
}

/** Marks an id as assigned for good and raises its revision counter. */
function raiseCounter(db: Db, id: string, least: number): void {
  const sql = `INSERT INTO taken(id, revision) VALUES(?, ?)
    ON CONFLICT DO UPDATE SET revision = excluded.revision WHERE revision < excluded.revision`;
  db.sql(sql).run(id, least);
}

/** Writes the body of a new record. */
export function insertBody(db: Db, row: number, json: string, revision: number): void {
  db.sql("INSERT INTO doc(id, json, sum) VALUES(?, ?, ?)").run(row, json, checksumOf(json, revision));
}

/** Replaces the body of a record. */
function updateBody(db: Db, row: number, json: string, revision: number): void {
  db.sql("UPDATE doc SET json = ?, sum = ? WHERE id = ?").run(json, checksumOf(json, revision), row);
}
