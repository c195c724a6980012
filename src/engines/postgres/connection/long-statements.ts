import type { Connection, Pool, Sql } from "./sql.js";

/**
 * The duration of statements of a load or verification depends on the size of its data. Tables of a load grow while
 * they are written: a plan that was cached when they were empty would scan them completely each time.
 */
const UNLIMITED = `SELECT set_config('statement_timeout', '0', true),
  set_config('idle_in_transaction_session_timeout', '0', true),
  set_config('plan_cache_mode', 'force_custom_plan', true)`;

/** Removes the time limits of the open transaction, and has each of its statements planned for the current data. */
export async function removeTimeLimits(sql: Sql): Promise<void> {
  await sql.row(UNLIMITED);
}

/** Runs long statements on a connection of their own, in one transaction. */
export const withoutTimeLimits = <T>(pool: Pool, work: (connection: Connection) => Promise<T>): Promise<T> =>
  inTransaction(pool, "BEGIN", work);

/** Runs long statements on one snapshot of the database: concurrent writes are not seen and do not wait. */
export const onSnapshot = <T>(pool: Pool, work: (connection: Connection) => Promise<T>): Promise<T> =>
  inTransaction(pool, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", work);

async function inTransaction<T>(pool: Pool, begin: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await pool.connect();
  let isBroken = true;
  try {
    await connection.script(begin);
    await removeTimeLimits(connection);
    const result = await work(connection);
    await connection.script("COMMIT");
    isBroken = false;
    return result;
  } catch (error) {
    // If even this fails, the connection is closed, which ends the transaction.
    isBroken = await connection.script("ROLLBACK").then(
      () => false,
      () => true,
    );
    throw error;
  } finally {
    connection.release(isBroken);
  }
}

/** Rows fetched at once. */
const ROWS_AT_ONCE = 500;

/**
 * Yields all rows of a statement in batches, within the open transaction, one scan after the other.
 * @param select contains values as `literal` writes them
 */
export async function* scanRows<Row extends object>(
  connection: Pick<Connection, "script"> & Sql,
  select: string,
): AsyncGenerator<readonly Row[]> {
  await connection.script(`DECLARE scanned NO SCROLL CURSOR FOR ${select}`);
  for (;;) {
    const rows = await connection.rows<Row>(`FETCH ${ROWS_AT_ONCE} FROM scanned`);
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await connection.script("CLOSE scanned");
}
