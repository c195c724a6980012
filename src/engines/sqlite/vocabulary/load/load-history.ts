import type { FieldChange } from "../../../../core/catalog/merge-term.js";
import type { Db } from "../../connection/database.js";

/** An item that a load changed. */
interface Changed {
  readonly ext: string;
  readonly revision: number;
  /** JSON of its `FieldChange`s. */
  readonly changes: string;
}

/** Writes what a load changed of an item, in the open transaction. It is there once the load itself is noted. */
export function noteLoaded(db: Db, vocabulary: string, load: number, { ext, revision, changes }: Changed): void {
  db.sql(
    "INSERT INTO term_history(vocabulary, ext, revision, action, load, changes) VALUES(?, ?, ?, 'loaded', ?, ?)",
  ).run(vocabulary, ext, revision, load, changes);
}

/** Forgets what a load that is not done wrote of an item: somebody else wrote it meanwhile. */
export function forgetLoaded(db: Db, load: number, ext: string): void {
  db.sql("DELETE FROM term_history WHERE load = ? AND ext = ?").run(load, ext);
}

/** Notes that a load is done, in the transaction that makes it visible. @param now microseconds */
export function noteLoadDone(db: Db, vocabulary: string, load: number, source: string | undefined, now: number): void {
  const insert = "INSERT INTO term_load(g, vocabulary, source, time) VALUES(?, ?, ?, ?)";
  db.sql(insert).run(load, vocabulary, source ?? null, now);
}

export const changesText = (fields: readonly FieldChange[]): string => JSON.stringify(fields);
