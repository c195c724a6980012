import {
  type RawJson,
  type RecordBody,
  type RecordState,
  recordText,
  type StoredRecord,
} from "../../../core/record.js";
import {
  buriedBy,
  type Citations,
  type CitingRow,
  citationChanges,
  isLatest,
  otherState,
  putAction,
  type Removal,
  storedCitations,
  takenIds,
  type WrittenBody,
} from "../../../core/records/record-change.js";
import { parseInstant } from "../../../core/time.js";
import type { Tombstone } from "../../../core/tombstone.js";
import type { RecordWriter } from "../../../ports/store.js";
import { metadataLeaves } from "../../../query/index-model/record-leaves.js";
import { noteChange } from "../connection/change-table.js";
import type { Db } from "../connection/database.js";
import { countCitations } from "../documents/citation-counts.js";
import { ELEMENT_BITS } from "../documents/element-row-id.js";
import type { RecordRows } from "../documents/record-rows.js";
import { noteReplaced, noteWords } from "../lexicon/note-words.js";
import { termsVersion } from "../vocabulary/store/generation.js";
import { makeTermNow } from "../vocabulary/store/term-now.js";
import { countDrafts, readDraftUsage, recountDraft } from "./draft-usage.js";
import { insertBody, updateBody } from "./record-bodies.js";
import { putHead } from "./record-heads.js";
import { areTermsNow, type Indexed, indexOf, modelOf, type Prepared, type RecordWriting } from "./record-index.js";
import { makeRecordReader, STATE_NUMBER } from "./record-reader.js";
import { raiseCounter } from "./taken-ids.js";
import { writeTombstone } from "./tombstones.js";

/** What is known of a row before it changes. */
interface Before {
  readonly id: number;
  readonly latest: number;
  readonly elements: number;
  readonly cites: string;
  readonly owner: string;
  /** Size of the body of a draft in bytes of UTF-8; 0 for a published record. */
  readonly bytes: number;
}

/** Writes records into the open transaction. @param now its instant in microseconds */
export function makeRecordWriter(writing: RecordWriting, now: number): RecordWriter {
  return {
    ...makeRecordReader(writing.db),
    draftUsage: async (owner) => readDraftUsage(writing.db, owner),
    put: async (body, index) => put(writing, now, body, ofPresentTerms(writing, body, index as Prepared)),
    putHead: async (stored, head) => putHead(writing, now, stored, head),
    delete: async (id, state) => remove(writing.db, now, id, { state }),
    bury: async (tombstone) => bury(writing.db, now, tombstone),
  };
}

/** What was prepared, or its leaves made again where a cited term is another one in the open transaction. */
function ofPresentTerms(writing: RecordWriting, body: RecordBody<RawJson>, prepared: Prepared): Indexed {
  if (prepared.termsAt === termsVersion(writing.db)) return prepared;
  const termNow = makeTermNow(writing.db);
  if (areTermsNow(prepared.terms, termNow)) return prepared;
  return { leaves: metadataLeaves(JSON.parse(body.metadata.text), modelOf(writing, body.model), termNow) };
}

function put(writing: RecordWriting, now: number, body: RecordBody<RawJson>, prepared: Indexed): StoredRecord {
  const { db } = writing;
  const { rows, uses, words } = indexOf(writing, body, prepared);
  noteWords(db, words);
  const before = find(db, body.id, body.state);
  const json = recordText(body);
  const id = before === undefined ? insert(db, body, json, rows, uses) : update(db, before, body, json, rows, uses);
  if (body.state === "draft") countPutDraft(db, before, body.parent.owner.user, json);
  for (const [taken, revision] of takenIds(body)) raiseCounter(db, taken, revision);
  countCitations(db, citationChanges(before && citing(before, body.id), { isLatest: isLatest(body), uses }));
  const change = { kind: "record", place: body.model, id: body.id, state: body.state, rec: id } as const;
  noteChange(db, now, { ...change, action: putAction(body, before !== undefined), revision: body.revision_id });
  return storedOf(db, id, body, json);
}

function countPutDraft(db: Db, before: Before | undefined, owner: string, json: string): void {
  const bytes = Buffer.byteLength(json);
  if (before === undefined) countDrafts(db, owner, { drafts: 1, bytes });
  else recountDraft(db, before, { owner, bytes });
}

