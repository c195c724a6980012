/**
 * `restore` and `load` into a folder without a store leave a note until they are done: a folder that has the note and
 * no store had a run that did not finish, and an empty store there would be taken for the data.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FILE_MODE, giveToOwnerOf } from "../../files/publish-file.js";
import { syncToDisk } from "../../files/sync-to-disk.js";
import { DATABASE_FILE, databaseFile } from "./file-name.js";
import { hasServed } from "./stop-marker.js";

/** The note: a line with the command, a line with the time of its start. */
const NOTE = "bindery.unfinished";

/** The copy that `restore` makes and checks before it becomes the store. */
export const RESTORE_PART = `${DATABASE_FILE}.restore`;

/** Begins the names of the folders in which `load` makes a store. */
export const LOAD_FOLDER = "bindery.load-";

/** A database that a restore replaced, with the time at which it did. */
const REPLACED = new RegExp(`^${DATABASE_FILE.replace(".", "\\.")}\\.\\d{8}T\\d{6}Z$`);

/** Leaves the note, and removes what an earlier run left. The lock of the folder is held. */
export function beginRun(folder: string, command: string): void {
  removeParts(folder);
  if (existsSync(databaseFile(folder))) return;
  const note = join(folder, NOTE);
  writeFileSync(note, `${command}\n${new Date().toISOString()}\n`, { mode: FILE_MODE });
  giveToOwnerOf(folder, note);
  syncToDisk(note);
  syncToDisk(folder);
}

/** Removes the note: the folder has a whole store, or the run has not begun to make one. */
export function endRun(folder: string): void {
  rmSync(join(folder, NOTE), { force: true });
  syncToDisk(folder);
}

function removeParts(folder: string): void {
  for (const name of partsIn(folder)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** Returns the names of what an interrupted `restore` or `load` left beside the place of the store. */
function partsIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => name.startsWith(RESTORE_PART) || name.startsWith(LOAD_FOLDER));
}

/**
 * Removes what is left of a run beside a whole store, whose lock is held.
 * @returns whether a run was interrupted before it changed the store
 */
export function tidyAfterRun(folder: string): boolean {
  if (!existsSync(databaseFile(folder))) return false;
  const isInterrupted = partsIn(folder).length > 0;
  removeParts(folder);
  endRun(folder);
  return isInterrupted;
}

/**
 * Refuses to make an empty store in a folder that had a store, or should have one by now: those who copy the data from
 * the service would take all records for deleted.
 * @param isRefused the operator forbids to make a store (`BINDERY_NEW_STORE=off`)
 * @throws Error that says why, and what to do
 */
export function refuseNewStore(folder: string, { isRefused }: { readonly isRefused: boolean }): void {
  const file = databaseFile(folder);
  if (existsSync(file)) return;
  const none = `There is no store: ${file} does not exist`;
  const sign = signOfStore(folder);
  if (sign !== undefined) throw new Error(`${none}, and ${sign}`);
  if (!isRefused) return;
  throw new Error(
    `${none}, and BINDERY_NEW_STORE=off forbids to make a new one. Check that the disk with the data is mounted and ` +
      "that BINDERY_DATA names the data folder, or restore a backup (bindery restore FILE). For the first start of a " +
      "new service set BINDERY_NEW_STORE=on once.",
  );
}

/** Returns what shows that the folder had a store or should have one, with the cure; undefined: nothing does. */
function signOfStore(folder: string): string | undefined {
  const note = readNote(folder);
  // A loss of power or a full disk can leave an empty note.
  const [command = "restore or load", since = note && "an unknown time"] = note ?? [];
  const [part] = partsIn(folder);
  if (since !== undefined || part !== undefined) {
    const run = since !== undefined ? `${command}, begun at ${since},` : `${partCommand(part!)} that left ${part}`;
    const files = [...(since === undefined ? [] : [NOTE]), ...partsIn(folder)].map((name) => join(folder, name));
    return (
      `the last ${run} did not finish. No empty store is made in its place: run it again. ` +
      `To begin with an empty store instead, remove ${files.join(" and ")}.`
    );
  }
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const replaced = names.find((name) => REPLACED.test(name));
  const other = replaced ?? names.find((name) => name === "bindery.key");
  if (other !== undefined) {
    return (
      `${join(folder, other)} shows that there was one. No empty store is made in its place: put the database back, ` +
      `or restore a backup (bindery restore FILE). To begin with an empty store instead, move ${other} away.`
    );
  }
  if (!hasServed(folder)) return undefined;
  return (
    `${join(folder, "server.running")} shows that a service ran on one. No empty store is made in its place: put the ` +
    "database back, or restore a backup (bindery restore FILE). To begin with an empty store instead, remove that file."
  );
}

const partCommand = (part: string): string => (part.startsWith(LOAD_FOLDER) ? "load" : "restore");

function readNote(folder: string): readonly string[] | undefined {
  const note = join(folder, NOTE);
  return existsSync(note) ? readFileSync(note, "utf8").split("\n").filter(Boolean) : undefined;
}
