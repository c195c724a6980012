import type { Vocabulary } from "../../../../core/catalog/types.js";
import type { TermContent } from "../../../../core/term.js";
import { contentOf, restAge, restParts } from "../../../../core/terms/term-row.js";
import { type TermKeys, termKeys } from "../../../../query/index-model/term-keys.js";
import type { Staged } from "../../../term-loads/stage-lines.js";
import type { Db } from "../../connection/database.js";
import type { BulkLoader } from "./bulk-loader.js";

/**
 * What is to be in a new generation, by a number `n` that says nothing yet: ranks are known when all is there.
 *
 * `item`: `fresh` is -1 of what the load leaves as it is, 0 unchanged, 1 new, 2 changed, as the vocabulary was when the
 * item was read; `moved`: the line gives the item another parent than it had; `successor`: what newly replaces it.
 * `created` is null of what is new; `sources`: bits of those that have the item from then on.
 *
 * `body` has what is read once, in a table of its own, so that ranking and sorting read little. `title`, and `before`
 * and `after` (`RestParts`), make the text of the row; of what stays as it is `before` is null and `after` all of
 * `rest`. `patch`: JSON of what the line says where it does not say all of the item; `changes`: JSON of the fields of a
 * changed item that differ. The last four columns are the full text. `title`, `name` and `val` are as those of a
 * generation.
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

/** What a row of `item` says beside what is compiled of the item. */
interface StagedAs {
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
  /** Of what stays as it is: all of `rest`. */
  readonly rest?: string;
}

const INSERT_ITEM = `INSERT INTO scratch.item(
  n, line, ext, fresh, moved, status, prior, length, created, revision, parent, successor, sources)
  VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const INSERT_BODY = `INSERT INTO scratch.body(
  n, hash, title, before, after, patch, changes, title_words, names, rest, paths)
  VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Numbers of rows of `item`, each given once: what is left of a line that was refused has the old one. */
export function numbers(db: Db): () => number {
  const lasts = "SELECT max(n) AS n FROM scratch.item UNION ALL SELECT max(n) FROM scratch.body";
  let last = db.sql<number>(`SELECT coalesce(max(n), 0) FROM (${lasts})`).pluck().get()!;
  return () => ++last;
}

/** Stages an item as row `n`, compiled: while a file is read, this thread has time for it. */
export function insertStaged(db: Db, vocabulary: Vocabulary, n: number, content: TermContent, as: StagedAs): void {
  const keys = termKeys(content, vocabulary);
  const { title, names, rest, paths } = keys.text;
  const { before, after } =
    as.rest === undefined ? restParts(content, vocabulary.name) : { before: null, after: as.rest };
  const { line, fresh, status, prior, length, created, revision, successor, sources } = as;
  const parent = content.parent ?? null;
  db.sql(INSERT_ITEM).run(
    ...[n, line, content.id, fresh, as.isMoved ? 1 : 0, status, prior, length, created, revision],
    ...[parent, successor, sources],
  );
  const texts = [JSON.stringify(content.title), before, after, as.patch, as.changes, title, names, rest, paths];
  db.sql(INSERT_BODY).run(n, as.hash, ...texts);
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

/** An item that stays as it is, where its line counts because its id may come again. */
export function insertUnchanged(db: Db, n: number, id: string, line: number | null): void {
  db.sql("INSERT INTO scratch.item(n, line, ext, fresh, moved) VALUES(?, ?, ?, 0, 0)").run(n, line, id);
}

/**
 * `rest` of a row of `item` (`i`) and `body` (`b`). @param created and updated are SQL of instants as clients see them
 */
export const restSql = (created: string, updated: string): string => {
  const age = restAge("' || i.revision || '", `' || ${created} || '`, `' || ${updated} || '`);
  return `CASE WHEN b.before IS NULL THEN b.after ELSE b.before || '${age}' || b.after END`;
};

type ContentRow = Readonly<Record<"ext" | "title" | "before" | "after", string>> & { readonly parent: string | null };

const contentOfStaged = ({ ext, parent, title, before, after }: ContentRow): TermContent =>
  contentOf({ ext, parent, title, rest: before + restAge(0, "", "") + after });

interface StagedRow extends ContentRow, Omit<Staged, "content"> {}

const readStaged = (row: StagedRow): Staged => {
  const { patch, sources } = row;
  return { content: contentOfStaged(row), patch, sources };
};

const FRESH = `SELECT i.ext, i.parent, i.sources, b.title, b.before, b.after, b.patch
  FROM scratch.item i JOIN scratch.body b ON b.n = i.n WHERE i.fresh > 0`;

/** What is loaded under an id, if that changes it. */
export function findStaged({ db }: BulkLoader, id: string): Staged | undefined {
  const row = db.sql<StagedRow>(`${FRESH} AND i.ext = ?`).get(id);
  return row && readStaged(row);
}

/** All that the load changes, in the order it came. */
export function allStaged({ db }: BulkLoader): Staged[] {
  return db.sql<StagedRow>(`${FRESH} ORDER BY i.n`).all().map(readStaged);
}
