import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { giveToOwnerOf } from "../../files/disk-files.js";

/** Mode of the data folder: only the user that runs the service may enter it. */
const FOLDER_MODE = 0o700;

/** Name of the key that encrypts the secrets of webhooks. It lies next to the database and is not in backups. */
const KEY_FILE = "bindery.key";

/** Returns the path of the key file in a data folder. */
export const keyFilePath = (folder: string): string => join(resolve(folder), KEY_FILE);

/**
 * Makes a folder that only its owner may enter, with default access for its parents. An existing folder stays
 * unchanged.
 */
export function makeDataFolder(folder: string): void {
  if (existsSync(folder)) return;
  mkdirSync(dirname(folder), { recursive: true });
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  // The umask may have removed bits that the owner needs.
  chmodSync(folder, FOLDER_MODE);
  giveToOwnerOf(dirname(resolve(folder)), folder);
}

/** Names of Bindery's files in the data folder, including those of SQLite. Operators may keep other files there. */
const OUR_FILES = /^(?:bindery\.|server\.)/;

/** A path of the data folder that other users could read. `error` says why they still can. */
interface RestrictedPath {
  readonly path: string;
  /** Mode before the change, such as `0644`. */
  readonly mode: string;
  readonly error?: string;
}

/**
 * Removes the rights of group and others from the data folder and Bindery's files in it. @returns the paths that had
 * any
 */
export function restrictAccess(folder: string): readonly RestrictedPath[] {
  const files = readdirSync(folder).filter((name) => OUR_FILES.test(name));
  const paths = [folder, ...files.map((name) => join(folder, name))];
  return paths.flatMap((path) => {
    const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
    if ((mode & 0o077) === 0) return [];
    const restrictedPath = { path, mode: `0${mode.toString(8)}` };
    try {
      chmodSync(path, mode & 0o700);
      return [restrictedPath];
    } catch (error) {
      return [{ ...restrictedPath, error: (error as Error).message }];
    }
  });
}

/** Name of the database file in the data folder; SQLite keeps `-wal` and `-shm` next to it. */
export const DATABASE_FILE = "bindery.sqlite";

/** Returns the absolute path of the database of a data folder, also for messages. */
export function databaseFile(folder: string): string {
  return join(resolve(folder), DATABASE_FILE);
}
