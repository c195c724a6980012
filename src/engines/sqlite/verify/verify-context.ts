import type { Vocabulary } from "../../../core/catalog/types.js";
import type { RecordState } from "../../../core/record.js";
import { nameOf } from "../../verify/compare-record.js";
import type { Report } from "../../verify/report.js";
import type { Db } from "../connection/database.js";
import type { RecordWriting } from "../records/record-index.js";
import type { Generation } from "../vocabulary/store/generation.js";
import type { FileUnits } from "./file-plan.js";

/** What the checks work with: one state of the file, on a connection that only reads. */
export interface VerifyContext extends RecordWriting {
  readonly report: Report<FileUnits>;
}

/** What a check of one vocabulary needs beside. */
export interface VerifyingItems extends VerifyContext {
  readonly vocabulary: Vocabulary;
  readonly generation: Generation;
}

/** A state as the column has it. */
export const stateOf = (state: number): RecordState => (state === 0 ? "draft" : "published");

/** A row of records as findings name it. */
export const nameOfRow = ({ pid, state }: { readonly pid: string; readonly state: number }): string =>
  nameOf(pid, stateOf(state));

export const countRecords = (db: Db): number => db.sql<number>("SELECT count(*) FROM rec").pluck().get() ?? 0;

/** Number above all rows of records. */
export const endOfRecords = (db: Db): number => (db.sql<number>("SELECT max(id) FROM rec").pluck().get() ?? 0) + 1;
