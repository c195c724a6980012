import { headOf } from "../../../core/record.js";
import { compareTombstone, type StoredTombstone } from "../../verify/compare-beside.js";
import {
  compareBody,
  compareColumns,
  compareVersions,
  nameOf,
  noteUnknownModel,
  type StoredVersion,
  storedVersion,
} from "../../verify/compare-record.js";
import { scanRows } from "../connection/scan-rows.js";
import { type RecordColumns, recordColumns, usesOf } from "../records/record-columns.js";
import type { DatabaseUnit } from "./database-plan.js";
import type { VerifyContext } from "./verify-context.js";

interface RecordRow extends RecordColumns {
  /** null: it never got one. */
  readonly row: number | null;
  readonly seq: number | null;
  /** Its last change. */
  readonly last: number | null;
  readonly json: string;
}

/** The rows of a family follow each other. */
const RECORDS = `SELECT rec.*, changed.last FROM rec LEFT JOIN (
    SELECT id, state, max(seq) AS last FROM change WHERE kind = 'record' GROUP BY id, state) changed
  ON changed.id = rec.pid AND changed.state = rec.state
  ORDER BY rec.parent, rec.version, rec.state, rec.pid`;

/**
 * Each record's columns against its body, and the flags of all versions of a family. Whether a body is what was written
 * nobody can say: PostgreSQL keeps checksums of its pages, where it was told to.
 */
export async function checkRecords(verifying: VerifyContext, of: number): Promise<void> {
  const { connection, report } = verifying;
  let done = 0;
  let family: { readonly parent: string; readonly versions: StoredVersion[] } | undefined;
  const compareFamily = (): void => {
    if (family !== undefined) compareVersions(report, family.parent, family.versions, ["parents", family.parent]);
  };
  for await (const rows of scanRows<RecordRow>(connection, RECORDS)) {
    for (const row of rows) {
      if (family?.parent !== row.parent) {
        compareFamily();
        family = { parent: row.parent, versions: [] };
      }
      if (checkRecord(verifying, row)) family.versions.push(storedVersion(headOf({ id: row.pid, json: row.json })));
    }
    done += rows.length;
    report.progress("records", done, of);
  }
  compareFamily();
}

/** @returns whether its body can be read */
function checkRecord({ catalog, report }: VerifyContext, row: RecordRow): boolean {
  const where = nameOf(row.pid, row.state);
  const again: DatabaseUnit = ["records", row.pid];
  if (row.row === null) {
    report.add({ check: "record.rows", where, expected: "a place among all records", found: "none" }, [
      "tables",
      "feed",
    ]);
  }
  const body = compareBody(report, where, row.json);
  if (body === undefined) return false;
  const model = catalog.models.get(body.model);
  if (model === undefined) {
    noteUnknownModel(report, body.model);
    return true;
  }
  const expected = recordColumns(body, usesOf(body, model));
  const columns = Object.entries(expected).map(
    ([column, value]) => [column, value, row[column as keyof RecordColumns]] as const,
  );
  compareColumns(report, where, [...columns, ["seq", row.last, row.seq]], again);
  return true;
}

const TOMBSTONES = `SELECT t.id, t.revision, t.json, rec.revision AS "rowRevision"
  FROM tombstone t LEFT JOIN rec ON rec.pid = t.id ORDER BY t.id`;

/** Where a record was retracted only its tombstone is left. */
export async function checkTombstones({ connection, report }: VerifyContext): Promise<void> {
  for await (const rows of scanRows<StoredTombstone>(connection, TOMBSTONES)) {
    for (const tombstone of rows) compareTombstone(report, tombstone, ["records", tombstone.id]);
  }
}
