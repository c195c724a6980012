import { chmodSync, copyFileSync, existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { FILE_MODE } from "../../files/publish-file.js";
import { syncToDisk } from "../../files/sync-to-disk.js";
import { databaseFile } from "../connection/database.js";
import { Sqlite } from "../connection/driver.js";
import { makeDataFolder } from "../connection/folder-access.js";
import { lockDataFolder } from "../connection/folder-lock.js";
import { isBusy } from "../connection/map-error.js";
import { beginRun, endRun, RESTORE_PART } from "../connection/unfinished-run.js";
import { type CopiedFile, checkCopy } from "./check-copy.js";

export interface Restored extends CopiedFile {
  /** Where the database lies that was there before; absent: there was none. */
  readonly kept?: string;
}

/**
 * Puts a backup in the place of the data folder's database. The copy is checked before anything is touched; from then
 * on the folder has the old database or the new one, whatever ends the process. If there was none, the folder has a
 * note until then that keeps services from making an empty one.
 * @param options.force replace an existing database, which is kept beside under a name with the time
 * @throws Error with a clear message if a server or a command has the folder, or the file is not what it has to be
 */
export function restoreDatabase(
  folder: string,
  file: string,
  { force, now }: { readonly force: boolean; readonly now: Date },
): Restored {
  const source = resolve(file);
  if (!existsSync(source)) throw new Error(`${file} does not exist.`);
  if (existsSync(`${source}-wal`)) {
    throw new Error(
      `${file} has a write-ahead log: it is a database in use, not a backup; \`bindery backup\` makes one.`,
    );
  }
  makeDataFolder(folder);
  const target = databaseFile(folder);
  if (source === target) throw new Error(`${file} is the data itself; name a backup.`);
  const lock = lockDataFolder(folder);
  const part = join(resolve(folder), RESTORE_PART);
  try {
    const isThere = existsSync(target);
    if (isThere && !force) throw new Error(`${target} already exists (--force renames it and continues).`);
    beginRun(folder, "`bindery restore`");
    copyFileSync(source, part);
    chmodSync(part, FILE_MODE);
    const restored = checkCopy(part, file);
    syncToDisk(part);
    const kept = isThere ? keepBeside(target, now) : undefined;
    renameSync(part, target);
    syncToDisk(folder);
    endRun(folder);
    return { ...restored, ...(kept === undefined ? {} : { kept }) };
  } finally {
    removeAll(part);
    lock.release();
  }
}

/** Names of a file that SQLite may have beside it. */
const BESIDE = ["-wal", "-shm", "-journal"] as const;

function removeAll(file: string): void {
  for (const ending of ["", ...BESIDE]) rmSync(file + ending, { force: true });
}

/**
 * Gives the old database a second name. Its log is written back first, so that no log is left beside the new one,
 * which would be taken for its own.
 */
function keepBeside(target: string, now: Date): string {
  const kept = `${target}.${now.toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
  if (existsSync(kept)) throw new Error(`${kept} already exists; try again in a second.`);
  const isWhole = writeBack(target);
  // A damaged database keeps its log, under a name that goes with its own.
  for (const ending of BESIDE) if (!isWhole && existsSync(target + ending)) renameSync(target + ending, kept + ending);
  try {
    linkSync(target, kept);
  } catch {
    // A disk without hard links: a copy does the same.
    copyFileSync(target, kept);
  }
  syncToDisk(kept);
  return kept;
}

/**
 * Writes the log of a database back into it and removes it, which needs that nobody else has it open.
 * @returns false where it is too damaged for that
 */
function writeBack(target: string): boolean {
  const raw = new Sqlite(target, { timeout: 0 });
  try {
    return raw.pragma("journal_mode = DELETE", { simple: true }) === "delete";
  } catch (error) {
    if (isBusy(error)) throw new Error(`A command has ${target} open; wait until it ends.`, { cause: error });
    return false;
  } finally {
    raw.close();
  }
}
