import type { Vocabulary } from "../../../core/catalog/types.js";
import type { Generation } from "./generation.js";
import { type TermKeys, termKeys } from "./term-keys.js";
import { contentOf, type TermRow } from "./term-row.js";

/** A row of `term` with its number. */
export interface StoredRow extends TermRow {
  readonly id: number;
  readonly lo: number | null;
  readonly hi: number | null;
}

export const ROW_COLUMNS =
  "t.id, t.ext, t.status, t.prior, t.length, t.created, t.revision, t.hash, t.parent, t.successor, t.lo, t.hi, " +
  "t.title, t.rest";

/** The item with exactly this id. */
export function findRow(generation: Generation, id: string): StoredRow | undefined {
  // The first comparison seeks ids in any case, the second one keeps the exact one.
  return generation
    .sql<StoredRow>(
      `SELECT ${ROW_COLUMNS} FROM ext_$g e JOIN term_$g t ON t.id = e.id
       WHERE e.ext = ? AND t.ext = ? COLLATE BINARY`,
    )
    .get(id, id);
}

/** Writes an item above all ranked ones, and takes away the row it had. Its revision is the caller's business. */
export function putRow(generation: Generation, vocabulary: Vocabulary, row: TermRow): void {
  const old = findRow(generation, row.ext);
  if (old !== undefined) eraseRow(generation, vocabulary, old);
  const id = takeRowId(generation);
  const moved = old === undefined || old.parent !== row.parent;
  const keys = termKeys(contentOf(row), vocabulary);
  insertRow(generation, { ...row, id, lo: moved ? null : old.lo, hi: moved ? null : old.hi });
  insertKeys(generation, id, row, keys);
  if (!moved && old.lo !== null) generation.sql("INSERT OR REPLACE INTO span_$g(lo, id) VALUES(?, ?)").run(old.lo, id);
  noteWrite(generation, old === undefined ? 1 : 0, moved && hasChildren(generation, row.ext));
}

/** Takes an item away; unknown ones are no error. */
export function removeRow(generation: Generation, vocabulary: Vocabulary, id: string): void {
  const old = findRow(generation, id);
  if (old === undefined) return;
  eraseRow(generation, vocabulary, old);
  noteWrite(generation, -1, hasChildren(generation, id));
}

export function insertRow(generation: Generation, row: StoredRow): void {
  generation
    .sql(
      `INSERT INTO term_$g VALUES(@id, @ext, @status, @prior, @length, @created, @revision, @hash, @parent, @successor,
         @lo, @hi, @title, @rest)`,
    )
    .run(row);
}

export function insertText(generation: Generation, id: number, { text }: TermKeys): void {
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
  const keys = termKeys(contentOf(row), vocabulary);
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
  if (row.lo !== null) generation.sql("DELETE FROM span_$g WHERE lo = ? AND id = ?").run(row.lo, id);
  generation.sql("DELETE FROM created_$g WHERE created = ? AND ext = ? AND id = ?").run(row.created, row.ext, id);
  generation.sql("DELETE FROM ext_$g WHERE ext = ? AND id = ?").run(row.ext, id);
  generation.sql("DELETE FROM term_fts_$g WHERE rowid = ?").run(id);
  generation.sql("DELETE FROM term_at_$g WHERE rowid = ?").run(id);
  generation.sql("DELETE FROM term_$g WHERE id = ?").run(id);
}

function takeRowId(generation: Generation): number {
  const row = generation
    .sql<{ id: number }>("UPDATE generation SET next = next + 1 WHERE g = $g RETURNING next - 1 AS id")
    .get();
  return row!.id;
}

/** @param unnested the intervals of other items no longer say the truth */
function noteWrite(generation: Generation, more: number, unnested: boolean): void {
  generation
    .sql("UPDATE generation SET count = count + ?, writes = writes + 1, nested = nested AND NOT ? WHERE g = $g")
    .run(more, unnested ? 1 : 0);
}

function hasChildren(generation: Generation, id: string): boolean {
  return generation.sql("SELECT 1 FROM child_$g WHERE parent = ? LIMIT 1").get(id) !== undefined;
}
