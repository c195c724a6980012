import { statSync } from "node:fs";
import type { Database, Statement } from "better-sqlite3";
import { fail } from "../../../core/errors.js";
import { ANALYSIS_VERSION } from "../../../query/text/analyse.js";
import { explainAccess } from "../../files/explain-access.js";
import { Sqlite } from "./driver.js";
import { DATABASE_FILE, databaseFile } from "./file-name.js";
import { mapError } from "./map-error.js";
import { MIGRATIONS, migrate } from "./migrations.js";

export { DATABASE_FILE, databaseFile };

/** A writer may write; a reader never changes the file. Neither migrates it, see `migrateDatabase`. */
export type Role = "writer" | "reader";

/** One connection to the data file. It belongs to one thread, and to one transaction at a time. */
export interface Db {
  readonly raw: Database;
  /** A prepared statement, made once for each text: texts must come from code, never from data. */
  sql<Row = unknown>(text: string): Statement<unknown[], Row>;
  /** Runs `work` on one state of the file: in the transaction that is open, or in one of its own. */
  read<T>(work: () => T): T;
  /**
   * What `read` returns; kept until another connection commits. For connections that never write: a connection does not
   * see by this that it wrote itself.
   * @param key names it within the connection
   */
  untilCommit<T>(key: string, read: () => T): T;
  /** Write transactions that were begun: what is remembered within one goes by this number. */
  transactions: number;
  /** A value that is made once and kept as long as the connection is open. @param key names it within the connection */
  once<T>(key: string, make: () => T): T;
  close(): void;
}

/** How long a connection waits for another process where it cannot wait without blocking its thread. */
const BUSY_TIMEOUT_MS = 5_000;

