import { parseHead } from "../../../core/record.js";
import { compareTombstone, type StoredTombstone } from "../../verify/compare-beside.js";
import {
  compareVersions,
  readStoredBody,
  recordStateName,
  type StoredVersion,
  storedVersion,
} from "../../verify/compare-record.js";
import type { Db } from "../connection/database.js";
import { ELEMENT_BITS } from "../documents/record-rows.js";
import { readIntactBody } from "../records/checksums.js";
import { countRecords, nameOfRow, type VerifyContext } from "./verify-context.js";

/** Finds bodies without a row, index rows without a record, and records without index rows. */
export function checkRows({ db, report }: VerifyContext): void {
  const bodies = db.raw
    .prepare<[], { id: number; json: string }>("SELECT id, json FROM doc WHERE id NOT IN (SELECT id FROM rec)")
    .iterate();
  for (const { id, json } of bodies) {
    const body = readStoredBody(json);
    const isReadable = typeof body !== "string";
    const where = isReadable ? recordStateName(body.id, body.state) : `body ${id}`;
    const finding = { check: "record.rows", where, expected: "a row of its record", found: "none" };
    report.add(finding, isReadable ? ["records", id] : undefined);
  }
  const unindexed = db.raw.prepare<[], { id: number; pid: string; state: number }>(
    "SELECT id, pid, state FROM rec WHERE id NOT IN (SELECT id FROM leaf_docsize) ORDER BY id",
  );
  for (const { id, ...record } of unindexed.iterate()) {
    const finding = { check: "index.rows", where: nameOfRow(record), expected: "a row of the index", found: "none" };
    report.add(finding, ["records", id]);
  }
  const strays = db.raw
    .prepare<[], number>(
      "SELECT id FROM (SELECT id FROM leaf_docsize UNION SELECT id FROM rec_text) WHERE id NOT IN (SELECT id FROM rec)",
    )
    .pluck();
  for (const row of strays.iterate()) {
    const finding = { check: "index.strays", where: `row ${row}`, expected: "no index", found: "a row of the index" };
    report.add(finding, ["records", row]);
  }
  checkElementRows({ db, report });
}

interface ElementCount {
  readonly row: number;
  readonly pid: string | null;
  readonly state: number;
  readonly elements: number | null;
  readonly count: number;
}

/** Checks the number of element rows of each record. */
function checkElementRows({ db, report }: Pick<VerifyContext, "db" | "report">): void {
  const counts = db.raw.prepare<[], ElementCount>(
    `SELECT row, pid, state, elements, count
     FROM (SELECT id >> ${ELEMENT_BITS} AS row, count(*) AS count FROM elem_docsize GROUP BY 1)
     LEFT JOIN rec ON rec.id = row WHERE elements IS NOT count`,
  );
  for (const { row, pid, state, elements, count } of counts.iterate()) {
    const subject =
      pid === null
        ? { check: "index.strays", where: `row ${row}` }
        : { check: "index.rows", where: nameOfRow({ pid, state }) };
    const [expected, found] = [elements ?? 0, count].map((rows) => `${rows} rows of elements`);
    report.add({ ...subject, expected, found }, ["records", row]);
  }
}

/** Checks that only the tombstone of a retracted record is left. */
export function checkTombstones({ db, report }: VerifyContext): void {
  const tombstones = db.raw.prepare<[], StoredTombstone & { readonly row: number }>(
    `SELECT t.id, t.revision, t.json, rec.id AS row, rec.revision AS rowRevision
     FROM tombstone t LEFT JOIN rec ON rec.pid = t.id ORDER BY t.id`,
  );
  for (const { row, ...tombstone } of tombstones.iterate()) compareTombstone(report, tombstone, ["records", row]);
}

/** A row under a parent with its body. */
interface VersionRow extends StoredVersion {
  readonly json: string;
}

/** Returns the rows under a parent whose bodies can be read, by row number. */
export function intactVersions(db: Db, parent: string): VersionRow[] {
  return db
    .sql<{ json: string; sum: number | null }>(
      "SELECT doc.json, doc.sum FROM rec JOIN doc ON doc.id = rec.id WHERE rec.parent = ? ORDER BY rec.id",
    )
    .all(parent)
    .flatMap(({ json, sum }) =>
      typeof readIntactBody(json, sum) === "string"
        ? []
        : [{ ...storedVersion(parseHead({ id: parent, json })), json }],
    );
}

/** Checks the flags of all versions, parent by parent. */
export function checkVersions({ db, report }: VerifyContext): void {
  const parents = db.raw.prepare<[], string>("SELECT DISTINCT parent FROM rec ORDER BY parent").pluck().iterate();
  const total = countRecords(db);
  let done = 0;
  for (const parent of parents) {
    const versions = intactVersions(db, parent);
    done += versions.length;
    report.progress("versions", done, total);
    compareVersions(report, parent, versions, ["parents", parent]);
  }
}
