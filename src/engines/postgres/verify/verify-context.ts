import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import { isUnreadable } from "../connection/map-error.js";
import type { Connection } from "../connection/sql.js";
import type { DatabaseReport, DatabaseUnit } from "./database-plan.js";

/** What the checks work with: one state of the database, in a transaction that only reads. */
export interface VerifyContext {
  readonly connection: Connection;
  readonly catalog: Catalog;
  readonly report: DatabaseReport;
}

/** What a check of one vocabulary needs beside. */
export interface TermVerifyContext extends VerifyContext {
  readonly vocabulary: Vocabulary;
  /** Items that are there. */
  readonly count: number;
}

/** Runs one check. A part of the database that cannot be read ends it, and is a finding. */
export async function runCheck(
  { connection, report }: VerifyContext,
  check: string,
  run: () => Promise<void>,
  unit?: DatabaseUnit,
): Promise<void> {
  report.begin(check);
  await connection.script("SAVEPOINT checked");
  try {
    await run();
    await connection.script("RELEASE SAVEPOINT checked");
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    // Where the connection itself is lost this says so.
    await connection.script("ROLLBACK TO SAVEPOINT checked");
    report.add({ check, where: "the database", expected: "to be readable", found: error.message }, unit);
  }
}
