import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { FILE_MODE, publishFile } from "../../files/publish-file.js";
import { DATABASE_FILE, databaseFile, setUp } from "./database.js";
import { Sqlite } from "./driver.js";
import { makeDataFolder } from "./folder-access.js";
import { mapError } from "./map-error.js";
import { refuseNewStore } from "./unfinished-run.js";

/** Begins the names of databases that are not set up yet. */
const UNFINISHED = `${DATABASE_FILE}.new-`;

/** A database that has been unfinished for so long was left by a process that ended; setting one up takes no second. */
const LEFT_AFTER_MS = 10 * 60_000;

/** Endings of the files that SQLite may have beside a database. */
const BESIDE = ["", "-journal", "-wal", "-shm"] as const;

/**
 * Makes the store of a data folder that has none. It gets its name only when it is set up, so that a folder has a
 * whole store or none, whatever ends the process.
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
  const unfinished = join(folder, `${UNFINISHED}${process.pid}-${randomBytes(4).toString("hex")}`);
  try {
    makeDataFolder(folder);
    removeLeftovers(folder);
    const raw = new Sqlite(unfinished);
    try {
      // Its log gets the same mode.
      chmodSync(unfinished, FILE_MODE);
      setUp(raw);
    } finally {
      // The last connection writes the log back, and removes it.
      raw.close();
    }
    return publishFile(unfinished, file);
  } catch (error) {
    throw mapError(error);
  } finally {
    for (const ending of BESIDE) rmSync(unfinished + ending, { force: true });
  }
}

function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(UNFINISHED)) continue;
    const left = join(folder, name);
    const { mtimeMs = Date.now() } = statSync(left, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > LEFT_AFTER_MS) rmSync(left, { force: true });
  }
}
