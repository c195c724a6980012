import { join } from "node:path";
import { DATABASE_FILE, Sqlite } from "../../src/engines/sqlite/connection/database.js";
import { existsToken, wordToken } from "../../src/query/index-model/record-document.js";

/** Words in a row at a path, or that the path has a value. */
export type PlainLeaf =
  | { readonly path: string; readonly words: readonly string[]; readonly isPrefix?: true }
  | { readonly exists: string };

/** What one MATCH can say. `element`: of one element, all paths being its own. */
export type PlainQuery =
  | PlainLeaf
  | { readonly element?: true; readonly all: readonly PlainLeaf[]; readonly but?: PlainLeaf }
  | { readonly element?: true; readonly any: readonly PlainLeaf[] };

export interface PlainSql {
  /** Counts all hits and reads the newest ten, as a service that keeps nothing in memory does. @returns the count */
  search(query: PlainQuery): number;
  close(): void;
}

const PAGE = 10;

/** Elements that hold ten records for sure: a record has six of those that are asked for. */
const ELEMENTS = 100;

/** Row of an element = row of its record and so many bits. */
const ELEMENT_BITS = 20;

/** Opens the full-text tables of a data folder. */
export function openPlainSql(folder: string): PlainSql {
  const db = new Sqlite(join(folder, DATABASE_FILE), { readonly: true });
  db.pragma("mmap_size = 1073741824");
  const ids = new Map(db.prepare<[], [string, number]>("SELECT path, id FROM path").raw().all());
  const count = db.prepare<[string], number>("SELECT count(*) FROM leaf WHERE leaf MATCH ?").pluck();
  const newest = db
    .prepare<[string], number>(`SELECT rowid FROM leaf WHERE leaf MATCH ? ORDER BY rowid DESC LIMIT ${PAGE}`)
    .pluck();
  const countElements = db
    .prepare<[string], number>(`SELECT count(DISTINCT rowid >> ${ELEMENT_BITS}) FROM elem WHERE elem MATCH ?`)
    .pluck();
  const newestElements = db
    .prepare<[string], number>(
      `SELECT rowid >> ${ELEMENT_BITS} FROM elem WHERE elem MATCH ? ORDER BY rowid DESC LIMIT ${ELEMENTS}`,
    )
    .pluck();
  const read = db.prepare<[number], string>("SELECT json FROM doc WHERE id = ?").pluck();
  return {
    search(query) {
      const text = matchOf(query, (path) => ids.get(path) ?? 0);
      const isElement = "element" in query;
      const total = (isElement ? countElements : count).get(text) ?? 0;
      const rows = new Set((isElement ? newestElements : newest).all(text));
      for (const row of [...rows].slice(0, PAGE)) read.get(row);
      return total;
    },
    close: () => db.close(),
  };
}

function matchOf(query: PlainQuery, idOf: (path: string) => number): string {
  const leaf = (one: PlainLeaf): string => {
    if ("exists" in one) return `"${existsToken(idOf(one.exists))}"`;
    const words = one.words.map((word) => wordToken(idOf(one.path), word));
    return `"${words.join(" ")}"${one.isPrefix ? " *" : ""}`;
  };
  if ("any" in query) return query.any.map(leaf).join(" OR ");
  if (!("all" in query)) return leaf(query);
  const all = query.all.map(leaf).join(" AND ");
  return query.but === undefined ? all : `(${all}) NOT ${leaf(query.but)}`;
}
