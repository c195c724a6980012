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
import { scanRows } from "../connection/long-statements.js";
import { type RecordColumns, readCitations, recordColumns } from "../records/record-writer.js";
import type { DatabaseUnit, VerifyContext } from "./verify-context.js";

interface RecordRow extends RecordColumns {
  /** null: it was never assigned. */
  readonly row: number | null;
  readonly seq: number | null;
  /** Its last change. */
  readonly last: number | null;
  readonly json: string;
}

/** Reads the rows of a family consecutively. */
const SELECT_RECORDS = `SELECT rec.*, changed.last FROM rec LEFT JOIN (
    SELECT id, state, max(seq) AS last FROM change WHERE kind = 'record' GROUP BY id, state) changed
  ON changed.id = rec.pid AND changed.state = rec.state
  ORDER BY rec.parent, rec.version, rec.state, rec.pid`;

/**
 * Checks the columns of each record against its body, and the flags of all versions of a family. Whether a body is the
 * one that was written is unknown: PostgreSQL has checksums of its pages, if they are enabled.
 */
export async function checkRecords(verifying: VerifyContext, total: number): Promise<void> {
  const { connection, report } = verifying;
  let done = 0;
  let family: { readonly parent: string; readonly versions: StoredVersion[] } | undefined;
  const compareFamily = (): void => {
    if (family !== undefined) compareVersions(report, family.parent, family.versions, ["parents", family.parent]);
  };
  for await (const rows of scanRows<RecordRow>(connection, SELECT_RECORDS)) {
    for (const row of rows) {
      if (family?.parent !== row.parent) {
        compareFamily();
        family = { parent: row.parent, versions: [] };
      }
      if (checkRecord(verifying, row)) family.versions.push(storedVersion(headOf({ id: row.pid, json: row.json })));
    }
    done += rows.length;
    report.progress("records", done, total);
  }
  compareFamily();
}

/** Checks one record. @returns whether its body can be read */
function checkRecord({ catalog, report }: VerifyContext, row: RecordRow): boolean {
  const subject = nameOf(row.pid, row.state);
  const unit: DatabaseUnit = ["records", row.pid];
  if (row.row === null) {
    report.add({ check: "record.rows", where: subject, expected: "a place among all records", found: "none" }, [
      "tables",
      "feed",
    ]);
  }
  const body = compareBody(report, subject, row.json);
  if (body === undefined) return false;
  const model = catalog.models.get(body.model);
  if (model === undefined) {
    noteUnknownModel(report, body.model);
    return true;
  }
  const expected = recordColumns(body, readCitations(body, model));
  const columns = Object.entries(expected).map(
    ([column, value]) => [column, value, row[column as keyof RecordColumns]] as const,
  );
  compareColumns(report, subject, [...columns, ["seq", row.last, row.seq]], unit);
  return true;
}

const SELECT_TOMBSTONES = `SELECT t.id, t.revision, t.json, rec.revision AS "rowRevision"
  FROM tombstone t LEFT JOIN rec ON rec.pid = t.id ORDER BY t.id`;

/** Checks that only the tombstone of a retracted record is left. */
export async function checkTombstones({ connection, report }: VerifyContext): Promise<void> {
  for await (const rows of scanRows<StoredTombstone>(connection, SELECT_TOMBSTONES)) {
    for (const tombstone of rows) compareTombstone(report, tombstone, ["records", tombstone.id]);
  }
}
