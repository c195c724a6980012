import { SCHEMA } from "../../src/engines/postgres/connection/open-pool.js";
import type { Pool } from "../../src/engines/postgres/connection/sql.js";
import { openPool, openPostgres, type PostgresEngine } from "../../src/engines/postgres/index.js";
import { openPglite, sharedPglite } from "../support/services/pglite.js";
import { newDatabase } from "../support/services/postgres.js";
import { testSecrets } from "../support/test-secrets.js";
import type { EngineUnderTest } from "./engine-under-test.js";

const CONNECTIONS = 12;

/** PostgreSQL as the cluster has it: a database of the run's server. */
export function postgresUnderTest(): EngineUnderTest<PostgresEngine> {
  let url: string | undefined;
  return underTest("postgres", async () => {
    url ??= await newDatabase();
    return openPool({ url, connections: CONNECTIONS });
  });
}

/** The same statements in this process, with nothing installed. */
export function pgliteUnderTest(): EngineUnderTest {
  return underTest("pglite", async () => openPglite(await sharedPglite()));
}

function underTest(name: string, open: () => Promise<Pool>): EngineUnderTest<PostgresEngine> {
  return {
    name,
    open: async ({ catalog, clock, clockJumpMaxMicros }) =>
      openPostgres({
        pool: await open(),
        catalog,
        clock,
        migrates: true,
        secrets: testSecrets(),
        ...(clockJumpMaxMicros === undefined ? {} : { clockJumpMaxMicros }),
      }),
    cleanUp: async () => {
      const pool = await open();
      await pool.run(`DROP SCHEMA ${SCHEMA} CASCADE`);
      await pool.close();
    },
  };
}
