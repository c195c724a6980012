import type { Catalog } from "../../../core/catalog/types.js";
import { fail } from "../../../core/errors.js";
import type { StoredRecord } from "../../../core/record.js";
import { formatInstant } from "../../../core/time.js";
import type { IndexStatus, StoreAdmin, StoreStatus, Unserved } from "../../../ports/store-admin.js";
import type { Pool, Sql } from "../connection/sql.js";
import type { RunTransaction } from "../connection/write-transaction.js";
import { recordsAfter } from "../records/record-reader.js";
import { largestUsers } from "../records/record-writer.js";
import { repairDatabase } from "../verify/repair.js";
import { verifyDatabase } from "../verify/run-checks.js";
import { dumpDatabase } from "./dump-and-load.js";

/** Records read in one query. */
const RECORDS_AT_ONCE = 100;

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
    lastChange: seq === 0 ? undefined : { seq, time: formatInstant(time) },
  };
}

/** Returns SQL for the age in seconds of the first change that the index lacks; 0 if it lacks none. */
const changeAge = (
  condition: string,
): string => `coalesce((SELECT greatest(0, extract(epoch FROM clock_timestamp()) - time / 1e6)
      FROM change WHERE seq > i.applied AND ${condition} ORDER BY seq LIMIT 1), 0)::float8`;

/** Returns SQL for the number of public changes after a change, by their public numbers. @param seq SQL */
export const publicAfter = (seq: string): string => `(
    coalesce((SELECT max(shown) FROM change WHERE shown IS NOT NULL), 0)
    - coalesce((SELECT shown FROM change WHERE seq <= ${seq} AND shown IS NOT NULL ORDER BY seq DESC LIMIT 1), 0))`;

const SELECT_STATUS = `SELECT i.name, i.current IS TRUE AS "isCurrent", i.scanned IS NOT NULL AS "isFilling",
    head.seq - i.applied AS "behindChanges", ${changeAge("true")} AS "behindSeconds",
    ${publicAfter("i.applied")} AS "behindPublicChanges", ${changeAge("shown IS NOT NULL")} AS "behindPublicSeconds",
    (SELECT count(*) FROM index_failure f WHERE f.index = i.name) AS refused,
    (SELECT coalesce(host(a.client_addr), 'the machine of the database')
      FROM pg_locks l JOIN pg_stat_activity a USING (pid), hashtextextended('leader search-index', 0) key
      WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 AND l.classid::bigint = key >> 32 & 4294967295
        AND l.objid::bigint = key & 4294967295 AND a.datname = current_database() LIMIT 1) AS "fedFrom"
  FROM index_state i CROSS JOIN feed_head head ORDER BY i.current DESC NULLS LAST, i.name`;

/** Returns the state of the indexes as the store knows it, without a request to OpenSearch. */
const indexStatus = (sql: Sql): Promise<readonly IndexStatus[]> => sql.rows<IndexStatus>(SELECT_STATUS);
