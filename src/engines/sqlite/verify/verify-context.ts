import type { Vocabulary } from "../../../core/catalog/types.js";
import type { Db } from "../connection/database.js";
import type { RecordWriting } from "../records/record-index.js";
import type { Generation } from "../vocabulary/store/generation.js";
import type { Report } from "./report.js";

/** What the checks work with: one state of the file, on a connection that only reads. */
export interface VerifyContext extends RecordWriting {
  readonly report: Report;
}

/** What a check of one vocabulary needs beside. */
export interface VerifyingItems extends VerifyContext {
  readonly vocabulary: Vocabulary;
  readonly generation: Generation;
}

/** A record as findings name it. */
export const nameOf = (id: string, state: number | string): string =>
  `${id} (${state === 0 || state === "draft" ? "draft" : "published"})`;

export const countRecords = (db: Db): number => db.sql<number>("SELECT count(*) FROM rec").pluck().get() ?? 0;

/** Number above all rows of records. */
export const endOfRecords = (db: Db): number => (db.sql<number>("SELECT max(id) FROM rec").pluck().get() ?? 0) + 1;
