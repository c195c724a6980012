import type { Catalog } from "../../../core/catalog/types.js";
import { fail } from "../../../core/errors.js";
import type { StoredRecord } from "../../../core/record.js";
import { formatInstant } from "../../../core/time.js";
import type { StoreAdmin, StoreStatus, Unserved } from "../../../ports/store-admin.js";
import { STORE_ROW_KINDS, type StoreRowKind, type StoreRows, type StoreValue } from "../../../ports/store-rows.js";
import { isPlain, type PlainKind, selectPlain } from "../../transfer/store-rows.js";
import { scanRows } from "../connection/long-statements.js";
import type { Connection, Pool, Sql } from "../connection/sql.js";
import type { RunTransaction } from "../connection/write-transaction.js";
import { recordsAfter } from "../records/record-reader.js";
import { largestUsers } from "../records/record-writer.js";
import { repairDatabase } from "../verify/repair.js";
import { verifyDatabase } from "../verify/run-checks.js";
import { indexStatus } from "./index-status.js";

/** Records read in one query. */
const RECORDS_AT_ONCE = 100;

/** Returns SQL for the last number that a table assigned, 0 if none. */
function lastNumber(table: string): string {
  const sequence = `pg_get_serial_sequence('"${table}"', 'id')`;
  return `SELECT '${table}' AS name, coalesce(pg_sequence_last_value(${sequence}), 0) AS last`;
}

const CREATION_ORDER = "ORDER BY created, row % 1024, row";

/** SQL for kinds of rows that are not read unchanged from a table. */
const SELECTS: Readonly<Record<Exclude<StoreRowKind, PlainKind>, string>> = {
  counter: `SELECT * FROM (
      ${["audit", "delivery", "token", "user", "webhook"].map(lastNumber).join(" UNION ALL ")}
      UNION ALL SELECT 'record', row FROM feed_head
    ) counted WHERE last > 0 ORDER BY name COLLATE "C"`,
  // Concurrent nodes may commit in another order than that of `created`. An embedded store lists records by row alone,
  // so rows are numbered as `creationOrder` of OpenSearch sorts them.
  record: `SELECT row_number() OVER (${CREATION_ORDER}) AS row, json FROM rec ${CREATION_ORDER}`,
  taken: "SELECT id, revision FROM taken ORDER BY id",
  term: "SELECT vocabulary, ext, parent, title, rest, created, revision, sources FROM term ORDER BY vocabulary, ext",
  redirect: "SELECT vocabulary, ext, successor FROM redirect ORDER BY vocabulary, ext",
};

/** Yields all rows of one snapshot of the store. Writes go on meanwhile. */
async function* dumpDatabase(pool: Pool): AsyncGenerator<StoreRows> {
  const connection = await pool.connect();
  let isBroken = true;
  try {
    await connection.script("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    // The reader of the rows may be slow.
    await connection.script("SET LOCAL idle_in_transaction_session_timeout = 0");
    for (const kind of STORE_ROW_KINDS) yield* readRows(connection, kind);
    await connection.script("COMMIT");
    isBroken = false;
  } finally {
    // Closing a connection ends its transaction.
    connection.release(isBroken);
  }
}

async function* readRows(connection: Connection, kind: StoreRowKind): AsyncGenerator<StoreRows> {
  const select = isPlain(kind) ? selectPlain(kind) : SELECTS[kind];
  for await (const rows of scanRows<Record<string, StoreValue>>(connection, select)) {
    // The order of the columns is that of the statement.
    yield { kind, rows: rows.map((row) => Object.values(row)) };
  }
}

/** Makes the administration of the whole database. Backups are left to PostgreSQL. */
export function makeDatabaseAdmin(pool: Pool, catalog: Catalog, transaction: RunTransaction): StoreAdmin {
  return {
    status: () => databaseStatus(pool),
    findUnserved: () => findUnserved(pool, catalog),
    readRecords: () => readRecords(pool),
    dump: () => dumpDatabase(pool),
    indexes: () => indexStatus(pool),
    verify: async (onProgress) => (await verifyDatabase(pool, catalog, onProgress)).verification,
    repair: (onProgress) => repairDatabase({ pool, catalog, transaction }, onProgress),
    backup: refuseBackup,
    reindex: refuseReindex,
  };
}

async function refuseBackup(): Promise<never> {
  const instead = "use pg_dump, or base backups with an archive of the log";
  throw fail("FEATURE_UNSUPPORTED", { feature: `\`backup\` on PostgreSQL: ${instead}` });
}

async function refuseReindex(): Promise<never> {
  throw fail("FEATURE_UNSUPPORTED", { feature: "`reindex`: it has no search index (BINDERY_SEARCH_URL)" });
}

async function findUnserved(sql: Sql, catalog: Catalog): Promise<Unserved> {
  const models = await sql.rows<{ readonly name: string; readonly published: number; readonly drafts: number }>(
    `SELECT model AS name, count(*) FILTER (WHERE state = 'published') AS published,
      count(*) FILTER (WHERE state = 'draft') AS drafts FROM rec GROUP BY model ORDER BY model`,
  );
  const vocabularies = await sql.rows<{ readonly name: string; readonly items: number }>(
    "SELECT name, count AS items FROM vocabulary WHERE count > 0 ORDER BY name",
  );
  return {
    models: models.filter(({ name }) => !catalog.models.has(name)),
    vocabularies: vocabularies.filter(({ name }) => !catalog.vocabularies.has(name)),
  };
}

async function* readRecords(sql: Sql): AsyncGenerator<readonly StoredRecord[]> {
  for (let row = 0; ; ) {
    const { records, last } = await recordsAfter(sql, row, RECORDS_AT_ONCE);
    if (last === row) return;
    row = last;
    yield records;
  }
}

const SELECT_DATABASE = `SELECT pg_database_size(current_database()) AS bytes, seq, time,
    (SELECT value::integer FROM meta WHERE name = 'schema') AS schema
  FROM feed_head`;

const SELECT_MODELS = `SELECT model AS name, count(*) FILTER (WHERE state = 'published' AND latest) AS published,
    count(*) FILTER (WHERE state = 'published' AND NOT latest) AS "olderVersions",
    count(*) FILTER (WHERE state = 'draft') AS drafts
  FROM rec GROUP BY model ORDER BY model`;

const SELECT_VOCABULARIES = "SELECT name, count AS terms FROM vocabulary ORDER BY name";

/** Reads the status of the database. Its backups and its disk are left to its operator. */
async function databaseStatus(sql: Sql): Promise<StoreStatus> {
  const { bytes, schema, seq, time } = (await sql.row<Record<"bytes" | "schema" | "seq" | "time", number>>(
    SELECT_DATABASE,
  ))!;
  return {
    schema,
    bytes,
    models: await sql.rows<StoreStatus["models"][number]>(SELECT_MODELS),
    vocabularies: await sql.rows<StoreStatus["vocabularies"][number]>(SELECT_VOCABULARIES),
    largestUsers: await largestUsers(sql),
    ...(seq === 0 ? {} : { lastChange: { seq, time: formatInstant(time) } }),
  };
}
