import type { Catalog } from "../../../core/catalog/types.js";
import { facetPaths, indexedPaths, type PathIds } from "../../../query/index-model/indexed-paths.js";
import { type IndexedPath, indexedPath } from "../../../query/index-model/record-document.js";
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

export function makePathDictionary(db: Db): PathDictionary {
  const cache = new Map(db.sql<[string, number]>("SELECT path, id FROM path").raw().all());
  const idOf = (path: string): number | undefined => {
    const id = cache.get(path);
    if (id !== undefined) return id;
    const storedId = db.sql<number>("SELECT id FROM path WHERE path = ?").pluck().get(path);
    // An id of a write transaction may still be rolled back.
    if (storedId !== undefined && db.raw.readonly) cache.set(path, storedId);
    return storedId;
  };
  return {
    idOf,
    // A slash is the next character after a dot.
    below: (path) =>
      db.sql<number>("SELECT id FROM path WHERE path > ? AND path < ?").pluck().all(`${path}.`, `${path}/`),
    give: (path) => idOf(path) ?? insertPath(db, path),
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
