import { copyFileSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compose } from "../../src/app/composition/compose.js";
import { loadConfig } from "../../src/config/load.js";
import { WARNING_REPORTER } from "../../src/core/background.js";
import { DATABASE_FILE } from "../../src/engines/sqlite/connection/file-name.js";
import { builtInCatalog } from "./catalog.js";

let made: Promise<string> | undefined;

/**
 * Makes a store in a folder as the first start of the service leaves it, with its starter items: a copy of one that is
 * made once in each process of the tests.
 */
export async function newStore(data: string): Promise<void> {
  made ??= makeStore();
  const store = await made;
  mkdirSync(data, { recursive: true, mode: 0o700 });
  copyFileSync(store, join(data, DATABASE_FILE));
}

/** @returns the file; it is removed with the folder of all temporary files, see `make-temporary-folder.ts` */
async function makeStore(): Promise<string> {
  const data = mkdtempSync(join(tmpdir(), "bindery-new-store-"));
  const { services, close } = await compose(loadConfig({ BINDERY_DATA: data }), builtInCatalog(), {
    role: "setup",
    background: WARNING_REPORTER,
  });
  await services.loadStarters();
  await close();
  return join(data, DATABASE_FILE);
}
