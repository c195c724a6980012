import { circlesIn, numberNodes } from "../../../core/terms/term-order.js";
import { isBreak } from "../../../query/index-model/term-document.js";
import type { StepColumns } from "../../../query/ranking/term-steps.js";
import { addLeftEntries } from "../../verify/compare-beside.js";
import { addCircle, addMissingParent, compareLife, type StoredLife } from "../../verify/compare-term.js";
import { makeSortedSet, subtractSet, toIds } from "../bitmaps/doc-id-set.js";
import { phrase } from "../documents/fts-expression.js";
import { readSavedColumn, readSavedRows } from "../vocabulary/search/saved-data.js";
import { isDense, listedRows, readBlock } from "../vocabulary/search/term-postings.js";
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
  checkTokens(verifying);
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
  const deleted = makeSortedSet(
    Uint32Array.from(generation.sql<number>("SELECT id FROM dead_$g ORDER BY id").pluck().all()),
  );
  const sets = generation.sql<SavedSet>("SELECT id, name FROM hot_$g ORDER BY id").all();
  const setStep = Math.max(1, Math.ceil(sets.length / POSTINGS_COMPARED_MAX));
  for (let i = 0; i < sets.length; i += setStep) {
    report.progress(`sets of ${vocabulary.name}`, i, sets.length);
    const { id, name } = sets[i]!;
    const isPrefix = name.endsWith("*");
    const token = isPrefix ? name.slice(0, -1) : name;
    const rowsIn = (columns: StepColumns): Uint32Array =>
      toIds(subtractSet(readSavedRows(generation, id, columns), deleted));
    checkPostings(verifying, `set of ${name}`, { token, isPrefix }, rowsIn);
  }
  const blocks = generation.sql<number>("SELECT count(*) FROM postings_$g").pluck().get() ?? 0;
  const blockStep = Math.max(1, Math.ceil(blocks / POSTINGS_COMPARED_MAX));
  for (let n = 1; n <= blocks; n += blockStep) {
    report.progress(`posting lists of ${vocabulary.name}`, n, blocks);
    const block = readBlock(generation, n);
    const tokenStep = Math.max(1, Math.ceil((block.tokens.length * blocks) / POSTINGS_COMPARED_MAX));
    for (let i = 0; i < block.tokens.length; i += tokenStep) {
      if (isDense(block, i)) continue;
      const rowsIn = (columns: StepColumns): Uint32Array =>
        toIds(subtractSet(makeSortedSet(listedRows(block, i, columns)), deleted));
      const token = block.tokens[i]!;
      checkPostings(verifying, `list of ${token}`, { token, isPrefix: false }, rowsIn);
    }
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

/** Compares saved rows with those of the full-text table. @param rowsIn returns the saved rows, without deleted ones */
function checkPostings(
  verifying: TermVerifyContext,
  what: string,
  { token, isPrefix }: { readonly token: string; readonly isPrefix: boolean },
  rowsIn: (columns: StepColumns) => Uint32Array,
): void {
  const { generation } = verifying;
  const table = isPathToken(token) ? "term_at" : "term_fts";
  const match = generation
    .sql<number>(`SELECT rowid FROM ${table}_$g WHERE ${table}_$g MATCH ? AND rowid <= ? ORDER BY rowid`)
    .pluck();
  for (const columns of isPathToken(token) ? (["all"] as const) : (["all", "title", "names"] as const)) {
    const saved = rowsIn(columns);
    const found = match.all(COLUMN_FILTERS[columns] + phrase([token], isPrefix), BigInt(generation.ranked));
    if (saved.length === found.length && saved.every((row, i) => row === found[i])) continue;
    addFinding(verifying, `${what} in ${columns}`, `${found.length} rows`, `${saved.length} rows`);
  }
}

/** Checks the tokens of the posting lists, unless there were single writes. */
function checkTokens(verifying: TermVerifyContext): void {
  const { generation } = verifying;
  if (generation.writes > 0) return;
  const terms = generation.sql<string>("SELECT term FROM term_fts_word_$g").pluck().iterate();
  const nextTerm = (): string | undefined => {
    for (;;) {
      const next = terms.next();
      if (next.done === true) return undefined;
      if (!isBreak(next.value)) return next.value;
    }
  };
  let isSame = true;
  for (const tokens of generation.sql<string>("SELECT tokens FROM postings_$g ORDER BY n").pluck().iterate()) {
    for (const token of tokens.split(" ")) isSame &&= nextTerm() === token;
  }
  if (!isSame || nextTerm() !== undefined) addFinding(verifying, "words", "the words of its index", "others");
  terms.return?.();
}

interface PlacedTerm {
  readonly id: number;
  readonly ext: string;
  readonly lo: number;
  readonly hi: number;
  readonly parentLo: number | null;
  readonly parentHi: number | null;
}

/** SQL for terms with a pre-order interval, and the intervals of their parents. */
const PLACED_TERMS = `SELECT t.id, t.ext, t.lo, t.hi, p.lo AS parentLo, p.hi AS parentHi FROM term_$g t
  LEFT JOIN term_$g p ON p.id = (SELECT q.id FROM ext_$g e JOIN term_$g q ON q.id = e.id
    WHERE e.ext = t.parent AND q.ext = t.parent COLLATE BINARY)
  WHERE t.lo IS NOT NULL ORDER BY t.id`;

/**
 * Checks the intervals of a hierarchy: each lies within that of its parent unless it was cut out, and the saved order
 * of places is the same. A generation without single writes must have the intervals that its parents determine.
 */
export function checkLineage(verifying: TermVerifyContext): void {
  const { vocabulary, generation, report } = verifying;
  if (!vocabulary.hierarchy || generation.nested === 0) return;
  const savedPlaces = readSavedColumn(generation, "place");
  const cuts = new Set(generation.sql<string>("SELECT ext FROM cut_$g").pluck().all());
  const hasDeleted = generation.sql("SELECT 1 FROM dead_$g LIMIT 1").get() !== undefined;
  const isUnchanged = generation.writes === 0 && cuts.size === 0 && !hasDeleted;
  const { lo, hi } = isUnchanged ? computeIntervals(verifying) : { lo: undefined, hi: undefined };
  const add = (ext: string, expected: string, found: string): void => {
    const { name } = vocabulary;
    report.add({ check: "items.lineage", where: `${name}/${ext}`, expected, found }, ["vocabularies", name]);
  };
  let done = 0;
  for (const row of generation.sql<PlacedTerm>(PLACED_TERMS).iterate()) {
    report.progress(`lineage of ${vocabulary.name}`, ++done, generation.count);
    const found = `${row.lo} to ${row.hi}`;
    const isWithinParent = row.parentLo === null || (row.parentLo < row.lo && row.hi <= row.parentHi!);
    if (!isWithinParent && !cuts.has(row.ext)) add(row.ext, `within ${row.parentLo} to ${row.parentHi}`, found);
    else if (row.hi < row.lo) add(row.ext, "an interval", found);
    else if (lo !== undefined && hi !== undefined && (lo[row.id] !== row.lo || hi[row.id] !== row.hi)) {
      add(row.ext, `${lo[row.id]} to ${hi[row.id]}`, found);
    } else if (row.id <= generation.ranked && savedPlaces[row.lo - 1] !== row.id) {
      add(row.ext, `row ${row.id} at place ${row.lo}`, `row ${savedPlaces[row.lo - 1]}`);
    }
  }
}

/** Computes the pre-order intervals from the parents. */
function computeIntervals({ generation }: TermVerifyContext): { readonly lo: Uint32Array; readonly hi: Uint32Array } {
  const parents = new Uint32Array(generation.ranked + 1);
  const links = generation.sql<[number, number]>(
    `SELECT t.id, q.id FROM term_$g t JOIN ext_$g e ON e.ext = t.parent JOIN term_$g q ON q.id = e.id
     WHERE q.ext = t.parent COLLATE BINARY`,
  );
  for (const [child, parent] of links.raw().iterate() as IterableIterator<[number, number]>) parents[child] = parent;
  return numberNodes(parents);
}

/** Checks that each parent is a term and that no term is below itself. Only a curator can correct these. */
export function checkParents({ vocabulary, generation, report }: TermVerifyContext): void {
  if (!vocabulary.hierarchy) return;
  const { name } = vocabulary;
  const parentRows = new Uint32Array(generation.next);
  const links = generation.sql<[number, string, string, number | null]>(
    `SELECT t.id, t.ext, t.parent, (SELECT q.id FROM ext_$g e JOIN term_$g q ON q.id = e.id
       WHERE e.ext = t.parent AND q.ext = t.parent COLLATE BINARY) FROM term_$g t WHERE t.parent IS NOT NULL`,
  );
  let done = 0;
  for (const [id, ext, parent, parentId] of links.raw().iterate() as IterableIterator<
    [number, string, string, number | null]
  >) {
    report.progress(`parents of ${name}`, ++done, generation.count);
    if (parentId === null) addMissingParent(report, name, ext, parent);
    else parentRows[id] = parentId;
  }
  const termIdByRow = generation.sql<string>("SELECT ext FROM term_$g WHERE id = ?").pluck();
  for (const id of circlesIn(parentRows).flat()) addCircle(report, name, termIdByRow.get(id) ?? `row ${id}`);
}
