import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readCatalog } from "../../src/app/composition/read-catalog.js";
import type { Catalog } from "../../src/core/catalog/types.js";
import type { RecordBody } from "../../src/core/record.js";
import { makeRecordId, RECORD_ID_BYTES } from "../../src/core/record-id.js";
import { formatInstant, parseInstant } from "../../src/core/time.js";
import { DATABASE_FILE } from "../../src/engines/sqlite/connection/database.js";
import { Sqlite } from "../../src/engines/sqlite/connection/driver.js";
import { openSqlite, type SqliteEngine } from "../../src/engines/sqlite/index.js";
import type { Engine } from "../../src/ports/engine.js";
import type { WriteTransaction } from "../../src/ports/store.js";
import { recordLeaves } from "../../src/query/index-model/record-leaves.js";
import type { Validate } from "../../src/services/context/deps.js";
import { makeServices } from "../../src/services/index.js";
import { prepareMetadata } from "../../src/services/metadata/prepare-metadata.js";
import { makeOnDemand } from "../../src/services/on-demand.js";
import { newDraft, publishedOf } from "../../src/services/records/record-body.js";
import { organismLines } from "../../test/support/items.js";
import { putRecord } from "../../test/support/put-record.js";
import { seeded } from "../../test/support/random.js";
import { CITED_ORGANISMS, makeClassRecord } from "./class-records.js";

/** The catalog beside the compiled benchmark. */
export const CATALOG_FOLDER = fileURLToPath(new URL("../../../catalog", import.meta.url));

const MODEL = "mst";

/** Records in one transaction. */
const CHUNK = 200;

/** So many are checked against the model; the others have the same shape. */
const CHECKED = 20;

/** The file is at rest when nobody has changed it for so long. */
const REST_MS = 3_000;
const POLL_MS = 250;

export const clock = { nowMicros: () => Math.round((performance.timeOrigin + performance.now()) * 1_000) };

export interface BuiltRecords {
  readonly folder: string;
  /** Absent where the folder was there already. */
  readonly recordsPerSecond?: number;
}

/**
 * A data folder with so many published `mst` records, written straight through the store. It is kept below `place` and
 * taken again as long as the records would be indexed in the same way; a larger one begins with a copy of the largest
 * smaller one, for a record depends on its number alone.
 * @param say is told how far it is
 */
export async function buildRecords(size: number, place: string, say: (text: string) => void): Promise<BuiltRecords> {
  const catalog = readCatalog([CATALOG_FOLDER]);
  const folder = folderOf(place, size);
  const made = fingerprint(catalog);
  if (isMadeOf(folder, made)) return { folder };
  const unfinished = `${folder}-unfinished`;
  for (const each of [folder, unfinished]) rmSync(each, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const first = largestBefore(size, place, made);
  if (first === 0) mkdirSync(unfinished);
  else cpSync(folderOf(place, first), unfinished, { recursive: true });
  const begun = performance.now();
  const engine = openSqlite({ folder: unfinished, catalog, clock, role: "writer", searchTimeoutMs: 60_000 });
  try {
    if (first === 0) await loadTerms(engine, catalog, unfinished);
    for (let from = first; from < size; from += CHUNK) {
      await putRecords(engine, catalog, from, Math.min(CHUNK, size - from));
      if (from % 10_000 === 0) say(`${from} of ${size} records after ${seconds(begun)} s`);
    }
    say(`merging after ${seconds(begun)} s`);
    await untilRest(unfinished);
  } finally {
    await engine.close();
  }
  const recordsPerSecond = ((size - first) / (performance.now() - begun)) * 1_000;
  renameSync(unfinished, folder);
  writeFileSync(join(folder, STAMP), made);
  return { folder, recordsPerSecond };
}

/** Says of what records a folder was made. */
const STAMP = "made-of";

const folderOf = (place: string, size: number): string => join(place, `records-${size}`);

function isMadeOf(folder: string, made: string): boolean {
  const stamp = join(folder, STAMP);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === made;
}

/** How many records the largest smaller folder has; 0: there is none. */
function largestBefore(size: number, place: string, made: string): number {
  const sizes = readdirSync(place).map((name) => Number(/^records-(\d+)$/.exec(name)?.[1] ?? 0));
  return Math.max(0, ...sizes.filter((each) => each > 0 && each < size && isMadeOf(folderOf(place, each), made)));
}

const seconds = (begun: number): string => ((performance.now() - begun) / 1_000).toFixed(0);

/** Of what the first records become in an index: other leaves need another build. */
function fingerprint(catalog: Catalog): string {
  const model = catalog.models.get(MODEL)!;
  const leaves = [0, 1, 2].map((n) => {
    const { metadata } = makeClassRecord(n);
    return recordLeaves(bodyOf(n, metadata, formatInstant(0)), model, () => undefined);
  });
  return createHash("sha256").update(JSON.stringify(leaves)).digest("hex");
}

/** Ids are numbers spelled out: no two are the same. */
function bodyOf(n: number, metadata: RecordBody["metadata"], now: string): RecordBody {
  const id = (number: number): string => {
    const bytes = new Uint8Array(RECORD_ID_BYTES);
    new DataView(bytes.buffer).setUint32(RECORD_ID_BYTES - 4, number);
    return makeRecordId(bytes);
  };
  const ids = { id: id(2 * n), parent: id(2 * n + 1) };
  const draft = newDraft({ ...ids, owner: "1", model: MODEL, now, metadata, issues: [] });
  return publishedOf(draft, metadata, { now, revision: 2 });
}

async function loadTerms({ store, index, admin }: SqliteEngine, catalog: Catalog, folder: string): Promise<void> {
  const random = seeded(1);
  const bytes = (count: number): Uint8Array => Uint8Array.from({ length: count }, () => random.integer(0, 255));
  const services = makeServices({ store, index, admin, catalog, clock, random: { bytes } });
  await services.loadStarters();
  const file = join(folder, "organisms.jsonl");
  writeFileSync(file, organismLines(CITED_ORGANISMS));
  await services.importTerms({ vocabulary: "organisms", file, skipRefused: false });
  rmSync(file);
}

async function putRecords({ store }: Engine, catalog: Catalog, from: number, count: number): Promise<void> {
  const model = catalog.models.get(MODEL)!;
  const unchecked: Validate = () => ({ issues: [], warnings: [] });
  const made = makeOnDemand();
  await store.transaction(async (tx: WriteTransaction) => {
    const start = parseInstant(tx.now);
    for (let n = from; n < from + count; n++) {
      const validatorOf = n < CHECKED ? made.validatorOf : () => unchecked;
      const sent = makeClassRecord(n);
      const deps = { ...made, store, clock, validatorOf };
      const { metadata, cited, issues } = await prepareMetadata(deps, tx.terms, model, sent);
      if (issues.length > 0) throw new Error(`Record ${n} is not valid: ${JSON.stringify(issues)}`);
      await putRecord({ store, catalog }, tx.records, bodyOf(n, metadata, formatInstant(start + n - from)), cited);
    }
  });
}

/** Waits for the upkeep of the file: each change by another connection changes its `data_version`. */
export async function untilRest(folder: string): Promise<void> {
  const db = new Sqlite(join(folder, DATABASE_FILE), { readonly: true });
  try {
    let since = performance.now();
    let last: unknown;
    while (performance.now() - since < REST_MS) {
      const version = db.pragma("data_version", { simple: true });
      if (version !== last) since = performance.now();
      last = version;
      await sleep(POLL_MS);
    }
  } finally {
    db.close();
  }
}
