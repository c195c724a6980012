import { isWord } from "../../../query/index-model/term-document.js";
import { addLeftEntries } from "../../verify/compare-changes.js";
import { compareLife, type StoredLife } from "../../verify/compare-term.js";
import { andNot, type DocIdSet, setOfSorted, toIds } from "../bitmaps/doc-id-set.js";
import { phrase } from "../documents/fts-expression.js";
import { readSavedColumn, readSavedRows } from "../vocabulary/search/saved-data.js";
import type { TermVerifyContext, VerifyContext } from "./verify-context.js";

/** Checks the counters of a generation, that no deleted row exists, and that no id is used twice or also deleted. */
export function checkGeneration(verifying: TermVerifyContext): void {
  const { vocabulary, generation, report } = verifying;
  const count = (sql: string): number => generation.sql<number | null>(sql).pluck().get() ?? 0;
  const compare = (what: string, expected: number, found: number): void => {
    const finding = { check: "generation.counters", where: vocabulary.name };
    const counts = { expected: `${what} ${expected}`, found: `${what} ${found}` };
    report.compare({ ...finding, ...counts }, ["vocabularies", vocabulary.name]);
  };
  compare("count", count("SELECT count(*) FROM term_$g"), generation.count);
  compare("next", Math.max(generation.next, count("SELECT max(id) FROM term_$g") + 1), generation.next);
  const isLive = "SELECT 1 FROM term_$g t WHERE t.id =";
  compare("dead rows", 0, count(`SELECT count(*) FROM dead_$g d WHERE EXISTS (${isLive} d.id)`));
  const dead = count("SELECT count(*) FROM dead_$g WHERE id <= (SELECT ranked FROM generation WHERE g = $g)");
  compare("ranked", count(`SELECT count(*) FROM term_$g WHERE id <= ${generation.ranked}`) + dead, generation.ranked);
  if (generation.writes === 0 && dead === 0)
    compare("active", count("SELECT count(*) FROM term_$g WHERE status = 0"), generation.active);
  checkRepeats(verifying);
  checkLives(verifying);
}

/** Checks that each id has one row. */
function checkRepeats({ vocabulary, generation, report }: TermVerifyContext): void {
  const repeats = generation.sql<string>(
    `SELECT t.ext FROM term_$g t WHERE t.ext IN (
       SELECT e.ext FROM ext_$g e GROUP BY e.ext HAVING count(*) > count(DISTINCT e.ext COLLATE BINARY))
     AND EXISTS (SELECT 1 FROM term_$g u WHERE u.id > t.id AND u.ext = t.ext COLLATE BINARY)`,
  );
  for (const ext of repeats.pluck().all()) {
    const finding = {
      check: "items.repeats",
      where: `${vocabulary.name}/${ext}`,
      expected: "one row",
      found: "several",
    };
    report.add(finding, ["vocabularies", vocabulary.name]);
  }
}

/** Checks that no term is also marked as deleted, and that each replaced id has a successor. */
function checkLives({ db, vocabulary, generation, report }: TermVerifyContext): void {
  const { g } = generation;
  const deletedTerms = db.sql<Omit<StoredLife, "isItem"> & { readonly isItem: number }>(
    `SELECT l.ext, l.state, l.successor, EXISTS (SELECT 1 FROM ext_${g} e JOIN term_${g} t ON t.id = e.id
       WHERE e.ext = l.ext AND t.ext = l.ext COLLATE BINARY) AS isItem
     FROM life l WHERE l.vocabulary = ?`,
  );
  for (const { isItem, ...life } of deletedTerms.all(vocabulary.name)) {
    compareLife(report, vocabulary.name, { ...life, isItem: isItem === 1 }, ["vocabularies", vocabulary.name]);
  }
}

/** Finds tables that belong to no generation, and entries of imports and loads that did not succeed. */
export function checkLeftovers({ db, report }: VerifyContext): void {
  const names = db
    .sql<string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'term_[0-9]*'")
    .pluck();
  const generationRow = db.sql("SELECT 1 FROM generation WHERE g = ?");
  for (const name of names.all()) {
    const g = Number(name.slice("term_".length));
    if (!Number.isInteger(g) || generationRow.get(g) !== undefined) continue;
    const finding = { check: "generation.leftovers", where: name, expected: "no table" };
    report.add({ ...finding, found: "a table of no vocabulary" }, ["leftovers", g]);
  }
  const redirects = db.sql<number>("SELECT DISTINCT g FROM redirect WHERE g NOT IN (SELECT g FROM generation)").pluck();
  for (const g of redirects.all()) {
    const finding = { check: "generation.leftovers", where: `redirects ${g}`, expected: "no redirects" };
    report.add({ ...finding, found: "redirects of no vocabulary" }, ["leftovers", g]);
  }
  const loads = db.sql<number>(
    `SELECT DISTINCT load FROM term_history WHERE load IS NOT NULL AND load NOT IN (SELECT g FROM generation)
     AND load NOT IN (SELECT g FROM term_load)`,
  );
  for (const count of loads.pluck().all()) addLeftEntries(report, "load", count, ["leftovers", count]);
  const imports = db.sql<number>(
    `SELECT DISTINCT import FROM change_term WHERE import NOT IN (SELECT g FROM generation)
     AND CAST(import AS TEXT) NOT IN (SELECT id FROM change WHERE kind = 'term' AND action = 'imported')`,
  );
  for (const count of imports.pluck().all()) addLeftEntries(report, "import", count, ["leftovers", count]);
}

