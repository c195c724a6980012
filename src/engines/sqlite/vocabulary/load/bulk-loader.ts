import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "better-sqlite3";
import { fail } from "../../../../core/errors.js";
import { lastChangeTime } from "../../connection/change-table.js";
import { type Db, openDatabase, Sqlite } from "../../connection/database.js";
import { isUnreadable, mapError } from "../../connection/map-error.js";
import { makeWriter, type Writer } from "../../connection/write-connection.js";
import type { TextBuilder } from "../store/build-texts.js";
import { heartbeatTime } from "../store/generation.js";

/** Maximum time that a transaction holds the write lock, without its commit. */
const STEP_MS = 30;

/** Time for which the lock stays free, longer than one poll of a waiting connection, see write-connection.ts. */
const PAUSE_MS = 3;

/** Number of pages in the log after which the load checkpoints it: 32 MiB. */
const CHECKPOINT_PAGES = 4_096;

/**
 * Connection of a bulk load, separate from the one that transactions use. It has a database of its own for sorting
 * (`scratch`, temporary, on disk), so that collecting and sorting take no lock.
 */
export interface BulkLoader {
  readonly db: Db;
  /** Builds the full-text tables of large loads. If undefined, this thread builds them. */
  readonly builder: TextBuilder | undefined;
  /** Runs `work`, which writes to `scratch` only, in one transaction. */
  scratch<T>(work: () => T): T;
  /**
   * Calls `work` in one transaction after another until it returns "done"; it must return when `isLate`. Between two
   * transactions the lock is free for long enough to be taken, and as long as it was held if others write.
   */
  steps(work: (isLate: () => boolean) => "more" | "done"): Promise<void>;
  close(): void;
}

/**
 * Opens the connection of a bulk load.
 * @param isStopped if true, no further transaction begins: `steps` throws
 * @param builder see `BulkLoader`
 */
export function openBulkLoader(
  writer: Writer,
  isStopped: () => boolean = () => false,
  builder?: TextBuilder,
): BulkLoader {
  const db = openDatabase(dirname(writer.db.raw.name), "writer");
  const { raw } = db;
  try {
    addScratch(raw);
  } catch (error) {
    db.close();
    throw mapError(error);
  }
  const { run } = makeWriter(db, { nowMicros: heartbeatTime }, writer);
  /** Returns a number that changes with each commit of another connection. */
  const readDataVersion = (): unknown => raw.pragma("main.data_version", { simple: true });
  let dataVersion: unknown;
  let freedAt = 0;
  let restMs = 0;

  return {
    db,
    builder,
    scratch: (work) => raw.transaction(work)(),
    async steps(work) {
      for (;;) {
        const leftMs = restMs - (performance.now() - freedAt);
        if (leftMs > 0) await sleep(leftMs);
        if (isStopped()) throw fail("STORE_UNAVAILABLE", { reason: "the service is stopping" });
        let start = 0;
        let isAlone = false;
        const outcome = await run(() => {
          start = performance.now();
          const previousVersion = dataVersion;
          dataVersion = readDataVersion();
          isAlone = dataVersion === previousVersion;
          return work(() => performance.now() - start > STEP_MS);
        });
        freedAt = performance.now();
        restMs = isAlone ? PAUSE_MS : Math.max(PAUSE_MS, freedAt - start);
        if (outcome === "done") return;
      }
    },
    close: () => db.close(),
  };
}

/** Configures the connection for a load and attaches the database for sorting. */
function addScratch(raw: Database): void {
  raw.pragma("temp_store = FILE");
  raw.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  // Nothing becomes current before the switch, whose commit by another connection also syncs the earlier log.
  raw.pragma("synchronous = NORMAL");
  raw.exec("ATTACH '' AS scratch");
  raw.pragma("scratch.journal_mode = OFF");
  raw.pragma("scratch.synchronous = OFF");
  raw.pragma("scratch.cache_size = -32768");
}

/** Number of items that were processed, and the first error of the file if it refused any. */
interface StepsOutcome {
  readonly done: number;
  readonly refusal: Error | undefined;
}

/**
 * Processes items in short transactions, each item wholly or not at all. Items that the file refuses stay unchanged.
 * @param work gets the instant of its transaction; returns whether there was something to do
 */
export async function eachInSteps<T>(
  loader: BulkLoader,
  items: Iterable<T>,
  work: (item: T, now: number) => boolean,
): Promise<StepsOutcome> {
  const { db } = loader;
  const queue = [...items];
  let next = 0;
  let done = 0;
  let refusal: Error | undefined;
  if (queue.length === 0) return { done, refusal };
  await loader.steps((isLate) => {
    const now = Math.max(heartbeatTime(), lastChangeTime(db) + 1);
    while (next < queue.length) {
      const item = queue[next++] as T;
      const outcome = unlessRefused(() => db.raw.transaction(() => work(item, now))());
      if (outcome === true) done += 1;
      else if (outcome !== false) refusal ??= outcome;
      if (isLate()) return "more";
    }
    return "done";
  });
  return { done, refusal };
}

/** Returns the result of `work`, or the error if the file refused it. */
function unlessRefused(work: () => boolean): boolean | Error {
  try {
    return work();
  } catch (error) {
    const isConstraint = error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_CONSTRAINT");
    if (!(isConstraint || isUnreadable(error))) throw error;
    return error;
  }
}

/**
 * Returns the file in which the full-text tables of a generation are built. It is removed with the generation if a load
 * is killed.
 */
export const textFile = ({ db }: BulkLoader, g: number): string => join(dirname(db.raw.name), `texts-${g}.tmp`);

/** Removes the file of `textFile`, and its journal, which a killed process leaves. */
export function removeTextFile(loader: BulkLoader, g: number): void {
  const file = textFile(loader, g);
  for (const each of [file, `${file}-journal`]) rmSync(each, { force: true });
}