/** What a reader gives back of the row that was just written. */
function storedOf(db: Db, row: number, body: RecordBody<RawJson>, json: string): StoredRecord {
  const { id, parent, model, state, revision_id: revision } = body;
  const hasTwin = db.sql<number>("SELECT twin FROM rec WHERE id = ?").pluck().get(row) === 1;
  const isPublished = state === "published" || hasTwin;
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
export function remove(db: Db, now: number, pid: string, { state, revision: lastRevision }: Removal): void {
  const before = find(db, pid, state);
  if (before === undefined) return;
  const { model, revision } = db
    .sql<{ model: string; revision: number }>("SELECT model, revision FROM rec WHERE id = ?")
    .get(before.id) as { model: string; revision: number };
  dropIndex(db, before);
  db.sql("DELETE FROM rec WHERE id = ?").run(before.id);
  db.sql("DELETE FROM doc WHERE id = ?").run(before.id);
  markTwin(db, pid, state, 0);
  if (state === "draft") {
    db.sql("DELETE FROM access WHERE pid = ?").run(pid);
    countDrafts(db, before.owner, { drafts: -1, bytes: -before.bytes });
  }
  countCitations(db, citationChanges(citing(before, pid)));
  const change = { kind: "record", action: "removed", place: model, id: pid, state, rec: before.id } as const;
  noteChange(db, now, { ...change, revision: lastRevision ?? revision });
}

function bury(db: Db, now: number, tombstone: Tombstone): void {
  const { body, revision } = tombstone;
  for (const removal of buriedBy(tombstone)) remove(db, now, body.id, removal);
  writeTombstone(db, tombstone);
  raiseCounter(db, body.id, revision);
}

const citing = ({ latest, cites }: Before, id: string): CitingRow => ({
  isLatest: latest === 1,
  uses: storedCitations(cites, id),
});

/** SQL that reads the size of a text without the text. */
const FIND = `SELECT id, latest, elements, cites, owner,
    iif(state = 0, coalesce((SELECT octet_length(json) FROM doc WHERE doc.id = rec.id), 0), 0) AS bytes
  FROM rec WHERE pid = ? AND state = ?`;

function find(db: Db, pid: string, state: RecordState): Before | undefined {
  return db.sql<Before>(FIND).get(pid, STATE_NUMBER[state]);
}

/** What an edit rewrites of a row, in the order of `changeable`. */
export const CHANGEABLE = "parent latest model owner created updated revision version cites elements vals".split(" ");

export function changeable(body: WrittenBody, rows: RecordRows, uses: Citations): unknown[] {
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

const INSERT = `INSERT INTO rec(pid, state, twin, ${CHANGEABLE.join(", ")})
  VALUES(?, ?, ?, ${CHANGEABLE.map(() => "?").join(", ")})`;
export const UPDATE = `UPDATE rec SET ${CHANGEABLE.map((column) => `${column} = ?`).join(", ")} WHERE id = ?`;

function insert(db: Db, body: RecordBody<RawJson>, json: string, rows: RecordRows, uses: Citations): number {
  const twin = markTwin(db, body.id, body.state, 1);
  const result = db.sql(INSERT).run(body.id, STATE_NUMBER[body.state], twin, ...changeable(body, rows, uses));
  const id = Number(result.lastInsertRowid);
  insertBody(db, id, json, body.revision_id);
  writeIndex(db, id, rows);
  return id;
}

/**
 * Notes with the row of a record's other state whether this state has a row too. One row by its whole key: an UPDATE
 * that may meet several rows makes the full-text tables write out what they hold, once per record.
 * @returns how many rows (0 or 1) the other state has
 */
function markTwin(db: Db, pid: string, state: RecordState, twin: 0 | 1): number {
  return db.sql("UPDATE rec SET twin = ? WHERE pid = ? AND state = ?").run(twin, pid, STATE_NUMBER[otherState(state)])
    .changes;
}

function update(
  db: Db,
  { id, ...before }: Before,
  body: RecordBody<RawJson>,
  json: string,
  rows: RecordRows,
  uses: Citations,
): number {
  dropIndex(db, { id, ...before });
  db.sql(UPDATE).run(...changeable(body, rows, uses), id);
  updateBody(db, id, json, body.revision_id);
  writeIndex(db, id, rows);
  return id;
}

export function writeIndex(db: Db, id: number, rows: RecordRows): void {
  db.sql("INSERT INTO rec_text(id, texts) VALUES(?, ?)").run(id, rows.texts);
  // JS numbers bind as REAL, which a full-text table does not take for a row id.
  const row = BigInt(id);
  db.sql("INSERT INTO leaf(rowid, paths, title, heavy, rest) VALUES(?, ?, ?, ?, ?)").run(
    row,
    rows.paths,
    rows.title,
    rows.heavy,
    rows.rest,
  );
  const insertElement = db.sql("INSERT INTO elem(rowid, t) VALUES(?, ?)");
  // In ascending order: each step back would make FTS5 write a segment of its own.
  for (const [i, tokens] of rows.elements.entries()) insertElement.run(elementRow(row, i + 1), tokens);
}

function dropIndex(db: Db, { id, elements }: Pick<Before, "id" | "elements">): void {
  const row = BigInt(id);
  noteReplaced(db);
  db.sql("DELETE FROM rec_text WHERE id = ?").run(id);
  db.sql("DELETE FROM leaf WHERE rowid = ?").run(row);
  const dropElement = db.sql("DELETE FROM elem WHERE rowid = ?");
  for (let n = 1; n <= elements; n++) dropElement.run(elementRow(row, n));
}

const elementRow = (row: bigint, n: number): bigint => (row << BigInt(ELEMENT_BITS)) | BigInt(n);
