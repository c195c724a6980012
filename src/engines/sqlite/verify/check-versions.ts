import { headOf } from "../../../core/record.js";
import { compareVersions, type StoredVersion, storedVersion } from "../../verify/compare-record.js";
import type { Db } from "../connection/database.js";
import { readIntactBody } from "../records/read-intact-body.js";
import { countRecords, type VerifyContext } from "./verify-context.js";

/** A row under a parent with its body. */
export interface VersionRow extends StoredVersion {
  readonly json: string;
}

/** The rows under a parent whose bodies can be read, by row. */
export function versionsOf(db: Db, parent: string): VersionRow[] {
  return db
    .sql<{ json: string; sum: number | null }>(
      "SELECT doc.json, doc.sum FROM rec JOIN doc ON doc.id = rec.id WHERE rec.parent = ? ORDER BY rec.id",
    )
    .all(parent)
    .flatMap(({ json, sum }) =>
      typeof readIntactBody(json, sum) === "string" ? [] : [{ ...storedVersion(headOf({ id: parent, json })), json }],
    );
}

/** The flags of all versions, parent by parent. */
export function checkVersions({ db, report }: VerifyContext): void {
  const parents = db.raw.prepare<[], string>("SELECT DISTINCT parent FROM rec ORDER BY parent").pluck().iterate();
  const of = countRecords(db);
  let done = 0;
  for (const parent of parents) {
    const all = versionsOf(db, parent);
    done += all.length;
    report.progress("versions", done, of);
    compareVersions(report, parent, all, ["parents", parent]);
  }
}
