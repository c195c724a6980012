import type { Model } from "../../../core/catalog/types.js";
import { LIMITS } from "../../../core/limits.js";
import {
  type RawJson,
  type RecordBody,
  type RecordHead,
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
  putAction,
  type Removal,
  statesDeletedBy,
  storedCitations,
  type WrittenBody,
} from "../../../core/records/record-change.js";
import { parseInstant } from "../../../core/time.js";
import type { DraftUsage, RecordReader, RecordWriter, Store } from "../../../ports/store.js";
import { LARGEST_USERS, type LargestUser } from "../../../ports/store-admin.js";
import { distinctCitations } from "../../../query/index-model/record-document.js";
import { metadataLeaves } from "../../../query/index-model/record-leaves.js";
import type { Sql } from "../connection/sql.js";
import type { OpenTransaction } from "../connection/write-transaction.js";
import { makeRecordReader, raiseCounters, writeTombstone } from "./record-reader.js";

/**
 * Makes the writer of records in an open transaction. Each record is locked first, with its family; most callers have
 * read it before.
 */
export function makeRecordWriter(tx: OpenTransaction): RecordWriter {
  return {
    ...makeLockedReader(tx),
    draftUsage: (owner, options) => readDraftUsage(tx, owner, options?.isExact ?? false),
    put: (body, index) => put(tx, body, index as CountedRecord),
    putHead: (stored, head) => putHead(tx, stored, head),
    delete: (id, state) => removeStates(tx, id, [{ state }]),
    bury: (tombstone) => bury(tx, tombstone),
  };
}

/** State of a row before it changes. */
interface PreviousRow {
  readonly latest: boolean;
  readonly cites: string;
}

const citingRow = ({ latest, cites }: PreviousRow, id: string): CitingRow => ({
  isLatest: latest,
  uses: storedCitations(cites, id),
});

/** Columns of a row that an edit rewrites. `row` and `seq` are assigned when the transaction ends. */
const CHANGEABLE_COLUMNS = "parent latest model owner created updated revision version cites json".split(" ");

const PUT_RECORD = `WITH before AS (
    SELECT latest, cites, owner, octet_length(json) AS bytes FROM rec WHERE pid = $1 AND state = $2),
  written AS (
    INSERT INTO rec(pid, state, ${CHANGEABLE_COLUMNS.join(", ")})
    VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
    ON CONFLICT (pid, state) DO UPDATE
      SET ${CHANGEABLE_COLUMNS.map((name) => `${name} = excluded.${name}`).join(", ")}),
  raised AS (${raiseCounters("($1, $3, $9::bigint)", "($3, $3, 0)")})
  SELECT latest, cites, owner, bytes, EXISTS (SELECT FROM rec WHERE pid = $1 AND state = 'published') AS "hadPublished"
  FROM (VALUES (1)) one LEFT JOIN before ON true`;

/** null: there was no such row. */
interface PutAnswer {
  readonly latest: boolean | null;
  readonly cites: string | null;
  readonly owner: string | null;
  readonly bytes: number | null;
  readonly hadPublished: boolean;
}

async function put(tx: OpenTransaction, body: RecordBody<RawJson>, { uses }: CountedRecord): Promise<StoredRecord> {
  const columns = recordColumns(body, uses);
  const { pid: id, model, parent, owner, revision } = columns;
  const { state } = body;
  const json = recordText(body);
  await tx.locks.family(parent);
  await tx.locks.family(id);
  const answer = (await tx.sql.row<PutAnswer>(PUT_RECORD, [...Object.values(columns), json]))!;
  const { latest, cites, owner: oldOwner, bytes, hadPublished } = answer;
  const previousRow = latest === null || cites === null ? undefined : citingRow({ latest, cites }, id);
  // Makes transactions that count what the owner has wait for this one, or the reverse.
  if (oldOwner !== owner) await tx.locks.take("owner", owner, "shared");
  if (state === "draft") {
    if (oldOwner !== null) tx.countDrafts(oldOwner, { drafts: -1, bytes: -(bytes ?? 0) });
    tx.countDrafts(owner, { drafts: 1, bytes: Buffer.byteLength(json) });
  }
  tx.countCitations(citationChanges(previousRow, { isLatest: isLatest(body), uses }));
  tx.note({ kind: "record", place: model, id, state, action: putAction(body, previousRow !== undefined), revision });
  return { id, parent, model, state, isPublished: state === "published" || hadPublished, owner, revision, json };
}

