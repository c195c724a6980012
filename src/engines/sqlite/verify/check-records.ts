import type { RecordBody } from "../../../core/record.js";
import { metadataLeaves } from "../../../query/index-model/record-leaves.js";
import { compareBody, compareColumns, noteUnknownModel } from "../../verify/compare-record.js";
import { TOKEN_SIGNS } from "../connection/migrations.js";
import { sameValues } from "../documents/packed-values.js";
import { elementNumber, owningRecord, type RecordRows } from "../documents/record-rows.js";
import { isIntact } from "../records/checksums.js";
import { outdatedRows } from "../records/follow-terms.js";
import { type IndexIds, makeRecordIndex, type RecordIndex } from "../records/record-index.js";
import { STATE_NUMBER } from "../records/record-reader.js";
import { CHANGEABLE_COLUMNS, changeableValues } from "../records/record-writer.js";
import { makeTermNow } from "../vocabulary/store/cited-terms.js";
import { makeTokenize, TokenSums } from "./token-sums.js";
import {
  countRecords,
  endOfRecords,
  type FileUnit,
  nameOfRow,
  runCheck,
  type VerifyContext,
} from "./verify-context.js";

/** A row of `rec` with the text of its body. */
interface RecordRow {
  readonly [column: string]: unknown;
  readonly id: number;
  readonly pid: string;
  readonly state: number;
  readonly other_state: number;
  readonly vals: Buffer;
  /** null if there is no row. */
  readonly texts: Buffer | null;
  /** null if there is no body. */
  readonly json: string | null;
  /** See checksums.ts. null if there is none yet. */
  readonly sum: number | null;
}

const RECORDS = `SELECT rec.*, rec_text.texts, doc.json, doc.sum FROM rec
  LEFT JOIN rec_text ON rec_text.id = rec.id LEFT JOIN doc ON doc.id = rec.id ORDER BY rec.id`;

/**
 * Checks the columns, values and words of each record against its body. Adds the expected full-text tokens to `tokens`.
 */
export function checkRecords(verifying: VerifyContext, tokens: RecordTokens): void {
  const { db, catalog, report } = verifying;
  const existing = existingIds(verifying);
  const findCitedTerm = makeTermNow(db);
  const checkWords = makeWordCheck(verifying);
  const staleRecords = outdatedRows(db);
  if (staleRecords.size > 0) {
    report.note(
      `${staleRecords.size} records cite terms that changed, and their index does not follow yet: it is not ` +
        "compared. A running service has it follow by itself, and so does --repair.",
    );
  }
  const total = countRecords(db);
  let done = 0;
  for (const row of db.raw.prepare<[], RecordRow>(RECORDS).iterate()) {
    report.progress("records", ++done, total);
    const body = readCheckedBody(verifying, row);
    const model = body && catalog.models.get(body.model);
    if (body !== undefined && model === undefined) noteUnknownModel(report, body.model);
    if (body === undefined || model === undefined || staleRecords.has(row.id)) {
      tokens.exclude(row.id);
      continue;
    }
    const expected = makeRecordIndex(
      verifying,
      body,
      { leaves: metadataLeaves(body.metadata, model, findCitedTerm) },
      existing,
    );
    checkColumns(verifying, row, body, expected);
    checkWords(row, expected);
    tokens.expect(row.id, expected.rows);
  }
}

/** Stand-ins for a path or key without a number, which no row has. */
const NO_PATH = 65_535;
const NO_KEY = 0xffffffff;

/** Looks up numbers of paths and keys without assigning any. */
function existingIds({ db, paths }: VerifyContext): IndexIds {
  const key = db.sql<number>("SELECT id FROM key WHERE path = ? AND value = ?").pluck();
  return {
    pathId: (path) => paths.findPathId(path) ?? NO_PATH,
    keyId: (path, value) => key.get(path, value) ?? NO_KEY,
  };
}

function readCheckedBody({ report }: VerifyContext, row: RecordRow): RecordBody | undefined {
  const { json, sum } = row;
  const body = compareBody(report, nameOfRow(row), json, (text, read) => isIntact(text, read.revision_id, sum));
  if (body !== undefined && sum === null) {
    report.rebuild(["tables", "checksums"]);
    report.note("A record was stored before there were checksums; a running server or --repair adds them.");
  }
  return body;
}

