import { TOKEN_SIGNS } from "../connection/migrations.js";
import { numberOf, recordOf } from "../documents/element-row-id.js";
import type { ExpectedRows } from "./expected-rows.js";
import { countRecords, endOfRecords } from "./record-cursor.js";
import { type Hash, hashText, instancesOf, makeTokenize, placeOf, TokenSums } from "./token-sums.js";
import { nameOf, type VerifyContext } from "./verify-context.js";

/** Compares what the full-text tables of records hold with what they have to hold. */
export interface IndexSums {
  expect(row: number, expected: ExpectedRows): void;
  /** Nobody can say what the row's index has to hold. */
  leaveOut(row: number): void;
  /** To be called once all is expected. */
  check(): void;
}

const COLUMNS = ["paths", "title", "heavy", "rest"] as const;
const _PATHS = 0;

/** Tokens of some hundred records stand in one step of progress. */
const TOKENS_PER_STEP = 100_000;

export function makeIndexSums(verifying: VerifyContext): IndexSums {
  const { db } = verifying;
  const sums = { leaf: new TokenSums(endOfRecords(db)), elem: new TokenSums(endOfRecords(db)) };
  const out = new Set<number>();
  const tokenize = makeTokenize(TOKEN_SIGNS);
  const hashes = makeHashes();

  const expectText = (table: keyof typeof sums, row: number, text: string, place: (offset: number) => number): void => {
    for (const [offset, token] of tokenize(text).entries()) sums[table].add(row, hashes(token), place(offset), 1);
  };
  return {
    expect(row, { rows }) {
      for (const [c, column] of COLUMNS.entries())
        expectText("leaf", row, rows[column], (offset) => placeOf(c, offset));
      for (const [i, text] of rows.elements.entries()) {
        expectText("elem", row, text, (offset) => elementPlace(i + 1, placeOf(0, offset)));
      }
    },
    leaveOut: (row) => void out.add(row),
    check() {
      checkTable(verifying, "leaf", () => takeLeaves(verifying, sums.leaf));
      checkTable(verifying, "elem", () => takeElements(verifying, sums.elem));
      findUnequal(verifying, sums, out);
    },
  };
}

function checkTable({ report }: VerifyContext, table: "leaf" | "elem", run: () => void): void {
  report.check("index.text", run, ({ tables }) => tables.add(table));
}

function takeLeaves({ db, report }: VerifyContext, sums: TokenSums): void {
  const hashOf = makeTokenSteps();
  let n = 0;
  for (const [token, row, place] of instancesOf(db, "leaf", COLUMNS)) {
    if (++n % TOKENS_PER_STEP === 0) report.progress("tokens of records", n);
    sums.add(row, hashOf(token), place, -1);
  }
}

function takeElements({ db, report }: VerifyContext, sums: TokenSums): void {
  const hashOf = makeTokenSteps();
  let n = 0;
  for (const [token, element, place] of instancesOf(db, "elem", ["t"])) {
    if (++n % TOKENS_PER_STEP === 0) report.progress("tokens of elements", n);
    sums.add(recordOf(element), hashOf(token), elementPlace(numberOf(element), place), -1);
  }
}

/** One number for an element of a record and a place in its row. */
const elementPlace = (n: number, place: number): number => Math.imul(n, 0x27d4eb2f) ^ place;

/** The hash of a token, made once as long as the same one comes. */
function makeTokenSteps(): (token: string) => Hash {
  let last = "";
  let hash = hashText(last);
  return (token) => {
    if (token !== last) {
      last = token;
      hash = hashText(token);
    }
    return hash;
  };
}

/** Hashes of the tokens that come again and again. */
function makeHashes(): (token: string) => Hash {
  const known = new Map<string, Hash>();
  return (token) => {
    let hash = known.get(token);
    if (hash !== undefined) return hash;
    if (known.size > HASHES_MAX) known.clear();
    hash = hashText(token);
    known.set(token, hash);
    return hash;
  };
}

const HASHES_MAX = 100_000;

function findUnequal(
  { db, report }: VerifyContext,
  sums: { readonly leaf: TokenSums; readonly elem: TokenSums },
  out: ReadonlySet<number>,
): void {
  const of = countRecords(db);
  const find = db.sql<{ pid: string; state: number }>("SELECT pid, state FROM rec WHERE id = ?");
  for (const table of ["leaf", "elem"] as const) {
    for (const row of sums[table].unequal()) {
      report.progress("index of records", row, of);
      if (out.has(row)) continue;
      const what = table === "leaf" ? "of the record" : "of its elements";
      const record = find.get(row);
      const where = record === undefined ? `row ${row}` : nameOf(record.pid, record.state);
      if (record === undefined) {
        const noted = { check: "index.strays", where, expected: "no index", found: `tokens ${what}` };
        report.add(noted, ({ strays }) => strays.add(row));
      } else {
        const noted = { check: "index.text", where, expected: `the tokens ${what}`, found: "others" };
        report.add(noted, ({ records }) => records.add(row));
      }
    }
  }
}
