import { chmodSync, copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { FILE_MODE, giveToOwnerOf, syncToDisk } from "../../files/disk-files.js";
import { makeDataFolder } from "../connection/data-folder.js";
import { databaseFile, Sqlite } from "../connection/database.js";
import { isBusy } from "../connection/map-error.js";
import { lockDataFolder } from "../connection/running-server.js";
import { beginRun, endRun, RESTORE_PART } from "../connection/unfinished-run.js";
import { type CarriedOver, carryOver, type LiveRights, liveRights } from "./carry-over.js";
import { type CopiedFile, checkCopy } from "./check-files.js";

/** The result of a restore. */
export interface Restored extends CopiedFile {
  /** Path of the replaced database; undefined if there was none. */
  readonly kept?: string | undefined;
  /** Undefined if no store was replaced, or the operator chose to carry nothing over. */
  readonly carriedOver?: CarriedOver | undefined;
  /** Rights that are valid in the restored database. */
  readonly live: LiveRights;
}

/** Options of a restore. */
export interface RestoreOptions {
  /** Replaces an existing database, which is kept in the same folder under a name with the time. */
  readonly force: boolean;
  /** Leaves users, tokens, shares and webhooks as they are in the backup. */
  readonly asInBackup: boolean;
  readonly now: Date;
}

/**
 * Replaces the data folder's database with a backup. The copy is checked first; afterwards the folder has the old
 * database or the new one even if the process is killed. If there was none, a note prevents services from making an
 * empty one in the meantime.
 * @throws Error with a clear message if a server or command uses the folder, or the file is not a valid backup
 */
export function restoreDatabase(folder: string, file: string, { force, asInBackup, now }: RestoreOptions): Restored {
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
    const isReplacing = existsSync(target);
    if (isReplacing && !force) throw new Error(`${target} already exists (--force renames it and continues).`);
    beginRun(folder, "`bindery restore`");
    copyFileSync(source, part);
    chmodSync(part, FILE_MODE);
    giveToOwnerOf(folder, part);
    const restored = checkCopy(part, file);
    const isLogWrittenBack = isReplacing && writeLogBack(target);
    const carriedOver = isReplacing && !asInBackup ? carryRights(part, target, now) : undefined;
    syncToDisk(part);
    const live = liveRights(part);
    const kept = isReplacing ? keepReplaced(target, isLogWrittenBack, now) : undefined;
    renameSync(part, target);
    syncToDisk(folder);
    endRun(folder);
    return {
      ...restored,
      live,
      kept,
      carriedOver,
    };
  } finally {
    removeWithLogs(part);
    lock.release();
  }
}

/**
 * Carries rights over. @throws Error that names the option to restore without it, if the replaced database cannot be
 * read
 */
function carryRights(copy: string, replaced: string, now: Date): CarriedOver | undefined {
  // A store is never empty: its content was lost.
  if (statSync(replaced).size === 0) return undefined;
  try {
    return carryOver(copy, replaced, now);
  } catch (error) {
    throw new Error(
      `${replaced}, which would be replaced, cannot be read (${(error as Error).message}): it is unknown which ` +
        "tokens were revoked, and which users disabled, after the backup was made. Nothing was changed. To restore " +
        "them as they are in the backup, add --as-in-backup; `bindery token revoke --all` then ends all tokens.",
      { cause: error },
    );
  }
}

/** Suffixes of files that SQLite may keep next to a database. */
const LOG_SUFFIXES = ["-wal", "-shm", "-journal"] as const;

function removeWithLogs(file: string): void {
  for (const suffix of ["", ...LOG_SUFFIXES]) rmSync(file + suffix, { force: true });
}

/**
 * Keeps the old database under a second name. Its log was written back, because SQLite would apply a remaining log to
 * the new database; a damaged database keeps its log, renamed with it.
 */
function keepReplaced(target: string, isLogWrittenBack: boolean, now: Date): string {
  const keptFile = `${target}.${now.toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
  if (existsSync(keptFile)) throw new Error(`${keptFile} already exists; try again in a second.`);
  for (const suffix of LOG_SUFFIXES)
    if (!isLogWrittenBack && existsSync(target + suffix)) renameSync(target + suffix, keptFile + suffix);
  try {
    linkSync(target, keptFile);
  } catch {
    // Copies the file on a disk without hard links.
    copyFileSync(target, keptFile);
    giveToOwnerOf(dirname(keptFile), keptFile);
  }
  syncToDisk(keptFile);
  return keptFile;
}

/**
 * Writes the log of a database back and removes it, which requires that no other process has it open.
 * @returns false if the database is too damaged
 */
function writeLogBack(target: string): boolean {
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
