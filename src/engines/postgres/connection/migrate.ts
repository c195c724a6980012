import { fail } from "../../../core/errors.js";
import { MIGRATIONS } from "./migrations.js";
import { SCHEMA } from "./open-pool.js";
import { type Connection, literal, type Pool, type Sql } from "./sql.js";

/** Advisory lock of the session that migrates; others wait. Any number that nobody else uses. */
const LOCK = 7_246_331_902;

/** Rows of `meta`: the number of applied migrations, and an unfinished `load`. */
const SCHEMA_VERSION = "schema";
const UNFINISHED_LOAD = "unfinished load";

/** Rights of a process on the tables of a database. */
export interface TableRights {
  /** Migrates the tables of an older version. Only for services: commands may run next to services of that version. */
  readonly migrates: boolean;
  /** Makes the tables in a database without any; "refused": the operator forbids it (`BINDERY_NEW_STORE=off`). */
  readonly creates: boolean | "refused";
}

/**
 * Ensures that the database has the tables of this version.
 * @returns whether it made a new store
 * @throws Error with a clear message if the tables are of another version that this process may not change, or the
 * store is incomplete
 */
export async function prepareTables(pool: Pool, { migrates, creates }: TableRights): Promise<boolean> {
  const version = await readVersion(pool);
  if (version === 0) refuseMaking(creates);
  const loadStartedAt = version === 0 ? undefined : await readMeta(pool, UNFINISHED_LOAD);
  if (loadStartedAt !== undefined) {
    throw new Error(
      `The database has no whole store: the \`bindery load\` that began at ${loadStartedAt} did not finish. Wait if ` +
        `it is still running, else run it again. To begin with an empty store instead, run ` +
        `DROP SCHEMA ${SCHEMA} CASCADE.`,
    );
  }
  if (migrates || version === 0) await migrate(pool);
  else refuseOtherTables(version);
  return version === 0;
}

function refuseMaking(creates: TableRights["creates"]): void {
  if (creates === true) return;
  const missingStore = "There is no store in the database: it has no tables of Bindery";
  throw new Error(
    creates === false
      ? `${missingStore}. Check BINDERY_DATABASE_URL, or start the service once (bindery serve), which creates a new ` +
          "store."
      : `${missingStore}, and BINDERY_NEW_STORE=off forbids to make a new one. Check BINDERY_DATABASE_URL, or ` +
          "restore the database. For the first start of a new service set BINDERY_NEW_STORE=on once.",
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
  // A release only adds what the previous one can ignore.
  if (version <= migrations.length + 1) return;
  throw new Error(
    `The database was set up by a newer Bindery (tables ${version}, here ${migrations.length}); nothing was changed. ` +
      "Update this program.",
  );
}

/**
 * Migrates the tables to those of this version, each migration in its own transaction. Nodes of two releases can run
 * side by side: a release only adds what the previous one can ignore.
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
    const applied = Number((await readMeta(connection, SCHEMA_VERSION)) ?? 0);
    if (applied > migrations.length) refuseOtherTables(applied, migrations);
    for (let n = applied; n < migrations.length; n++) {
      await connection.script(`BEGIN; ${migrations[n]}; ${writeMeta(SCHEMA_VERSION, String(n + 1))}; COMMIT`);
    }
    await connection.script(`SELECT pg_advisory_unlock(${LOCK})`);
    isBroken = false;
  } finally {
    // Closing a connection releases its lock and ends its transaction.
    connection.release(isBroken);
  }
}

/** Records that a load has begun: until `endLoad` the database is refused as a store. */
export async function beginLoad(connection: Connection): Promise<void> {
  await connection.script(writeMeta(UNFINISHED_LOAD, new Date().toISOString()));
}

/** Removes the record, in the transaction with all loaded data. */
export async function endLoad(connection: Connection): Promise<void> {
  await connection.script(`DELETE FROM meta WHERE name = ${literal(UNFINISHED_LOAD)}`);
}

/** Returns the number of applied migrations, 0 if there are no tables. */
async function readVersion(sql: Sql): Promise<number> {
  const exists = "SELECT to_regclass($1) IS NOT NULL AS yes";
  const row = await sql.row<{ readonly yes: boolean }>(exists, [`${SCHEMA}.meta`]);
  return row?.yes === true ? Number((await readMeta(sql, SCHEMA_VERSION)) ?? 0) : 0;
}

async function readMeta(sql: Sql, name: string): Promise<string | undefined> {
  const row = await sql.row<{ readonly value: string }>("SELECT value FROM meta WHERE name = $1", [name]);
  return row?.value;
}

/** Returns the key that encrypts cursors, see `PUBLIC_NUMBERS`. @throws BinderyError STORE_DAMAGED */
export async function readCursorKey(sql: Sql): Promise<string> {
  const key = await readMeta(sql, "cursor key");
  if (key === undefined)
    throw fail("STORE_DAMAGED", { part: "The table meta", reason: "the key of cursors is missing" });
  return key;
}

const writeMeta = (name: string, value: string): string =>
  `INSERT INTO meta(name, value) VALUES(${literal(name)}, ${literal(value)})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
