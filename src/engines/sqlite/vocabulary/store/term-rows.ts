import type { Vocabulary } from "../../../../core/catalog/types.js";
import type { TermContent } from "../../../../core/term.js";
import { readTermContent, type TermRow } from "../../../../core/terms/term-row.js";
import { type TermKeys, termKeys } from "../../../../query/index-model/term-document.js";
import type { ExistingTerm } from "../../../term-loads/compiled-terms.js";
import type { Generation } from "./generation.js";

/** A row of `term` with its number. */
export interface StoredRow extends TermRow {
  readonly id: number;
  readonly lo: number | null;
  readonly hi: number | null;
  /** Bits of the sources that have the term, see term-sources.ts. */
  readonly sources: number;
}

const ROW_COLUMNS =
  "t.id, t.ext, t.status, t.prior, t.length, t.created, t.revision, t.hash, t.parent, t.successor, t.lo, t.hi, " +
  "t.title, t.rest, t.sources";

/** Returns the row of the term with exactly this id. */
export function findRow(generation: Generation, id: string): StoredRow | undefined {
  // The first comparison seeks ids case-insensitively, the second one selects the exact one.
  return generation
    .sql<StoredRow>(
      `SELECT ${ROW_COLUMNS} FROM ext_$g e JOIN term_$g t ON t.id = e.id
       WHERE e.ext = ? AND t.ext = ? COLLATE BINARY`,
    )
    .get(id, id);
}

/**
 * Writes a term with a row number above all ranked ones, and removes its previous row. The caller determines the
 * revision.
 * @param sources undefined: those of the previous row
 */
export function putRow(generation: Generation, vocabulary: Vocabulary, row: TermRow, sources?: number): void {
  const previousRow = findRow(generation, row.ext);
  if (previousRow !== undefined) eraseRow(generation, vocabulary, previousRow);
  const id = takeRowId(generation);
  const isMoved = previousRow === undefined || previousRow.parent !== row.parent;
  const keys = termKeys(readTermContent(row), vocabulary);
  const place = { id, lo: isMoved ? null : previousRow.lo, hi: isMoved ? null : previousRow.hi };
  insertRow(generation, { ...row, ...place, sources: sources ?? previousRow?.sources ?? 0 });
  insertKeys(generation, id, row, keys);
  if (previousRow === undefined) cutChildren(generation, row.ext);
  else if (isMoved) cutOut(generation, previousRow);
  noteWrite(generation, previousRow === undefined ? 1 : 0);
}

/** Removes a term; an unknown id is not an error. */
export function removeRow(generation: Generation, vocabulary: Vocabulary, id: string): void {
  const previousRow = findRow(generation, id);
  if (previousRow === undefined) return;
  eraseRow(generation, vocabulary, previousRow);
  cutOut(generation, previousRow);
  noteWrite(generation, -1);
}

/** Inserts a row into `term`, without its entries in the index tables. */
export function insertRow(generation: Generation, row: StoredRow): void {
  generation
    .sql(
      `INSERT INTO term_$g VALUES(@id, @ext, @status, @prior, @length, @created, @revision, @hash, @parent, @successor,
         @lo, @hi, @title, @rest, @sources)`,
    )
    .run(row);
}

function insertText(generation: Generation, id: number, { text }: TermKeys): void {
  generation
    .sql("INSERT INTO term_fts_$g(rowid, title, names, rest) VALUES(?, ?, ?, ?)")
    .run(id, text.title, text.names, text.rest);
  generation.sql("INSERT INTO term_at_$g(rowid, paths) VALUES(?, ?)").run(id, text.paths);
}

function insertKeys(generation: Generation, id: number, row: TermRow, keys: TermKeys): void {
  insertText(generation, id, keys);
  generation.sql("INSERT INTO ext_$g VALUES(?, ?)").run(row.ext, id);
  generation.sql("INSERT INTO created_$g VALUES(?, ?, ?)").run(row.created, row.ext, id);
  if (row.parent !== null) generation.sql("INSERT INTO child_$g VALUES(?, ?)").run(row.parent, id);
  for (const [lang, key] of keys.titles) generation.sql("INSERT INTO title_$g VALUES(?, ?, ?)").run(lang, key, id);
  for (const [key, kind] of keys.names) generation.sql("INSERT INTO name_$g VALUES(?, ?, ?)").run(key, kind, id);
  for (const [path, value] of keys.values) generation.sql("INSERT INTO val_$g VALUES(?, ?, ?)").run(path, value, id);
}

