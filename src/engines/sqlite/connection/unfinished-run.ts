/**
 * `restore` and `load` into a folder without a store leave a note until they are done. A folder with the note and
 * without a store had a run that did not finish; an empty store there would be mistaken for the data.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FILE_MODE, giveToOwnerOf, syncToDisk } from "../../files/disk-files.js";
import { DATABASE_FILE, databaseFile } from "./data-folder.js";
import { hasServed } from "./running-server.js";

/** Name of the note: a line with the command and a line with the time of its start. */
const NOTE = "bindery.unfinished";

/** Name of the copy that `restore` makes and checks before it becomes the store. */
export const RESTORE_PART = `${DATABASE_FILE}.restore`;

/** Prefix of the folders in which `load` makes a store. */
export const LOAD_FOLDER = "bindery.load-";

/** Name of a database that a restore replaced, with the time of the restore. */
const REPLACED = new RegExp(`^${DATABASE_FILE.replace(".", "\\.")}\\.\\d{8}T\\d{6}Z$`);

/** Writes the note and removes files of an earlier run. The lock of the folder is held. */
export function beginRun(folder: string, command: string): void {
  removeParts(folder);
  if (existsSync(databaseFile(folder))) return;
  const note = join(folder, NOTE);
  writeFileSync(note, `${command}\n${new Date().toISOString()}\n`, { mode: FILE_MODE });
  giveToOwnerOf(folder, note);
  syncToDisk(note);
  syncToDisk(folder);
}

/** Removes the note: the folder has a whole store, or the run did not begin to make one. */
export function endRun(folder: string): void {
  rmSync(join(folder, NOTE), { force: true });
  syncToDisk(folder);
}

function removeParts(folder: string): void {
  for (const name of listParts(folder)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** Returns the names of the files that an interrupted `restore` or `load` left. */
function listParts(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => name.startsWith(RESTORE_PART) || name.startsWith(LOAD_FOLDER));
}

/**
 * Removes files of an interrupted run next to a whole store, whose lock is held.
 * @returns whether a run was interrupted before it changed the store
 */
export function tidyAfterRun(folder: string): boolean {
  if (!existsSync(databaseFile(folder))) return false;
  const isInterrupted = listParts(folder).length > 0;
  removeParts(folder);
  endRun(folder);
  return isInterrupted;
}

/**
 * Refuses to make an empty store in a folder that had a store or should have one: clients that copy the data from the
 * service would take all records for deleted.
 * @param isRefused whether the operator forbids a new store (`BINDERY_NEW_STORE=off`)
 * @throws Error with the reason and the cure
 */
export function refuseNewStore(folder: string, { isRefused }: { readonly isRefused: boolean }): void {
  const file = databaseFile(folder);
  if (existsSync(file)) return;
  const missingStore = `There is no store: ${file} does not exist`;
  const trace = describeStoreTrace(folder);
  if (trace !== undefined) throw new Error(`${missingStore}, and ${trace}`);
  if (!isRefused) return;
  throw new Error(
    `${missingStore}, and BINDERY_NEW_STORE=off forbids to make a new one. Check that the disk with the data is ` +
      "mounted and that BINDERY_DATA names the data folder, or restore a backup (bindery restore FILE). For the " +
      "first start of a new service set BINDERY_NEW_STORE=on once.",
  );
}

/** Returns evidence that the folder had a store or should have one, with the cure; undefined if there is none. */
function describeStoreTrace(folder: string): string | undefined {
  const note = readNote(folder);
  // A power failure or a full disk can leave an empty note.
  const [command = "restore or load", since = note && "an unknown time"] = note ?? [];
  const [part] = listParts(folder);
  if (since !== undefined || part !== undefined) {
    const run = since !== undefined ? `${command}, begun at ${since},` : `${commandOfPart(part!)} that left ${part}`;
    const files = [...(since === undefined ? [] : [NOTE]), ...listParts(folder)].map((name) => join(folder, name));
    return (
      `the last ${run} did not finish. No empty store is made in its place: run it again. ` +
      `To begin with an empty store instead, remove ${files.join(" and ")}.`
    );
  }
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const replacedDatabase = names.find((name) => REPLACED.test(name));
  const traceFile = replacedDatabase ?? names.find((name) => name === "bindery.key");
  if (traceFile !== undefined) {
    return (
      `${join(folder, traceFile)} shows that there was one. No empty store is made in its place: put the database ` +
      `back, or restore a backup (bindery restore FILE). To begin with an empty store instead, move ${traceFile} away.`
    );
  }
  if (!hasServed(folder)) return undefined;
  return (
    `${join(folder, "server.running")} shows that a service ran on one. No empty store is made in its place: put the ` +
    "database back, or restore a backup (bindery restore FILE). To begin with an empty store instead, remove that file."
  );
}

const commandOfPart = (part: string): string => (part.startsWith(LOAD_FOLDER) ? "load" : "restore");

function readNote(folder: string): readonly string[] | undefined {
  const note = join(folder, NOTE);
  return existsSync(note) ? readFileSync(note, "utf8").split("\n").filter(Boolean) : undefined;
}
