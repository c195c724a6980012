import type { Connection, Pool, Sql } from "./sql.js";

/**
 * A load or a verification has statements that take as long as its data is large. And the tables of a load grow while
 * it writes them: a plan that was made, and kept, when they were empty reads them from one end to the other each time.
 */
const UNHURRIED = `SELECT set_config('statement_timeout', '0', true),
  set_config('idle_in_transaction_session_timeout', '0', true),
  set_config('plan_cache_mode', 'force_custom_plan', true)`;

/** Lets statements of the open transaction take as long as they need, and has each planned for what is there. */
export async function unhurry(sql: Sql): Promise<void> {
  await sql.row(UNHURRIED);
}

/** Runs statements that may take long on a connection of their own, in one transaction. */
export const unhurried = <T>(pool: Pool, work: (connection: Connection) => Promise<T>): Promise<T> =>
  inTransaction(pool, "BEGIN", work);

/** The same on one state of the database: what is written meanwhile is not seen, and waits for nothing. */
export const onSnapshot = <T>(pool: Pool, work: (connection: Connection) => Promise<T>): Promise<T> =>
  inTransaction(pool, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", work);

async function inTransaction<T>(pool: Pool, begin: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await pool.connect();
  let isBroken = true;
  try {
    await connection.script(begin);
    await unhurry(connection);
    const result = await work(connection);
    await connection.script("COMMIT");
    isBroken = false;
    return result;
  } catch (error) {
    // Where even this fails the connection is closed, and that ends the transaction.
    isBroken = await connection.script("ROLLBACK").then(
      () => false,
      () => true,
    );
    throw error;
  } finally {
    connection.release(isBroken);
  }
}
