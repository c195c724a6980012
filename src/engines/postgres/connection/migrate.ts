import { literal } from "./literal.js";
import { MIGRATIONS } from "./migrations.js";
import { SCHEMA } from "./open-pool.js";
import type { Connection, Pool } from "./sql.js";

/** Of the session that migrates; others wait. Any number that nobody else uses. */
const LOCK = 7_246_331_902;

/**
 * Brings the tables to those of this version, each migration in a transaction of its own. Nodes of two releases can run
 * side by side: a release only adds what the one before does not need to know.
 * @throws Error with a clear word where the tables are those of a release after the next one
 */
export async function migrate(pool: Pool, migrations = MIGRATIONS): Promise<void> {
  const connection = await pool.connect();
  let isBroken = true;
  try {
    await connection.script(`SELECT pg_advisory_lock(${LOCK})`);
    await connection.script(
      `CREATE SCHEMA IF NOT EXISTS ${SCHEMA};
      CREATE TABLE IF NOT EXISTS meta(name text PRIMARY KEY, value text NOT NULL)`,
    );
    const done = Number((await readMeta(connection, SCHEMA_VERSION)) ?? 0);
    if (done > migrations.length + 1) {
      throw new Error(
        `The database was set up by a newer Bindery (tables ${done}, here ${migrations.length}); update this one.`,
      );
    }
    for (let n = done; n < migrations.length; n++) {
      const noted = `INSERT INTO meta(name, value) VALUES(${literal(SCHEMA_VERSION)}, ${literal(String(n + 1))})
        ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
      await connection.script(`BEGIN; ${migrations[n]}; ${noted}; COMMIT`);
    }
    await connection.script(`SELECT pg_advisory_unlock(${LOCK})`);
    isBroken = false;
  } finally {
    // A connection that is closed has no lock any more, and no transaction.
    connection.release(isBroken);
  }
}

const SCHEMA_VERSION = "schema";

async function readMeta(connection: Connection, name: string): Promise<string | undefined> {
  const row = await connection.row<{ readonly value: string }>("SELECT value FROM meta WHERE name = $1", [name]);
  return row?.value;
}
