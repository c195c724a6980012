import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type Better from "better-sqlite3";
import type { Database, Statement } from "better-sqlite3";
import { fail } from "../../../core/errors.js";
import { ANALYSIS_VERSION } from "../../../query/text/analyse.js";
import { FILE_MODE, publishFile } from "../../files/disk-files.js";
import { explainAccess } from "../../files/explain-access.js";
import { DATABASE_FILE, databaseFile, makeDataFolder } from "./data-folder.js";
import { mapError } from "./map-error.js";
import { MIGRATIONS, migrate } from "./migrations.js";
import { refuseNewStore } from "./unfinished-run.js";

export { DATABASE_FILE, databaseFile };

/**
 * Name of the driver for this Node: better-sqlite3 13 needs Node 22; version 12, compiled for Node 24.19 or later, ends
 * the process if a statement is collected between two turns of the event loop. See docs/decisions/0005.
 */
export const DRIVER = Number(process.versions.node.split(".")[0]) < 22 ? "better-sqlite3-node20" : "better-sqlite3";

/** The database driver. */
export const Sqlite: typeof Better = createRequire(import.meta.url)(DRIVER);

/**
 * Role of a connection: a writer may change the file, a reader never does. Neither migrates it, see `migrateDatabase`.
 */
export type ConnectionRole = "writer" | "reader";

/** One connection to the data file. It belongs to one thread, and to one transaction at a time. */
export interface Db {
  readonly raw: Database;
  /** Returns the prepared statement for a text, which is kept. Texts must come from code, never from data. */
  sql<Row = unknown>(text: string): Statement<unknown[], Row>;
  /** Runs `work` on one state of the file: in the transaction that is open, or in one of its own. */
  read<T>(work: () => T): T;
  /**
   * Returns what `read` returns, which is kept until another connection commits. Use it only on connections that never
   * write: a connection does not notice its own writes this way.
   * @param key names the value within the connection
   */
  untilCommit<T>(key: string, read: () => T): T;
  /** Number of write transactions that this connection has begun. Values kept for one transaction are keyed by it. */
  transactions: number;
  /**
   * Returns a value that is made once and kept as long as the connection is open. @param key names it within the
   * connection
   */
  once<T>(key: string, make: () => T): T;
  close(): void;
}

/** Time that a connection waits for another process if it can only wait by blocking its thread. */
const BUSY_TIMEOUT_MS = 5_000;

