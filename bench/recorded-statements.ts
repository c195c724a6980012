/** The statements of SQLite that writes run, and the time that SQLite alone needs for them. */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Database, Statement } from "better-sqlite3";
import { Sqlite } from "../src/engines/sqlite/connection/database.js";
import { databaseFile } from "../src/engines/sqlite/index.js";

interface Call {
  readonly text: string;
  readonly params: readonly unknown[];
}

const METHODS = ["run", "get", "all", "iterate"] as const;

/** Records the statements of connections that write, if it is created before they are opened. Dispose of it at last. */
export class StatementRecorder {
  #calls: Call[] = [];
  readonly #prepare: Database["prepare"] = Sqlite.prototype.prepare;

  constructor() {
    const recorder = this;
    Sqlite.prototype.prepare = function (this: Database, text: string) {
      const statement = recorder.#prepare.call(this, text);
      return this.readonly ? statement : recorder.#watch(statement);
    } as Database["prepare"];
  }

  #watch(statement: Statement): Statement {
    const watched = statement as unknown as Record<string, ((...params: unknown[]) => unknown) | undefined>;
    for (const method of METHODS) {
      const run = watched[method]?.bind(statement);
      if (run === undefined) continue;
      watched[method] = (...params) => {
        this.#calls.push({ text: statement.source, params });
        return run(...params);
      };
    }
    return statement;
  }

  /** Returns the calls since the last call of this function. */
  take(): readonly Call[] {
    const calls = this.#calls;
    this.#calls = [];
    return calls;
  }

  dispose(): void {
    Sqlite.prototype.prepare = this.#prepare;
  }
}

/** Copies a store that is open but idle, with its log. @returns the folder of the copy */
export function copyStore(folder: string): string {
  const copy = join(folder, "..", "copy");
  rmSync(copy, { recursive: true, force: true });
  cpSync(folder, copy, { recursive: true });
  return copy;
}

/**
 * Runs recorded calls on a copy of the store as it was before them, one set after the other.
 * @returns milliseconds of each set
 */
export function repeatCalls(folder: string, sets: readonly (readonly Call[])[]): readonly number[] {
  const db = new Sqlite(databaseFile(folder));
  try {
    for (const setting of [
      "synchronous = FULL",
      "wal_autocheckpoint = 0",
      "cache_size = -32768",
      "temp_store = MEMORY",
    ])
      db.pragma(setting);
    const statements = new Map<string, Statement>();
    return sets.map((calls) => {
      for (const { text } of calls) if (!statements.has(text)) statements.set(text, db.prepare(text));
      const begun = performance.now();
      for (const { text, params } of calls) {
        const statement = statements.get(text)!;
        if (statement.reader) statement.all(...params);
        else statement.run(...params);
      }
      return performance.now() - begun;
    });
  } finally {
    db.close();
  }
}
