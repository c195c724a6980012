import { createHash, randomBytes } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readCatalog } from "../../src/app/composition/read-catalog.js";
import { IMPORT_OPTIONS, startPreparing } from "../../src/app/threads/start-preparing.js";
import { loadConfig } from "../../src/config/settings.js";
import { WARNING_REPORTER } from "../../src/core/background.js";
import type { Catalog } from "../../src/core/catalog/types.js";
import { makeRecordId, RECORD_ID_BYTES, type RecordBody } from "../../src/core/record.js";
import { formatInstant } from "../../src/core/time.js";
import { DATABASE_FILE, Sqlite } from "../../src/engines/sqlite/connection/database.js";
import { openSqlite } from "../../src/engines/sqlite/index.js";
import { recordLeaves } from "../../src/query/index-model/record-leaves.js";
import { makeServices } from "../../src/services/index.js";
import { newDraft, publishedOf } from "../../src/services/records/record-body.js";
import type { OperatorServices, Services } from "../../src/services/use-cases.js";
import { organismLines } from "../../test/support/items.js";
import { CITED_ORGANISMS, makeClassRecord } from "./class-records.js";

/** The catalog beside the compiled benchmark. */
export const CATALOG_FOLDER = fileURLToPath(new URL("../../../catalog", import.meta.url));

const MODEL = "mst";

/** Records of one file that is imported; the next one is written meanwhile. */
const CHUNK = 10_000;

/** Lines that are made between two turns of the event loop: the import goes on. */
const LINES_AT_ONCE = 10;

const OWNER = "bench";

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
 * A data folder with so many published `mst` records, imported as by `bindery import`. It is kept below `place` and
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
  const engine = openSqlite({
    folder: unfinished,
    catalog,
    clock,
    role: "writer",
    searchTimeoutMs: 60_000,
    isBulk: true,
  });
  const preparing = startPreparing(
    { config: loadConfig({ BINDERY_DATA: unfinished }), catalog },
    WARNING_REPORTER,
    IMPORT_OPTIONS,
  );
  try {
    const services = makeServices({
      store: engine.store,
      index: engine.index,
      admin: engine.admin,
      catalog,
      clock,
      random: { bytes: randomBytes },
      readElsewhere: preparing,
    });
    if (first === 0) await loadTerms(services, unfinished);
    await importLines(services, { folder: unfinished, first, size }, (done) => {
      say(`${done} of ${size} records after ${seconds(begun)} s`);
    });
    say(`merging after ${seconds(begun)} s`);
    await untilRest(unfinished);
  } finally {
    await preparing.close();
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
function idOf(number: number): string {
  const bytes = new Uint8Array(RECORD_ID_BYTES);
  new DataView(bytes.buffer).setUint32(RECORD_ID_BYTES - 4, number);
  return makeRecordId(bytes);
}

function bodyOf(n: number, metadata: RecordBody["metadata"], now: string): RecordBody {
  const ids = { id: idOf(2 * n), parent: idOf(2 * n + 1) };
  const draft = newDraft({ ...ids, owner: "1", model: MODEL, now, metadata, issues: [] });
  return publishedOf(draft, metadata, { now, revision: 1 });
}

async function loadTerms(services: Services & OperatorServices, folder: string): Promise<void> {
  await services.loadStarters();
  const file = join(folder, "organisms.jsonl");
  writeFileSync(file, organismLines(CITED_ORGANISMS));
  await services.importTerms({ vocabulary: "organisms", file, skipRefused: false });
  rmSync(file);
  await services.addUser(OWNER, "depositor");
}

/** Imports the records from `first` on, a file of them after the other. */
async function importLines(
  { importRecords }: Pick<OperatorServices, "importRecords">,
  { folder, first, size }: { readonly folder: string; readonly first: number; readonly size: number },
  onDone: (records: number) => void,
): Promise<void> {
  let next = writeLines(folder, first, size);
  for (let from = first; from < size; from += CHUNK) {
    const file = await next;
    next = writeLines(folder, from + CHUNK, size);
    const { refused } = await importRecords({ model: MODEL, file, owner: OWNER, publish: true });
    if (refused.length > 0) throw new Error(`Records are not valid: ${JSON.stringify(refused.slice(0, 10))}`);
    rmSync(file);
    onDone(Math.min(from + CHUNK, size));
  }
  rmSync(await next);
}

/** Writes the documents of up to a chunk of records. @returns the file */
async function writeLines(folder: string, from: number, size: number): Promise<string> {
  const file = join(folder, `records-${from}.jsonl`);
  writeFileSync(file, "");
  const end = Math.min(from + CHUNK, size);
  for (let n = from; n < end; n += LINES_AT_ONCE) {
    const lines = Array.from({ length: Math.min(LINES_AT_ONCE, end - n) }, (_, i) => lineOf(n + i));
    appendFileSync(file, lines.join(""));
    await nextTurn();
  }
  return file;
}

function lineOf(n: number): string {
  const { metadata } = makeClassRecord(n);
  return `${JSON.stringify({ id: idOf(2 * n), parent: { id: idOf(2 * n + 1) }, metadata })}\n`;
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
