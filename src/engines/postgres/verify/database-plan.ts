import type { RepairPlan, RepairUnit } from "../../verify/repair-rounds.js";
import type { Report } from "../../verify/report.js";
import type { Change } from "../connection/change.js";

/** What a repair makes again: its kind, and how one of the kind is named. */
interface DatabaseUnits {
  /** Id of a record: the columns of its rows. Where it was retracted, nothing is left of them. */
  readonly records: string;
  /** Parent of records: the flags of its versions. */
  readonly parents: string;
  /** A vocabulary: the rows and names of its items, from their content, and what is kept of it as a whole. */
  readonly vocabularies: string;
  /** What follows from all records, and the head of the feed. */
  readonly tables: "citations" | "drafts" | "counters" | "shares" | "feed";
  /** Number of an import or a load of which only parts are there: they are removed. */
  readonly leftovers: number;
  /** The last change of a record or a term that the change table lacks. */
  readonly changes: Change;
}

export type DatabaseUnit = RepairUnit<DatabaseUnits>;

export type DatabasePlan = RepairPlan<DatabaseUnits>;

export type DatabaseReport = Report<DatabaseUnits>;

export const makeDatabasePlan = (): DatabasePlan => ({
  records: new Set(),
  parents: new Set(),
  vocabularies: new Set(),
  tables: new Set(),
  leftovers: new Set(),
  changes: new Set(),
});