const PUT_HEAD = `WITH before AS (SELECT latest, cites FROM rec WHERE pid = $1 AND state = $2),
  written AS (
    UPDATE rec SET latest = $3, owner = $4, updated = $5, revision = $6, json = $7 WHERE pid = $1 AND state = $2),
  raised AS (${raiseCounters("($1, $8, $6::bigint)")})
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
  const newJson = withHead(json, head);
  const values = [id, state, isLatest(head), newOwner, parseInstant(head.updated), revision, newJson, parent];
  const previousRow = await tx.sql.row<PreviousRow>(PUT_HEAD, values);
  if (previousRow === undefined) throw new Error(`There is no ${state} record ${id}.`);
  if (state === "draft") {
    tx.countDrafts(owner, { drafts: -1, bytes: -Buffer.byteLength(json) });
    tx.countDrafts(newOwner, { drafts: 1, bytes: Buffer.byteLength(newJson) });
  }
  const previousCitations = citingRow(previousRow, id);
  tx.countCitations(citationChanges(previousCitations, { ...previousCitations, isLatest: isLatest(head) }));
  tx.note({ kind: "record", place: model, id, state, action: putAction(head, true), revision });
}

/** Shares of a draft end with it. */
const DELETE_RECORDS = `WITH unshared AS (DELETE FROM access WHERE pid = $1 AND 'draft' = ANY ($2::text[]))
  DELETE FROM rec WHERE pid = $1 AND state = ANY ($2::text[]) 
  RETURNING state, model, revision, latest, cites, owner, octet_length(json) AS bytes`;

interface RemovedRow extends PreviousRow {
  readonly state: string;
  readonly model: string;
  readonly revision: number;
  readonly owner: string;
  readonly bytes: number;
}

/** Removes states of an id; missing ones are not an error. */
export async function removeStates(tx: OpenTransaction, id: string, removals: readonly Removal[]): Promise<void> {
  await tx.locks.family(id);
  const states = removals.map(({ state }) => state);
  const removed = await tx.sql.rows<RemovedRow>(DELETE_RECORDS, [id, states]);
  for (const { state, revision } of removals) {
    const row = removed.find((removedRow) => removedRow.state === state);
    if (row === undefined) continue;
    tx.countCitations(citationChanges(citingRow(row, id)));
    if (state === "draft") tx.countDrafts(row.owner, { drafts: -1, bytes: -row.bytes });
    const change = { kind: "record", action: "removed", place: row.model, id, state } as const;
    tx.note({ ...change, revision: revision ?? row.revision });
  }
}

async function bury(tx: OpenTransaction, tombstone: Tombstone): Promise<void> {
  await removeStates(tx, tombstone.body.id, statesDeletedBy(tombstone));
  await writeTombstone(tx, tombstone);
}

const SELECT_USAGE = "SELECT drafts, bytes FROM draft_usage WHERE owner = $1";

/**
 * Reads the draft usage of an owner (by id), including the open transaction.
 * @param isExact takes a lock of the owner first; without it, deposits of one user do not wait for each other
 */
async function readDraftUsage(tx: OpenTransaction, owner: string, isExact: boolean): Promise<DraftUsage> {
  if (isExact) await tx.locks.take("quota", owner);
  const { drafts, bytes } = (await tx.sql.row<DraftUsage>(SELECT_USAGE, [owner])) ?? { drafts: 0, bytes: 0 };
  const addedUsage = tx.draftsOf(owner);
  return { drafts: drafts + addedUsage.drafts, bytes: bytes + addedUsage.bytes };
}

const SELECT_LARGEST = `SELECT coalesce(u.name, 'user ' || d.owner) AS "user", d.drafts, d.bytes FROM draft_usage d
  LEFT JOIN "user" u ON u.id::text = d.owner
  WHERE d.drafts > 0 ORDER BY d.bytes DESC, d.drafts DESC, u.name LIMIT $1`;

/** Returns the users with the largest drafts, the largest first. */
export const largestUsers = (sql: Sql): Promise<readonly LargestUser[]> =>
  sql.rows<LargestUser>(SELECT_LARGEST, [LARGEST_USERS]);

/** Makes the reader of records in a transaction that writes: what was read, or was missing, stays so until it ends. */
function makeLockedReader({ sql, locks }: OpenTransaction): RecordReader {
  const reader = makeRecordReader(sql);
  const withLock =
    <Rest extends readonly unknown[], T>(read: (id: string, ...rest: Rest) => Promise<T>) =>
    async (id: string, ...rest: Rest): Promise<T> => {
      await locks.family(id);
      return read(id, ...rest);
    };
  return {
    get: withLock(reader.get),
    getLatest: withLock(reader.getLatest),
    listVersions: withLock(reader.listVersions),
    getTombstone: withLock(reader.getTombstone),
    publicModelOf: withLock(reader.publicModelOf),
    lastRevision: withLock(reader.lastRevision),
    isTaken: withLock(reader.isTaken),
    countOwned: async (owner) => {
      await locks.take("owner", owner, "alone");
      return reader.countOwned(owner);
    },
    ownedParents: async (owner, options) => {
      const families = new Set<string>();
      for (;;) {
        const parents = await reader.ownedParents(owner, options);
        const unlocked = parents.filter((parent) => !families.has(parent));
        // A transaction that held a lock may have given one of them to another owner.
        if (unlocked.length === 0) return parents;
        for (const parent of unlocked) {
          await locks.family(parent);
          families.add(parent);
        }
      }
    },
  };
}

/** Columns of a row of `rec` that are derived from its body. `row` and `seq` are assigned when a transaction ends. */
export interface RecordColumns {
  readonly pid: string;
  readonly state: string;
  readonly parent: string;
  readonly latest: boolean;
  readonly model: string;
  readonly owner: string;
  readonly created: number;
  readonly updated: number;
  readonly revision: number;
  readonly version: number;
  readonly cites: string;
}

/** Returns the columns in their order. @param uses the terms that its metadata cites */
export function recordColumns(body: WrittenBody, uses: Citations): RecordColumns {
  return {
    pid: body.id,
    state: body.state,
    parent: body.parent.id,
    latest: isLatest(body),
    model: body.model,
    owner: body.parent.owner.user,
    created: parseInstant(body.created),
    updated: parseInstant(body.updated),
    revision: body.revision_id,
    version: body.versions.index,
    cites: JSON.stringify(uses),
  };
}

/** Data that this store keeps of a record besides its body: the terms that it cites. */
interface CountedRecord {
  readonly uses: Citations;
}

/**
 * Prepares the citations of a record. The terms that leaves were made with are exactly those that the metadata cites,
 * including those that the vocabulary does not have. This depends on the metadata alone: later changes of terms require
 * no second preparation. Replaced terms are considered when citations are counted.
 */
export const prepareIndex: Store["prepareIndex"] = (_leaves, terms): CountedRecord => ({
  uses: countedCitations(terms),
});

/** Returns the terms cited by metadata that are counted, each once. */
const countedCitations = (cites: Parameters<typeof distinctCitations>[0]): Citations =>
  distinctCitations(cites.filter(({ id }) => canBeTerm(id)));

/** Characters that ids of terms cannot contain. */
const UNSTORABLE = /\0|\p{Surrogate}/u;

/** Returns whether a cited text can be an id of a term: a draft may cite any text, and other texts are not counted. */
const canBeTerm = (id: string): boolean => id.length <= LIMITS.termIdLengthMax && !UNSTORABLE.test(id);

/** Returns the terms that a body cites, whether or not they exist. */
export const readCitations = ({ metadata }: RecordBody, model: Model): Citations =>
  countedCitations(metadataLeaves(metadata, model, () => undefined).cites);
