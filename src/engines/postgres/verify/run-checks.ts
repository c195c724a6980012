import type { Catalog } from "../../../core/catalog/types.js";
import { parseHead } from "../../../core/record.js";
import type { OnProgress } from "../../../ports/store-admin.js";
import { compareTombstone, type StoredTombstone } from "../../verify/compare-beside.js";
import {
  compareBody,
  compareColumns,
  compareVersions,
  noteUnknownModel,
  recordStateName,
  type StoredVersion,
  storedVersion,
} from "../../verify/compare-record.js";
import { type Counted, Report, type Verified } from "../../verify/report.js";
import { onSnapshot, scanRows } from "../connection/long-statements.js";
import type { Pool } from "../connection/sql.js";
import { type RecordColumns, readCitations, recordColumns } from "../records/record-writer.js";
import { checkChangeOrder, checkLeftovers, checkRecordChanges, checkTermChanges } from "./check-changes.js";
import { checkCitations, checkCounters, checkDrafts, checkShares } from "./check-counters.js";
import { COUNT_TERMS, checkCount, checkParents, checkTerms } from "./check-terms.js";
import { isAsDeclared } from "./rebuild-vocabularies.js";
import {
  type DatabasePlan,
  type DatabaseUnit,
  makeDatabasePlan,
  runCheck,
  type TermVerifyContext,
  type VerifyContext,
} from "./verify-context.js";

/**
 * Runs all checks on one snapshot of the database. Concurrent writes are not seen. Memory is that of one family of
 * records, some hundred rows, and 8 bytes per term of the largest hierarchy.
 */
export function verifyDatabase(pool: Pool, catalog: Catalog, onProgress: OnProgress): Promise<Verified<DatabasePlan>> {
  return onSnapshot(pool, async (connection) => {
    const report = new Report(makeDatabasePlan(), onProgress);
    const verifying: VerifyContext = { connection, catalog, report };
    // Each check joins whole tables: after a load they are not analysed yet, and nested loops over them would not end.
    await connection.script("SET LOCAL enable_nestloop = off");
    const totals = (await connection.row<Counted>(COUNT_ALL))!;
    await verifyRecords(verifying, totals);
    await verifyTerms(verifying);
    return { verification: report.summary(totals), plan: report.plan };
  });
}

const COUNT_ALL = `SELECT (SELECT count(*) FROM rec) AS records, (SELECT count(*) FROM term) AS terms,
  (SELECT count(*) FROM change) AS changes, (SELECT coalesce(max(seq), 0) FROM change) AS "lastChange"`;

async function verifyRecords(verifying: VerifyContext, { records }: Counted): Promise<void> {
  await runCheck(verifying, "record.columns", () => checkRecords(verifying, records));
  await runCheck(verifying, "tombstone.rows", () => checkTombstones(verifying));
  await runCheck(verifying, "record.shares", () => checkShares(verifying));
  await runCheck(verifying, "record.counter", () => checkCounters(verifying));
  await runCheck(verifying, "counters.citations", () => checkCitations(verifying));
  await runCheck(verifying, "counters.drafts", () => checkDrafts(verifying));
  await runCheck(verifying, "changes.order", () => checkChangeOrder(verifying));
  await runCheck(verifying, "changes.records", () => checkRecordChanges(verifying));
}

async function verifyTerms(verifying: VerifyContext): Promise<void> {
  const { connection, catalog, report } = verifying;
  await runCheck(verifying, "changes.imports", () => checkLeftovers(verifying));
  for (const vocabulary of catalog.vocabularies.values()) {
    const { n } = (await connection.row<{ readonly n: number }>(COUNT_TERMS, [vocabulary.name]))!;
    const termContext: TermVerifyContext = { ...verifying, vocabulary, count: n };
    const unit: DatabaseUnit = ["vocabularies", vocabulary.name];
    await runCheck(verifying, "items.count", () => checkCount(termContext), unit);
    if (await isAsDeclared(connection, vocabulary)) {
      await runCheck(verifying, "items.columns", () => checkTerms(termContext), unit);
    } else report.leaveOut(vocabulary.name);
    await runCheck(verifying, "items.parents", () => checkParents(termContext));
    await runCheck(verifying, "changes.terms", () => checkTermChanges(termContext));
  }
  for (const { name } of await connection.rows<{ readonly name: string }>(STORED)) {
    if (catalog.vocabularies.has(name)) continue;
    report.note(`The catalog has no vocabulary ${name}: its terms are not compared.`);
  }
}

const STORED = "SELECT name FROM vocabulary WHERE count > 0 ORDER BY name";

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
async function checkRecords(verifying: VerifyContext, total: number): Promise<void> {
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
      if (checkRecord(verifying, row)) family.versions.push(storedVersion(parseHead({ id: row.pid, json: row.json })));
    }
    done += rows.length;
    report.progress("records", done, total);
  }
  compareFamily();
}

/** Checks one record. @returns whether its body can be read */
function checkRecord({ catalog, report }: VerifyContext, row: RecordRow): boolean {
  const subject = recordStateName(row.pid, row.state);
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
async function checkTombstones({ connection, report }: VerifyContext): Promise<void> {
  for await (const rows of scanRows<StoredTombstone>(connection, SELECT_TOMBSTONES)) {
    for (const tombstone of rows) compareTombstone(report, tombstone, ["records", tombstone.id]);
  }
}
