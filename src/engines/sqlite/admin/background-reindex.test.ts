import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { makeClock, putAll } from "../../../../test/support/engines/engine-under-test.js";
import { putRecord } from "../../../../test/support/put-record.js";
import { tinyCatalog, tinyModel, tinyRecord } from "../../../../test/support/tiny-catalog.js";
import type { Catalog } from "../../../core/catalog/types.js";
import type { Clock } from "../../../ports/environment.js";
import { openDatabase, readMeta, writeMeta } from "../connection/database.js";
import { openSqlite, type SqliteEngine } from "../index.js";

/** The catalog, and one whose model does not search the pH. */
const CATALOG = tinyCatalog();
const { leaves } = tinyModel();
const WITHOUT_PH = tinyCatalog({
  models: new Map([
    ["tiny", tinyModel("tiny", { leaves: new Map([...leaves].filter(([path]) => path !== "metadata.ph")) })],
  ]),
});

/** Several transactions of the work. */
const RECORDS = Array.from({ length: 300 }, (_, i) => tinyRecord(`r${i}`, { title: `Measured ${i}`, ph: 7 }));

let folder: string;
let engine: SqliteEngine | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-index-"));
});

afterEach(async () => {
  await engine?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(
  catalog: Catalog,
  clock: Clock = makeClock(),
  { runsReindexing = true } = {},
): Promise<SqliteEngine> {
  await engine?.close();
  engine = openSqlite({ folder, catalog, clock, role: "writer", runsReindexing, searchTimeoutMs: 5_000 });
  return engine;
}

/** By which catalog the file says that all records are indexed. */
function signature(): string | undefined {
  const db = openDatabase(folder, "reader");
  try {
    return readMeta(db.raw, "index of tiny");
  } finally {
    db.close();
  }
}

/** Waits until the index has followed. */
const followed = async (): Promise<string> =>
  vi.waitFor(
    () => {
      const said = signature();
      if (said === undefined || said.startsWith("unfinished")) throw new Error(`The index is ${said}.`);
      return said;
    },
    { timeout: 10_000 },
  );

it("follows the catalog, and says so only when all records have followed", async () => {
  const { store } = await start(CATALOG);
  await store.transaction(async (tx) => {
    for (const record of RECORDS) await putRecord({ store, catalog: CATALOG }, tx.records, record);
  });
  const first = await followed();
  const late = tinyRecord("late", { title: "Written by the other catalog", ph: 7 });
  await putAll(await start(WITHOUT_PH), [late], [], WITHOUT_PH);
  expect(signature()).not.toBe(first);
  const second = await followed();
  expect(second).not.toBe(first);
  await start(CATALOG);
  await vi.waitFor(() => expect(signature()).toBe(first), { timeout: 10_000 });
});

/** A catalog that finds records by parts of their ids, too. */
const named = new Map([...leaves].map(([path, { isWhole: _, ...leaf }]) => [path, leaf]));
const inParts = tinyCatalog({ models: new Map([["tiny", tinyModel("tiny", { leaves: named })]]) });

/** How many records a word is in. */
async function find({ index }: SqliteEngine, word = "btp27"): Promise<number> {
  const scope = { kind: "public", models: ["tiny"] } as const;
  const page = { offset: 0, limit: 1 };
  const clause = { kind: "words", place: { in: "text" }, words: [word] } as const;
  return (await index.searchRecords({ clause, scope, facets: [], sort: "newest", page })).total;
}

it("goes on after a stop where it was, and begins anew with another catalog", async () => {
  await putAll(await start(inParts), [tinyRecord("zv0gv-btp27", {}), tinyRecord("zv0gv-btp29", {})], [], inParts);
  const other = await followed();
  await start(CATALOG);
  await vi.waitFor(() => expect(signature()).not.toBe(other), { timeout: 10_000 });
  const present = await followed();
  await start(inParts);
  await vi.waitFor(() => expect(signature()).toBe(other), { timeout: 10_000 });
  await engine?.close();
  const stopAfterFirst = (by: string): void => {
    const db = openDatabase(folder, "writer");
    const row = db.sql<number>("SELECT id FROM rec WHERE pid = 'zv0gv-btp27'").pluck().get();
    writeMeta(db.raw, "index of tiny", `unfinished ${by} ${row}`);
    db.close();
  };
  stopAfterFirst(present);
  await start(CATALOG);
  await vi.waitFor(() => expect(signature()).toBe(present), { timeout: 10_000 });
  expect([await find(engine!, "btp27"), await find(engine!, "btp29")]).toEqual([1, 0]);
  await engine?.close();
  stopAfterFirst(other);
  await start(CATALOG);
  await vi.waitFor(() => expect(signature()).toBe(present), { timeout: 10_000 });
  expect(await find(engine!, "btp27")).toBe(0);
});

it("takes over what a command wrote into a new store, and indexes again what nobody noted", async () => {
  const removeNote = (): void => {
    const db = openDatabase(folder, "writer");
    db.raw.exec("DELETE FROM meta WHERE name = 'index of tiny'");
    db.close();
  };
  const asCommand = { runsReindexing: false };
  await putAll(await start(CATALOG, makeClock(), asCommand), RECORDS.slice(0, 2));
  const noted = signature();
  expect(noted).toMatch(/^\w{16}$/);
  await start(CATALOG);
  expect(await followed()).toBe(noted);
  await engine?.close();
  removeNote();
  await start(CATALOG, makeClock(), asCommand);
  expect(signature()).toBeUndefined();
  await start(CATALOG);
  expect(await followed()).toBe(noted);
});

it("makes the index of records again that were found by parts of their ids", async () => {
  await putAll(await start(inParts), [tinyRecord("zv0gv-btp27", {})], [], inParts);
  const first = await followed();
  expect(await find(engine!)).toBe(1);
  await start(CATALOG);
  await vi.waitFor(() => expect(signature()).not.toBe(first), { timeout: 10_000 });
  await followed();
  expect(await find(engine!)).toBe(0);
  expect(await engine!.index.nearestWords({ in: "records" }, "btp28", 5)).toEqual([]);
});

it("adds derived quantities to the records of a store that has none", async () => {
  const stated = tinyModel().quantities.map(({ derivation: _, ...quantity }) => quantity);
  const without = tinyCatalog({ models: new Map([["tiny", tinyModel("tiny", { quantities: stated })]]) });
  const results = [{ type: "KA", value: 4e8, unit: "M^-1" }];
  await putAll(await start(without), [tinyRecord("strong", { results })], [], without);
  const first = await followed();
  const findKd = async ({ index }: SqliteEngine): Promise<number> => {
    const clause = { kind: "range", type: "number", paths: ["metadata.results.@kd~"] } as const;
    const scope = { kind: "public", models: ["tiny"] } as const;
    const page = { offset: 0, limit: 1 };
    return (await index.searchRecords({ clause, scope, facets: [], sort: "newest", page })).total;
  };
  expect(await findKd(engine!)).toBe(0);
  await start(CATALOG);
  await vi.waitFor(() => expect(signature()).not.toBe(first), { timeout: 10_000 });
  await followed();
  expect(await findKd(engine!)).toBe(1);
});

it("adds the ids of molecules to the records of a store that has none", async () => {
  const molecules = { ...tinyModel().molecules!, ids: [{ path: "notes" }] };
  const without = tinyCatalog({ models: new Map([["tiny", tinyModel("tiny", { molecules })]]) });
  await putAll(await start(without), [tinyRecord("egg", { samples: [{ codes: ["P00698"] }] })], [], without);
  const first = await followed();
  const clause = { kind: "exists", paths: [molecules.leaf.path] } as const;
  const scope = { kind: "public", models: ["tiny"] } as const;
  const count = async ({ index }: SqliteEngine): Promise<number> =>
    (await index.searchRecords({ clause, scope, facets: [], sort: "newest", page: { offset: 0, limit: 1 } })).total;
  expect(await count(engine!)).toBe(0);
  await start(CATALOG);
  await vi.waitFor(() => expect(signature()).not.toBe(first), { timeout: 10_000 });
  await followed();
  expect(await count(engine!)).toBe(1);
});

it("begins anew after a failure", async () => {
  await putAll(await start(CATALOG), RECORDS.slice(0, 2));
  const first = await followed();
  const clock = makeClock();
  let failures = 1;
  const failing = {
    nowMicros: () => {
      if (failures-- > 0) throw new Error("There is no time.");
      return clock.nowMicros();
    },
  };
  await start(WITHOUT_PH, failing);
  expect(signature()).toBe(first);
  await vi.waitFor(() => expect(signature()).not.toBe(first), { timeout: 10_000 });
  await followed();
});

it("leaves nothing behind that a process would wait for", async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const before = timers();
  await start(CATALOG);
  await followed();
  await engine?.close();
  expect(timers()).toBeLessThanOrEqual(before);
});
