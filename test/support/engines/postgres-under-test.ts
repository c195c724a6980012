import { SCHEMA } from "../../../src/engines/postgres/connection/open-pool.js";
import { openPool, openPostgres, type PostgresEngine } from "../../../src/engines/postgres/index.js";
import { newDatabase } from "../services/postgres.js";
import { testSecrets } from "../test-secrets.js";
import type { EngineUnderTest } from "./engine-under-test.js";

const CONNECTIONS = 12;

/** PostgreSQL with a database of its own on the server of the run. */
export function postgresUnderTest(): EngineUnderTest<PostgresEngine> {
  let url: string | undefined;
  const open = async () => {
    url ??= await newDatabase();
    return openPool({ url, connections: CONNECTIONS });
  };
  return {
    name: "postgres",
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