function eraseRow(generation: Generation, vocabulary: Vocabulary, row: StoredRow): void {
  const { id } = row;
  const keys = termKeys(readTermContent(row), vocabulary);
  for (const [lang, key] of keys.titles) {
    generation.sql("DELETE FROM title_$g WHERE lang = ? AND key = ? AND id = ?").run(lang, key, id);
  }
  for (const [key, kind] of keys.names) {
    generation.sql("DELETE FROM name_$g WHERE key = ? AND kind = ? AND id = ?").run(key, kind, id);
  }
  for (const [path, value] of keys.values) {
    generation.sql("DELETE FROM val_$g WHERE path = ? AND value = ? AND id = ?").run(path, value, id);
  }
  if (row.parent !== null) generation.sql("DELETE FROM child_$g WHERE parent = ? AND id = ?").run(row.parent, id);
  generation.sql("DELETE FROM created_$g WHERE created = ? AND ext = ? AND id = ?").run(row.created, row.ext, id);
  generation.sql("DELETE FROM ext_$g WHERE ext = ? AND id = ?").run(row.ext, id);
  generation.sql("DELETE FROM term_fts_$g WHERE rowid = ?").run(id);
  generation.sql("DELETE FROM term_at_$g WHERE rowid = ?").run(id);
  generation.sql("DELETE FROM term_$g WHERE id = ?").run(id);
  if (id <= generation.ranked) noteDeleted(generation, id);
}

function noteDeleted(generation: Generation, id: number): void {
  generation.sql("INSERT OR IGNORE INTO dead_$g(id) VALUES(?)").run(id);
}

function takeRowId(generation: Generation): number {
  const row = generation
    .sql<{ id: number }>("UPDATE generation SET next = next + 1 WHERE g = $g RETURNING next - 1 AS id")
    .get();
  return row!.id;
}

/** Counts a change of redirects as a write, so that caches of terms are reloaded. */
export const noteRedirects = (generation: Generation): void => noteWrite(generation, 0);

function noteWrite(generation: Generation, countChange: number): void {
  generation.sql("UPDATE generation SET count = count + ?, writes = writes + 1 WHERE g = $g").run(countChange);
}

/** Cuts out the interval of a term, whose subtree is no longer below its previous ancestors. */
function cutOut(generation: Generation, { lo, hi, ext }: Pick<StoredRow, "lo" | "hi" | "ext">): void {
  if (lo === null || hi === null || lo === hi) return;
  generation.sql("INSERT OR IGNORE INTO cut_$g(lo, hi, ext) VALUES(?, ?, ?)").run(lo, hi, ext);
}

/** Number of children that come below a new term at once, above which making the intervals again is faster. */
const CUTS_AT_ONCE = 200;

/** Cuts out the intervals of terms whose parent did not exist before. */
function cutChildren(generation: Generation, ext: string): void {
  const isAlreadyCut = generation.sql("SELECT 1 FROM cut_$g WHERE ext = ?").get(ext) !== undefined;
  if (isAlreadyCut) return;
  const children = generation
    .sql<{ lo: number; hi: number; ext: string }>(
      `SELECT t.lo, t.hi, t.ext FROM child_$g c JOIN term_$g t ON t.id = c.id
       WHERE c.parent = ? AND t.lo IS NOT NULL LIMIT ${CUTS_AT_ONCE + 1}`,
    )
    .all(ext);
  if (children.length > CUTS_AT_ONCE) {
    generation.sql("UPDATE generation SET nested = 0 WHERE g = $g").run();
    return;
  }
  const cut = generation.sql("INSERT OR IGNORE INTO cut_$g(lo, hi, ext) VALUES(@lo, @hi, @ext)");
  for (const child of children) cut.run(child);
}

/** A term with the number of its row. */
interface CurrentRow extends ExistingTerm {
  readonly id: number;
}

/** Returns the term with exactly this id. */
export function findCurrent(generation: Generation, id: string): CurrentRow | undefined {
  const row = generation
    .sql<{ id: number; hash: Buffer; parent: string | null; status: number; sources: number }>(
      `SELECT t.id, t.hash, t.parent, t.status, t.sources FROM ext_$g e JOIN term_$g t ON t.id = e.id
       WHERE e.ext = ? AND t.ext = ? COLLATE BINARY`,
    )
    .get(id, id);
  if (row === undefined) return undefined;
  const { hash, parent, sources } = row;
  const content = (): TermContent => {
    const textById = generation.sql<{ title: string; rest: string }>("SELECT title, rest FROM term_$g WHERE id = ?");
    return readTermContent({ ext: id, parent, ...textById.get(row.id)! });
  };
  return { id: row.id, hash: hash.toString("hex"), parent, isDeprecated: row.status > 0, sources, content };
}
