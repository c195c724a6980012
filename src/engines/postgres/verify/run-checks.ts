import type { Catalog } from "../../../core/catalog/types.js";
import type { OnProgress } from "../../../ports/store-admin.js";
import { type Counted, Report, type Verified } from "../../verify/report.js";
import { onSnapshot } from "../connection/long-statements.js";
import type { Pool } from "../connection/sql.js";
import { checkChangeOrder, checkLeftovers, checkRecordChanges, checkTermChanges } from "./check-changes.js";
import { checkCitations, checkCounters, checkDrafts, checkShares } from "./check-counters.js";
import { checkRecords, checkTombstones } from "./check-records.js";
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
