import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite } from "../../src/engines/sqlite/index.js";
import type { EngineUnderTest } from "./engine-under-test.js";

/** The embedded engine, on a temporary folder for each test. */
export function sqliteUnderTest(): EngineUnderTest {
  let folder: string | undefined;
  return {
    name: "sqlite",
    open: async (options) => {
      folder ??= mkdtempSync(join(tmpdir(), "bindery-sqlite-"));
      return openSqlite({ folder, ...options, role: "writer", searchTimeoutMs: 10_000 });
    },
    cleanUp: async () => {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
      folder = undefined;
    },
  };
}
