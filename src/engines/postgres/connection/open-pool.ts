import { createHash, randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { Pool as PgPool, type PoolClient, type QueryConfig, type QueryResult, types } from "pg";
import { makeSql } from "./make-sql.js";
import { mapped } from "./map-error.js";
import type { Connection, Pool, Sql } from "./sql.js";

/** The tables of Bindery stand in a schema of their own, so a database can have others beside it. */
export const SCHEMA = "bindery";

export interface PoolOptions {
  /** `postgres://user:password@host:5432/name?sslmode=verify-full` */
  readonly url: string;
  /** Connections that may be open at once. */
  readonly connections: number;
}

/** A statement that takes longer fails. */
const STATEMENT_MS = 30_000;
/** Waiting for what another transaction has locked. */
const LOCK_MS = 15_000;
/** A transaction whose process hangs is ended by the database: others wait for its locks. */
const IDLE_IN_TRANSACTION_MS = 60_000;
/**
 * How often the database looks while it runs a statement whether the process that sent it still exists. Without this,
 * the statement of a killed process keeps its locks until it ends by itself.
 */
const CLIENT_CHECK_MS = 2_000;
/** Waiting for a free connection, or for a new one. */
const CONNECT_MS = 10_000;

const SETTINGS = [
  `-c search_path=${SCHEMA}`,
  `-c statement_timeout=${STATEMENT_MS}`,
  `-c lock_timeout=${LOCK_MS}`,
  `-c idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`,
  // Compiling a statement takes longer than any of ours runs.
  "-c jit=off",
  "-c client_min_messages=warning",
].join(" ");

/** Numbers of 64 bits are read as numbers: microseconds and counters stay below 2^53. */
const INT8 = 20;
const readTypes = {
  getTypeParser: ((oid: number, format?: "text") =>
    oid === INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};

/** PostgreSQL shortens longer names. */
const HOST_LENGTH_MAX = 32;

/** Opens nothing yet: connections are made when they are needed. */
export function openPool({ url, connections }: PoolOptions): Pool {
  const name = `bindery ${hostname().slice(0, HOST_LENGTH_MAX)} ${process.pid} ${randomBytes(4).toString("hex")}`;
  const pool = new PgPool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    // A statement is sent at once, and not only when those before it on its connection are answered.
    pipeline: true,
    application_name: name,
    options: SETTINGS,
    types: readTypes,
  });
  // An idle connection that is lost is replaced when one is needed; whoever needs it is told where that fails.
  pool.on("error", () => undefined);
  // One that is lost while somebody holds it is noticed with the next statement.
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    // A statement of its own: the database may run on a system that cannot look, and refuses the setting.
    client.query(`SET client_connection_check_interval = ${CLIENT_CHECK_MS}`).catch(() => undefined);
  });
  const nameOf = makeStatementNames();
  const connect = (): Promise<PoolClient> => mapped(() => pool.connect());
  return {
    name,
    ...sqlOf((query) => pool.query(query), nameOf),
    connect: async () => connectionOf(await connect(), nameOf),
    waiting: () => pool.waitingCount,
    close: () => (pool.ended ? Promise.resolve() : pool.end()),
  };
}

function connectionOf(client: PoolClient, nameOf: StatementNames): Connection {
  return {
    ...sqlOf((query) => client.query(query), nameOf),
    script: async (text) => void (await mapped(() => client.query(text))),
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

function sqlOf(query: (query: QueryConfig<unknown[]>) => Promise<QueryResult>, nameOf: StatementNames): Sql {
  return makeSql(async (text, values) => {
    const { rows, rowCount } = await mapped(() => query({ name: nameOf(text), text, values }));
    return { rows, written: rowCount ?? 0 };
  });
}
