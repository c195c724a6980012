import { OPERATOR } from "../../../core/actor.js";
import type { Catalog } from "../../../core/catalog/types.js";
import { parseHead, type RecordHead, type RecordState, type StoredRecord } from "../../../core/record.js";
import { type Citations, citationChanges, storedCitations } from "../../../core/records/record-change.js";
import type { OnProgress, Repair } from "../../../ports/store-admin.js";
import { readStoredBody, storedVersion, withRightFlags } from "../../verify/compare-record.js";
import { nonZeroCounts, type RepairCounts, repairEntries, repairInRounds } from "../../verify/report.js";
import { noteAudit } from "../accounts/write-log.js";
import type { Pool } from "../connection/sql.js";
import type { Change, OpenTransaction, RunTransaction } from "../connection/write-transaction.js";
import { makeRecordWriter, readCitations, recordColumns, removeStates } from "../records/record-writer.js";
import { makeTermLocks } from "../terms/term-reader.js";
import {
  correctCitations,
  correctCounters,
  correctDrafts,
  correctHead,
  dropLeftovers,
  endShares,
} from "./check-counters.js";
import { rebuildVocabulary } from "./rebuild-vocabularies.js";
import { verifyDatabase } from "./run-checks.js";
import type { DatabasePlan } from "./verify-context.js";

interface RepairContext {
  readonly pool: Pool;
  readonly catalog: Catalog;
  readonly transaction: RunTransaction;
}

/** Verifies, rebuilds and verifies again until everything that can be repaired agrees. Services continue meanwhile. */
export async function repairDatabase(repairing: RepairContext, onProgress: OnProgress): Promise<Repair> {
  const { pool, catalog, transaction } = repairing;
  return repairInRounds(
    () => verifyDatabase(pool, catalog, onProgress),
    async ({ plan }) => {
      const repaired = nonZeroCounts(await rebuildAll(repairing, plan));
      await transaction(async (tx) => {
        for (const entry of repairEntries(repaired)) await noteAudit(tx, OPERATOR, entry);
      });
      return repaired;
    },
  );
}

/**
 * Rebuilds the head of the feed first, without which nothing can be written, and data derived from records after the
 * records.
 */
async function rebuildAll({ pool, catalog, transaction }: RepairContext, plan: DatabasePlan): Promise<RepairCounts> {
  const { tables } = plan;
  const rebuildEach = <T>(
    items: Iterable<T>,
    work: (tx: OpenTransaction, item: T) => Promise<boolean>,
  ): Promise<number> => count(items, (item) => transaction((tx) => work(tx, item)));
  if (tables.has("feed")) await correctHead(pool);
  let terms = 0;
  for (const name of plan.vocabularies) {
    const vocabulary = catalog.vocabularies.get(name);
    if (vocabulary !== undefined) terms += await rebuildVocabulary(pool, transaction, vocabulary);
  }
  const leftovers = await count(plan.leftovers, (number) => dropLeftovers(pool, number));
  const records = await rebuildEach(plan.records, (tx, id) => rebuildRecord(tx, catalog, id));
  const counters = tables.has("counters") ? await correctCounters(pool, transaction) : 0;
  const versions = await rebuildEach(plan.parents, (tx, parent) => rebuildFlags(tx, catalog, parent));
  const citations = tables.has("citations") ? await correctCitations(transaction) : 0;
  const drafts = tables.has("drafts") ? await correctDrafts(transaction) : 0;
  const shares = tables.has("shares") ? await endShares(pool, transaction) : 0;
  // Last, so that changes written by the steps above count.
  const changes = await rebuildEach(plan.changes, noteMissing);
  const feed = tables.has("feed") ? 1 : 0;
  return { feed, terms, leftovers, records, counters, versions, citations, drafts, shares, changes };
}

const RECORD_REVISION = "SELECT revision FROM rec WHERE pid = $1 AND state = $2";
const TERM_REVISION = "SELECT revision FROM term WHERE vocabulary = $1 AND ext = $2";

async function count<T>(items: Iterable<T>, work: (item: T) => Promise<boolean>): Promise<number> {
  let done = 0;
  for (const item of items) done += (await work(item)) ? 1 : 0;
  return done;
}

/** Adds a missing change, unless the record or term was written since, which wrote its own change. */
async function noteMissing(tx: OpenTransaction, change: Change): Promise<boolean> {
  const expected = change.action === "removed" ? undefined : change.revision;
  if ((await lockedRevision(tx, change)) !== expected) return false;
  tx.note(change);
  return true;
}

