import { isPublicChange } from "../../../core/feed/feed.js";
import type { Db } from "./database.js";

/** A row of the table `change`. The change feed, cached sets and the webhook relay read it to learn about a write. */
export interface Change {
  readonly kind: "record" | "term";
  /** `reindexed`: a repair or a new index, which only caches have to know about. */
  readonly action: "published" | "updated" | "created" | "removed" | "imported" | "shared" | "reindexed";
  /** Model or vocabulary. */
  readonly place: string;
  /** Number of the import if the change is one. Its entries in `change_term` have this number. */
  readonly id?: string;
  readonly state?: "draft" | "published";
  readonly revision?: number;
  /** Row number of the record. */
  readonly rec?: number;
}

/** SQL for the next public number. */
const NEXT_SHOWN = "(SELECT coalesce(max(shown), 0) + 1 FROM change INDEXED BY change_shown WHERE shown IS NOT NULL)";

const insertWithPublicNumber = (shown: string): string =>
  `INSERT INTO change(time, kind, action, place, id, state, revision, rec, shown)
    VALUES(?, ?, ?, ?, ?, ?, ?, ?, ${shown})`;
const INSERT_PUBLIC = insertWithPublicNumber(NEXT_SHOWN);
const INSERT_PRIVATE = insertWithPublicNumber("NULL");

/**
 * Writes a change row into the open transaction. @param time instant of the transaction in microseconds. @returns its
 * `seq`
 */
export function noteChange(db: Db, time: number, change: Change): number {
  const { kind, action, place, id = null, state = null, revision = null, rec = null } = change;
  const { lastInsertRowid } = db
    .sql(isPublicChange(change) ? INSERT_PUBLIC : INSERT_PRIVATE)
    .run(time, kind, action, place, id, state, revision, rec);
  return Number(lastInsertRowid);
}

/** Returns the number of the last change. Cached data stays valid as long as the number stays the same. */
export function lastChange(db: Db): number {
  return db.untilCommit("last change", () => db.sql<number | null>("SELECT max(seq) FROM change").pluck().get() ?? 0);
}

/** Returns the time of the last change in microseconds, 0 if there is none. */
export function lastChangeTime(db: Db): number {
  return db.sql<number>("SELECT time FROM change ORDER BY seq DESC LIMIT 1").pluck().get() ?? 0;
}
