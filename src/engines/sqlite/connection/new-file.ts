import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { syncToDisk } from "./sync-to-disk.js";

/** What the data folder holds is for the user that runs the service alone: drafts, digests of tokens, addresses. */
export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

/** Makes a folder that only its owner may enter, and those above it for all; one that is there stays as it is. */
export function makeDataFolder(folder: string): void {
  if (existsSync(folder)) return;
  mkdirSync(dirname(folder), { recursive: true });
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  // The umask may have taken bits from it that its owner needs.
  chmodSync(folder, FOLDER_MODE);
}

/** Names of our files in the data folder, with what SQLite puts beside them; an operator may keep others there. */
const OUR_FILES = /^(?:bindery\.|server\.)/;

/** A path of the data folder that others than its owner could read; `error`: why they still can. */
export interface RestrictedPath {
  readonly path: string;
  /** What it was: `0644`. */
  readonly mode: string;
  readonly error?: string;
}

/** Takes the rights of group and others from the data folder and from our files in it. @returns those that had some */
export function restrictAccess(folder: string): readonly RestrictedPath[] {
  const files = readdirSync(folder).filter((name) => OUR_FILES.test(name));
  const paths = [folder, ...files.map((name) => join(folder, name))];
  return paths.flatMap((path) => {
    const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
    if ((mode & 0o077) === 0) return [];
    const found = { path, mode: `0${mode.toString(8)}` };
    try {
      chmodSync(path, mode & 0o700);
      return [found];
    } catch (error) {
      return [{ ...found, error: (error as Error).message }];
    }
  });
}

/**
 * Gives a file that is finished its name, in one step: nobody ever sees half of it, and nothing is overwritten.
 * @returns false where something has the name already; the file is removed then
 */
export function publishFile(finished: string, file: string): boolean {
  giveToOwnerOf(dirname(file), finished);
  syncToDisk(finished);
  const isPublished = moveToFreeName(finished, file);
  rmSync(finished, { force: true });
  if (isPublished) syncToDisk(dirname(file));
  return isPublished;
}

/** What root makes (a command beside the service) belongs to whose folder it is, as SQLite does it with its log. */
function giveToOwnerOf(folder: string, file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  chownSync(file, uid, gid);
}

function moveToFreeName(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST" || existsSync(to)) return false;
    // A disk without hard links.
    renameSync(from, to);
    return true;
  }
}