/** Returns the current revision of the subject of a change, undefined if it was deleted. Locks the subject. */
async function lockedRevision({ sql, locks }: OpenTransaction, change: Change): Promise<number | undefined> {
  const { kind, place, id, state = null } = change;
  if (kind === "record") await locks.family(id);
  else await makeTermLocks(locks).toWrite(place);
  const row =
    kind === "record"
      ? await sql.row<{ readonly revision: number }>(RECORD_REVISION, [id, state])
      : await sql.row<{ readonly revision: number }>(TERM_REVISION, [place, id]);
  return row?.revision;
}

interface RecordRow {
  readonly state: string;
  readonly revision: number;
  readonly latest: boolean;
  readonly cites: string;
  readonly json: string;
}

/**
 * Rebuilds the columns of both rows of an id from their bodies, in the open transaction. Removes them if the record was
 * retracted. @returns whether there was something to do
 */
async function rebuildRecord(tx: OpenTransaction, catalog: Catalog, id: string): Promise<boolean> {
  await tx.locks.family(id);
  const rows = await tx.sql.rows<RecordRow>(
    "SELECT state, revision, latest, cites, json FROM rec WHERE pid = $1 ORDER BY state",
    [id],
  );
  if (rows.length === 0) return false;
  const tombstone = await tx.sql.row<{ readonly revision: number }>("SELECT revision FROM tombstone WHERE id = $1", [
    id,
  ]);
  // Data written after the retraction must not be removed.
  if (tombstone !== undefined && rows.every(({ revision }) => revision <= tombstone.revision)) {
    const removals = rows.map(({ state }) => ({ state: state as RecordState, revision: tombstone.revision }));
    await removeStates(tx, id, removals);
    return true;
  }
  let rebuilt = 0;
  for (const row of rows) rebuilt += (await rebuildRow(tx, catalog, id, row)) ? 1 : 0;
  return rebuilt > 0;
}

const UPDATE_ROW = `UPDATE rec SET pid = $1, state = $2, parent = $3, latest = $4, model = $5, owner = $6, created = $7,
    updated = $8, revision = $9, version = $10, cites = $11,
    seq = (SELECT max(seq) FROM change WHERE kind = 'record' AND id = $1 AND state = $2)
  WHERE pid = $12 AND state = $13`;

/** Rebuilds one row. @returns false if its body cannot be read, its model is unknown, or its right key is in use */
async function rebuildRow(tx: OpenTransaction, catalog: Catalog, id: string, row: RecordRow): Promise<boolean> {
  const body = readStoredBody(row.json);
  const model = typeof body === "string" ? undefined : catalog.models.get(body.model);
  if (typeof body === "string" || model === undefined) return false;
  const uses = readCitations(body, model);
  const columns = recordColumns(body, uses);
  await tx.locks.family(columns.parent);
  if (columns.pid !== id || columns.state !== row.state) {
    await tx.locks.family(columns.pid);
    const key = [columns.pid, columns.state];
    if ((await tx.sql.row("SELECT pid FROM rec WHERE pid = $1 AND state = $2", key)) !== undefined) return false;
  }
  await tx.sql.run(UPDATE_ROW, [...Object.values(columns), id, row.state]);
  const previousCitations = { isLatest: row.latest, uses: parseCitations(row.cites) };
  tx.countCitations(citationChanges(previousCitations, { isLatest: columns.latest, uses }));
  return true;
}

/** Returns the stored citations. Invalid JSON was never counted. */
function parseCitations(cites: string): Citations {
  try {
    return storedCitations(cites, "");
  } catch {
    return [];
  }
}

const SELECT_VERSIONS = `SELECT pid AS id, parent, model, state, owner, revision, json FROM rec WHERE parent = $1
  ORDER BY version, state, pid`;

const SELECT_COUNTERS = "SELECT id, revision FROM taken WHERE id = ANY($1::text[])";

/** Corrects the flags of the versions under a parent, each with the next revision of its id. */
async function rebuildFlags(tx: OpenTransaction, catalog: Catalog, parent: string): Promise<boolean> {
  await tx.locks.family(parent);
  const rows = (await tx.sql.rows<StoredRecord>(SELECT_VERSIONS, [parent])).filter(
    ({ json }) => typeof readStoredBody(json) !== "string",
  );
  const counters = await tx.sql.rows<{ readonly id: string; readonly revision: number }>(SELECT_COUNTERS, [
    rows.map(({ id }) => id),
  ]);
  const lastRevisions = new Map(counters.map(({ id, revision }) => [id, revision]));
  const versions = rows.map((stored) => ({ ...storedVersion(parseHead(stored)), stored }));
  // Without its model a row cannot be rebuilt and may be damaged.
  const canChange = ({ model }: RecordHead): boolean => catalog.models.has(model);
  const correctedVersions = withRightFlags(versions, tx.now, canChange, (id) => lastRevisions.get(id));
  const records = makeRecordWriter(tx);
  for (const [{ stored }, head] of correctedVersions) await records.putHead(stored, head);
  return correctedVersions.length > 0;
}
