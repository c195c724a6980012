import type { RecordBody } from "../../../core/record.js";
import { sameValues } from "../documents/packed-values.js";
import { isIntact } from "../records/checksum.js";
import { staleRows } from "../records/follow-terms.js";
import { readStoredBody } from "../records/read-stored-body.js";
import { STATE_NUMBER } from "../records/record-reader.js";
import { CHANGEABLE, changeable } from "../records/record-writer.js";
import { type ExpectedRows, makeExpectedRows } from "./expected-rows.js";
import type { IndexSums } from "./index-sums.js";
import { countRecords, type RecordRow, recordsIn } from "./record-cursor.js";
import type { Noted } from "./report.js";
import { nameOf, type VerifyContext } from "./verify-context.js";

/**
 * Each record's columns, values, words and counter against its body; what its index has to hold is added to `sums`.
 */
export function checkRecords(verifying: VerifyContext, sums: IndexSums): void {
  const { db, catalog, report } = verifying;
  const expectedRows = makeExpectedRows(verifying);
  const checkWords = makeWordCheck(verifying);
  const checkCounter = makeCounterCheck(verifying);
  const stale = staleRows(db);
  if (stale.size > 0) {
    report.note(
      `${stale.size} records cite terms that changed, and their index does not follow yet: it is not compared. A ` +
        "running service has it follow by itself, and so does --repair.",
    );
  }
  const of = countRecords(db);
  let done = 0;
  for (const row of recordsIn(db)) {
    report.progress("records", ++done, of);
    const body = bodyOf(verifying, row);
    const model = body && catalog.models.get(body.model);
    if (body === undefined || model === undefined) {
      sums.leaveOut(row.id);
      if (body !== undefined)
        report.note(`The catalog has no model ${body.model}: the index of its records is not compared.`);
      if (body !== undefined) checkCounter(body);
      continue;
    }
    if (stale.has(row.id)) {
      sums.leaveOut(row.id);
      checkCounter(body);
      continue;
    }
    const expected = expectedRows(body, model);
    checkColumns(verifying, row, body, expected);
    checkWords(row, expected);
    checkCounter(body);
    sums.expect(row.id, expected);
  }
}

function bodyOf({ report }: VerifyContext, row: RecordRow): RecordBody | undefined {
  const where = nameOf(row.pid, row.state);
  if (row.json === null) {
    report.add({ check: "record.body", where, expected: "a body", found: "none" });
    return undefined;
  }
  const body = readStoredBody(row.json);
  if (typeof body !== "string" && isIntact(row.json, body.revision_id, row.sum)) {
    if (row.sum === null) noteUnsummed(report);
    return body;
  }
  if (typeof body !== "string") {
    const [expected, found] = ["what was written", "a text with another checksum"];
    report.add({ check: "record.body", where, expected, found });
    return undefined;
  }
  report.add({ check: "record.body", where, expected: "the record as JSON", found: body });
  return undefined;
}

function noteUnsummed(report: VerifyContext["report"]): void {
  report.plan.hasUnsummed = true;
  report.note("A record was stored before there were checksums; a running server or --repair adds them.");
}

/** Columns that hold numbers and keys in bytes are compared by what they say. */
const BLOBS: ReadonlySet<string> = new Set(["vals", "texts"]);

function checkColumns({ db, report }: VerifyContext, row: RecordRow, body: RecordBody, expected: ExpectedRows): void {
  const where = nameOf(row.pid, row.state);
  const compare = (noted: Omit<Noted, "where">): boolean =>
    report.compare({ ...noted, where }, ({ records }) => records.add(row.id));
  compare({ check: "record.columns", expected: `id ${body.id}`, found: `id ${row.pid}` });
  compare({ check: "record.columns", expected: `state ${STATE_NUMBER[body.state]}`, found: `state ${row.state}` });
  const values = changeable(body, expected.rows, expected.uses);
  for (const [i, column] of CHANGEABLE.entries()) {
    if (BLOBS.has(column)) continue;
    const check = column === "cites" || column === "elements" ? "index.values" : "record.columns";
    compare({ check, expected: `${column} ${values[i]}`, found: `${column} ${row[column]}` });
  }
  const isSame = sameValues(row.vals, expected.rows.vals) && row.texts.equals(expected.rows.texts);
  compare({
    check: "index.values",
    expected: "the body's numbers, keys and texts",
    found: isSame ? "the body's numbers, keys and texts" : "others",
  });
  const other = db.sql("SELECT 1 FROM rec WHERE pid = ? AND state = ?").get(row.pid, 1 - row.state);
  compare({ check: "record.twin", expected: `twin ${other === undefined ? 0 : 1}`, found: `twin ${row.twin}` });
}

/** Words that are known to be in the table. */
const WORDS_MAX = 200_000;

function makeWordCheck({ db, report }: VerifyContext): (row: RecordRow, expected: ExpectedRows) => void {
  const known = new Set<string>();
  const find = db.sql("SELECT 1 FROM word WHERE word = ?");
  return (row, { words }) => {
    for (const word of words) {
      if (known.has(word)) continue;
      if (known.size > WORDS_MAX) known.clear();
      known.add(word);
      if (find.get(word) !== undefined) continue;
      const where = nameOf(row.pid, row.state);
      report.add({ check: "index.words", where, expected: `the word ${word}`, found: "none" }, (plan) =>
        plan.words.add(word),
      );
    }
  };
}

function makeCounterCheck({ db, report }: VerifyContext): (body: RecordBody) => void {
  const find = db.sql<number>("SELECT revision FROM taken WHERE id = ?").pluck();
  const check = (id: string, least: number): void => {
    const found = find.get(id);
    if (found !== undefined && found >= least) return;
    const noted = { check: "record.counter", where: id, expected: `at least ${least}`, found: found ?? "none" };
    report.add(noted, ({ counters }) => counters.set(id, Math.max(least, counters.get(id) ?? 0)));
  };
  return (body) => {
    check(body.id, body.revision_id);
    check(body.parent.id, 0);
  };
}
