import { TOKEN_SIGNS } from "../connection/record-tables.js";
import { numberOf, recordOf } from "../documents/element-row-id.js";
import type { RecordRows } from "../documents/record-rows.js";
import { runCheck } from "./run-check.js";
import { makeTokenize, TokenSums } from "./token-sums.js";
import { countRecords, endOfRecords, nameOfRow, type VerifyContext } from "./verify-context.js";

/** Compares what the full-text tables of records have with what they have to have. */
export interface RecordTokens {
  expect(row: number, rows: RecordRows): void;
  /** Nobody can say what the full text has to have of the row. */
  leaveOut(row: number): void;
  /** To be called once all is expected. */
  check(): void;
}

const COLUMNS = ["paths", "title", "heavy", "rest"] as const;

export function makeRecordTokens(verifying: VerifyContext): RecordTokens {
  const { db, report } = verifying;
  const sums = { leaf: new TokenSums(endOfRecords(db)), elem: new TokenSums(endOfRecords(db)) };
  const out = new Set<number>();
  const tokenize = makeTokenize(TOKEN_SIGNS);
  const take = (work: () => void): boolean => runCheck(report, "index.text", work, ["tables", "text"]);
  return {
    expect(row, rows) {
      for (const [c, column] of COLUMNS.entries()) sums.leaf.expectText(row, tokenize(rows[column]), c);
      for (const [i, text] of rows.elements.entries()) sums.elem.expectText(row, tokenize(text), 0, i + 1);
    },
    leaveOut: (row) => void out.add(row),
    check() {
      const onProgress = (done: number): void => report.progress("tokens of records", done);
      take(() => sums.leaf.takeTable(db, "leaf", COLUMNS, onProgress));
      take(() => sums.elem.takeTable(db, "elem", ["t"], onProgress, (row) => [recordOf(row), numberOf(row)]));
      findUnequal(verifying, sums.leaf, out, "tokens of the record");
      findUnequal(verifying, sums.elem, out, "tokens of its elements");
    },
  };
}

function findUnequal({ db, report }: VerifyContext, sums: TokenSums, out: ReadonlySet<number>, what: string): void {
  const of = countRecords(db);
  const find = db.sql<{ pid: string; state: number }>("SELECT pid, state FROM rec WHERE id = ?");
  for (const row of sums.unequal()) {
    report.progress("index of records", row, of);
    if (out.has(row)) continue;
    const record = find.get(row);
    const noted =
      record === undefined
        ? { check: "index.strays", where: `row ${row}`, expected: "no index", found: what }
        : { check: "index.text", where: nameOfRow(record), expected: `the ${what}`, found: "others" };
    report.add(noted, ["records", row]);
  }
}
