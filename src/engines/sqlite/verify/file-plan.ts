import type { RepairPlan, RepairUnit } from "../../verify/repair-plan.js";
import type { Change } from "../connection/change-table.js";

/** What a repair makes again, each as a whole: its kind, and how one of the kind is named. */
export interface FileUnits {
  /** An index of SQLite, from its table. */
  readonly indexes: string;
  /** A vocabulary: a new generation, from the content of its items. */
  readonly vocabularies: string;
  /** Row of a record: all that stands beside its body. Where the body is gone or was retracted, nothing. */
  readonly records: number;
  /** Parent of records: the flags of its versions. */
  readonly parents: string;
  /** Data derived from all records: full text, counts of citations and drafts, counters of ids, shares, checksums. */
  readonly tables: "text" | "citations" | "drafts" | "counters" | "shares" | "checksums";
  /** Number of a generation or an import of which only parts are there: they are removed. */
  readonly leftovers: number;
  /** The last change of a record or a term that the change table lacks. */
  readonly changes: Change;
}

/** One of them. */
export type FileUnit = RepairUnit<FileUnits>;

export type FilePlan = RepairPlan<FileUnits>;

export const makeFilePlan = (): FilePlan => ({
  indexes: new Set(),
  vocabularies: new Set(),
  records: new Set(),
  parents: new Set(),
  tables: new Set(),
  leftovers: new Set(),
  changes: new Set(),
});
