import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { giveToOwnerOf } from "../../files/publish-file.js";

/** What the data folder holds is for the user that runs the service alone. */
const FOLDER_MODE = 0o700;

/** Name of the key that seals the secrets of webhooks. It lies beside the database, and in no backup. */
const KEY_FILE = "bindery.key";

export const keyFileIn = (folder: string): string => join(resolve(folder), KEY_FILE);

/** Makes a folder that only its owner may enter, and those above it for all; one that is there stays as it is. */
export function makeDataFolder(folder: string): void {
  if (existsSync(folder)) return;
  mkdirSync(dirname(folder), { recursive: true });
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  // The umask may have taken bits from it that its owner needs.
  chmodSync(folder, FOLDER_MODE);
  giveToOwnerOf(dirname(resolve(folder)), folder);
}

/** Names of our files in the data folder, with what SQLite puts beside them; an operator may keep others there. */
const OUR_FILES = /^(?:bindery\.|server\.)/;

/** A path of the data folder that others than its owner could read; `error`: why they still can. */
interface RestrictedPath {
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
