import type { IndexStatus } from "../../../ports/store-admin.js";
import type { Sql } from "../connection/sql.js";

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
export const indexStatus = (sql: Sql): Promise<readonly IndexStatus[]> => sql.rows<IndexStatus>(SELECT_STATUS);
