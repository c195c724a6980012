import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compose } from "../../src/app/composition/compose.js";
import { loadDemo } from "../../src/cli/demo.js";
import { loadConfig } from "../../src/config/settings.js";
import { WARNING_REPORTER } from "../../src/core/background.js";
import { DATABASE_FILE } from "../../src/engines/sqlite/connection/data-folder.js";
import { builtInCatalog } from "./catalog.js";
import { SHARED_FOLDER } from "./make-temporary-folder.js";

/** What a store begins with: the starter items, as after the first start of the service; the example records too. */
export type StoreContent = "starters" | "demo";

const made = new Map<StoreContent, Promise<string>>();

/** Makes a store in a folder: a copy of one that is made once in a run of the tests. */
export async function newStore(data: string, content: StoreContent = "starters"): Promise<void> {
  if (!made.has(content)) made.set(content, makeStore(content));
  const store = await made.get(content)!;
  mkdirSync(data, { recursive: true, mode: 0o700 });
  copyFileSync(store, join(data, DATABASE_FILE));
}

/**
 * The processes of a run share it: the first that needs it makes it; where several do at once, each leaves a whole one.
 * @returns the file
 */
async function makeStore(content: StoreContent): Promise<string> {
  const file = join(process.env[SHARED_FOLDER] ?? mkdtempSync(join(tmpdir(), "bindery-new-")), content);
  if (existsSync(file)) return file;
  const data = mkdtempSync(join(tmpdir(), "bindery-new-store-"));
  const { services, close } = await compose(loadConfig({ BINDERY_DATA: data }), builtInCatalog(), {
    role: "setup",
    background: WARNING_REPORTER,
  });
  await services.loadStarters();
  if (content === "demo") await loadDemo(services);
  await close();
  renameSync(join(data, DATABASE_FILE), file);
  rmSync(data, { recursive: true });
  return file;
}
