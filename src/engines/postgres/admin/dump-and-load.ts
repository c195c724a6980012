import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import { readTermContent, storedTermRow } from "../../../core/terms/term-row.js";
import {
  STORE_ROW_KINDS,
  STORE_ROWS,
  type StoreRowKind,
  type StoreRows,
  type StoreValue,
} from "../../../ports/store-admin.js";
import {
  dumpedBody,
  insertPlain,
  isPlain,
  type PlainKind,
  refuseStoreRow,
  selectPlain,
} from "../../transfer/store-rows.js";
import { scanRows } from "../connection/long-statements.js";
import { beginLoad, endLoad } from "../connection/migrate.js";
import { DRAFT_SUMS } from "../connection/migrations.js";
import { type Connection, type Pool, type Sql, toStorable } from "../connection/sql.js";
import { keyHash } from "../records/record-reader.js";
import { readCitations, recordColumns } from "../records/record-writer.js";
import { type TermToWrite, writeTerms } from "../terms/term-writer.js";

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

/** Yields all rows of one snapshot of the store. Other writes continue meanwhile. */
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

/** Tables whose statements get bad plans until they are analysed. */
const LARGE_TABLES = "rec, taken, citation_count, change, change_term, term, term_name, term_history, audit";

type Row = readonly StoreValue[];
type Value = StoreValue | boolean;

/**
 * Fills an empty database with the rows of another store, in one transaction. A record of the unfinished load keeps
 * services away from the empty database until then.
 * @param rows throws at its end if the rows are incomplete or damaged
 * @throws Error with a clear message if the database has rows, or the catalog lacks a model or vocabulary of the rows
 */
export async function loadDatabase(pool: Pool, catalog: Catalog, rows: AsyncIterable<StoreRows>): Promise<void> {
  const connection = await pool.connect();
  let isBroken = true;
  try {
    await connection.script("BEGIN");
    await refuseFilled(connection);
    await beginLoad(connection);
    await connection.script(
      `COMMIT; BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL statement_timeout = 0`,
    );
    await refuseFilled(connection);
    for await (const { kind, rows: batch } of rows) await writeRows(connection, catalog, kind, batch);
    await connection.script(DERIVE_DATA);
    await endLoad(connection);
    // Services send queries before the database would analyse the tables itself.
    await connection.script(`ANALYZE ${LARGE_TABLES}; COMMIT`);
    isBroken = false;
  } finally {
    // Closing a connection rolls its transaction back.
    connection.release(isBroken);
  }
}

async function refuseFilled(connection: Connection): Promise<void> {
  // Prevents others from starting meanwhile.
  await connection.script('LOCK TABLE feed_head, "user", term IN EXCLUSIVE MODE');
  const row = await connection.row<{ readonly users: number; readonly changes: number }>(
    'SELECT (SELECT count(*) FROM "user") AS users, (SELECT seq FROM feed_head) AS changes',
  );
  if (row!.users === 0 && row!.changes === 0) return;
  throw new Error(
    `The database is not empty (${row!.users} users, ${row!.changes} changes): \`bindery load\` fills only a ` +
      "database that no service has used. Create a new one.",
  );
}

async function writeRows(
  sql: Connection,
  catalog: Catalog,
  kind: StoreRows["kind"],
  rows: readonly Row[],
): Promise<void> {
  if (kind === "imported") return await insertImported(sql, rows);
  if (isPlain(kind)) return await insertPlainRows(sql, kind, rows);
  if (kind === "term") return await insertTerms(sql, catalog, rows);
  if (kind === "record") return await insertRecords(sql, catalog, rows);
  if (kind === "counter") return await setCounters(sql, rows);
  const [table, columns] =
    kind === "taken"
      ? (["taken", ["id", "family", "revision"]] as const)
      : (["redirect", STORE_ROWS.redirect] as const);
  // The parent of an id is only known when all rows are there.
  const takenRows = kind === "taken" ? rows.map(([id, revision]) => [id!, id!, revision!]) : rows;
  await insertInto(sql, `INSERT INTO ${table}(${columns.join(", ")})`, table, columns, takenRows);
}

const insertPlainRows = (sql: Sql, kind: PlainKind, rows: readonly Row[]): Promise<void> => {
  const [, table = ""] = /^INSERT INTO "([a-z_]+)"/.exec(insertPlain(kind)) ?? [];
  return insertInto(sql, insertPlain(kind), table, STORE_ROWS[kind], rows);
};

