import type { Db } from "../connection/database.js";

/** Keys that a writer remembers: most values of facets stand in many records. */
const KEYS_MAX = 50_000;

/** What a writer knows of `key`, whose rows are only ever added. */
interface KnownKeys {
  /** By path and value: rows that were there before the transaction of this number began. */
  readonly ids: Map<string, number>;
  transaction: number;
  /** The last row before it began. */
  last: number;
}

/** Row of `key` for a value at a path, in the open transaction: made now where there is none. */
export function giveKey(db: Db, path: number, value: string): number {
  const known = db.once("keys in the table", (): KnownKeys => ({ ids: new Map(), transaction: Number.NaN, last: 0 }));
  if (known.transaction !== db.transactions) {
    known.transaction = db.transactions;
    known.last = db.sql<number | null>("SELECT max(id) FROM key").pluck().get() ?? 0;
    if (known.ids.size > KEYS_MAX) known.ids.clear();
  }
  const name = `${path} ${value}`;
  const before = known.ids.get(name);
  if (before !== undefined) return before;
  const id = findOrAddKey(db, path, value);
  // What this transaction added may be rolled back.
  if (id <= known.last) known.ids.set(name, id);
  return id;
}

function findOrAddKey(db: Db, path: number, value: string): number {
  const found = db.sql<number>("SELECT id FROM key WHERE path = ? AND value = ?").pluck().get(path, value);
  return found ?? Number(db.sql("INSERT INTO key(path, value) VALUES(?, ?)").run(path, value).lastInsertRowid);
}
