import { chmodSync, closeSync, existsSync, openSync, realpathSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "better-sqlite3";
import { storedObject } from "../../../core/json.js";
import type { BackupNote, BackupSummary } from "../../../ports/store-admin.js";
import { FILE_MODE, giveToOwnerOf, noteUnfinished, syncToDisk } from "../../files/disk-files.js";
import { refuseFolder } from "../../files/explain-access.js";
import { DATABASE_FILE, openDatabase, readMeta, Sqlite, writeMeta } from "../connection/database.js";
import { isBusy, mapError } from "../connection/map-error.js";
import { checkCopy } from "./check-files.js";

/** Suffixes of the copy and of files that SQLite may leave next to it if the process is killed. */
const FILE_SUFFIXES = ["", "-journal", "-wal", "-shm"] as const;

/** Copies one snapshot of the database into `<file>.part`, checks the copy, and renames it. No write waits for it. */
export async function backupStore(
  folder: string,
  file: string,
  { force }: { readonly force: boolean },
): Promise<BackupSummary> {
  const target = resolve(file);
  refuseDatabaseFiles(folder, target);
  refuseFolder(target);
  const refuseExisting = (): void => {
    if (!force && existsSync(target)) throw new Error(`${file} already exists (--force overwrites it).`);
  };
  refuseExisting();
  const part = `${target}.part`;
  startPart(part, file);
  const unregister = noteUnfinished(FILE_SUFFIXES.map((suffix) => part + suffix));
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
    const copy = { file: target, bytes, lastChange };
    return { ...copy, records, terms, damaged, ...recordInStore(folder, { time: new Date().toISOString(), ...copy }) };
  } catch (error) {
    removePart(part);
    throw error;
  } finally {
    unregister();
  }
}

/** Handles signals that arrived during a step of SQLite, which blocks this thread. */
const handleSignals = (): Promise<void> => sleep(10);

/** Records the backup in the store. The backup is valid even if this fails (a full disk). */
function recordInStore(folder: string, note: BackupNote): Pick<BackupSummary, "unnoted"> {
  try {
    noteBackup(folder, note);
    return {};
  } catch (error) {
    return { unnoted: (mapError(error) as Error).message };
  }
}

/** Refuses a target that is the database or one of its files: `--force` is meant for old copies. */
function refuseDatabaseFiles(folder: string, target: string): void {
  const parent = dirname(target);
  if (!existsSync(parent)) throw new Error(`The folder ${parent} does not exist.`);
  const isSameFolder = existsSync(folder) && realpathSync(parent) === realpathSync(folder);
  const databaseFiles = [...FILE_SUFFIXES.map((suffix) => DATABASE_FILE + suffix), "server.lock"];
  if (isSameFolder && databaseFiles.includes(basename(target)))
    throw new Error(`${target} is the data itself; name another file.`);
}

/** Makes an empty file. Removes what a killed backup left, but not the file of a running one. */
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
    // The file is not locked, so no backup writes it.
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
  for (const suffix of FILE_SUFFIXES) rmSync(part + suffix, { force: true });
}

/** Key in `meta` of a `BackupNote` as JSON. */
const LAST_BACKUP = "last backup";

/** Records a backup in the store that was copied. The copy itself contains the previous one. */
function noteBackup(folder: string, note: BackupNote): void {
  const db = openDatabase(folder, "writer");
  try {
    db.raw.transaction(() => writeMeta(db.raw, LAST_BACKUP, JSON.stringify(note))).immediate();
  } finally {
    db.close();
  }
}

/** Reads the record of the last backup; undefined if there is none. */
export function readLastBackup(raw: Database): BackupNote | undefined {
  const text = readMeta(raw, LAST_BACKUP);
  return text === undefined ? undefined : storedObject<BackupNote>(text, "The row of meta", LAST_BACKUP);
}