/** Size of the log beside the database. */
export function logBytes(folder: string): number {
  return statSync(`${databaseFile(folder)}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Opens a connection to an existing store (`createDatabase` makes one) whose tables are those of this version.
 * @throws Error with a clear message if there is no store, the file is empty or another program's, has the tables of
 * another version, or was indexed by another text analysis
 */
export function openDatabase(folder: string, role: Role): Db {
  return open(folder, role, (raw, file) => {
    refuseOtherTables(raw, file);
    if (role === "writer") prepareWrites(raw);
  });
}

/**
 * Migrates an existing store to the tables of this version. Only the service that holds the lock of the data folder may
 * do that: a service of the version before could not write to the store any more.
 * @throws as `openDatabase`
 */
export function migrateDatabase(folder: string): void {
  open(folder, "writer", (raw, file) => {
    refuseNewerTables(raw, file);
    setUp(raw);
    noteAnalysis(raw);
  }).close();
}

function open(folder: string, role: Role, prepare: (raw: Database, file: string) => void): Db {
  const file = databaseFile(folder);
  requireStore(file);
  try {
    const raw = new Sqlite(file, { readonly: role === "reader", timeout: BUSY_TIMEOUT_MS, fileMustExist: true });
    try {
      if (schemaOf(raw) === 0) throw new Error(`${file} is a database, but not one of Bindery; nothing was changed.`);
      prepare(raw, file);
      raw.pragma("foreign_keys = OFF");
      // The file is not mapped: each connection would have it in memory of its own account, and be no faster.
      raw.pragma("mmap_size = 0");
      raw.pragma("cache_size = -32768");
      raw.pragma("temp_store = MEMORY");
      refuseOtherAnalysis(raw, file);
    } catch (error) {
      raw.close();
      throw error;
    }
    return connection(raw);
  } catch (error) {
    throw mapError(error, file);
  }
}

function requireStore(file: string): void {
  const size = sizeOf(file);
  if (size === undefined) {
    throw new Error(
      `There is no store: ${file} does not exist. Set BINDERY_DATA to the data folder of your service, ` +
        "or start the service once (bindery serve), which creates a new store.",
    );
  }
  if (size === 0) {
    throw new Error(
      `${file} is empty (0 bytes), which a store never is. Restore a backup (bindery restore FILE --force); ` +
        "if it never had any data, remove the file and start the service.",
    );
  }
}

/** @throws Error that names the owner, if this user may not look into the folder */
function sizeOf(file: string): number | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size;
  } catch (error) {
    const owner = explainAccess(file);
    throw owner === undefined ? error : new Error(`${file} cannot be opened: ${owner}`, { cause: error });
  }
}

function connection(raw: Database): Db {
  const statements = new Map<string, Statement<unknown[], unknown>>();
  const values = new Map<string, unknown>();
  // Made once: making it costs as much as a look-up.
  const transact = raw.transaction((work: () => unknown) => work());
  const sql = <Row>(text: string): Statement<unknown[], Row> => {
    let statement = statements.get(text);
    if (statement === undefined) {
      statement = raw.prepare<unknown[], unknown>(text);
      statements.set(text, statement);
    }
    return statement as Statement<unknown[], Row>;
  };
  const kept = makeUntilCommit(raw);
  return {
    raw,
    transactions: 0,
    read: <T>(work: () => T) => {
      if (raw.inTransaction) return work();
      kept.begin();
      return transact(work) as T;
    },
    untilCommit: kept.get,
    sql,
    once<T>(key: string, make: () => T): T {
      if (!values.has(key)) values.set(key, make());
      return values.get(key) as T;
    },
    close() {
      statements.clear();
      values.clear();
      raw.close();
    },
  };
}

/** What was read in one state of the file. Beside `get`, `begin` has to be called before each transaction. */
function makeUntilCommit(raw: Database): { begin(): void; get<T>(key: string, read: () => T): T } {
  // Differs where another connection has committed since. In a transaction it is that of the state that is read.
  const dataVersion = raw.prepare<[], number>("PRAGMA data_version").pluck();
  const values = new Map<string, unknown>();
  let known: number | undefined;
  let isLooked = false;
  return {
    begin() {
      isLooked = false;
    },
    get<T>(key: string, read: () => T): T {
      if (!raw.readonly) return read();
      if (!isLooked) {
        const now = dataVersion.get();
        if (now !== known) values.clear();
        known = now;
        isLooked = raw.inTransaction;
      }
      if (!values.has(key)) values.set(key, read());
      return values.get(key) as T;
    },
  };
}

/** Sets how a connection writes; of a new file also the size of its pages. */
function prepareWrites(raw: Database): void {
  // Only an empty file takes a page size, and only before it turns to WAL.
  raw.pragma("page_size = 8192");
  raw.pragma("journal_mode = WAL");
  raw.pragma("synchronous = FULL");
  // wal-checkpoints.ts decides when: a checkpoint inside a commit would make that commit wait.
  raw.pragma("wal_autocheckpoint = 0");
}

/** Makes the tables that a file lacks: of a new file all of them. */
export function setUp(raw: Database): void {
  prepareWrites(raw);
  // A file that is set up needs no lock: beside a busy server, SQLite's own wait for it may be in vain.
  if (schemaOf(raw) >= MIGRATIONS.length) return;
  raw
    .transaction(() => {
      raw.exec("CREATE TABLE IF NOT EXISTS meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
      const from = Number(readMeta(raw, "schema") ?? 0);
      for (const [version, sql] of MIGRATIONS.entries()) if (version >= from) migrate(raw, sql);
      if (from < MIGRATIONS.length) writeMeta(raw, "schema", String(MIGRATIONS.length));
      if (readMeta(raw, "analysis") === undefined) writeMeta(raw, "analysis", String(ANALYSIS_VERSION));
    })
    .immediate();
}

function refuseOtherTables(raw: Database, file: string): void {
  const schema = schemaOf(raw);
  if (schema < MIGRATIONS.length) {
    throw new Error(
      `${file} was written by an older Bindery (tables ${schema}, here ${MIGRATIONS.length}), and a service of that ` +
        "version may be using it; nothing was changed. Stop that service and start the service once with this " +
        "program (bindery serve), which migrates the store; until then use the program of that version.",
    );
  }
  refuseNewerTables(raw, file);
}

function refuseNewerTables(raw: Database, file: string): void {
  const schema = schemaOf(raw);
  if (schema <= MIGRATIONS.length) return;
  throw new Error(
    `${file} was written by a newer Bindery (tables ${schema}, here ${MIGRATIONS.length}); nothing was changed. ` +
      "Update this program; to go back to it, restore a backup that it made (bindery restore FILE --force).",
  );
}

/**
 * Stores the version of the text analysis. The service rebuilds older indexes in the background, because their
 * signatures contain the version (`startReindexing`, `startTermLoads`).
 */
function noteAnalysis(raw: Database): void {
  if (Number(readMeta(raw, "analysis")) < ANALYSIS_VERSION) writeMeta(raw, "analysis", String(ANALYSIS_VERSION));
}

function refuseOtherAnalysis(raw: Database, file: string): void {
  const analysis = Number(readMeta(raw, "analysis"));
  if (analysis === ANALYSIS_VERSION) return;
  const versions = `text analysis ${analysis}, here ${ANALYSIS_VERSION}`;
  throw new Error(
    analysis < ANALYSIS_VERSION
      ? `${file} was indexed by an older Bindery (${versions}); nothing was changed. Start the service once with ` +
          "this program (bindery serve), which indexes the store again; until then use the program of that version."
      : `${file} was indexed by a newer Bindery (${versions}); nothing was changed. Update this program.`,
  );
}

/** Returns how many migrations the file has seen. */
function schemaOf(raw: Database): number {
  // Another program's table may have that name too.
  const columns = raw.prepare("SELECT count(*) FROM pragma_table_info('meta') WHERE name IN ('name', 'value')").pluck();
  return columns.get() !== 2 ? 0 : Number(readMeta(raw, "schema") ?? 0);
}

/** A value that describes the file itself. */
export function readMeta(raw: Database, name: string): string | undefined {
  return raw.prepare<[string], string>("SELECT value FROM meta WHERE name = ?").pluck().get(name);
}

/** Returns the secret of the cursors, see `PUBLIC_NUMBERS`. @throws BinderyError STORE_DAMAGED */
export function readCursorKey({ raw }: Db): string {
  const key = readMeta(raw, "cursor key");
  if (key === undefined)
    throw fail("STORE_DAMAGED", { part: "The table meta", reason: "the key of cursors is missing" });
  return key;
}

export function writeMeta(raw: Database, name: string, value: string): void {
  raw.prepare("INSERT OR REPLACE INTO meta(name, value) VALUES(?, ?)").run(name, value);
}
