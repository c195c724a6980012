import { isJson } from "../../../core/json.js";
import { recordOf } from "../documents/element-row-id.js";
import { readStoredBody } from "../records/read-stored-body.js";
import { nameOf, type VerifyContext } from "./verify-context.js";

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
    report.add(noted, isRead ? (plan) => plan.bodies.add(id) : undefined);
  }
  const bare = db.raw.prepare<[], { id: number; pid: string; state: number }>(
    "SELECT id, pid, state FROM rec WHERE id NOT IN (SELECT id FROM leaf_docsize) ORDER BY id",
  );
  for (const { id, pid, state } of bare.iterate()) {
    const noted = { check: "index.rows", where: nameOf(pid, state), expected: "a row of the index", found: "none" };
    report.add(noted, ({ records }) => records.add(id));
  }
  const strays = db.raw.prepare<[], number>("SELECT id FROM leaf_docsize WHERE id NOT IN (SELECT id FROM rec)").pluck();
  for (const row of strays.iterate()) {
    const noted = { check: "index.strays", where: `row ${row}`, expected: "no index", found: "a row of the index" };
    report.add(noted, (plan) => plan.strays.add(row));
  }
  checkElementRows({ db, report });
}

/** How many rows of elements each record has. */
function checkElementRows({ db, report }: Pick<VerifyContext, "db" | "report">): void {
  const elements = db.raw.prepare<[], number>("SELECT id FROM elem_docsize ORDER BY id").pluck();
  const find = db.sql<{ pid: string; state: number; elements: number }>(
    "SELECT pid, state, elements FROM rec WHERE id = ?",
  );
  let row = 0;
  let count = 0;
  const close = (): void => {
    const record = find.get(row);
    if (record?.elements === count || count === 0) return;
    const where = record === undefined ? `row ${row}` : nameOf(record.pid, record.state);
    const noted = { where, expected: `${record?.elements ?? 0} rows of elements`, found: `${count} rows of elements` };
    if (record === undefined) report.add({ check: "index.strays", ...noted }, ({ strays }) => strays.add(row));
    else report.add({ check: "index.rows", ...noted }, ({ records }) => records.add(row));
  };
  for (const element of elements.iterate()) {
    const of = recordOf(element);
    if (of !== row) {
      close();
      [row, count] = [of, 0];
    }
    count += 1;
  }
  close();
}

interface TombstoneColumns {
  readonly id: string;
  readonly revision: number;
  readonly json: string;
  readonly counter: number | null;
  readonly row: number | null;
  readonly rowRevision: number | null;
}

/** Where a record was retracted only its tombstone is left, and its counter is as high. */
export function checkTombstones({ db, report }: VerifyContext): void {
  const all = db.raw.prepare<[], TombstoneColumns>(
    `SELECT t.id, t.revision, t.json, taken.revision AS counter, rec.id AS row, rec.revision AS rowRevision
     FROM tombstone t LEFT JOIN taken ON taken.id = t.id LEFT JOIN rec ON rec.pid = t.id ORDER BY t.id`,
  );
  for (const { id, revision, json, counter, row, rowRevision } of all.iterate()) {
    if (!isJson(json)) report.add({ check: "tombstone.body", where: id, expected: "JSON", found: "not JSON" });
    if (counter === null || counter < revision) {
      const noted = {
        check: "tombstone.counter",
        where: id,
        expected: `at least ${revision}`,
        found: counter ?? "none",
      };
      report.add(noted, ({ counters }) => counters.set(id, Math.max(revision, counters.get(id) ?? 0)));
    }
    if (row === null || rowRevision === null) continue;
    const noted = { check: "tombstone.rows", where: id, expected: "no record", found: `revision ${rowRevision}` };
    // What was written after the retraction is nobody's to remove.
    report.add(noted, rowRevision <= revision ? ({ retracted }) => retracted.add(row) : undefined);
  }
}

/** A share ends with its draft. */
export function checkShares({ db, report }: VerifyContext): void {
  const shared = db.sql<string>(
    "SELECT DISTINCT pid FROM access WHERE NOT EXISTS (SELECT 1 FROM rec WHERE rec.pid = access.pid AND rec.state = 0)",
  );
  for (const id of shared.pluck().all()) {
    const noted = { check: "record.shares", where: id, expected: "no share of a draft that is gone", found: "some" };
    report.add(noted, ({ shares }) => shares.add(id));
  }
}
