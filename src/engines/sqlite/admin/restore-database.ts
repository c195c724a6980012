import { chmodSync, copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { FILE_MODE, giveToOwnerOf } from "../../files/publish-file.js";
import { syncToDisk } from "../../files/sync-to-disk.js";
import { databaseFile } from "../connection/database.js";
import { Sqlite } from "../connection/driver.js";
import { makeDataFolder } from "../connection/folder-access.js";
import { lockDataFolder } from "../connection/folder-lock.js";
import { isBusy } from "../connection/map-error.js";
import { beginRun, endRun, RESTORE_PART } from "../connection/unfinished-run.js";
import { type CarriedOver, carryOver, type LiveRights, liveRights } from "./carry-over.js";
import { type CopiedFile, checkCopy } from "./check-copy.js";

export interface Restored extends CopiedFile {
  /** Where the database lies that was there before; absent: there was none. */
  readonly kept?: string;
  /** Absent: no store was replaced, or the operator said to carry nothing over. */
  readonly carriedOver?: CarriedOver;
  /** Rights that are valid in the restored database. */
  readonly live: LiveRights;
}

export interface RestoreOptions {
  /** Replaces an existing database, which is kept beside under a name with the time. */
  readonly force: boolean;
  /** Leaves users, tokens, shares and webhooks as they are in the backup. */
  readonly asInBackup: boolean;
  readonly now: Date;
}

/**
 * Puts a backup in the place of the data folder's database. The copy is checked before anything is touched; from then
 * on the folder has the old database or the new one, whatever ends the process. If there was none, the folder has a
 * note until then that keeps services from making an empty one.
 * @throws Error with a clear message if a server or a command has the folder, or the file is not what it has to be
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
    const isThere = existsSync(target);
    if (isThere && !force) throw new Error(`${target} already exists (--force renames it and continues).`);
    beginRun(folder, "`bindery restore`");
    copyFileSync(source, part);
    chmodSync(part, FILE_MODE);
    giveToOwnerOf(folder, part);
    const restored = checkCopy(part, file);
    const isWhole = isThere && writeBack(target);
    const carriedOver = isThere && !asInBackup ? carryRights(part, target, now) : undefined;
    syncToDisk(part);
    const live = liveRights(part);
    const kept = isThere ? keepBeside(target, isWhole, now) : undefined;
    renameSync(part, target);
    syncToDisk(folder);
    endRun(folder);
    return {
      ...restored,
      live,
      ...(kept === undefined ? {} : { kept }),
      ...(carriedOver === undefined ? {} : { carriedOver }),
    };
  } finally {
    removeAll(part);
    lock.release();
  }
}

/** @throws Error that names the option to restore without it, if the replaced database cannot be read */
function carryRights(copy: string, replaced: string, now: Date): CarriedOver | undefined {
  // A store never has 0 bytes: what was there is gone.
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

/** Names of a file that SQLite may have beside it. */
const BESIDE = ["-wal", "-shm", "-journal"] as const;

function removeAll(file: string): void {
  for (const ending of ["", ...BESIDE]) rmSync(file + ending, { force: true });
}

/**
 * Gives the old database a second name. Its log was written back, so that no log is left beside the new one, which
 * would be taken for its own; unless it `isWhole`, it keeps its log, under a name that goes with its own.
 */
function keepBeside(target: string, isWhole: boolean, now: Date): string {
  const kept = `${target}.${now.toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
  if (existsSync(kept)) throw new Error(`${kept} already exists; try again in a second.`);
  for (const ending of BESIDE) if (!isWhole && existsSync(target + ending)) renameSync(target + ending, kept + ending);
  try {
    linkSync(target, kept);
  } catch {
    // A disk without hard links: a copy does the same.
    copyFileSync(target, kept);
    giveToOwnerOf(dirname(kept), kept);
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
