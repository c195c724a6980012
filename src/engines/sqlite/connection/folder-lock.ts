import { closeSync, existsSync, openSync } from "node:fs";
import { join, resolve } from "node:path";
import { explainAccess, explainFileError, explainOpen } from "../../files/explain-access.js";
import { FILE_MODE, giveToOwnerOf } from "../../files/publish-file.js";
import { Sqlite } from "./driver.js";
import { makeDataFolder } from "./folder-access.js";
import { isBusy } from "./map-error.js";

/**
 * Takes the data folder for one server. The lock is an open transaction on a file of its own, so that the system
 * frees it however the process ends. Commands beside the server do not take it.
 * @throws Error with a clear word when another server holds it
 */
export function lockDataFolder(folder: string): { release(): void } {
  makeDataFolder(folder);
  const file = join(folder, "server.lock");
  try {
    return lockFile(folder, file);
  } catch (error) {
    const path = resolve(file);
    const isDenied = /EACCES|EPERM|EROFS|SQLITE_(CANTOPEN|READONLY)/.test(String((error as { code?: unknown }).code));
    const reason = (isDenied ? (explainAccess(path) ?? explainOpen(path)) : undefined) ?? explainFileError(error, path);
    if (reason === undefined) throw error;
    throw new Error(`The data folder ${folder} cannot be locked: ${reason}`, { cause: error });
  }
}

function lockFile(folder: string, file: string): { release(): void } {
  // SQLite would make it readable for all.
  if (!existsSync(file)) {
    closeSync(openSync(file, "a", FILE_MODE));
    giveToOwnerOf(folder, file);
  }
  const lock = new Sqlite(file, { timeout: 0 });
  try {
    // No journal beside it: nothing is ever written.
    lock.pragma("journal_mode = MEMORY");
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (isBusy(error)) throw new Error(`Another server runs on the data folder ${folder}; stop it first.`);
    throw error;
  }
  return { release: () => void lock.close() };
}
