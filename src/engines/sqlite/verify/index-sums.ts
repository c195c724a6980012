import { numberOf, recordOf } from "../element-rows.js";
import { TOKEN_SIGNS } from "../schema.js";
import { existsToken, wordToken } from "../tokens.js";
import type { ExpectedRows } from "./expected-rows.js";
import { countRecords, endOfRecords } from "./record-cursor.js";
import { columnOf, type Hash, hashText, instancesOf, makeTokenize, placeOf, TokenSums } from "./token-sums.js";
import { nameOf, type Verifying } from "./verifying.js";

/** Compares what the full-text tables of records hold with what they have to hold. */
export interface IndexSums {
  expect(row: number, expected: ExpectedRows): void;
  /** Nobody can say what the row's index has to hold. */
  leaveOut(row: number): void;
  /** To be called once all is expected. */
  check(): void;
}

const COLUMNS = ["paths", "title", "heavy", "rest"] as const;
const PATHS = 0;

/** Tokens of some hundred records stand in one step of progress. */
const TOKENS_PER_STEP = 100_000;

export function makeIndexSums(verifying: Verifying): IndexSums {
  const { db } = verifying;
  const sums = { leaf: new TokenSums(endOfRecords(db)), elem: new TokenSums(endOfRecords(db)) };
  const out = new Set<number>();
  /** Records whose cited terms changed since: their synonyms may be others, which moves what stands behind them. */
  const uncertain = new Set<number>();
  const tokenize = makeTokenize(TOKEN_SIGNS);
  const isSynonym = makeSynonymTest(verifying);
  const hashes = makeHashes();

  const expectText = (table: keyof typeof sums, row: number, text: string, place: (offset: number) => number): void => {
    for (const [offset, token] of tokenize(text).entries()) sums[table].add(row, hashes(token), place(offset), 1);
  };
  const expectUncertain = (table: keyof typeof sums, row: number, text: string, place: number): void => {
    for (const token of tokenize(text)) if (!isSynonym(token)) sums[table].add(row, hashes(token), place, 1);
  };
  return {
    expect(row, { rows, isCertain }) {
      if (!isCertain) {
        uncertain.add(row);
        expectUncertain("leaf", row, rows.paths, PATHS);
        for (const [i, text] of rows.elements.entries()) expectUncertain("elem", row, text, elementPlace(i + 1, 0));
        return;
      }
      for (const [c, column] of COLUMNS.entries())
        expectText("leaf", row, rows[column], (offset) => placeOf(c, offset));
      for (const [i, text] of rows.elements.entries()) {
        expectText("elem", row, text, (offset) => elementPlace(i + 1, placeOf(0, offset)));
      }
    },
    leaveOut: (row) => void out.add(row),
    check() {
      const takeAway = { uncertain, isSynonym };
      checkTable(verifying, "leaf", () => takeLeaves(verifying, sums.leaf, takeAway));
      checkTable(verifying, "elem", () => takeElements(verifying, sums.elem, takeAway));
      findUnequal(verifying, sums, out);
    },
  };
}

interface Unsure {
  readonly uncertain: ReadonlySet<number>;
  readonly isSynonym: (token: string) => boolean;
}

function checkTable({ report }: Verifying, table: "leaf" | "elem", run: () => void): void {
  report.check("index.text", run, ({ tables }) => tables.add(table));
}

function takeLeaves({ db, report }: Verifying, sums: TokenSums, { uncertain, isSynonym }: Unsure): void {
  const eachToken = makeTokenSteps(isSynonym);
  let n = 0;
  for (const [token, row, place] of instancesOf(db, "leaf", COLUMNS)) {
    if (++n % TOKENS_PER_STEP === 0) report.progress("tokens of records", n);
    const { hash, isLeftOut } = eachToken(token);
    if (!uncertain.has(row)) sums.add(row, hash, place, -1);
    else if (columnOf(place) === PATHS && !isLeftOut) sums.add(row, hash, PATHS, -1);
  }
}

function takeElements({ db, report }: Verifying, sums: TokenSums, { uncertain, isSynonym }: Unsure): void {
  const eachToken = makeTokenSteps(isSynonym);
  let n = 0;
  for (const [token, element, place] of instancesOf(db, "elem", ["t"])) {
    if (++n % TOKENS_PER_STEP === 0) report.progress("tokens of elements", n);
    const { hash, isLeftOut } = eachToken(token);
    const row = recordOf(element);
    if (!uncertain.has(row)) sums.add(row, hash, elementPlace(numberOf(element), place), -1);
    else if (!isLeftOut) sums.add(row, hash, elementPlace(numberOf(element), 0), -1);
  }
}

/** One number for an element of a record and a place in its row. */
const elementPlace = (n: number, place: number): number => Math.imul(n, 0x27d4eb2f) ^ place;

/** What is made of a token once, as long as the same one comes. */
function makeTokenSteps(isSynonym: Unsure["isSynonym"]): (token: string) => { hash: Hash; isLeftOut: boolean } {
  let last = "";
  let made = { hash: hashText(""), isLeftOut: false };
  return (token) => {
    if (token !== last) {
      last = token;
      made = { hash: hashText(token), isLeftOut: isSynonym(token) };
    }
    return made;
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

/** Is it a token of a synonym, or of a whole title, which a synonym may be as well? */
function makeSynonymTest({ catalog, paths }: Verifying): (token: string) => boolean {
  const sites = [...catalog.models.values()].flatMap((model) => model.termSites.map(({ path }) => `${path}.synonyms`));
  const ids = sites.map((path) => paths.idOf(path)).filter((id) => id !== undefined);
  const exists = new Set(ids.map(existsToken));
  const words = new Set(ids.map((id) => wordToken(id, "")));
  return (token) => {
    if (token.startsWith("_")) return words.has(token.slice(0, token.indexOf("_", 1) + 1));
    return exists.has(token) || token.startsWith("=t");
  };
}

function findUnequal(
  { db, report }: Verifying,
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
