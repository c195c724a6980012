import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AUTHORITIES } from "../../src/authorities/index.js";
import { openSqlite } from "../../src/engines/sqlite/index.js";
import type { Deps } from "../../src/services/context/deps.js";
import { makeServices } from "../../src/services/index.js";
import type { AllServices } from "../../src/services/use-cases.js";
import { BUILT_IN_ON_DEMAND, builtInCatalog } from "../support/catalog.js";
import { newStore } from "../support/new-store.js";

/** Whole dumps by authority: the paths below the folder of shared data. */
const DUMPS = {
  ncbi: "ncbi-taxonomy/taxdump.tar.gz",
  ror: "ror/v2.8-subset-ror-data.zip",
  openaire: "openaire/projects.ndjson.gz",
  iso639: "languages",
  chebi: "chemicals/chebi-slice.obo.gz",
  pubchem: "chemicals",
} as const;
type DumpName = keyof typeof DUMPS;

/** All of them: loading NCBI takes minutes. */
export const ALL_DUMPS = Object.keys(DUMPS) as readonly DumpName[];

interface Whole extends Pick<Deps, "store" | "index" | "catalog"> {
  readonly services: AllServices;
  dispose(): Promise<void>;
}

/**
 * A store with the starter items and some whole dumps. TEST_DUMPS_STORE names a data folder into which they were loaded
 * before; without it they are loaded.
 */
export async function openWhole(shared: string, dumps: readonly DumpName[]): Promise<Whole> {
  const loaded = process.env.TEST_DUMPS_STORE;
  const folder = loaded ?? mkdtempSync(join(tmpdir(), "bindery-whole-"));
  if (loaded === undefined) await newStore(folder);
  const catalog = builtInCatalog();
  const clock = { nowMicros: () => Date.now() * 1000 };
  const role = loaded === undefined ? "writer" : "reader";
  const engine = openSqlite({ folder, catalog, clock, role, searchTimeoutMs: 60_000 });
  const random = { bytes: (count: number) => new Uint8Array(count) };
  const services = makeServices({
    ...{ ...engine, catalog, authorities: AUTHORITIES, clock, random },
    ...BUILT_IN_ON_DEMAND,
  });
  for (const authority of loaded === undefined ? dumps : []) {
    const dump = join(shared, "authorities", DUMPS[authority]);
    await services.loadAuthority({ authority, dump, skipRefused: false, dryRun: false });
  }
  return {
    ...{ services, catalog, store: engine.store, index: engine.index },
    dispose: async () => {
      await engine.close();
      if (loaded === undefined) rmSync(folder, { recursive: true });
    },
  };
}
