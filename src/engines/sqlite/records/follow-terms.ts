/**
 * Records are found by the current content of their cited terms: when a term changes, the index of records that cite it
 * is updated.
 */
import type { Catalog } from "../../../core/catalog/types.js";
import { LIMITS } from "../../../core/limits.js";
import { citesToken } from "../../../query/index-model/record-document.js";
import { lastChangeTime } from "../connection/change-table.js";
import type { Db } from "../connection/database.js";
import type { Writer } from "../connection/write-connection.js";
import { phrase } from "../documents/fts-expression.js";
import { type BulkLoader, openBulkLoader } from "../vocabulary/load/bulk-loader.js";
import { countStaleTerms, noteStale } from "../vocabulary/store/cited-terms.js";
import { heartbeatTime } from "../vocabulary/store/generation.js";
import { type RecordWriting, recordWriting, reindexRecord } from "./record-index.js";

/**
 * Maximum number of elements of all records that are indexed in a transaction that changes a term: some ten
 * milliseconds.
 */
const ELEMENTS_AT_ONCE = 2_000;

/** Numbers of terms, and of records that cite them, per query. */
const TERMS_AT_ONCE = 100;
const RECORDS_AT_ONCE = 200;

interface StaleTerm {
  readonly id: number;
  readonly vocabulary: string;
  readonly ext: string;
}

const citersExpression = (terms: readonly Pick<StaleTerm, "vocabulary" | "ext">[]): string =>
  terms.map(({ vocabulary, ext }) => phrase([citesToken(vocabulary, ext)])).join(" OR ");

/**
 * Updates the records that cite a term which the open transaction changed, or one that it replaced: immediately if
 * there are few, otherwise with the next call of `followStale`.
 */
export function followTerm(db: Db, catalog: Catalog, vocabulary: string, ext: string, now: number): void {
  const firstCiters = `SELECT rowid FROM leaf WHERE leaf MATCH ? ORDER BY rowid LIMIT ${LIMITS.reindexAtOnceMax + 1}`;
  const rows = db
    .sql<number>(firstCiters)
    .pluck()
    .all(citersExpression([{ vocabulary, ext }]));
  if (rows.length === 0) return;
  const elementCount = db
    .sql<number>("SELECT coalesce(sum(elements), 0) FROM rec WHERE id IN (SELECT value FROM json_each(?))")
    .pluck()
    .get(JSON.stringify(rows))!;
  if (rows.length > LIMITS.reindexAtOnceMax || elementCount > ELEMENTS_AT_ONCE) {
    noteStale(db, vocabulary, ext);
    return;
  }
  const writing = recordWriting(db, catalog);
  for (const row of rows) reindexRecord(writing, row, now);
}

/** Returns the rows of records whose index is out of date. */
export function outdatedRows(db: Db): ReadonlySet<number> {
  const rows = new Set<number>();
  const citers = db.sql<number>("SELECT rowid FROM leaf WHERE leaf MATCH ?").pluck();
  for (const term of db.sql<StaleTerm>("SELECT id, vocabulary, ext FROM stale_term").all()) {
    for (const row of citers.iterate(citersExpression([term])) as Iterable<number>) rows.add(row);
  }
  return rows;
}

/** Runs `followStale` on a connection of its own if there is anything to do. */
export async function followAll(writer: Writer, catalog: Catalog, isStopped: () => boolean): Promise<void> {
  if (countStaleTerms(writer.db) === 0) return;
  const loader = openBulkLoader(writer, isStopped);
  try {
    await followStale(loader, catalog);
  } finally {
    loader.close();
  }
}

/**
 * Updates the index of all outdated records in short transactions. Work that is interrupted starts again with the next
 * call.
 */
export async function followStale(loader: BulkLoader, catalog: Catalog): Promise<void> {
  const { db } = loader;
  for (;;) {
    const terms = db.sql<StaleTerm>(`SELECT id, vocabulary, ext FROM stale_term LIMIT ${TERMS_AT_ONCE}`).all();
    if (terms.length === 0) return;
    const writing = recordWriting(db, catalog);
    await followSome(loader, writing, terms);
  }
}

async function followSome(loader: BulkLoader, writing: RecordWriting, terms: readonly StaleTerm[]): Promise<void> {
  const { db } = loader;
  const nextCiters = `SELECT rowid FROM leaf WHERE leaf MATCH ? AND rowid > ? ORDER BY rowid LIMIT ${RECORDS_AT_ONCE}`;
  let lastRow = 0;
  await loader.steps((isLate) => {
    const now = Math.max(heartbeatTime(), lastChangeTime(db) + 1);
    // FTS5 ignores a row id bound that is not an integer, and a JS number binds as REAL.
    const rows = db.sql<number>(nextCiters).pluck().all(citersExpression(terms), BigInt(lastRow));
    for (const row of rows) {
      // A record that cannot be indexed (no model, no body) is a finding of `verify`, which rebuilds its index.
      reindexRecord(writing, row, now);
      lastRow = row;
      if (isLate()) return "more";
    }
    if (rows.length === RECORDS_AT_ONCE) return "more";
    const removeStale = db.sql("DELETE FROM stale_term WHERE id = ?");
    for (const { id } of terms) removeStale.run(id);
    return "done";
  });
}
