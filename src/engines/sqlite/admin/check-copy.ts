import { statSync } from "node:fs";
import type { Database } from "better-sqlite3";
import { Sqlite } from "../connection/driver.js";
import { MIGRATIONS } from "../connection/migrations.js";
import { isIntact } from "../records/checksum.js";

/** What is known of a database that lies beside the service: nobody else has it open. */
export interface CopiedFile {
  readonly bytes: number;
  readonly records: number;
  readonly lastChange: number;
  /** Items of all vocabularies. */
  readonly terms: number;
  /** Version of its tables. */
  readonly schema: number;
  /** Ids of records whose bodies are not what was written, each once. */
  readonly damaged: readonly string[];
}

/**
 * Reads a copy of the database, checks every page of it, and leaves it as one file with no log beside it.
 * @throws Error with a clear word where it is none of ours, of a newer version, or damaged
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
    const number = (sql: string): number => raw?.prepare<[], number | null>(sql).pluck().get() ?? 0;
    return {
      bytes: statSync(file).size,
      records: number("SELECT count(*) FROM rec"),
      lastChange: number("SELECT max(seq) FROM change"),
      terms: number("SELECT sum(count) FROM generation WHERE state = 'current'"),
      schema,
      damaged: damagedIn(raw),
    };
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error;
    const isNone = error.code === "SQLITE_NOTADB";
    throw new Error(isNone ? `${name} is not a database.` : `${name} is damaged: ${error.message}.`, { cause: error });
  } finally {
    raw?.close();
  }
}

/** A copy of a body that was damaged is a good copy of it: only its checksum tells. */
function damagedIn(raw: Database): readonly string[] {
  const hasSums = raw.prepare("SELECT 1 FROM pragma_table_info('doc') WHERE name = 'sum'").get() !== undefined;
  if (!hasSums) return [];
  const bodies = raw.prepare<[], { pid: string; revision: number; json: string; sum: number | null }>(
    "SELECT rec.pid, rec.revision, doc.json, doc.sum FROM rec JOIN doc ON doc.id = rec.id",
  );
  const found = new Set<string>();
  for (const { pid, revision, json, sum } of bodies.iterate()) if (!isIntact(json, revision, sum)) found.add(pid);
  return [...found];
}

/** @returns undefined: it is no database of ours */
function readSchema(raw: Database): number | undefined {
  const tables = ["meta", "rec", "doc", "change", "generation"];
  const isThere = raw.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  if (!tables.every((table) => isThere.get(table) !== undefined)) return undefined;
  const schema = raw.prepare<[], string>("SELECT value FROM meta WHERE name = 'schema'").pluck().get();
  return schema === undefined ? undefined : Number(schema);
}
