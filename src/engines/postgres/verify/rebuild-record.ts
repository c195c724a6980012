import type { Catalog } from "../../../core/catalog/types.js";
import { headOf, type RecordHead, type RecordState, type StoredRecord } from "../../../core/record.js";
import { type Citations, citationChanges, storedCitations } from "../../../core/records/record-change.js";
import { readStoredBody, storedVersion, withRightFlags } from "../../verify/compare-record.js";
import type { OpenTransaction } from "../connection/write-transaction.js";
import { recordColumns, usesOf } from "../records/record-columns.js";
import { makeRecordWriter, remove } from "../records/record-writer.js";

interface Row {
  readonly state: string;
  readonly revision: number;
  readonly latest: boolean;
  readonly cites: string;
  readonly json: string;
}

/**
 * Makes the columns of both rows of an id again, in the open transaction: what their bodies make, or nothing where the
 * record was retracted. @returns whether there was something to do
 */
export async function rebuildRecord(tx: OpenTransaction, catalog: Catalog, id: string): Promise<boolean> {
  await tx.locks.family(id);
  const rows = await tx.sql.rows<Row>(
    "SELECT state, revision, latest, cites, json FROM rec WHERE pid = $1 ORDER BY state",
    [id],
  );
  if (rows.length === 0) return false;
  const tombstone = await tx.sql.row<{ readonly revision: number }>("SELECT revision FROM tombstone WHERE id = $1", [
    id,
  ]);
  // What was written after the retraction is nobody's to remove.
  if (tombstone !== undefined && rows.every(({ revision }) => revision <= tombstone.revision)) {
    const removals = rows.map(({ state }) => ({ state: state as RecordState, revision: tombstone.revision }));
    await remove(tx, id, removals);
    return true;
  }
  let rebuilt = 0;
  for (const row of rows) rebuilt += (await rebuildRow(tx, catalog, id, row)) ? 1 : 0;
  return rebuilt > 0;
}

const UPDATE = `UPDATE rec SET pid = $1, state = $2, parent = $3, latest = $4, model = $5, owner = $6, created = $7,
    updated = $8, revision = $9, version = $10, cites = $11,
    seq = (SELECT max(seq) FROM change WHERE kind = 'record' AND id = $1 AND state = $2)
  WHERE pid = $12 AND state = $13`;

/** @returns false where its body cannot be read, its model is not known, or its right place is taken */
async function rebuildRow(tx: OpenTransaction, catalog: Catalog, id: string, row: Row): Promise<boolean> {
  const body = readStoredBody(row.json);
  const model = typeof body === "string" ? undefined : catalog.models.get(body.model);
  if (typeof body === "string" || model === undefined) return false;
  const uses = usesOf(body, model);
  const columns = recordColumns(body, uses);
  await tx.locks.family(columns.parent);
  if (columns.pid !== id || columns.state !== row.state) {
    await tx.locks.family(columns.pid);
    const key = [columns.pid, columns.state];
    if ((await tx.sql.row("SELECT pid FROM rec WHERE pid = $1 AND state = $2", key)) !== undefined) return false;
  }
  await tx.sql.run(UPDATE, [...Object.values(columns), id, row.state]);
  const before = { isLatest: row.latest, uses: usesIn(row.cites) };
  tx.countCitations(citationChanges(before, { isLatest: columns.latest, uses }));
  return true;
}

/** A text that is no list was counted by nobody. */
function usesIn(cites: string): Citations {
  try {
    return storedCitations(cites, "");
  } catch {
    return [];
  }
}

const VERSIONS = `SELECT pid AS id, parent, model, state, owner, revision, json FROM rec WHERE parent = $1
  ORDER BY version, state, pid`;

const COUNTERS = "SELECT id, revision FROM taken WHERE id = ANY($1::text[])";

/** Writes the flags of the versions under a parent that are wrong, each with the next revision of its id. */
export async function rebuildFlags(tx: OpenTransaction, catalog: Catalog, parent: string): Promise<boolean> {
  await tx.locks.family(parent);
  const rows = (await tx.sql.rows<StoredRecord>(VERSIONS, [parent])).filter(
    ({ json }) => typeof readStoredBody(json) !== "string",
  );
  const counters = await tx.sql.rows<{ readonly id: string; readonly revision: number }>(COUNTERS, [
    rows.map(({ id }) => id),
  ]);
  const last = new Map(counters.map(({ id, revision }) => [id, revision]));
  const all = rows.map((stored) => ({ ...storedVersion(headOf(stored)), stored }));
  // Without its model the row could not be made again, and may be damaged.
  const canChange = ({ model }: RecordHead): boolean => catalog.models.has(model);
  const right = withRightFlags(all, tx.now, canChange, (id) => last.get(id));
  const records = makeRecordWriter(tx);
  for (const [{ stored }, head] of right) await records.putHead(stored, head);
  return right.length > 0;
}
