import { type TermKeys, termKeys } from "../../../query/index-model/term-document.js";
import { compareTerm } from "../../verify/compare-term.js";
import { PATH_TOKEN_SIGNS } from "../connection/vocabulary-tables.js";
import type { StoredRow } from "../vocabulary/store/term-rows.js";
import { makeTokenize, TokenSums } from "./token-sums.js";
import { runCheck, type TermVerifyContext } from "./verify-context.js";

interface TermSums {
  readonly words: TokenSums;
  readonly paths: TokenSums;
  readonly keys: TokenSums;
}

const TEXT_COLUMNS = ["title", "names", "rest"] as const;

/** Checks each term against its content: its row, its words, and its entries in index tables. */
export function checkTerms(verifying: TermVerifyContext): void {
  const { db, vocabulary, generation, report } = verifying;
  const { g, next } = generation;
  const sums: TermSums = { words: new TokenSums(next), paths: new TokenSums(next), keys: new TokenSums(next) };
  const unreadable = expectTerms(verifying, sums);
  const onProgress = (done: number): void => report.progress(`tokens of ${vocabulary.name}`, done);
  const takeTokens = (): void => {
    sums.words.takeTable(db, `term_fts_${g}`, TEXT_COLUMNS, onProgress);
    sums.paths.takeTable(db, `term_at_${g}`, ["paths"], onProgress);
  };
  runCheck(report, "items.text", takeTokens, ["vocabularies", vocabulary.name]);
  takeEntries(verifying, sums.keys);
  findUnequal(verifying, sums, unreadable);
}

/** Adds the expected tokens and entries of all terms to `sums`. @returns the rows that cannot be read */
function expectTerms({ db, vocabulary, generation, report }: TermVerifyContext, sums: TermSums): ReadonlySet<number> {
  const { name } = vocabulary;
  const unreadable = new Set<number>();
  const splitText = makeTokenize("");
  const splitPaths = makeTokenize(PATH_TOKEN_SIGNS);
  let done = 0;
  for (const row of db.raw.prepare<[], StoredRow>(`SELECT * FROM term_${generation.g} ORDER BY id`).iterate()) {
    report.progress(`items of ${name}`, ++done, generation.count);
    const term = compareTerm(report, vocabulary, row, ["vocabularies", name]);
    if (term === undefined) {
      unreadable.add(row.id);
      continue;
    }
    const keys = termKeys(term.content, vocabulary);
    for (const [c, column] of TEXT_COLUMNS.entries()) sums.words.expectText(row.id, splitText(keys.text[column]), c);
    sums.paths.expectText(row.id, splitPaths(keys.text.paths), 0);
    for (const entry of indexEntries(row, keys)) sums.keys.add(row.id, entry, 1);
  }
  return unreadable;
}

/**
 * Returns the entries of a term in index tables, each as one text. Repeated entries are counted as often as they occur.
 */
function indexEntries({ ext, created, parent }: StoredRow, { titles, names, values }: TermKeys): string[] {
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

function takeEntries({ db, vocabulary, generation, report }: TermVerifyContext, sums: TokenSums): void {
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

function findUnequal(
  { vocabulary, generation, report }: TermVerifyContext,
  sums: TermSums,
  excluded: ReadonlySet<number>,
): void {
  const { name } = vocabulary;
  const termIdByRow = generation.sql<string>("SELECT ext FROM term_$g WHERE id = ?").pluck();
  const checks = [
    ["items.text", "words", sums.words],
    ["items.text", "words at their paths", sums.paths],
    ["items.keys", "entries of keys", sums.keys],
  ] as const;
  for (const [check, contents, tokenSums] of checks) {
    for (const row of tokenSums.unequal()) {
      if (excluded.has(row)) continue;
      const ext = termIdByRow.get(row);
      const finding =
        ext === undefined
          ? { check, where: `${name}, row ${row}`, expected: "nothing", found: contents }
          : { check, where: `${name}/${ext}`, expected: `the ${contents} of its content`, found: "others" };
      report.add(finding, ["vocabularies", name]);
    }
  }
}
