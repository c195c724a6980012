import { isWord } from "../../../query/index-model/term-tokens.js";
import { andNot, type DocIdSet, setOfSorted, toIds } from "../bitmaps/doc-id-set.js";
import { phrase } from "../documents/fts-expression.js";
import { savedColumn } from "../vocabulary/search/saved-columns.js";
import { savedRows } from "../vocabulary/search/saved-postings.js";
import type { VerifyingItems } from "./verify-context.js";

/** Sets of one vocabulary that are counted again: all up to so many, else so many of them, evenly spread. */
const SETS_COMPARED_MAX = 500;

/** What was saved of the ranked rows when the generation was made: orders, sets of common tokens, words. */
export function checkSaved(verifying: VerifyingItems): void {
  const { vocabulary } = verifying;
  checkOrder(verifying, "created", "SELECT id FROM created_$g ORDER BY created, ext");
  for (const lang of vocabulary.languages) {
    checkOrder(verifying, `title ${lang}`, "SELECT id FROM title_$g WHERE lang = ? ORDER BY key", lang);
  }
  checkSets(verifying);
  checkWords(verifying);
}

function add({ vocabulary, report }: VerifyingItems, what: string, expected: string, found: string): void {
  const { name } = vocabulary;
  report.add({ check: "items.saved", where: `${name}, ${what}`, expected, found }, ["vocabularies", name]);
}

/** The ranked rows that are left stand in a saved order as they do in its table. */
function checkOrder(
  verifying: VerifyingItems,
  name: "created" | `title ${string}`,
  sql: string,
  ...lang: string[]
): void {
  const { generation } = verifying;
  const column = savedColumn(generation, name);
  const isWhole = generation.writes === 0;
  if (column.length !== generation.ranked) add(verifying, name, `${generation.ranked} places`, `${column.length}`);
  let place = -1;
  for (const id of generation
    .sql<number>(sql)
    .pluck()
    .iterate(...lang)) {
    if (id > generation.ranked) continue;
    const found = column[id - 1] ?? -1;
    const isRight = isWhole ? found === place + 1 : found > place;
    place = isWhole ? place + 1 : found;
    if (isRight) continue;
    add(verifying, name, "the order of the table", `row ${id} at place ${found}`);
    return;
  }
}

function checkSets(verifying: VerifyingItems): void {
  const { vocabulary, generation, report } = verifying;
  const deleted = setOfSorted(
    Uint32Array.from(generation.sql<number>("SELECT id FROM dead_$g ORDER BY id").pluck().all()),
  );
  const sets = generation.sql<SavedSet>("SELECT id, name FROM hot_$g ORDER BY id").all();
  const every = Math.max(1, Math.ceil(sets.length / SETS_COMPARED_MAX));
  for (let i = 0; i < sets.length; i += every) {
    report.progress(`sets of ${vocabulary.name}`, i, sets.length);
    checkSet(verifying, sets[i]!, deleted);
  }
}

interface SavedSet {
  readonly id: number;
  readonly name: string;
}

/** Tokens of paths have signs in them that no word has, and no columns. */
const isOfPaths = (token: string): boolean => /[?_]/.test(token);

/** What an expression is limited to, by the columns of a set. */
const IN_COLUMNS = { all: "", title: "{title} : ", names: "{title names} : " } as const;

function checkSet(verifying: VerifyingItems, { id, name }: SavedSet, deleted: DocIdSet): void {
  const { generation } = verifying;
  const isPrefix = name.endsWith("*");
  const token = isPrefix ? name.slice(0, -1) : name;
  const table = isOfPaths(token) ? "term_at" : "term_fts";
  const match = generation
    .sql<number>(`SELECT rowid FROM ${table}_$g WHERE ${table}_$g MATCH ? AND rowid <= ? ORDER BY rowid`)
    .pluck();
  for (const columns of isOfPaths(token) ? (["all"] as const) : (["all", "title", "names"] as const)) {
    const saved = toIds(andNot(savedRows(generation, id, columns), deleted));
    const found = match.all(IN_COLUMNS[columns] + phrase([token], isPrefix), BigInt(generation.ranked));
    if (saved.length === found.length && saved.every((row, i) => row === found[i])) continue;
    add(verifying, `set of ${name} in ${columns}`, `${found.length} rows`, `${saved.length} rows`);
  }
}

/** The words in their order, which is compared as long as nothing was written one by one. */
function checkWords(verifying: VerifyingItems): void {
  const { generation } = verifying;
  if (generation.writes > 0) return;
  const terms = generation.sql<string>("SELECT term FROM term_fts_word_$g").pluck().iterate();
  const saved = generation.sql<string>("SELECT words FROM word_$g ORDER BY n").pluck();
  let isSame = true;
  for (const words of saved.iterate()) {
    for (const word of words.split(" ")) {
      let next = terms.next();
      while (next.done !== true && !isWord(next.value)) next = terms.next();
      isSame &&= next.done !== true && next.value === word;
    }
  }
  for (const rest of terms) isSame &&= !isWord(rest);
  if (!isSame) add(verifying, "words", "the words of its index", "others");
}
