import { statSync } from "node:fs";
import type { Database } from "better-sqlite3";
import { databaseFile, openDatabase, Sqlite } from "../connection/database.js";
import { isUnreadable, mapError } from "../connection/map-error.js";
import { MIGRATIONS } from "../connection/migrations.js";
import { isIntact } from "../records/checksums.js";

/** Content of a database file that no process has open. */
export interface CopiedFile {
  readonly bytes: number;
  readonly records: number;
  readonly lastChange: number;
  /** Number of terms of all vocabularies. */
  readonly terms: number;
  /** Version of its tables. */
  readonly schema: number;
  /** Ids of records whose bodies are damaged, each once. */
  readonly damaged: readonly string[];
}

/**
 * Checks every page of a copy of the database and leaves it as one file without a log.
 * @throws Error with a clear message if the file is not a Bindery store, comes from a newer version, or is damaged
 */
export function checkCopy(file: string, name: string): CopiedFile {
  let raw: Database | undefined;
  try {
    raw = new Sqlite(file, { fileMustExist: true });
    raw.pragma("journal_mode = DELETE");
    const schema = readSchema(raw);
    if (schema === undefined) throw new Error(`${name} is a database, but not one of Bindery.`);
    if (schema > MIGRATIONS.length) {
      throw new Error(`${name} was written by a newer Bindery (tables ${schema}, here ${MIGRATIONS.length}); update.`);
    }
    const problems = raw.prepare<[], string>("PRAGMA quick_check(1)").pluck().all();
    if (problems[0] !== "ok") throw new Error(`${name} is damaged: ${problems[0]}.`);
    const queryNumber = (sql: string): number => raw?.prepare<[], number | null>(sql).pluck().get() ?? 0;
    return {
      bytes: statSync(file).size,
      records: queryNumber("SELECT count(*) FROM rec"),
      lastChange: queryNumber("SELECT max(seq) FROM change"),
      terms: queryNumber("SELECT sum(count) FROM generation WHERE state = 'current'"),
      schema,
      damaged: findDamaged(raw),
    };
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error;
    const isOtherFile = error.code === "SQLITE_NOTADB";
    throw new Error(isOtherFile ? `${name} is not a database.` : `${name} is damaged: ${error.message}.`, {
      cause: error,
    });
  } finally {
    raw?.close();
  }
}

/**
 * Returns the ids of damaged records. A copy of a damaged body is intact as a file; only its checksum shows the damage.
 */
function findDamaged(raw: Database): readonly string[] {
  const hasSums = raw.prepare("SELECT 1 FROM pragma_table_info('doc') WHERE name = 'sum'").get() !== undefined;
  if (!hasSums) return [];
  const bodies = raw.prepare<[], { pid: string; revision: number; json: string; sum: number | null }>(
    "SELECT rec.pid, rec.revision, doc.json, doc.sum FROM rec JOIN doc ON doc.id = rec.id",
  );
  const damagedIds = new Set<string>();
  for (const { pid, revision, json, sum } of bodies.iterate()) if (!isIntact(json, revision, sum)) damagedIds.add(pid);
  return [...damagedIds];
}

/** Returns the version of the tables, undefined if it is not a store of Bindery. */
function readSchema(raw: Database): number | undefined {
  const tables = ["meta", "rec", "doc", "change", "generation"];
  const tableRow = raw.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  if (!tables.every((table) => tableRow.get(table) !== undefined)) return undefined;
  const schema = raw.prepare<[], string>("SELECT value FROM meta WHERE name = 'schema'").pluck().get();
  return schema === undefined ? undefined : Number(schema);
}

/** Result of SQLite's own check of the whole file. */
export interface FileCheck {
  readonly kind: "integrity_check" | "quick_check";
  /** The first problems; empty if the file is intact. */
  readonly problems: readonly string[];
}

/**
 * Size in bytes above which the quick check is used: it reads every page once but does not compare indexes with their
 * tables, which takes several times as long.
 */
const FULL_CHECK_BYTES = 1024 ** 3;

/** Maximum number of listed problems. */
const PROBLEMS_MAX = 20;

/** Runs SQLite's check of pages, tables, indexes and full-text tables, which blocks this thread. */
export function checkWholeFile(folder: string): FileCheck {
  const kind = statSync(databaseFile(folder)).size > FULL_CHECK_BYTES ? "quick_check" : "integrity_check";
  try {
    const db = openDatabase(folder, "reader");
    try {
      const lines = db.raw.prepare<[], string>(`PRAGMA ${kind}(${PROBLEMS_MAX})`).pluck().all();
      return { kind, problems: lines.filter((line) => line !== "ok") };
    } finally {
      db.close();
    }
  } catch (error) {
    if (isUnreadable(error)) return { kind, problems: [error.message] };
    throw mapError(error);
  }
}
