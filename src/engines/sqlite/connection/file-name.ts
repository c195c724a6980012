import { join, resolve } from "node:path";

/** Name of the one file (with `-wal` and `-shm` beside it) in the data folder. */
export const DATABASE_FILE = "bindery.sqlite";

/** Returns where the database of a data folder lies: the absolute path, for messages too. */
export function databaseFile(folder: string): string {
  return join(resolve(folder), DATABASE_FILE);
}
