import { fail } from "../../../core/errors.js";
import { literal } from "./literal.js";
import { MIGRATIONS } from "./migrations.js";
import { SCHEMA } from "./open-pool.js";
import type { Connection, Pool, Sql } from "./sql.js";

/** Of the session that migrates; others wait. Any number that nobody else uses. */
const LOCK = 7_246_331_902;

/** Rows of `meta`: how many migrations the tables have seen, and a `load` that is not finished. */
const SCHEMA_VERSION = "schema";
const UNFINISHED_LOAD = "unfinished load";

/** What a process may do to the tables of a database. */
export interface TableRights {
  /** Migrates the tables of an older version. Only services may: commands run beside services of that version. */
  readonly migrates: boolean;
  /** Makes the tables in a database that has none; "refused": the operator forbids it (`BINDERY_NEW_STORE=off`). */
  readonly creates: boolean | "refused";
}

/**
 * Makes sure that the database has the tables of this version.
 * @returns whether it made a new store
 * @throws Error with a clear message if it has other tables than this process may change, or is not whole
 */
export async function prepareTables(pool: Pool, { migrates, creates }: TableRights): Promise<boolean> {
  const version = await readVersion(pool);
  if (version === 0) refuseMaking(creates);
  const since = version === 0 ? undefined : await readMeta(pool, UNFINISHED_LOAD);
  if (since !== undefined) {
    throw new Error(
      `The database has no whole store: the \`bindery load\` that began at ${since} did not finish. Wait if it is ` +
        `still running, else run it again. To begin with an empty store instead, run DROP SCHEMA ${SCHEMA} CASCADE.`,
    );
  }
  if (migrates || version === 0) await migrate(pool);
  else refuseOtherTables(version);
  return version === 0;
}

function refuseMaking(creates: TableRights["creates"]): void {
  if (creates === true) return;
  const none = "There is no store in the database: it has no tables of Bindery";
  throw new Error(
    creates === false
      ? `${none}. Check BINDERY_DATABASE_URL, or start the service once (bindery serve), which creates a new store.`
      : `${none}, and BINDERY_NEW_STORE=off forbids to make a new one. Check BINDERY_DATABASE_URL, or restore the ` +
          "database. For the first start of a new service set BINDERY_NEW_STORE=on once.",
  );
}

function refuseOtherTables(version: number, migrations = MIGRATIONS): void {
  if (version < migrations.length) {
    throw new Error(
      `The database was set up by an older Bindery (tables ${version}, here ${migrations.length}), and services of ` +
        "that version may be using it; nothing was changed. Start the service once with this program (bindery " +
        "serve), which migrates the database; until then use the program of that version.",
    );
  }
  // A release only adds what the one before does not need to know.
  if (version <= migrations.length + 1) return;
  throw new Error(
    `The database was set up by a newer Bindery (tables ${version}, here ${migrations.length}); nothing was changed. ` +
      "Update this program.",
  );
}

/**
 * Brings the tables to those of this version, each migration in a transaction of its own. Nodes of two releases can run
 * side by side: a release only adds what the one before does not need to know.
 * @throws Error with a clear message if the tables are those of a release after the next one
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
    if (done > migrations.length) refuseOtherTables(done, migrations);
    for (let n = done; n < migrations.length; n++) {
      await connection.script(`BEGIN; ${migrations[n]}; ${writeMeta(SCHEMA_VERSION, String(n + 1))}; COMMIT`);
    }
    await connection.script(`SELECT pg_advisory_unlock(${LOCK})`);
    isBroken = false;
  } finally {
    // A connection that is closed has no lock any more, and no transaction.
    connection.release(isBroken);
  }
}

/** Notes that a load has begun: until `endLoad` the database is refused by all that use a store. */
export async function beginLoad(connection: Connection): Promise<void> {
  await connection.script(writeMeta(UNFINISHED_LOAD, new Date().toISOString()));
}

/** Removes the note, in the transaction that has all that was loaded. */
export async function endLoad(connection: Connection): Promise<void> {
  await connection.script(`DELETE FROM meta WHERE name = ${literal(UNFINISHED_LOAD)}`);
}

/** Returns how many migrations the tables have seen; 0: there are none. */
async function readVersion(sql: Sql): Promise<number> {
  const exists = "SELECT to_regclass($1) IS NOT NULL AS yes";
  const row = await sql.row<{ readonly yes: boolean }>(exists, [`${SCHEMA}.meta`]);
  return row?.yes === true ? Number((await readMeta(sql, SCHEMA_VERSION)) ?? 0) : 0;
}

async function readMeta(sql: Sql, name: string): Promise<string | undefined> {
  const row = await sql.row<{ readonly value: string }>("SELECT value FROM meta WHERE name = $1", [name]);
  return row?.value;
}

/** Returns the secret of the cursors, see `PUBLIC_NUMBERS`. @throws BinderyError STORE_DAMAGED */
export async function readCursorKey(sql: Sql): Promise<string> {
  const key = await readMeta(sql, "cursor key");
  if (key === undefined)
    throw fail("STORE_DAMAGED", { part: "The table meta", reason: "the key of cursors is missing" });
  return key;
}

const writeMeta = (name: string, value: string): string =>
  `INSERT INTO meta(name, value) VALUES(${literal(name)}, ${literal(value)})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