function checkColumns({ db, report }: VerifyContext, row: RecordRow, body: RecordBody, expected: RecordIndex): void {
  const subject = nameOfRow(row);
  const unit: FileUnit = ["records", row.id];
  const values = changeableValues(body, expected.rows, expected.uses);
  const columns = [
    ["id", body.id, row.pid],
    ["state", STATE_NUMBER[body.state], row.state],
    ...CHANGEABLE_COLUMNS.map((column, i) => [column, values[i], row[column]] as const).filter(
      ([name]) => name !== "vals",
    ),
  ] as const;
  compareColumns(report, subject, columns, unit, checkName);
  // Numbers and keys are packed in bytes: they are compared by value.
  if (
    !sameValues(row.vals, expected.rows.vals) ||
    !(Buffer.isBuffer(row.texts) && row.texts.equals(expected.rows.texts))
  ) {
    const expectedValues = "the body's numbers, keys and texts";
    report.add({ check: "index.values", where: subject, expected: expectedValues, found: "others" }, unit);
  }
  const otherStates = db.sql<number>("SELECT count(*) FROM rec WHERE pid = ? AND state = ?").pluck();
  const column = ["other_state", otherStates.get(row.pid, 1 - row.state), row.other_state] as const;
  compareColumns(report, subject, [column], unit, () => "record.other_state");
}

const checkName = (column: string): string =>
  column === "cites" || column === "elements" ? "index.values" : "record.columns";

/** Maximum number of words that are remembered as present. */
const WORDS_MAX = 200_000;

function makeWordCheck({ db, report }: VerifyContext): (row: RecordRow, expected: RecordIndex) => void {
  const presentWords = new Set<string>();
  const wordRow = db.sql("SELECT 1 FROM word WHERE word = ?");
  const newWords = new Set(db.sql<string>("SELECT word FROM new_word").pluck().all());
  return (row, { words }) => {
    for (const word of words) {
      if (presentWords.has(word)) continue;
      if (presentWords.size > WORDS_MAX) presentWords.clear();
      presentWords.add(word);
      if (newWords.has(word) || wordRow.get(word) !== undefined) continue;
      const finding = { check: "index.words", where: nameOfRow(row), expected: `the word ${word}`, found: "none" };
      report.add(finding, ["records", row.id]);
    }
  };
}

/** Compares the tokens in the full-text tables of records with the expected ones. */
interface RecordTokens {
  expect(row: number, rows: RecordRows): void;
  /** Excludes a row whose expected tokens are unknown. */
  exclude(row: number): void;
  /** Compares. Call it after all expected rows were added. */
  check(): void;
}

const COLUMNS = ["paths", "title", "heavy", "rest"] as const;

/** Makes the sums of the tokens that records should have. */
export function makeRecordTokens(verifying: VerifyContext): RecordTokens {
  const { db, report } = verifying;
  const sums = { leaf: new TokenSums(endOfRecords(db)), elem: new TokenSums(endOfRecords(db)) };
  const excluded = new Set<number>();
  const tokenize = makeTokenize(TOKEN_SIGNS);
  const runTokenCheck = (work: () => void): boolean => runCheck(report, "index.text", work, ["tables", "text"]);
  return {
    expect(row, rows) {
      for (const [c, column] of COLUMNS.entries()) sums.leaf.expectText(row, tokenize(rows[column]), c);
      for (const [i, text] of rows.elements.entries()) sums.elem.expectText(row, tokenize(text), 0, i + 1);
    },
    exclude: (row) => void excluded.add(row),
    check() {
      const onProgress = (done: number): void => report.progress("tokens of records", done);
      runTokenCheck(() => sums.leaf.takeTable(db, "leaf", COLUMNS, onProgress));
      runTokenCheck(() =>
        sums.elem.takeTable(db, "elem", ["t"], onProgress, (row) => [owningRecord(row), elementNumber(row)]),
      );
      findUnequal(verifying, sums.leaf, excluded, "tokens of the record");
      findUnequal(verifying, sums.elem, excluded, "tokens of its elements");
    },
  };
}

function findUnequal(
  { db, report }: VerifyContext,
  sums: TokenSums,
  excluded: ReadonlySet<number>,
  contents: string,
): void {
  const total = countRecords(db);
  const recordByRow = db.sql<{ pid: string; state: number }>("SELECT pid, state FROM rec WHERE id = ?");
  for (const row of sums.unequal()) {
    report.progress("index of records", row, total);
    if (excluded.has(row)) continue;
    const record = recordByRow.get(row);
    const finding =
      record === undefined
        ? { check: "index.strays", where: `row ${row}`, expected: "no index", found: contents }
        : { check: "index.text", where: nameOfRow(record), expected: `the ${contents}`, found: "others" };
    report.add(finding, ["records", row]);
  }
}
