import { createHash, randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { Pool as PgPool, type PoolClient, type QueryConfig, type QueryResult, types } from "pg";
import { withMappedErrors } from "./map-error.js";
import { type Connection, makeSql, type Pool, type Sql } from "./sql.js";

/** Schema of Bindery's tables, so that a database may have others next to them. */
export const SCHEMA = "bindery";

/** Options of a pool of connections. */
export interface PoolOptions {
  /** Such as `postgres://user:password@host:5432/name?sslmode=verify-full`. */
  readonly url: string;
  /** Maximum number of open connections. */
  readonly connections: number;
}

/** A slower statement fails. */
const STATEMENT_MS = 30_000;
/** Maximum wait for a lock of another transaction. */
const LOCK_MS = 15_000;
/** The database ends a transaction whose process hangs, because others wait for its locks. */
const IDLE_IN_TRANSACTION_MS = 60_000;
/**
 * Interval at which the database checks during a statement that its client still exists. Otherwise the statement of a
 * killed process keeps its locks until it ends.
 */
const CLIENT_CHECK_MS = 2_000;
/** Maximum wait for a free or a new connection. */
const CONNECT_MS = 10_000;

const SETTINGS = [
  `-c search_path=${SCHEMA}`,
  `-c statement_timeout=${STATEMENT_MS}`,
  `-c lock_timeout=${LOCK_MS}`,
  `-c idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`,
  // Compiling a statement takes longer than any statement runs.
  "-c jit=off",
  "-c client_min_messages=warning",
].join(" ");

/** 64-bit integers are read as numbers: microseconds and counters stay below 2^53. */
const INT8 = 20;
const readTypes = {
  getTypeParser: ((oid: number, format?: "text") =>
    oid === INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};

/** PostgreSQL shortens longer names. */
const HOST_LENGTH_MAX = 32;

/** Makes the pool. Connections are opened when they are needed. */
export function openPool({ url, connections }: PoolOptions): Pool {
  const name = `bindery ${hostname().slice(0, HOST_LENGTH_MAX)} ${process.pid} ${randomBytes(4).toString("hex")}`;
  const pool = new PgPool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    // Statements are sent immediately, without waiting for answers to earlier ones on the connection.
    pipeline: true,
    application_name: name,
    options: SETTINGS,
    types: readTypes,
  });
  // A lost idle connection is replaced when it is needed; a failure is reported then.
  pool.on("error", () => undefined);
  // The next statement reports a connection that is lost while it is used.
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    // A separate statement, because the system of the database may not support the setting, which is then refused.
    client.query(`SET client_connection_check_interval = ${CLIENT_CHECK_MS}`).catch(() => undefined);
  });
  const nameStatement = makeStatementNames();
  const connect = (): Promise<PoolClient> => withMappedErrors(() => pool.connect());
  return {
    name,
    ...makeSqlOn((query) => pool.query(query), nameStatement),
    connect: async () => makeConnection(await connect(), nameStatement),
    waiting: () => pool.waitingCount,
    close: () => (pool.ended ? Promise.resolve() : pool.end()),
  };
}

function makeConnection(client: PoolClient, nameStatement: StatementNames): Connection {
  return {
    ...makeSqlOn((query) => client.query(query), nameStatement),
    script: async (text) => void (await withMappedErrors(() => client.query(text))),
    release: (isBroken = false) => client.release(isBroken),
  };
}

/** Returns the name of the prepared statement with this text. */
type StatementNames = (text: string) => string;

/** Returns a function that names prepared statements by the hash of their text and caches the names. */
function makeStatementNames(): StatementNames {
  const names = new Map<string, string>();
  return (text) => {
    const name = names.get(text) ?? createHash("sha1").update(text).digest("base64url");
    names.set(text, name);
    return name;
  };
}

function makeSqlOn(query: (query: QueryConfig<unknown[]>) => Promise<QueryResult>, nameStatement: StatementNames): Sql {
  return makeSql(async (text, values) => {
    const { rows, rowCount } = await withMappedErrors(() => query({ name: nameStatement(text), text, values }));
    return { rows, written: rowCount ?? 0 };
  });
}
