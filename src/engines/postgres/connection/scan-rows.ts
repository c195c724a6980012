import type { Connection, Sql } from "./sql.js";

/** Rows that are fetched at once. */
const ROWS_AT_ONCE = 500;

/**
 * All rows of a statement, some at a time, within the open transaction: one scan after the other.
 * @param select values stand in it as `literal` writes them
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
