import type { Vocabulary } from "../../../../core/catalog/types.js";
import type { TermContent } from "../../../../core/term.js";
import { readTermContent, restAge, restParts } from "../../../../core/terms/term-row.js";
import type { Redirect } from "../../../../ports/store.js";
import { type TermKeys, termKeys } from "../../../../query/index-model/term-document.js";
import type { Staged } from "../../../term-loads/stage-lines.js";
import type { Db } from "../../connection/database.js";
import { currentGeneration, type Generation } from "../store/generation.js";
import { noteRedirects } from "../store/term-rows.js";
import type { BulkLoader } from "./bulk-loader.js";
import { copySorted } from "./copy-tables.js";

/**
 * Tables with the terms of a new generation, by a number `n` without meaning: ranks are computed when all terms are
 * staged.
 *
 * `item`: `fresh` is -1 for a term that the load leaves unchanged, 0 unchanged by its line, 1 new, 2 changed, as of the
 * time when its line was read; `moved`: whether the line changes the parent; `successor`: its new successor. `created`
 * is null for new terms; `sources`: bits of the sources that have the term after the load.
 *
 * `body` has the columns that are read once, so that ranking and sorting read little. `title`, `before` and `after`
 * (`RestParts`) form the text of the row; for an unchanged term `before` is null and `after` is all of `rest`. `patch`:
 * JSON of what the line says if it does not describe the whole term; `changes`: JSON of the changed fields. The last
 * four columns are the full text. `title`, `name` and `val` are as in a generation.
 */
export const STAGED_TABLES = `
CREATE TABLE scratch.item(
  n INTEGER PRIMARY KEY, line INTEGER, ext TEXT NOT NULL, fresh INTEGER NOT NULL, moved INTEGER NOT NULL,
  status INTEGER, prior REAL, length INTEGER, created INTEGER, revision INTEGER, parent TEXT, successor TEXT,
  sources INTEGER);
CREATE INDEX scratch.item_changed ON item(n) WHERE fresh = 2;
CREATE INDEX scratch.item_replaced ON item(n) WHERE successor IS NOT NULL;
CREATE TABLE scratch.body(
  n INTEGER PRIMARY KEY, hash BLOB NOT NULL, title TEXT NOT NULL, before TEXT, after TEXT NOT NULL, patch TEXT,
  changes TEXT, title_words TEXT NOT NULL, names TEXT NOT NULL, rest TEXT NOT NULL, paths TEXT NOT NULL);
CREATE TABLE scratch.title(n INTEGER, lang TEXT, key TEXT);
CREATE TABLE scratch.name(n INTEGER, key TEXT, kind INTEGER);
CREATE TABLE scratch.val(n INTEGER, path TEXT, value);
`;

/** Columns of `item` and `body` that are not compiled from the content. */
interface StagedColumns {
  readonly line: number | null;
  readonly fresh: -1 | 1 | 2;
  readonly isMoved: boolean;
  readonly status: number;
  readonly prior: number;
  readonly length: number;
  readonly created: number | null;
  readonly revision: number;
  readonly hash: Buffer;
  readonly successor: string | null;
  readonly sources: number;
  readonly patch: string | null;
  readonly changes: string | null;
  /** All of `rest` for an unchanged term. */
  readonly rest?: string;
}

const INSERT_ITEM = `INSERT INTO scratch.item(
  n, line, ext, fresh, moved, status, prior, length, created, revision, parent, successor, sources)
  VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const INSERT_BODY = `INSERT INTO scratch.body(
  n, hash, title, before, after, patch, changes, title_words, names, rest, paths)
  VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/**
 * Returns a function that returns a new row number of `item` at each call. Remains of a refused line keep its number.
 */
export function makeRowNumbers(db: Db): () => number {
  const lastNumbers = "SELECT max(n) AS n FROM scratch.item UNION ALL SELECT max(n) FROM scratch.body";
  let lastNumber = db.sql<number>(`SELECT coalesce(max(n), 0) FROM (${lastNumbers})`).pluck().get()!;
  return () => ++lastNumber;
}

/** Stages a term as row `n` and compiles it, because this thread has time for it while a file is read. */
export function insertStaged(
  db: Db,
  vocabulary: Vocabulary,
  n: number,
  content: TermContent,
  columns: StagedColumns,
): void {
  const keys = termKeys(content, vocabulary);
  const { title, names, rest, paths } = keys.text;
  const { before, after } =
    columns.rest === undefined ? restParts(content, vocabulary.name) : { before: null, after: columns.rest };
  const { line, fresh, status, prior, length, created, revision, successor, sources } = columns;
  const parent = content.parent ?? null;
  const item = [n, line, content.id, fresh, columns.isMoved ? 1 : 0, status, prior, length, created, revision];
  db.sql(INSERT_ITEM).run(...item, parent, successor, sources);
  const texts = [
    JSON.stringify(content.title),
    before,
    after,
    columns.patch,
    columns.changes,
    title,
    names,
    rest,
    paths,
  ];
  db.sql(INSERT_BODY).run(n, columns.hash, ...texts);
  insertKeys(db, n, keys);
}

