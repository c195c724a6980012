import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AUTHORITIES } from "../../src/authorities/index.js";
import type { Actor, Scope } from "../../src/core/actor.js";
import type { BackgroundReporter } from "../../src/core/background.js";
import { BinderyError } from "../../src/core/errors.js";
import { TEXT_LIMITS_DEFAULT, type TextLimits } from "../../src/core/limits.js";
import type { RecordBody } from "../../src/core/record.js";
import { openSqlite } from "../../src/engines/sqlite/index.js";
import type { LiveAuthorities } from "../../src/ports/authorities.js";
import type { SearchIndex } from "../../src/ports/search-index.js";
import type { Store } from "../../src/ports/store.js";
import type { WebhookRelayServices } from "../../src/services/api/changes.js";
import type { ImportReadServices } from "../../src/services/api/imports.js";
import type { PrepareServices } from "../../src/services/api/preparation.js";
import type { RecordAnswer } from "../../src/services/api/records.js";
import type { ReadDeps } from "../../src/services/imports/read-import.js";
import { makeServices } from "../../src/services/index.js";
import type { PrepareDeps } from "../../src/services/metadata/prepare-record.js";
import { makeFindNearTerms } from "../../src/services/search/near-terms.js";
import type { OperatorServices, Services } from "../../src/services/use-cases.js";
import { BUILT_IN_ON_DEMAND, builtInCatalog } from "./catalog.js";
import { newStore, type StoreContent } from "./new-store.js";

export interface OpenServices extends Services, OperatorServices, PrepareServices, WebhookRelayServices {
  readonly store: Store;
  readonly index: SearchIndex;
  /** The data folder. */
  readonly folder: string;
  /** The actor of a new user, with a new token; the role is depositor. */
  actor(name: string, ...scopes: Scope[]): Promise<Actor>;
  /** Writes a file into the temporary folder. @returns its path */
  file(name: string, content: string | Uint8Array): string;
  /** Moves the clock. */
  forward(micros: number): void;
  dispose(): Promise<void>;
}

interface Opening {
  /** What the store begins with; by default the starter items. */
  readonly content?: StoreContent | "nothing";
  /** Prepares long bodies in the place of another thread. */
  readonly prepareElsewhere?: (deps: PrepareDeps) => PrepareServices["prepareRecord"];
  /** Hears of background work; by default its errors are warnings of the process. */
  readonly background?: BackgroundReporter;
  /** Authorities that are asked for terms that are not loaded; by default none. */
  readonly live?: LiveAuthorities;
  /** How long a search may take, with marks. */
  readonly searchTimeoutMs?: number;
  /** How much text a record may hold; by default what the settings say. */
  readonly textLimits?: TextLimits;
  /** Reads large files in the place of another thread. */
  readonly readElsewhere?: (deps: ReadDeps) => ImportReadServices;
}

/** The services over the SQLite engine in a temporary folder, in this process, with the built-in catalog. */
export async function openServices(opening: Opening = {}): Promise<OpenServices> {
  const { content = "starters", background, live, textLimits = TEXT_LIMITS_DEFAULT } = opening;
  const { prepareElsewhere, readElsewhere } = opening;
  const folder = mkdtempSync(join(tmpdir(), "bindery-services-"));
  const catalog = builtInCatalog();
  if (content !== "nothing") await newStore(folder, content);
  let skew = 0;
  const clock = { nowMicros: () => Date.now() * 1000 + skew };
  const engine = openSqlite({ folder, catalog, clock, role: "writer", searchTimeoutMs: 10_000 });
  const { searchTimeoutMs = 10_000 } = opening;
  const random = seededRandom();
  const parts = {
    ...engine,
    catalog,
    authorities: AUTHORITIES,
    clock,
    random,
    findNearTerms: makeFindNearTerms({ ...engine, catalog }),
    textLimits,
    searchTimeoutMs,
    ...BUILT_IN_ON_DEMAND,
  };
  const services = makeServices({
    ...parts,
    ...(background && { background }),
    ...(live && { live }),
    ...(prepareElsewhere && { prepareElsewhere: prepareElsewhere(parts) }),
    ...(readElsewhere && { readElsewhere: readElsewhere(parts) }),
  });
  return {
    ...services,
    store: engine.store,
    index: engine.index,
    folder,
    actor: async (name, ...scopes) => {
      await services.addUser(name, "depositor");
      return services.authenticate((await services.createToken({ user: name, scopes })).token);
    },
    file: (name, content) => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
    forward: (micros) => {
      skew += micros;
    },
    dispose: async () => {
      await engine.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The same bytes in each run. */
function seededRandom(): { bytes(count: number): Uint8Array } {
  let calls = 0;
  return { bytes: (count) => createHash("sha256").update(`seed ${calls++}`).digest().subarray(0, count) };
}

export function bodyOf({ record }: RecordAnswer): RecordBody {
  return JSON.parse(record.json) as RecordBody;
}

/** The error of the catalogue that a call ends with. */
export async function refusalOf(call: Promise<unknown>): Promise<BinderyError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof BinderyError) return error;
    throw error;
  }
  throw new Error("The call was not refused.");
}
