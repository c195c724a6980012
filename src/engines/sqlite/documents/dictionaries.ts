import type { Catalog } from "../../../core/catalog/types.js";
import { facetPaths, indexedPaths, type PathIds } from "../../../query/index-model/indexed-paths.js";
import { type IndexedPath, indexedPath } from "../../../query/index-model/record-document.js";
import { foldKeyword } from "../../../query/text/analyse.js";
import type { Db } from "../connection/database.js";

/** Ids of paths, which never change. Tokens and values contain them in place of the paths. */
export interface PathDictionary extends PathIds {
  /** Assigns an id to a path that has none; only inside a write transaction. */
  give(path: string): number;
}

/** Returns how a path with this id is indexed. */
export type IndexedPaths = (path: string, id: number) => IndexedPath;

/** Returns a cached look-up of how a path is indexed: each record has hundreds of values at the same paths. */
export function makeIndexedPaths(catalog: Pick<Catalog, "models" | "vocabularies">): IndexedPaths {
  const keys = facetPaths(catalog);
  const cache = new Map<string, IndexedPath>();
  return (path, id) => {
    const cached = cache.get(path);
    // A transaction that was rolled back assigned another id.
    if (cached?.id === id) return cached;
    const indexed = indexedPath(path, id, keys.has(path));
    cache.set(path, indexed);
    return indexed;
  };
}

/** Largest id: `vals` has two bytes for it. */
const PATH_ID_MAX = 65_535;

/** Makes the dictionary of paths. */
export function makePathDictionary(db: Db): PathDictionary {
  const cache = new Map(db.sql<[string, number]>("SELECT path, id FROM path").raw().all());
  const findPathId = (path: string): number | undefined => {
    const id = cache.get(path);
    if (id !== undefined) return id;
    const storedId = db.sql<number>("SELECT id FROM path WHERE path = ?").pluck().get(path);
    // An id of a write transaction may still be rolled back.
    if (storedId !== undefined && db.raw.readonly) cache.set(path, storedId);
    return storedId;
  };
  return {
    findPathId,
    // A slash is the next character after a dot.
    below: (path) =>
      db.sql<number>("SELECT id FROM path WHERE path > ? AND path < ?").pluck().all(`${path}.`, `${path}/`),
    give: (path) => findPathId(path) ?? insertPath(db, path),
  };
}

function insertPath(db: Db, path: string): number {
  const id = Number(db.sql("INSERT INTO path(path) VALUES(?)").run(path).lastInsertRowid);
  if (id > PATH_ID_MAX) throw new Error(`The catalog has more than ${PATH_ID_MAX} paths.`);
  return id;
}

/** Assigns ids to all paths of the catalog that have none. */
export function registerPaths(db: Db, catalog: Catalog): void {
  const registered = new Set(db.sql<string>("SELECT path FROM path").pluck().all());
  const missing = [...indexedPaths(catalog)].filter((path) => !registered.has(path));
  if (missing.length === 0) return;
  const register = db.raw.transaction(() => {
    const insert = db.sql("INSERT INTO path(path) VALUES(?) ON CONFLICT DO NOTHING");
    for (const path of missing) insert.run(path);
  });
  register.immediate();
  const largestId = db.sql<number>("SELECT max(id) FROM path").pluck().get() ?? 0;
  if (largestId > PATH_ID_MAX) throw new Error(`The catalog has more than ${PATH_ID_MAX} paths.`);
}

/** The rows of `key`: values of facets. Rows are only added, so they stay in memory once read. */
export interface ValueDictionary {
  /** Returns the rows of a value at these paths, one for each path that has it. */
  find(paths: readonly number[], value: string): number[];
  /** Returns the rows at a path whose folded value is this text. */
  findFolded(path: number, text: string): readonly number[];
  /** Returns the folded value as UTF-8, as ranges compare it. */
  folded(key: number): Buffer;
  /** Reads new rows and returns a number greater than all row numbers. */
  end(): number;
  pathOf(key: number): number;
  keyText(key: number): string;
}

/** Makes the dictionary. @param db a read connection, because rows of an open transaction may be rolled back */
export function makeValueDictionary(db: Db): ValueDictionary {
  const paths: number[] = [];
  const values: string[] = [];
  const folds = new Map<number, Buffer>();
  /** Rows by folded value for each path that was asked for, and the first row that is not among them. */
  const rowsByText = new Map<number, { readonly rows: Map<string, number[]>; end: number }>();
  const readNewRows = (): void => {
    const rows = db.sql<[number, number, string]>("SELECT id, path, value FROM key WHERE id >= ? ORDER BY id").raw();
    for (const [id, path, value] of rows.iterate(values.length)) {
      // Numbers that a rolled back transaction used have no path.
      while (values.length < id) {
        paths.push(0);
        values.push("");
      }
      paths.push(path);
      values.push(value);
    }
  };
  const keyText = (key: number): string => {
    if (key >= values.length) readNewRows();
    return values[key] ?? "";
  };
  return {
    find: (pathIds, value) => {
      const statement = db.sql<number>("SELECT id FROM key WHERE path = ? AND value = ?").pluck();
      return pathIds.map((path) => statement.get(path, value)).filter((id) => id !== undefined);
    },
    findFolded(path, text) {
      readNewRows();
      const known = rowsByText.get(path) ?? { rows: new Map<string, number[]>(), end: 0 };
      rowsByText.set(path, known);
      for (; known.end < values.length; known.end++) {
        if (paths[known.end] !== path) continue;
        const folded = foldKeyword(values[known.end]!);
        const rows = known.rows.get(folded);
        if (rows === undefined) known.rows.set(folded, [known.end]);
        else rows.push(known.end);
      }
      return known.rows.get(text) ?? [];
    },
    folded(key) {
      let foldedValue = folds.get(key);
      if (foldedValue === undefined) {
        foldedValue = Buffer.from(foldKeyword(keyText(key)), "utf8");
        folds.set(key, foldedValue);
      }
      return foldedValue;
    },
    end() {
      readNewRows();
      return values.length;
    },
    pathOf: (key) => paths[key] ?? 0,
    keyText,
  };
}

/** Maximum number of cached keys; most values of facets are in many records. */
const KEYS_MAX = 50_000;

/** Cached rows of `key`, to which rows are only added. */
interface KeyCache {
  /** By path and value: rows that existed before the transaction of this number began. */
  readonly ids: Map<string, number>;
  transaction: number;
  /** Last row before the transaction began. */
  last: number;
}

/** Returns the row of `key` for a value at a path, in the open transaction. Adds it if it does not exist. */
export function giveKey(db: Db, path: number, value: string): number {
  const cache = db.once("keys in the table", (): KeyCache => ({ ids: new Map(), transaction: Number.NaN, last: 0 }));
  if (cache.transaction !== db.transactions) {
    cache.transaction = db.transactions;
    cache.last = db.sql<number | null>("SELECT max(id) FROM key").pluck().get() ?? 0;
    if (cache.ids.size > KEYS_MAX) cache.ids.clear();
  }
  const name = `${path} ${value}`;
  const cachedId = cache.ids.get(name);
  if (cachedId !== undefined) return cachedId;
  const id = findOrAddKey(db, path, value);
  // Rows that this transaction added may be rolled back.
  if (id <= cache.last) cache.ids.set(name, id);
  return id;
}

function findOrAddKey(db: Db, path: number, value: string): number {
  const existingId = db.sql<number>("SELECT id FROM key WHERE path = ? AND value = ?").pluck().get(path, value);
  return existingId ?? Number(db.sql("INSERT INTO key(path, value) VALUES(?, ?)").run(path, value).lastInsertRowid);
}
