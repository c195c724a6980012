import type { RecordBody } from "../../../core/record.js";
import { metadataLeaves } from "../../../query/index-model/record-leaves.js";
import { compareBody, compareColumns, noteUnknownModel } from "../../verify/compare-record.js";
import { sameValues } from "../documents/packed-values.js";
import { isIntact } from "../records/checksum.js";
import { staleRows } from "../records/follow-terms.js";
import { type IndexIds, indexOf, type RecordIndex } from "../records/record-index.js";
import { STATE_NUMBER } from "../records/record-reader.js";
import { CHANGEABLE, changeable } from "../records/record-writer.js";
import { makeTermNow } from "../vocabulary/store/term-now.js";
import type { RecordTokens } from "./compare-tokens.js";
import type { FileUnit } from "./file-plan.js";
import { countRecords, nameOfRow, type VerifyContext } from "./verify-context.js";

/** A row of `rec` with its body's text. */
interface RecordRow {
  readonly [column: string]: unknown;
  readonly id: number;
  readonly pid: string;
  readonly state: number;
  readonly twin: number;
  readonly vals: Buffer;
  /** null: there is no row. */
  readonly texts: Buffer | null;
  /** null: there is none. */
  readonly json: string | null;
  /** See checksum.ts. null: there is none yet. */
  readonly sum: number | null;
}

const RECORDS = `SELECT rec.*, rec_text.texts, doc.json, doc.sum FROM rec
  LEFT JOIN rec_text ON rec_text.id = rec.id LEFT JOIN doc ON doc.id = rec.id ORDER BY rec.id`;

/** Each record's columns, values and words against its body; what the full text has to have of it goes to `tokens`. */
export function checkRecords(verifying: VerifyContext, tokens: RecordTokens): void {
  const { db, catalog, report } = verifying;
  const ids = knownIds(verifying);
  const termOf = makeTermNow(db);
  const checkWords = makeWordCheck(verifying);
  const stale = staleRows(db);
  if (stale.size > 0) {
    report.note(
      `${stale.size} records cite terms that changed, and their index does not follow yet: it is not compared. A ` +
        "running service has it follow by itself, and so does --repair.",
    );
  }
  const of = countRecords(db);
  let done = 0;
  for (const row of db.raw.prepare<[], RecordRow>(RECORDS).iterate()) {
    report.progress("records", ++done, of);
    const body = bodyOf(verifying, row);
    const model = body && catalog.models.get(body.model);
    if (body !== undefined && model === undefined) noteUnknownModel(report, body.model);
    if (body === undefined || model === undefined || stale.has(row.id)) {
      tokens.leaveOut(row.id);
      continue;
    }
    const expected = indexOf(verifying, body, { leaves: metadataLeaves(body.metadata, model, termOf) }, ids);
    checkColumns(verifying, row, body, expected);
    checkWords(row, expected);
    tokens.expect(row.id, expected.rows);
  }
}

/** Stand for a path or a key without a number: no row has these. */
const NO_PATH = 65_535;
const NO_KEY = 0xffffffff;

/** Numbers as they are, without giving any. */
function knownIds({ db, paths }: VerifyContext): IndexIds {
  const key = db.sql<number>("SELECT id FROM key WHERE path = ? AND value = ?").pluck();
  return {
    pathId: (path) => paths.idOf(path) ?? NO_PATH,
    keyId: (path, value) => key.get(path, value) ?? NO_KEY,
  };
}

function bodyOf({ report }: VerifyContext, row: RecordRow): RecordBody | undefined {
  const { json, sum } = row;
  const body = compareBody(report, nameOfRow(row), json, (text, read) => isIntact(text, read.revision_id, sum));
  if (body !== undefined && sum === null) {
    report.rebuild(["tables", "checksums"]);
    report.note("A record was stored before there were checksums; a running server or --repair adds them.");
  }
  return body;
}

function checkColumns({ db, report }: VerifyContext, row: RecordRow, body: RecordBody, expected: RecordIndex): void {
  const where = nameOfRow(row);
  const again: FileUnit = ["records", row.id];
  const values = changeable(body, expected.rows, expected.uses);
  const columns = [
    ["id", body.id, row.pid],
    ["state", STATE_NUMBER[body.state], row.state],
    ...CHANGEABLE.map((column, i) => [column, values[i], row[column]] as const).filter(([name]) => name !== "vals"),
  ] as const;
  compareColumns(report, where, columns, again, checkOf);
  // Numbers and keys stand in bytes: they are compared by what they say.
  if (
    !sameValues(row.vals, expected.rows.vals) ||
    !(Buffer.isBuffer(row.texts) && row.texts.equals(expected.rows.texts))
  ) {
    const meant = "the body's numbers, keys and texts";
    report.add({ check: "index.values", where, expected: meant, found: "others" }, again);
  }
  const twin = db.sql<number>("SELECT count(*) FROM rec WHERE pid = ? AND state = ?").pluck();
  compareColumns(report, where, [["twin", twin.get(row.pid, 1 - row.state), row.twin]], again, () => "record.twin");
}

const checkOf = (column: string): string =>
  column === "cites" || column === "elements" ? "index.values" : "record.columns";

/** Words that are known to be in the table. */
const WORDS_MAX = 200_000;

function makeWordCheck({ db, report }: VerifyContext): (row: RecordRow, expected: RecordIndex) => void {
  const known = new Set<string>();
  const find = db.sql("SELECT 1 FROM word WHERE word = ?");
  const fresh = new Set(db.sql<string>("SELECT word FROM new_word").pluck().all());
  return (row, { words }) => {
    for (const word of words) {
      if (known.has(word)) continue;
      if (known.size > WORDS_MAX) known.clear();
      known.add(word);
      if (fresh.has(word) || find.get(word) !== undefined) continue;
      const noted = { check: "index.words", where: nameOfRow(row), expected: `the word ${word}`, found: "none" };
      report.add(noted, ["records", row.id]);
    }
  };
}