/** Returns the size of the write-ahead log in bytes, 0 if there is none. */
export function logBytes(folder: string): number {
  return statSync(`${databaseFile(folder)}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Opens a connection to an existing store (`createDatabase` makes one) whose tables are those of this version.
 * @throws Error with a clear message if there is no store, or the file is empty, belongs to another program, has tables
 * of another version, or was indexed by another text analysis
 */
export function openDatabase(folder: string, role: ConnectionRole): Db {
  return open(folder, role, (raw, file) => {
    refuseOtherTables(raw, file);
    if (role === "writer") prepareWrites(raw);
  });
}

/**
 * Migrates an existing store to the tables of this version. Only the service that holds the lock of the data folder may
 * do this: a service of the previous version could no longer write to the store.
 * @throws as `openDatabase`
 */
export function migrateDatabase(folder: string): void {
  open(folder, "writer", (raw, file) => {
    refuseNewerTables(raw, file);
    setUp(raw);
    noteAnalysis(raw);
  }).close();
}

function open(folder: string, role: ConnectionRole, prepare: (raw: Database, file: string) => void): Db {
  const file = databaseFile(folder);
  requireStore(file);
  try {
    const raw = new Sqlite(file, { readonly: role === "reader", timeout: BUSY_TIMEOUT_MS, fileMustExist: true });
    try {
      if (readSchemaVersion(raw) === 0)
        throw new Error(`${file} is a database, but not one of Bindery; nothing was changed.`);
      prepare(raw, file);
      raw.pragma("foreign_keys = OFF");
      // The file is not memory-mapped: the map would count towards each connection's memory and is no faster.
      raw.pragma("mmap_size = 0");
      raw.pragma("cache_size = -32768");
      raw.pragma("temp_store = MEMORY");
      refuseOtherAnalysis(raw, file);
    } catch (error) {
      raw.close();
      throw error;
    }
    return makeConnection(raw);
  } catch (error) {
    throw mapError(error, file);
  }
}

function requireStore(file: string): void {
  const size = readFileSize(file);
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

/**
 * Returns the size of the file, or undefined if it does not exist. @throws Error that names the owner if this user may
 * not read the folder
 */
function readFileSize(file: string): number | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size;
  } catch (error) {
    const owner = explainAccess(file);
    throw owner === undefined ? error : new Error(`${file} cannot be opened: ${owner}`, { cause: error });
  }
}

function makeConnection(raw: Database): Db {
  const statements = new Map<string, Statement<unknown[], unknown>>();
  const values = new Map<string, unknown>();
  // Made once, because making it costs as much as a look-up.
  const transact = raw.transaction((work: () => unknown) => work());
  const sql = <Row>(text: string): Statement<unknown[], Row> => {
    let statement = statements.get(text);
    if (statement === undefined) {
      statement = raw.prepare<unknown[], unknown>(text);
      statements.set(text, statement);
    }
    return statement as Statement<unknown[], Row>;
  };
  const commitValues = makeUntilCommit(raw);
  return {
    raw,
    transactions: 0,
    read: <T>(work: () => T) => {
      if (raw.inTransaction) return work();
      commitValues.begin();
      return transact(work) as T;
    },
    untilCommit: commitValues.get,
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

/** Keeps values that were read from one state of the file. `begin` must be called before each transaction. */
function makeUntilCommit(raw: Database): { begin(): void; get<T>(key: string, read: () => T): T } {
  // Changes whenever another connection commits. In a transaction it belongs to the snapshot that is read.
  const dataVersionQuery = raw.prepare<[], number>("PRAGMA data_version").pluck();
  const values = new Map<string, unknown>();
  let cachedVersion: number | undefined;
  let isVersionRead = false;
  return {
    begin() {
      isVersionRead = false;
    },
    get<T>(key: string, read: () => T): T {
      if (!raw.readonly) return read();
      if (!isVersionRead) {
        const currentVersion = dataVersionQuery.get();
        if (currentVersion !== cachedVersion) values.clear();
        cachedVersion = currentVersion;
        isVersionRead = raw.inTransaction;
      }
      if (!values.has(key)) values.set(key, read());
      return values.get(key) as T;
    },
  };
}

/** Sets how a connection writes, and the page size of a new file. */
function prepareWrites(raw: Database): void {
  // Only an empty file accepts a page size, and only before it is switched to WAL.
  raw.pragma("page_size = 8192");
  raw.pragma("journal_mode = WAL");
  raw.pragma("synchronous = FULL");
  // wal-checkpoints.ts decides when to run one: a checkpoint inside a commit would delay that commit.
  raw.pragma("wal_autocheckpoint = 0");
}

/** Makes the tables that a file lacks. */
export function setUp(raw: Database): void {
  prepareWrites(raw);
  // A current file needs no lock: next to a busy server, SQLite's own wait for the lock may fail.
  if (readSchemaVersion(raw) >= MIGRATIONS.length) return;
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
  const schemaVersion = readSchemaVersion(raw);
  if (schemaVersion < MIGRATIONS.length) {
    throw new Error(
      `${file} was written by an older Bindery (tables ${schemaVersion}, here ${MIGRATIONS.length}), and a service ` +
        "of that version may be using it; nothing was changed. Stop that service and start the service once with " +
        "this program (bindery serve), which migrates the store; until then use the program of that version.",
    );
  }
  refuseNewerTables(raw, file);
}

function refuseNewerTables(raw: Database, file: string): void {
  const schemaVersion = readSchemaVersion(raw);
  if (schemaVersion <= MIGRATIONS.length) return;
  throw new Error(
    `${file} was written by a newer Bindery (tables ${schemaVersion}, here ${MIGRATIONS.length}); nothing was ` +
      "changed. Update this program; to go back to it, restore a backup that it made (bindery restore FILE --force).",
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

/** Returns the number of migrations that were applied to the file. */
function readSchemaVersion(raw: Database): number {
  // A table of another program may have that name too.
  const columns = raw.prepare("SELECT count(*) FROM pragma_table_info('meta') WHERE name IN ('name', 'value')").pluck();
  return columns.get() !== 2 ? 0 : Number(readMeta(raw, "schema") ?? 0);
}

/** Returns a value that describes the file itself. */
export function readMeta(raw: Database, name: string): string | undefined {
  return raw.prepare<[string], string>("SELECT value FROM meta WHERE name = ?").pluck().get(name);
}

/** Returns the key that encrypts cursors, see `PUBLIC_NUMBERS`. @throws BinderyError STORE_DAMAGED */
export function readCursorKey({ raw }: Db): string {
  const key = readMeta(raw, "cursor key");
  if (key === undefined)
    throw fail("STORE_DAMAGED", { part: "The table meta", reason: "the key of cursors is missing" });
  return key;
}

/** Writes a value that describes the file itself. */
export function writeMeta(raw: Database, name: string, value: string): void {
  raw.prepare("INSERT OR REPLACE INTO meta(name, value) VALUES(?, ?)").run(name, value);
}

/** Prefix of the names of databases that are not set up yet. */
const UNFINISHED_PREFIX = `${DATABASE_FILE}.new-`;

/** Age after which an unfinished database belongs to a process that ended; setting one up takes less than a second. */
const LEFTOVER_AGE_MS = 10 * 60_000;

/** Suffixes of a database file and of the files that SQLite may keep next to it. */
const FILE_SUFFIXES = ["", "-journal", "-wal", "-shm"] as const;

/**
 * Makes the store of a data folder that has none. The file gets its final name after it is set up, so that a folder has
 * a whole store or none even if the process is killed.
 * @returns false if there is one already
 * @throws Error, see `refuseNewStore`; BinderyError STORE_UNAVAILABLE
 */
export function createDatabase(folder: string, { isRefused = false }: { readonly isRefused?: boolean } = {}): boolean {
  const file = databaseFile(folder);
  if (existsSync(file)) return false;
  if (existsSync(`${file}-wal`)) {
    throw new Error(
      `${file} is missing, but its log ${file}-wal is there: was the database moved? Put it back, ` +
        "or restore a backup; if you do not need its data, remove the log.",
    );
  }
  refuseNewStore(folder, { isRefused });
  const unfinished = join(folder, `${UNFINISHED_PREFIX}${process.pid}-${randomBytes(4).toString("hex")}`);
  try {
    makeDataFolder(folder);
    removeLeftovers(folder);
    const raw = new Sqlite(unfinished);
    try {
      // SQLite gives the log the same mode.
      chmodSync(unfinished, FILE_MODE);
      setUp(raw);
    } finally {
      // The last connection writes the log back to the file and removes it.
      raw.close();
    }
    return publishFile(unfinished, file);
  } catch (error) {
    throw mapError(error);
  } finally {
    for (const suffix of FILE_SUFFIXES) rmSync(unfinished + suffix, { force: true });
  }
}

function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(UNFINISHED_PREFIX)) continue;
    const leftoverFile = join(folder, name);
    const { mtimeMs = Date.now() } = statSync(leftoverFile, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > LEFTOVER_AGE_MS) rmSync(leftoverFile, { force: true });
  }
}
