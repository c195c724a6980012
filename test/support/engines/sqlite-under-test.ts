import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCaches } from "../../../src/core/caches.js";
import { openSqlite, type ScanLoader, type SqliteOptions } from "../../../src/engines/sqlite/index.js";
import type { Engine } from "../../../src/ports/engine.js";
import type { EngineUnderTest } from "./engine-under-test.js";

/** The embedded engine, on a temporary folder for each test. */
export function sqliteUnderTest(): EngineUnderTest {
  return underTest("sqlite", (options) => openSqlite(options));
}

/** As above, with no memory: another engine on the same file answers all that searches need to have read. */
export function sqliteWithLoads(): EngineUnderTest {
  return underTest("sqlite that has everything read elsewhere", (options) => {
    const load: ScanLoader = (...args) => loader.answer(...args);
    const engine = openSqlite({ ...options, caches: makeCaches(() => 0), fewRows: 0, load });
    const loader = openSqlite({ ...options, caches: makeCaches(() => 0), role: "reader" });
    const close = async (): Promise<void> => {
      await loader.close();
      await engine.close();
    };
    return { ...engine, close };
  });
}

/** No answer here is a matter of time, however busy the machine. */
const SEARCH_TIMEOUT_MS = 600_000;

function underTest(name: string, open: (options: SqliteOptions) => Engine): EngineUnderTest {
  let folder: string | undefined;
  return {
    name,
    open: async (options) => {
      folder ??= mkdtempSync(join(tmpdir(), "bindery-sqlite-"));
      return open({ folder, ...options, role: "writer", searchTimeoutMs: SEARCH_TIMEOUT_MS });
    },
    cleanUp: async () => {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
      folder = undefined;
    },
  };
}