async function insertImported(sql: Sql, rows: readonly Row[]): Promise<void> {
  const columns = ["key_hash", ...STORE_ROWS.imported];
  const hashed = rows.map((row) => [keyHash(String(row[STORE_ROWS.imported.indexOf("key")])), ...row]);
  await insertInto(sql, `INSERT INTO imported(${columns.join(", ")})`, "imported", columns, hashed);
}

/** Inserts rows with the types of the table's columns. */
async function insertInto(
  sql: Sql,
  into: string,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Value[])[],
): Promise<void> {
  const objects = rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, storedValue(row[i]!)])));
  const names = columns.map((name) => `"${name}"`).join(", ");
  await sql.run(
    `${into} SELECT ${names} FROM json_populate_recordset(NULL::"${table}", convert_from($1, 'UTF8')::json)`,
    [Buffer.from(JSON.stringify(objects))],
  );
}

/** Converts a text in the JSON, whose own text is sent as bytes. */
const storedValue = (value: Value): Value => (typeof value === "string" ? toStorable(value) : value);

async function insertRecords(sql: Sql, catalog: Catalog, rows: readonly Row[]): Promise<void> {
  const recordRows = rows.map(([row, json]) => {
    const body = dumpedBody(json);
    const model = catalog.models.get(body.model);
    if (model === undefined) throw refuseStoreRow("model", body.model);
    return { ...recordColumns(body, readCitations(body, model)), row: row!, json: json! };
  });
  if (recordRows.length === 0) return;
  const columns = Object.keys(recordRows[0]!);
  await insertInto(sql, `INSERT INTO rec(${columns.join(", ")})`, "rec", columns, recordRows.map(Object.values));
}

async function insertTerms(sql: Sql, catalog: Catalog, rows: readonly Row[]): Promise<void> {
  for (const name of new Set(rows.map(([vocabulary]) => String(vocabulary)))) {
    const vocabulary = catalog.vocabularies.get(name);
    if (vocabulary === undefined) throw refuseStoreRow("vocabulary", name);
    const vocabularyRows = rows.filter((row) => row[0] === name);
    const terms = vocabularyRows.map((values) => writtenTerm(vocabulary, values));
    await writeTerms(sql, vocabulary, terms);
  }
}

function writtenTerm(vocabulary: Vocabulary, values: Row): TermToWrite {
  const [, ext, parent, title, rest, created, revision, sources] = values as readonly [
    ...[string, string, string | null, string, string, number, number, number],
  ];
  const row = storedTermRow({ ext, parent, title, rest, created, revision }, vocabulary);
  return { row, content: readTermContent(row), sources, isNew: true };
}

async function setCounters(sql: Sql, rows: readonly Row[]): Promise<void> {
  for (const [name, last] of rows) {
    if (name === "record") await sql.run("UPDATE feed_head SET row = $1", [Number(last)]);
    else await sql.row(`SELECT setval(pg_get_serial_sequence($1, 'id'), $2)`, [`"${name}"`, Number(last)]);
  }
}

/** SQL for data that is derived from the rows. */
const DERIVE_DATA = `
UPDATE taken SET family = r.parent FROM rec r WHERE taken.id = r.pid;
UPDATE taken SET family = t.parent FROM tombstone t WHERE taken.id = t.id;
UPDATE rec SET seq = c.seq
  FROM (SELECT id, state, max(seq) AS seq FROM change WHERE kind = 'record' GROUP BY id, state) c
  WHERE rec.pid = c.id AND rec.state = c.state;
UPDATE feed_head SET seq = last.seq, time = last.time
  FROM (SELECT seq, time FROM change ORDER BY seq DESC LIMIT 1) last;
INSERT INTO citation_count(vocabulary, ext, latest, others)
  SELECT c.cited ->> 0, c.cited ->> 1, count(*) FILTER (WHERE rec.latest), count(*) FILTER (WHERE NOT rec.latest)
  FROM rec, json_array_elements(rec.cites::json) c(cited) GROUP BY 1, 2;
INSERT INTO draft_usage ${DRAFT_SUMS};
SELECT setval(pg_get_serial_sequence('term_load', 'id'), max(id))
  FROM (SELECT id FROM term_load UNION ALL SELECT import FROM change_term) n HAVING max(id) IS NOT NULL;
SELECT setval(pg_get_serial_sequence('term_history', 'id'), max(id)) FROM term_history HAVING max(id) IS NOT NULL;
`;
