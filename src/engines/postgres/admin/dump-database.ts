import { STORE_ROW_KINDS, type StoreRowKind, type StoreRows, type StoreValue } from "../../../ports/store-rows.js";
import { isPlain, type PlainKind, selectPlain } from "../../transfer/store-rows.js";
import { scanRows } from "../connection/long-statements.js";
import type { Connection, Pool } from "../connection/sql.js";

/** Returns SQL for the last number that a table assigned, 0 if none. */
function lastNumber(table: string): string {
  const sequence = `pg_get_serial_sequence('"${table}"', 'id')`;
  return `SELECT '${table}' AS name, coalesce(pg_sequence_last_value(${sequence}), 0) AS last`;
}

const CREATION_ORDER = "ORDER BY created, row % 1024, row";

/** SQL for kinds of rows that are not read unchanged from a table. */
const SELECTS: Readonly<Record<Exclude<StoreRowKind, PlainKind>, string>> = {
  counter: `SELECT * FROM (
      ${["audit", "delivery", "token", "user", "webhook"].map(lastNumber).join(" UNION ALL ")}
      UNION ALL SELECT 'record', row FROM feed_head
    ) counted WHERE last > 0 ORDER BY name COLLATE "C"`,
  // Concurrent nodes may commit in another order than that of `created`. An embedded store lists records by row alone,
  // so rows are numbered as `creationOrder` of OpenSearch sorts them.
  record: `SELECT row_number() OVER (${CREATION_ORDER}) AS row, json FROM rec ${CREATION_ORDER}`,
  taken: "SELECT id, revision FROM taken ORDER BY id",
  term: "SELECT vocabulary, ext, parent, title, rest, created, revision, sources FROM term ORDER BY vocabulary, ext",
  redirect: "SELECT vocabulary, ext, successor FROM redirect ORDER BY vocabulary, ext",
};

/** Yields all rows of one snapshot of the store. Writes go on meanwhile. */
export async function* dumpDatabase(pool: Pool): AsyncGenerator<StoreRows> {
  const connection = await pool.connect();
  let isBroken = true;
  try {
    await connection.script("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    // The reader of the rows may be slow.
    await connection.script("SET LOCAL idle_in_transaction_session_timeout = 0");
    for (const kind of STORE_ROW_KINDS) yield* readRows(connection, kind);
    await connection.script("COMMIT");
    isBroken = false;
  } finally {
    // Closing a connection ends its transaction.
    connection.release(isBroken);
  }
}

async function* readRows(connection: Connection, kind: StoreRowKind): AsyncGenerator<StoreRows> {
  const select = isPlain(kind) ? selectPlain(kind) : SELECTS[kind];
  for await (const rows of scanRows<Record<string, StoreValue>>(connection, select)) {
    // The order of the columns is that of the statement.
    yield { kind, rows: rows.map((row) => Object.values(row)) };
  }
}
