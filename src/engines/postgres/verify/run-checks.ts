import type { Catalog } from "../../../core/catalog/types.js";
import type { OnProgress } from "../../../ports/store-admin.js";
import type { Verified } from "../../verify/repair-rounds.js";
import { type Counted, Report } from "../../verify/report.js";
import type { Pool } from "../connection/sql.js";
import { onSnapshot } from "../connection/unhurried.js";
import { checkChangeOrder, checkLeftovers, checkRecordChanges, checkTermChanges } from "./check-changes.js";
import { checkCitations, checkCounters, checkDrafts, checkShares } from "./check-counters.js";
import { COUNT, checkCount, checkItems, checkParents } from "./check-items.js";
import { checkRecords, checkTombstones } from "./check-records.js";
import { type DatabasePlan, type DatabaseUnit, makeDatabasePlan } from "./database-plan.js";
import { isAsDeclared } from "./follow-declarations.js";
import { runCheck, type TermVerifyContext, type VerifyContext } from "./verify-context.js";

/**
 * Runs all checks on one state of the database: what is written meanwhile is not seen. Memory is that of one family of
 * records, of some hundred rows, and 8 bytes for each item of the largest hierarchy.
 */
export function verifyDatabase(pool: Pool, catalog: Catalog, onProgress: OnProgress): Promise<Verified<DatabasePlan>> {
  return onSnapshot(pool, async (connection) => {
    const report = new Report(makeDatabasePlan(), onProgress);
    const verifying: VerifyContext = { connection, catalog, report };
    // Each check joins whole tables: after a load nobody has counted these yet, and loops over them would not end.
    await connection.script("SET LOCAL enable_nestloop = off");
    const counted = (await connection.row<Counted>(COUNTED))!;
    await verifyRecords(verifying, counted);
    await verifyTerms(verifying);
    return { verification: report.summary(counted), plan: report.plan };
  });
}

const COUNTED = `SELECT (SELECT count(*) FROM rec) AS records, (SELECT count(*) FROM term) AS terms,
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
    const { n } = (await connection.row<{ readonly n: number }>(COUNT, [vocabulary.name]))!;
    const items: TermVerifyContext = { ...verifying, vocabulary, count: n };
    const again: DatabaseUnit = ["vocabularies", vocabulary.name];
    await runCheck(verifying, "items.count", () => checkCount(items), again);
    if (await isAsDeclared(connection, vocabulary)) {
      await runCheck(verifying, "items.columns", () => checkItems(items), again);
    } else report.leaveOut(vocabulary.name);
    await runCheck(verifying, "items.parents", () => checkParents(items));
    await runCheck(verifying, "changes.terms", () => checkTermChanges(items));
  }
  for (const { name } of await connection.rows<{ readonly name: string }>(STORED)) {
    if (catalog.vocabularies.has(name)) continue;
    report.note(`The catalog has no vocabulary ${name}: its terms are not compared.`);
  }
}

const STORED = "SELECT name FROM vocabulary WHERE count > 0 ORDER BY name";
