import { type TermKeys, termKeys } from "../../../query/index-model/term-keys.js";
import { compareItem } from "../../verify/compare-item.js";
import { PATH_TOKEN_SIGNS } from "../connection/vocabulary-tables.js";
import type { StoredRow } from "../vocabulary/store/put-row.js";
import { runCheck } from "./run-check.js";
import { makeTokenize, TokenSums } from "./token-sums.js";
import type { VerifyingItems } from "./verify-context.js";

interface Sums {
  readonly words: TokenSums;
  readonly paths: TokenSums;
  readonly keys: TokenSums;
}

const TEXT_COLUMNS = ["title", "names", "rest"] as const;

/** Each item against its content: its row, its words, and its entries in the tables that lead to it. */
export function checkItems(verifying: VerifyingItems): void {
  const { db, vocabulary, generation, report } = verifying;
  const { g, next } = generation;
  const sums: Sums = { words: new TokenSums(next), paths: new TokenSums(next), keys: new TokenSums(next) };
  const unreadable = expectItems(verifying, sums);
  const onProgress = (done: number): void => report.progress(`tokens of ${vocabulary.name}`, done);
  const takeTokens = (): void => {
    sums.words.takeTable(db, `term_fts_${g}`, TEXT_COLUMNS, onProgress);
    sums.paths.takeTable(db, `term_at_${g}`, ["paths"], onProgress);
  };
  runCheck(report, "items.text", takeTokens, ["vocabularies", vocabulary.name]);
  takeEntries(verifying, sums.keys);
  findUnequal(verifying, sums, unreadable);
}

/** @returns rows that cannot be read */
function expectItems({ db, vocabulary, generation, report }: VerifyingItems, sums: Sums): ReadonlySet<number> {
  const { name } = vocabulary;
  const unreadable = new Set<number>();
  const splitText = makeTokenize("");
  const splitPaths = makeTokenize(PATH_TOKEN_SIGNS);
  let done = 0;
  for (const row of db.raw.prepare<[], StoredRow>(`SELECT * FROM term_${generation.g} ORDER BY id`).iterate()) {
    report.progress(`items of ${name}`, ++done, generation.count);
    const item = compareItem(report, vocabulary, row, ["vocabularies", name]);
    if (item === undefined) {
      unreadable.add(row.id);
      continue;
    }
    const keys = termKeys(item.content, vocabulary);
    for (const [c, column] of TEXT_COLUMNS.entries()) sums.words.expectText(row.id, splitText(keys.text[column]), c);
    sums.paths.expectText(row.id, splitPaths(keys.text.paths), 0);
    for (const entry of entriesOf(row, keys)) sums.keys.add(row.id, entry, 1);
  }
  return unreadable;
}

/** Entries of the tables that lead to an item, each as one text. Empty and equal ones count as often as they stand. */
function entriesOf({ ext, created, parent }: StoredRow, { titles, names, values }: TermKeys): string[] {
  return [
    entry("ext", ext),
    entry("created", created, ext),
    ...(parent === null ? [] : [entry("child", parent)]),
    ...titles.map(([lang, key]) => entry("title", lang, key)),
    ...names.map(([key, kind]) => entry("name", key, kind)),
    ...values.map(([path, value]) => entry("val", path, value)),
  ];
}

const entry = (table: string, ...key: readonly (string | number)[]): string => JSON.stringify([table, ...key]);

const ENTRY_TABLES = {
  ext: "ext",
  created: "created, ext",
  child: "parent",
  title: "lang, key",
  name: "key, kind",
  val: "path, value",
} as const;

function takeEntries({ db, vocabulary, generation, report }: VerifyingItems, sums: TokenSums): void {
  for (const [table, key] of Object.entries(ENTRY_TABLES)) {
    const rows = db.raw.prepare<[], [number, ...(string | number)[]]>(
      `SELECT id, ${key} FROM ${table}_${generation.g}`,
    );
    let done = 0;
    for (const [id, ...values] of rows.raw().iterate() as IterableIterator<[number, ...(string | number)[]]>) {
      report.progress(`keys of ${vocabulary.name}`, ++done);
      sums.add(id, entry(table, ...values), -1);
    }
  }
}

function findUnequal({ vocabulary, generation, report }: VerifyingItems, sums: Sums, out: ReadonlySet<number>): void {
  const { name } = vocabulary;
  const find = generation.sql<string>("SELECT ext FROM term_$g WHERE id = ?").pluck();
  const checks = [
    ["items.text", "words", sums.words],
    ["items.text", "words at their paths", sums.paths],
    ["items.keys", "entries of keys", sums.keys],
  ] as const;
  for (const [check, what, ofKind] of checks) {
    for (const row of ofKind.unequal()) {
      if (out.has(row)) continue;
      const ext = find.get(row);
      const noted =
        ext === undefined
          ? { check, where: `${name}, row ${row}`, expected: "nothing", found: what }
          : { check, where: `${name}/${ext}`, expected: `the ${what} of its content`, found: "others" };
      report.add(noted, ["vocabularies", name]);
    }
  }
}
