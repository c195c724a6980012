import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { FILE_MODE } from "../../files/publish-file.js";
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
  // SQLite would make it readable for all.
  if (!existsSync(file)) closeSync(openSync(file, "a", FILE_MODE));
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
