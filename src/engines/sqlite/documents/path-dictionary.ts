import type { Catalog } from "../../../core/catalog/types.js";
import type { PathIds } from "../../../query/index-model/element-text.js";
import { facetPaths, indexedPaths } from "../../../query/index-model/indexed-paths.js";
import { type IndexedPath, indexedPath } from "../../../query/index-model/record-document.js";
import type { Db } from "../connection/database.js";

/** Ids of paths: given once, the same for ever. Tokens and values carry them instead of the paths. */
export interface PathDictionary extends PathIds {
  /** Gives an id to a path that has none; only inside a write transaction. */
  give(path: string): number;
}

/** What the index has of a path with this id. */
export type IndexedPaths = (path: string, id: number) => IndexedPath;

/** Keeps what it made: each record has hundreds of values at the same paths. */
export function makeIndexedPaths(catalog: Pick<Catalog, "models" | "vocabularies">): IndexedPaths {
  const keys = facetPaths(catalog);
  const known = new Map<string, IndexedPath>();
  return (path, id) => {
    const before = known.get(path);
    // A transaction that was rolled back gave another one.
    if (before?.id === id) return before;
    const made = indexedPath(path, id, keys.has(path));
    known.set(path, made);
    return made;
  };
}

/** Largest id: `vals` keeps two bytes for it. */
const PATH_ID_MAX = 65_535;

export function makePathDictionary(db: Db): PathDictionary {
  const known = new Map(db.sql<[string, number]>("SELECT path, id FROM path").raw().all());
  const idOf = (path: string): number | undefined => {
    const id = known.get(path);
    if (id !== undefined) return id;
    const found = db.sql<number>("SELECT id FROM path WHERE path = ?").pluck().get(path);
    // What a write transaction gave may still be rolled back.
    if (found !== undefined && db.raw.readonly) known.set(path, found);
    return found;
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

/** Gives ids to all paths of the catalog that have none yet, whatever their order there. */
export function registerPaths(db: Db, catalog: Catalog): void {
  const known = new Set(db.sql<string>("SELECT path FROM path").pluck().all());
  const missing = [...indexedPaths(catalog)].filter((path) => !known.has(path));
  if (missing.length === 0) return;
  const register = db.raw.transaction(() => {
    const insert = db.sql("INSERT INTO path(path) VALUES(?) ON CONFLICT DO NOTHING");
    for (const path of missing) insert.run(path);
  });
  register.immediate();
  const last = db.sql<number>("SELECT max(id) FROM path").pluck().get() ?? 0;
  if (last > PATH_ID_MAX) throw new Error(`The catalog has more than ${PATH_ID_MAX} paths.`);
}