/**
 * Maximum number of posting lists of one vocabulary that are compared. Of more, this many are taken at even distances.
 */
const POSTINGS_COMPARED_MAX = 500;

/** Checks data that was computed from the ranked rows when the generation was made: orders, posting lists, words. */
export function checkSaved(verifying: TermVerifyContext): void {
  const { vocabulary } = verifying;
  checkOrder(verifying, "created", "SELECT id FROM created_$g ORDER BY created, ext");
  for (const lang of vocabulary.languages) {
    checkOrder(verifying, `title ${lang}`, "SELECT id FROM title_$g WHERE lang = ? ORDER BY key", lang);
  }
  checkAllPostings(verifying);
  checkSavedWords(verifying);
}

function addFinding({ vocabulary, report }: TermVerifyContext, what: string, expected: string, found: string): void {
  const { name } = vocabulary;
  report.add({ check: "items.saved", where: `${name}, ${what}`, expected, found }, ["vocabularies", name]);
}

/** Checks that the remaining ranked rows have the same order in a saved column as in their table. */
function checkOrder(
  verifying: TermVerifyContext,
  name: "created" | `title ${string}`,
  sql: string,
  ...lang: string[]
): void {
  const { generation } = verifying;
  const column = readSavedColumn(generation, name);
  const isUnchanged = generation.writes === 0;
  if (column.length !== generation.ranked)
    addFinding(verifying, name, `${generation.ranked} places`, `${column.length}`);
  let place = -1;
  for (const id of generation
    .sql<number>(sql)
    .pluck()
    .iterate(...lang)) {
    if (id > generation.ranked) continue;
    const found = column[id - 1] ?? -1;
    const isRight = isUnchanged ? found === place + 1 : found > place;
    place = isUnchanged ? place + 1 : found;
    if (isRight) continue;
    addFinding(verifying, name, "the order of the table", `row ${id} at place ${found}`);
    return;
  }
}

function checkAllPostings(verifying: TermVerifyContext): void {
  const { vocabulary, generation, report } = verifying;
  const deleted = setOfSorted(
    Uint32Array.from(generation.sql<number>("SELECT id FROM dead_$g ORDER BY id").pluck().all()),
  );
  const postings = generation.sql<SavedSet>("SELECT id, name FROM hot_$g ORDER BY id").all();
  const step = Math.max(1, Math.ceil(postings.length / POSTINGS_COMPARED_MAX));
  for (let i = 0; i < postings.length; i += step) {
    report.progress(`sets of ${vocabulary.name}`, i, postings.length);
    checkPostings(verifying, postings[i]!, deleted);
  }
}

interface SavedSet {
  readonly id: number;
  readonly name: string;
}

/** Returns whether a token is one of paths: these contain signs that words do not have, and have no columns. */
const isPathToken = (token: string): boolean => /[?_]/.test(token);

/** FTS5 column filters by the columns of a saved posting list. */
const COLUMN_FILTERS = { all: "", title: "{title} : ", names: "{title names} : " } as const;

function checkPostings(verifying: TermVerifyContext, { id, name }: SavedSet, deleted: DocIdSet): void {
  const { generation } = verifying;
  const isPrefix = name.endsWith("*");
  const token = isPrefix ? name.slice(0, -1) : name;
  const table = isPathToken(token) ? "term_at" : "term_fts";
  const match = generation
    .sql<number>(`SELECT rowid FROM ${table}_$g WHERE ${table}_$g MATCH ? AND rowid <= ? ORDER BY rowid`)
    .pluck();
  for (const columns of isPathToken(token) ? (["all"] as const) : (["all", "title", "names"] as const)) {
    const saved = toIds(andNot(readSavedRows(generation, id, columns), deleted));
    const found = match.all(COLUMN_FILTERS[columns] + phrase([token], isPrefix), BigInt(generation.ranked));
    if (saved.length === found.length && saved.every((row, i) => row === found[i])) continue;
    addFinding(verifying, `set of ${name} in ${columns}`, `${found.length} rows`, `${saved.length} rows`);
  }
}

/** Checks the order of the saved words, unless there were single writes. */
function checkSavedWords(verifying: TermVerifyContext): void {
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
  if (!isSame) addFinding(verifying, "words", "the words of its index", "others");
}
