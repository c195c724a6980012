import {
  type RawJson,
  type RecordBody,
  type RecordHead,
  recordText,
  type StoredRecord,
  withHead,
} from "../../../core/record.js";
import {
  buriedBy,
  type CitingRow,
  citationChanges,
  isLatest,
  putAction,
  type Removal,
  storedCitations,
} from "../../../core/records/record-change.js";
import { parseInstant } from "../../../core/time.js";
import type { Tombstone } from "../../../core/tombstone.js";
import type { RecordWriter } from "../../../ports/store.js";
import type { OpenTransaction } from "../connection/write-transaction.js";
import { readDraftUsage } from "./draft-usage.js";
import { lockedReader } from "./locked-reader.js";
import type { Prepared } from "./prepared-index.js";
import { recordColumns } from "./record-columns.js";
import { raising } from "./taken-ids.js";
import { writeTombstone } from "./tombstones.js";

/** Writes records into an open transaction. Each is locked first, with its family: most callers read it before. */
export function makeRecordWriter(tx: OpenTransaction): RecordWriter {
  return {
    ...lockedReader(tx),
    draftUsage: (owner, options) => readDraftUsage(tx, owner, options?.isExact ?? false),
    put: (body, index) => put(tx, body, index as Prepared),
    putHead: (stored, head) => putHead(tx, stored, head),
    delete: (id, state) => remove(tx, id, [{ state }]),
    bury: (tombstone) => bury(tx, tombstone),
  };
}

/** What is known of a row before it changes. */
interface Before {
  readonly latest: boolean;
  readonly cites: string;
}

const citing = ({ latest, cites }: Before, id: string): CitingRow => ({
  isLatest: latest,
  uses: storedCitations(cites, id),
});

/** What an edit rewrites of a row. `row` and `seq` are given when the transaction ends. */
const CHANGEABLE = "parent latest model owner created updated revision version cites json".split(" ");

const PUT = `WITH before AS (
    SELECT latest, cites, owner, octet_length(json) AS bytes FROM rec WHERE pid = $1 AND state = $2),
  written AS (
    INSERT INTO rec(pid, state, ${CHANGEABLE.join(", ")}) VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
    ON CONFLICT (pid, state) DO UPDATE SET ${CHANGEABLE.map((name) => `${name} = excluded.${name}`).join(", ")}),
  raised AS (${raising("($1, $3, $9::bigint)", "($3, $3, 0)")})
  SELECT latest, cites, owner, bytes, EXISTS (SELECT FROM rec WHERE pid = $1 AND state = 'published') AS "hadPublished"
  FROM (VALUES (1)) one LEFT JOIN before ON true`;

/** NULL: there was no such row. */
interface PutAnswer {
  readonly latest: boolean | null;
  readonly cites: string | null;
  readonly owner: string | null;
  readonly bytes: number | null;
  readonly hadPublished: boolean;
}

async function put(tx: OpenTransaction, body: RecordBody<RawJson>, { uses }: Prepared): Promise<StoredRecord> {
  const columns = recordColumns(body, uses);
  const { pid: id, model, parent, owner, revision } = columns;
  const { state } = body;
  const json = recordText(body);
  await tx.locks.family(parent);
  await tx.locks.family(id);
  const answer = (await tx.sql.row<PutAnswer>(PUT, [...Object.values(columns), json]))!;
  const { latest, cites, owner: oldOwner, bytes, hadPublished } = answer;
  const before = latest === null || cites === null ? undefined : citing({ latest, cites }, id);
  // Whoever counts what the owner has waits for this record, or this transaction for them.
  if (oldOwner !== owner) await tx.locks.take("owner", owner, "shared");
  if (state === "draft") {
    if (oldOwner !== null) tx.countDrafts(oldOwner, { drafts: -1, bytes: -(bytes ?? 0) });
    tx.countDrafts(owner, { drafts: 1, bytes: Buffer.byteLength(json) });
  }
  tx.countCitations(citationChanges(before, { isLatest: isLatest(body), uses }));
  tx.note({ kind: "record", place: model, id, state, action: putAction(body, before !== undefined), revision });
  return { id, parent, model, state, isPublished: state === "published" || hadPublished, owner, revision, json };
}

const PUT_HEAD = `WITH before AS (SELECT latest, cites FROM rec WHERE pid = $1 AND state = $2),
  written AS (
    UPDATE rec SET latest = $3, owner = $4, updated = $5, revision = $6, json = $7 WHERE pid = $1 AND state = $2),
  raised AS (${raising("($1, $8, $6::bigint)")})
  SELECT latest, cites FROM before`;

async function putHead(
  tx: OpenTransaction,
  { id, parent, state, owner, json }: StoredRecord,
  head: RecordHead,
): Promise<void> {
  const { model, revision_id: revision } = head;
  const newOwner = head.parent.owner.user;
  await tx.locks.family(id);
  if (newOwner !== owner) await tx.locks.take("owner", newOwner, "shared");
  const written = withHead(json, head);
  const before = await tx.sql.row<Before>(PUT_HEAD, [
    ...[id, state, isLatest(head), newOwner, parseInstant(head.updated), revision, written],
    parent,
  ]);
  if (before === undefined) throw new Error(`There is no ${state} record ${id}.`);
  if (state === "draft") {
    tx.countDrafts(owner, { drafts: -1, bytes: -Buffer.byteLength(json) });
    tx.countDrafts(newOwner, { drafts: 1, bytes: Buffer.byteLength(written) });
  }
  const was = citing(before, id);
  tx.countCitations(citationChanges(was, { ...was, isLatest: isLatest(head) }));
  tx.note({ kind: "record", place: model, id, state, action: putAction(head, true), revision });
}

/** What is shared of a draft ends with it. */
const REMOVE = `WITH unshared AS (DELETE FROM access WHERE pid = $1 AND 'draft' = ANY ($2::text[]))
  DELETE FROM rec WHERE pid = $1 AND state = ANY ($2::text[]) 
  RETURNING state, model, revision, latest, cites, owner, octet_length(json) AS bytes`;

interface Removed extends Before {
  readonly state: string;
  readonly model: string;
  readonly revision: number;
  readonly owner: string;
  readonly bytes: number;
}

/** Removes states of an id; those that are not there are no error. */
export async function remove(tx: OpenTransaction, id: string, removals: readonly Removal[]): Promise<void> {
  await tx.locks.family(id);
  const states = removals.map(({ state }) => state);
  const removed = await tx.sql.rows<Removed>(REMOVE, [id, states]);
  for (const { state, revision } of removals) {
    const row = removed.find((one) => one.state === state);
    if (row === undefined) continue;
    tx.countCitations(citationChanges(citing(row, id)));
    if (state === "draft") tx.countDrafts(row.owner, { drafts: -1, bytes: -row.bytes });
    const change = { kind: "record", action: "removed", place: row.model, id, state } as const;
    tx.note({ ...change, revision: revision ?? row.revision });
  }
}

async function bury(tx: OpenTransaction, tombstone: Tombstone): Promise<void> {
  await remove(tx, tombstone.body.id, buriedBy(tombstone));
  await writeTombstone(tx, tombstone);
}
