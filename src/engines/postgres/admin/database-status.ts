import { formatInstant } from "../../../core/time.js";
import type { StoreStatus } from "../../../ports/store-admin.js";
import type { Sql } from "../connection/sql.js";
import { largestUsers } from "../records/draft-usage.js";

const DATABASE = `SELECT pg_database_size(current_database()) AS bytes, seq, time,
    (SELECT value::integer FROM meta WHERE name = 'schema') AS schema
  FROM feed_head`;

const MODELS = `SELECT model AS name, count(*) FILTER (WHERE state = 'published' AND latest) AS published,
    count(*) FILTER (WHERE state = 'published' AND NOT latest) AS "olderVersions",
    count(*) FILTER (WHERE state = 'draft') AS drafts
  FROM rec GROUP BY model ORDER BY model`;

const VOCABULARIES = "SELECT name, count AS terms FROM vocabulary ORDER BY name";

/** What the database is and holds. Its backups, and the room on its disk, are its operator's business. */
export async function databaseStatus(sql: Sql): Promise<StoreStatus> {
  const { bytes, schema, seq, time } = (await sql.row<Record<"bytes" | "schema" | "seq" | "time", number>>(DATABASE))!;
  return {
    ...{ schema, bytes },
    models: await sql.rows<StoreStatus["models"][number]>(MODELS),
    vocabularies: await sql.rows<StoreStatus["vocabularies"][number]>(VOCABULARIES),
    largestUsers: await largestUsers(sql),
    ...(seq === 0 ? {} : { lastChange: { seq, time: formatInstant(time) } }),
  };
}
