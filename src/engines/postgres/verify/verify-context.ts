import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import type { RepairPlan, RepairUnit, Report } from "../../verify/report.js";
import { isUnreadable } from "../connection/map-error.js";
import type { Connection } from "../connection/sql.js";
import type { Change } from "../connection/write-transaction.js";

/** Units that a repair rebuilds: the kinds, with the type that names one unit of the kind. */
interface DatabaseUnits {
  /** Id of a record: the columns of its rows are rebuilt, or removed if the record was retracted. */
  readonly records: string;
  /** Parent of records: the flags of its versions. */
  readonly parents: string;
  /**
   * Name of a vocabulary: the rows and names of its terms, from their content, and data of the vocabulary as a whole.
   */
  readonly vocabularies: string;
  /** Data derived from all records, and the head of the feed. */
  readonly tables: "citations" | "drafts" | "counters" | "shares" | "feed";
  /** Number of an incomplete import or load, whose entries are removed. */
  readonly leftovers: number;
  /** Last change of a record or term that is missing from the change table. */
  readonly changes: Change;
}

/** A unit that a repair of the database rebuilds. */
export type DatabaseUnit = RepairUnit<DatabaseUnits>;

/** All units that a repair of the database rebuilds. */
export type DatabasePlan = RepairPlan<DatabaseUnits>;

type DatabaseReport = Report<DatabaseUnits>;

/** Returns an empty plan. */
export const makeDatabasePlan = (): DatabasePlan => ({
  records: new Set(),
  parents: new Set(),
  vocabularies: new Set(),
  tables: new Set(),
  leftovers: new Set(),
  changes: new Set(),
});

/** Context of the checks: one snapshot of the database in a read-only transaction. */
export interface VerifyContext {
  readonly connection: Connection;
  readonly catalog: Catalog;
  readonly report: DatabaseReport;
}

/** Context of the checks of one vocabulary. */
export interface TermVerifyContext extends VerifyContext {
  readonly vocabulary: Vocabulary;
  /** Number of its terms. */
  readonly count: number;
}

/** Runs one check. An unreadable part of the database ends it and is reported as a finding. */
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
    // If the connection is lost, this statement reports it.
    await connection.script("ROLLBACK TO SAVEPOINT checked");
    report.add({ check, where: "the database", expected: "to be readable", found: error.message }, unit);
  }
}
