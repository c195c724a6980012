import { headOf, type RecordHead } from "../../../core/record.js";
import { flagsIn, flagsOf, type VersionState } from "../../../core/records/version-flags.js";
import type { Db } from "../connection/database.js";
import { readIntactBody } from "../records/read-stored-body.js";
import { countRecords, nameOf, type VerifyContext } from "./verify-context.js";

/** A row under a parent. */
export interface StoredVersion extends VersionState {
  readonly json: string;
  readonly head: RecordHead;
}

/** The rows under a parent whose bodies can be read, by row. */
export function versionsOf(db: Db, parent: string): StoredVersion[] {
  return db
    .sql<{ json: string; sum: number | null }>(
      "SELECT doc.json, doc.sum FROM rec JOIN doc ON doc.id = rec.id WHERE rec.parent = ? ORDER BY rec.id",
    )
    .all(parent)
    .flatMap(({ json, sum }) => {
      if (typeof readIntactBody(json, sum) === "string") return [];
      const head = headOf(json);
      return [{ json, head, id: head.id, state: head.state, version: head.versions.index }];
    });
}

/**
 * Of all versions under one parent the newest published one, and no other, is the latest; each says rightly whether it
 * is a draft, published, and followed by another; no two have one place.
 */
export function checkVersions({ db, report }: VerifyContext): void {
  const parents = db.raw.prepare<[], string>("SELECT DISTINCT parent FROM rec ORDER BY parent").pluck().iterate();
  const check = "record.versions";
  const of = countRecords(db);
  let done = 0;
  for (const parent of parents) {
    const all = versionsOf(db, parent);
    done += all.length;
    report.progress("versions", done, of);
    const places = new Map<number, string>();
    for (const version of all) {
      const { head, id, version: index } = version;
      const [expected, found] = [flagsOf(version, all), flagsIn(head)].map((flags) => JSON.stringify(flags));
      report.compare({ check, where: nameOf(id, version.state), expected, found }, ["parents", parent]);
      const other = places.get(index) ?? id;
      places.set(index, other);
      const where = `version ${index} of ${parent}`;
      report.compare({ check, where, expected: `one id, ${other}`, found: `one id, ${id}` });
    }
  }
}
