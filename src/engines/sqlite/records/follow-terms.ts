/** Records are found by what their cited terms are now: where a term changes, the index of its citers follows. */
import type { Catalog } from "../../../core/catalog/types.js";
import { LIMITS } from "../../../core/limits.js";
import { citesToken } from "../../../query/index-model/record-tokens.js";
import { lastChangeTime } from "../connection/change-table.js";
import type { Db } from "../connection/database.js";
import type { Writer } from "../connection/write-connection.js";
import { phrase } from "../documents/fts-expression.js";
import { type BulkLoader, openBulkLoader } from "../vocabulary/load/bulk-loader.js";
import { heartbeatTime } from "../vocabulary/store/make-generation.js";
import { noteStale, staleTerms } from "../vocabulary/store/stale-terms.js";
import { type RecordWriting, recordWriting } from "./record-index.js";
import { reindexRecord } from "./reindex-record.js";

/** Elements of all records that are indexed within a transaction that changes a term: some ten milliseconds. */
const ELEMENTS_AT_ONCE = 2_000;

/** Terms, and records of them, that are looked up together. */
const TERMS_AT_ONCE = 100;
const RECORDS_AT_ONCE = 200;

interface StaleTerm {
  readonly id: number;
  readonly vocabulary: string;
  readonly ext: string;
}

const citersOf = (terms: readonly Pick<StaleTerm, "vocabulary" | "ext">[]): string =>
  terms.map(({ vocabulary, ext }) => phrase([citesToken(vocabulary, ext)])).join(" OR ");

/**
 * Has the records follow that cite a term which the open transaction changed, or one that it replaced: at once where
 * they are few, else by whoever calls `followStale` next.
 */
export function followTerm(db: Db, catalog: Catalog, vocabulary: string, ext: string, now: number): void {
  const some = `SELECT rowid FROM leaf WHERE leaf MATCH ? ORDER BY rowid LIMIT ${LIMITS.reindexAtOnceMax + 1}`;
  const rows = db
    .sql<number>(some)
    .pluck()
    .all(citersOf([{ vocabulary, ext }]));
  if (rows.length === 0) return;
  const elements = db
    .sql<number>("SELECT coalesce(sum(elements), 0) FROM rec WHERE id IN (SELECT value FROM json_each(?))")
    .pluck()
    .get(JSON.stringify(rows))!;
  if (rows.length > LIMITS.reindexAtOnceMax || elements > ELEMENTS_AT_ONCE) {
    noteStale(db, vocabulary, ext);
    return;
  }
  const writing = recordWriting(db, catalog);
  for (const row of rows) reindexRecord(writing, row, now);
}

/** Rows of records that do not follow yet. */
export function staleRows(db: Db): ReadonlySet<number> {
  const rows = new Set<number>();
  const find = db.sql<number>("SELECT rowid FROM leaf WHERE leaf MATCH ?").pluck();
  for (const term of db.sql<StaleTerm>("SELECT id, vocabulary, ext FROM stale_term").all()) {
    for (const row of find.iterate(citersOf([term])) as Iterable<number>) rows.add(row);
  }
  return rows;
}

/** As `followStale`, with a connection of its own where there is anything to do. */
export async function followAll(writer: Writer, catalog: Catalog, isStopped: () => boolean): Promise<void> {
  if (staleTerms(writer.db) === 0) return;
  const loader = openBulkLoader(writer, isStopped);
  try {
    await followStale(loader, catalog);
  } finally {
    loader.close();
  }
}

/** Indexes in short transactions what does not follow yet, until all does. What it leaves the next call begins anew. */
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
  const some = `SELECT rowid FROM leaf WHERE leaf MATCH ? AND rowid > ? ORDER BY rowid LIMIT ${RECORDS_AT_ONCE}`;
  let after = 0;
  await loader.steps((isLate) => {
    const now = Math.max(heartbeatTime(), lastChangeTime(db) + 1);
    // FTS5 ignores a row id bound that is not an integer, and a JS number binds as REAL.
    const rows = db.sql<number>(some).pluck().all(citersOf(terms), BigInt(after));
    for (const row of rows) {
      // What cannot be indexed (no model, no body) is a finding of `verify`, which makes its index again.
      reindexRecord(writing, row, now);
      after = row;
      if (isLate()) return "more";
    }
    if (rows.length === RECORDS_AT_ONCE) return "more";
    const done = db.sql("DELETE FROM stale_term WHERE id = ?");
    for (const { id } of terms) done.run(id);
    return "done";
  });
}
