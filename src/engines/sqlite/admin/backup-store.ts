import { chmodSync, closeSync, existsSync, openSync, realpathSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BackupNote, BackupSummary } from "../../../ports/store-admin.js";
import { refuseFolder } from "../../files/explain-access.js";
import { FILE_MODE, giveToOwnerOf } from "../../files/publish-file.js";
import { syncToDisk } from "../../files/sync-to-disk.js";
import { noteUnfinished } from "../../files/unfinished-files.js";
import { DATABASE_FILE, openDatabase } from "../connection/database.js";
import { Sqlite } from "../connection/driver.js";
import { isBusy, mapError } from "../connection/map-error.js";
import { checkCopy } from "./check-copy.js";
import { noteBackup } from "./last-backup.js";

/** Files beside the copy that SQLite may leave when it is ended in the middle. */
const BESIDE = ["", "-journal", "-wal", "-shm"] as const;

/**
 * Copies the database as it is at one moment into `<file>.part`, checks the copy, and gives it its name. It reads one
 * snapshot, so no write waits for it.
 */
export async function backupStore(
  folder: string,
  file: string,
  { force }: { readonly force: boolean },
): Promise<BackupSummary> {
  const target = resolve(file);
  refuseOurOwn(folder, target);
  refuseFolder(target);
  const refuseExisting = (): void => {
    if (!force && existsSync(target)) throw new Error(`${file} already exists (--force overwrites it).`);
  };
  refuseExisting();
  const part = `${target}.part`;
  startPart(part, file);
  const forget = noteUnfinished(BESIDE.map((ending) => part + ending));
  try {
    copyInto(folder, part);
    await handleSignals();
    const summary = checkCopy(part, file);
    await handleSignals();
    syncToDisk(part);
    refuseExisting();
    renameSync(part, target);
    syncToDisk(dirname(target));
    const { bytes, records, terms, lastChange, damaged } = summary;
    const copied = { file: target, bytes, lastChange };
    return { ...copied, records, terms, damaged, ...tellStore(folder, { time: new Date().toISOString(), ...copied }) };
  } catch (error) {
    removePart(part);
    throw error;
  } finally {
    forget();
  }
}

/** Handles signals that arrived during a step of SQLite, which blocks this thread. */
const handleSignals = (): Promise<void> => sleep(10);

/** The backup is there: that the store takes no note of it (a full disk) makes it no worse. */
function tellStore(folder: string, note: BackupNote): Pick<BackupSummary, "unnoted"> {
  try {
    noteBackup(folder, note);
    return {};
  } catch (error) {
    return { unnoted: (mapError(error) as Error).message };
  }
}

/** The file that is copied, and what stands beside it, are no place for a copy: `--force` means old copies. */
function refuseOurOwn(folder: string, target: string): void {
  const parent = dirname(target);
  if (!existsSync(parent)) throw new Error(`The folder ${parent} does not exist.`);
  const isSameFolder = existsSync(folder) && realpathSync(parent) === realpathSync(folder);
  const own = [...BESIDE.map((ending) => DATABASE_FILE + ending), "server.lock"];
  if (isSameFolder && own.includes(basename(target)))
    throw new Error(`${target} is the data itself; name another file.`);
}

/** Makes an empty file; what a backup that was ended left is removed, and one that runs is left alone. */
function startPart(part: string, file: string): void {
  try {
    if (existsSync(part)) {
      refuseRunning(part, file);
      removePart(part);
    }
    closeSync(openSync(part, "wx", FILE_MODE));
    chmodSync(part, FILE_MODE);
    giveToOwnerOf(dirname(part), part);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
    throw new Error(`${part} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}

function refuseRunning(part: string, file: string): void {
  const raw = new Sqlite(part, { timeout: 0 });
  try {
    raw.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    if (isBusy(error)) throw new Error(`Another backup into ${file} is running.`);
    // Whatever it is, no backup writes it.
  } finally {
    raw.close();
  }
}

function copyInto(folder: string, part: string): void {
  const db = openDatabase(folder, "reader");
  try {
    db.raw.prepare("VACUUM INTO ?").run(part);
  } catch (error) {
    throw new Error(`The copy failed: ${(error as Error).message}.`, { cause: error });
  } finally {
    db.close();
  }
}

function removePart(part: string): void {
  for (const ending of BESIDE) rmSync(part + ending, { force: true });
}
