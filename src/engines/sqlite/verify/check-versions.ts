import { flagsIn, flagsOf } from "../../../core/records/version-flags.js";
import { countRecords } from "./record-cursor.js";
import { nameOf, type VerifyContext } from "./verify-context.js";
import { versionsOf } from "./version-bodies.js";

/**
 * Of all versions under one parent the newest published one, and no other, is the latest; each says rightly whether it
 * is a draft, published, and followed by another; no two have one place.
 */
export function checkVersions({ db, report }: VerifyContext): void {
  const parents = db.raw.prepare<[], string>("SELECT DISTINCT parent FROM rec ORDER BY parent").pluck().iterate();
  const of = countRecords(db);
  let done = 0;
  for (const parent of parents) {
    const all = versionsOf(db, parent);
    done += all.length;
    report.progress("versions", done, of);
    const places = new Map<number, string>();
    for (const version of all) {
      const { id, state, versions } = version.body;
      const where = nameOf(id, state);
      const [found, expected] = [flagsIn(version.body), flagsOf(version, all)];
      const [is, isMeant] = [JSON.stringify(found), JSON.stringify(expected)];
      report.compare({ check: "record.versions", where, expected: isMeant, found: is }, ({ parents }) =>
        parents.add(parent),
      );
      const other = places.get(versions.index) ?? id;
      places.set(versions.index, other);
      const place = `version ${versions.index} of ${parent}`;
      report.compare({ check: "record.versions", where: place, expected: `one id, ${other}`, found: `one id, ${id}` });
    }
  }
}
