import { isPublicChange } from "../../../core/feed/feed.js";
import type { Db } from "./database.js";

/** One row of the table `change`; what follows from a write (feed, sets in memory, relay) reads it. */
export interface Change {
  readonly kind: "record" | "term";
  /** `reindexed`: mended, and nobody but what is kept in memory has to know. */
  readonly action: "published" | "updated" | "created" | "removed" | "imported" | "shared" | "reindexed";
  /** Model or vocabulary. */
  readonly place: string;
  /** Of an import its number, under which its entries stand in `change_term`. */
  readonly id?: string;
  readonly state?: "draft" | "published";
  readonly revision?: number;
  /** Row of the record. */
  readonly rec?: number;
}

/** The last public number plus one. */
const NEXT_SHOWN = "(SELECT coalesce(max(shown), 0) + 1 FROM change INDEXED BY change_shown WHERE shown IS NOT NULL)";

const insertWith = (shown: string): string =>
  `INSERT INTO change(time, kind, action, place, id, state, revision, rec, shown)
    VALUES(?, ?, ?, ?, ?, ?, ?, ?, ${shown})`;
const INSERT_PUBLIC = insertWith(NEXT_SHOWN);
const INSERT_PRIVATE = insertWith("NULL");

/** Writes a change row into the open transaction. @param time microseconds, the transaction's. @returns its seq */
export function noteChange(db: Db, time: number, change: Change): number {
  const { kind, action, place, id = null, state = null, revision = null, rec = null } = change;
  const { lastInsertRowid } = db
    .sql(isPublicChange(change) ? INSERT_PUBLIC : INSERT_PRIVATE)
    .run(time, kind, action, place, id, state, revision, rec);
  return Number(lastInsertRowid);
}

/** Number of the last change: what is kept in memory is right as long as it stays the same. */
export function lastChange(db: Db): number {
  return db.untilCommit("last change", () => db.sql<number | null>("SELECT max(seq) FROM change").pluck().get() ?? 0);
}

/** Time of the last change in microseconds, 0 where there is none. */
export function lastChangeTime(db: Db): number {
  return db.sql<number>("SELECT time FROM change ORDER BY seq DESC LIMIT 1").pluck().get() ?? 0;
}