function insertKeys(db: Db, n: number, { titles, names, values }: TermKeys): void {
  const title = db.sql("INSERT INTO scratch.title VALUES(?, ?, ?)");
  const name = db.sql("INSERT INTO scratch.name VALUES(?, ?, ?)");
  const value = db.sql("INSERT INTO scratch.val VALUES(?, ?, ?)");
  for (const entry of titles) title.run(n, entry[0], entry[1]);
  for (const entry of names) name.run(n, entry[0], entry[1]);
  for (const entry of values) value.run(n, entry[0], entry[1]);
}

/** Stages an unchanged term. Its line counts, because its id may come again. */
export function insertUnchanged(db: Db, n: number, id: string, line: number | null): void {
  db.sql("INSERT INTO scratch.item(n, line, ext, fresh, moved) VALUES(?, ?, ?, 0, 0)").run(n, line, id);
}

/**
 * Returns SQL for `rest` from a row of `item` (`i`) and `body` (`b`). @param created and updated are SQL for instants
 * as clients see them
 */
export const restSql = (created: string, updated: string): string => {
  const age = restAge("' || i.revision || '", `' || ${created} || '`, `' || ${updated} || '`);
  return `CASE WHEN b.before IS NULL THEN b.after ELSE b.before || '${age}' || b.after END`;
};

type ContentRow = Readonly<Record<"ext" | "title" | "before" | "after", string>> & { readonly parent: string | null };

const contentOfStaged = ({ ext, parent, title, before, after }: ContentRow): TermContent =>
  readTermContent({ ext, parent, title, rest: before + restAge(0, "", "") + after });

interface StagedRow extends ContentRow, Omit<Staged, "content"> {}

const readStaged = (row: StagedRow): Staged => {
  const { patch, sources } = row;
  return { content: contentOfStaged(row), patch, sources };
};

const CHANGED_TERMS = `SELECT i.ext, i.parent, i.sources, b.title, b.before, b.after, b.patch
  FROM scratch.item i JOIN scratch.body b ON b.n = i.n WHERE i.fresh > 0`;

/** Returns the staged term of an id if the load changes it. */
export function findStaged({ db }: BulkLoader, id: string): Staged | undefined {
  const row = db.sql<StagedRow>(`${CHANGED_TERMS} AND i.ext = ?`).get(id);
  return row && readStaged(row);
}

/** Returns all terms that the load changes, in the order of their lines. */
export function allStaged({ db }: BulkLoader): Staged[] {
  return db.sql<StagedRow>(`${CHANGED_TERMS} ORDER BY i.n`).all().map(readStaged);
}

/**
 * Redirects of the load: ids that are no longer terms, with their successors. If an id comes twice, the last one
 * counts.
 */
export const REDIRECT_TABLE = "CREATE TABLE scratch.redirect(ext TEXT PRIMARY KEY, successor TEXT) WITHOUT ROWID;";

/** Stages a redirect. */
export function stageRedirect({ db }: BulkLoader, { id, to }: Redirect): void {
  db.sql("INSERT OR REPLACE INTO scratch.redirect(ext, successor) VALUES(?, ?)").run(id, to);
}

/** Returns SQL for the redirects that the generation does not have, or has with another successor. */
const changedFrom = (generation: Generation | undefined): string =>
  `FROM scratch.redirect s WHERE NOT EXISTS (SELECT 1 FROM scratch.item i WHERE i.ext = s.ext)
     AND NOT EXISTS (SELECT 1 FROM main.redirect r
       WHERE r.g = ${generation?.g ?? 0} AND r.ext = s.ext AND r.successor IS s.successor)`;

/** Returns the number of ids that the load redirects differently. */
export function countRedirects({ db }: BulkLoader, vocabulary: string): number {
  const sql = `SELECT count(*) ${changedFrom(currentGeneration(db, vocabulary))}`;
  return db.raw.prepare<[], number>(sql).pluck().get()!;
}

/** Returns the redirects that a load changes, if they are few. */
export function changedRedirects({ db }: BulkLoader, vocabulary: string): readonly Redirect[] {
  const sql = `SELECT s.ext AS id, s.successor AS "to" ${changedFrom(currentGeneration(db, vocabulary))}`;
  return db.raw.prepare<[], Redirect>(sql).all();
}

/** Writes redirects into a generation, in the open transaction. */
export function putRedirects(generation: Generation, redirects: readonly Redirect[]): void {
  if (redirects.length === 0) return;
  const put = generation.sql("INSERT OR REPLACE INTO redirect(g, ext, successor) VALUES($g, ?, ?)");
  for (const { id, to } of redirects) put.run(id, to);
  noteRedirects(generation);
}

/**
 * Copies the redirects of the load into generation `g`, and those of the current generation that the load does not
 * mention.
 */
export async function copyRedirects(loader: BulkLoader, vocabulary: string, g: number): Promise<void> {
  const current = currentGeneration(loader.db, vocabulary);
  const isTerm = "SELECT 1 FROM scratch.item i WHERE i.ext = r.ext AND i.fresh <> 0";
  const staged = `SELECT ${g} AS g, ext, successor FROM scratch.redirect r WHERE NOT EXISTS (${isTerm})`;
  const kept = `SELECT ${g}, ext, successor FROM main.redirect r WHERE g = ${current?.g ?? 0}
    AND NOT EXISTS (SELECT 1 FROM scratch.redirect s WHERE s.ext = r.ext) AND NOT EXISTS (${isTerm})`;
  await copySorted(loader, g, "redirect", `${staged} UNION ALL ${kept} ORDER BY 2`);
}
