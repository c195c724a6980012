import { compareTombstone, type StoredTombstone } from "../../verify/compare-beside.js";
import { nameOf } from "../../verify/compare-record.js";
import { readStoredBody } from "../../verify/stored-body.js";
import { ELEMENT_BITS } from "../documents/element-row-id.js";
import { nameOfRow, type VerifyContext } from "./verify-context.js";

/** Bodies without a row, index rows without a record, and records without them. */
export function checkRows({ db, report }: VerifyContext): void {
  const bodies = db.raw
    .prepare<[], { id: number; json: string }>("SELECT id, json FROM doc WHERE id NOT IN (SELECT id FROM rec)")
    .iterate();
  for (const { id, json } of bodies) {
    const body = readStoredBody(json);
    const isRead = typeof body !== "string";
    const where = isRead ? nameOf(body.id, body.state) : `body ${id}`;
    const noted = { check: "record.rows", where, expected: "a row of its record", found: "none" };
    report.add(noted, isRead ? ["records", id] : undefined);
  }
  const bare = db.raw.prepare<[], { id: number; pid: string; state: number }>(
    "SELECT id, pid, state FROM rec WHERE id NOT IN (SELECT id FROM leaf_docsize) ORDER BY id",
  );
  for (const { id, ...record } of bare.iterate()) {
    const noted = { check: "index.rows", where: nameOfRow(record), expected: "a row of the index", found: "none" };
    report.add(noted, ["records", id]);
  }
  const strays = db.raw
    .prepare<[], number>(
      "SELECT id FROM (SELECT id FROM leaf_docsize UNION SELECT id FROM rec_text) WHERE id NOT IN (SELECT id FROM rec)",
    )
    .pluck();
  for (const row of strays.iterate()) {
    const noted = { check: "index.strays", where: `row ${row}`, expected: "no index", found: "a row of the index" };
    report.add(noted, ["records", row]);
  }
  checkElementRows({ db, report });
}

interface Elements {
  readonly row: number;
  readonly pid: string | null;
  readonly state: number;
  readonly elements: number | null;
  readonly count: number;
}

/** How many rows of elements each record has. */
function checkElementRows({ db, report }: Pick<VerifyContext, "db" | "report">): void {
  const counts = db.raw.prepare<[], Elements>(
    `SELECT row, pid, state, elements, count
     FROM (SELECT id >> ${ELEMENT_BITS} AS row, count(*) AS count FROM elem_docsize GROUP BY 1)
     LEFT JOIN rec ON rec.id = row WHERE elements IS NOT count`,
  );
  for (const { row, pid, state, elements, count } of counts.iterate()) {
    const at =
      pid === null
        ? { check: "index.strays", where: `row ${row}` }
        : { check: "index.rows", where: nameOfRow({ pid, state }) };
    const [expected, found] = [elements ?? 0, count].map((rows) => `${rows} rows of elements`);
    report.add({ ...at, expected, found }, ["records", row]);
  }
}

/** Where a record was retracted only its tombstone is left. */
export function checkTombstones({ db, report }: VerifyContext): void {
  const all = db.raw.prepare<[], StoredTombstone & { readonly row: number }>(
    `SELECT t.id, t.revision, t.json, rec.id AS row, rec.revision AS rowRevision
     FROM tombstone t LEFT JOIN rec ON rec.pid = t.id ORDER BY t.id`,
  );
  for (const { row, ...tombstone } of all.iterate()) compareTombstone(report, tombstone, ["records", row]);
}
