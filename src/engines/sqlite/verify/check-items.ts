import type { Vocabulary } from "../../../core/catalog/types.js";
import type { TermContent } from "../../../core/term.js";
import { contentOf, type TermRow, termRow } from "../../../core/terms/term-row.js";
import { parseInstant } from "../../../core/time.js";
import { type TermKeys, termKeys } from "../../../query/index-model/term-keys.js";
import { PATH_TOKEN_SIGNS } from "../connection/vocabulary-tables.js";
import type { Generation } from "../vocabulary/store/generation.js";
import type { StoredRow } from "../vocabulary/store/put-row.js";
import { ofVocabulary } from "./repair-plan.js";
import { hashText, instancesOf, makeTokenize, placeOf, TokenSums } from "./token-sums.js";
import type { VerifyContext } from "./verify-context.js";

/** What a check of one vocabulary needs beside. */
export interface VerifyingItems extends VerifyContext {
  readonly vocabulary: Vocabulary;
  readonly generation: Generation;
}

interface Sums {
  readonly words: TokenSums;
  readonly paths: TokenSums;
  readonly keys: TokenSums;
}

const TEXT_COLUMNS = ["title", "names", "rest"] as const;

/** Rows or tokens in one step of progress. */
const STEP = 10_000;

/** Each item against its content: its row, its words, and its entries in the tables that lead to it. */
export function checkItems(verifying: VerifyingItems): void {
  const { generation } = verifying;
  const sums: Sums = {
    words: new TokenSums(generation.next),
    paths: new TokenSums(generation.next),
    keys: new TokenSums(generation.next),
  };
  const unreadable = new Set<number>();
  expectItems(verifying, sums, unreadable);
  takeTokens(verifying, sums);
  takeEntries(verifying, sums.keys);
  findUnequal(verifying, sums, unreadable);
}

function expectItems(verifying: VerifyingItems, sums: Sums, unreadable: Set<number>): void {
  const { db, vocabulary, generation, report } = verifying;
  const rows = db.raw.prepare<[], StoredRow>(`SELECT * FROM term_${generation.g} ORDER BY id`).iterate();
  const splitText = makeTokenize("");
  const splitPaths = makeTokenize(PATH_TOKEN_SIGNS);
  let done = 0;
  for (const row of rows) {
    if (++done % STEP === 0) report.progress(`items of ${vocabulary.name}`, done, generation.count);
    const content = readContent(verifying, row);
    if (content === undefined) {
      unreadable.add(row.id);
      continue;
    }
    checkRow(verifying, row, content);
    const keys = termKeys(content, vocabulary);
    for (const [c, column] of TEXT_COLUMNS.entries()) {
      for (const [offset, token] of splitText(keys.text[column]).entries()) {
        sums.words.add(row.id, hashText(token), placeOf(c, offset), 1);
      }
    }
    for (const [offset, token] of splitPaths(keys.text.paths).entries()) {
      sums.paths.add(row.id, hashText(token), placeOf(0, offset), 1);
    }
    for (const entry of entriesOf(row, keys)) sums.keys.add(row.id, hashText(entry), 0, 1);
  }
}

function readContent({ vocabulary, report }: VerifyingItems, row: StoredRow): TermContent | undefined {
  try {
    return contentOf(row);
  } catch (error) {
    const where = `${vocabulary.name}/${row.ext}`;
    report.add({ check: "items.content", where, expected: "the item as JSON", found: (error as Error).message });
    ofVocabulary(report.plan, vocabulary.name).unreadable += 1;
    return undefined;
  }
}

/** What the content makes of a row, with the revision and the times that stand beside it in the item. */
export function expectedRow(row: StoredRow, content: TermContent, vocabulary: Vocabulary): TermRow {
  const age = JSON.parse(`{${row.rest}}`) as Readonly<Record<"created" | "updated", string>> & { revision_id: number };
  const [created, updated] = [parseInstant(age.created), parseInstant(age.updated)];
  return termRow(content, vocabulary, { revision: age.revision_id, created, updated });
}

export const ITEM_COLUMNS = [
  "status",
  "prior",
  "length",
  "hash",
  "parent",
  "successor",
  "title",
  "rest",
  "created",
  "revision",
] as const;

function checkRow({ vocabulary, report }: VerifyingItems, row: StoredRow, content: TermContent): void {
  const expected = expectedRow(row, content, vocabulary);
  for (const column of ITEM_COLUMNS) {
    const [is, isMeant] = [row[column], expected[column]].map((value) =>
      Buffer.isBuffer(value) ? value.toString("hex") : String(value),
    );
    const noted = {
      check: "items.columns",
      where: `${vocabulary.name}/${row.ext}`,
      expected: `${column} ${isMeant}`,
      found: `${column} ${is}`,
    };
    report.compare(noted, (plan) => {
      const repair = ofVocabulary(plan, vocabulary.name);
      repair.rows.add(row.id);
      repair.remake = true;
    });
  }
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
      if (++done % STEP === 0) report.progress(`keys of ${vocabulary.name}`, done);
      sums.add(id, hashText(entry(table, ...values)), 0, -1);
    }
  }
}

function takeTokens({ db, vocabulary, generation: { g }, report }: VerifyingItems, { words, paths }: Sums): void {
  let last = "";
  let hash = hashText(last);
  let done = 0;
  const hashOf = (token: string): typeof hash => {
    if (token !== last) hash = hashText(token);
    last = token;
    if (++done % STEP === 0) report.progress(`tokens of ${vocabulary.name}`, done);
    return hash;
  };
  const remake = remakeOf(vocabulary);
  report.check(
    "items.text",
    () => {
      for (const [token, row, place] of instancesOf(db, `term_fts_${g}`, TEXT_COLUMNS)) {
        words.add(row, hashOf(token), place, -1);
      }
      for (const [token, row, place] of instancesOf(db, `term_at_${g}`, ["paths"])) {
        paths.add(row, hashOf(token), place, -1);
      }
    },
    remake,
  );
}

const remakeOf =
  ({ name }: Vocabulary) =>
  (plan: VerifyContext["report"]["plan"]): void => {
    ofVocabulary(plan, name).remake = true;
  };

function findUnequal(
  { vocabulary, generation, report }: VerifyingItems,
  sums: Sums,
  unreadable: ReadonlySet<number>,
): void {
  const what = { words: "words", paths: "words at their paths", keys: "entries of keys" } as const;
  const find = generation.sql<string>("SELECT ext FROM term_$g WHERE id = ?").pluck();
  for (const kind of ["words", "paths", "keys"] as const) {
    for (const row of sums[kind].unequal()) {
      if (unreadable.has(row)) continue;
      const ext = find.get(row);
      const check = kind === "keys" ? "items.keys" : "items.text";
      const where = ext === undefined ? `${vocabulary.name}, row ${row}` : `${vocabulary.name}/${ext}`;
      const expected = ext === undefined ? "nothing" : `the ${what[kind]} of its content`;
      report.add(
        { check, where, expected, found: ext === undefined ? `${what[kind]}` : "others" },
        remakeOf(vocabulary),
      );
    }
  }
}
