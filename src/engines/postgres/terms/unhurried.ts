import type { Pool, Sql } from "../connection/sql.js";

/**
 * A load has statements that take as long as its file is large. And its tables grow while it writes them: a plan that
 * was made, and kept, when they were empty reads them from one end to the other each time.
 */
const AS_LOAD = `SELECT set_config('statement_timeout', '0', true),
  set_config('idle_in_transaction_session_timeout', '0', true),
  set_config('plan_cache_mode', 'force_custom_plan', true)`;

/** Lets statements of the open transaction take as long as they need, and has each planned for what is there. */
export async function asLoad(sql: Sql): Promise<void> {
  await sql.row(AS_LOAD);
}

/** Runs statements that may take long on a connection of their own, in one transaction. */
export async function unhurried<T>(pool: Pool, work: (sql: Sql) => Promise<T>): Promise<T> {
  const connection = await pool.connect();
  let isBroken = true;
  try {
    await connection.script("BEGIN");
    await asLoad(connection);
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
