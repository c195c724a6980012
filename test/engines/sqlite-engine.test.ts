import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { BackgroundReporter } from "../../src/core/background.js";
import type { Catalog } from "../../src/core/catalog/types.js";
import { startSegmentMerges } from "../../src/engines/sqlite/admin/segment-merges.js";
import { startCheckpoints } from "../../src/engines/sqlite/admin/wal-checkpoints.js";
import {
  createDatabase,
  DATABASE_FILE,
  type Db,
  DRIVER,
  openDatabase,
  Sqlite,
  writeMeta,
} from "../../src/engines/sqlite/connection/database.js";
import { makeWriter } from "../../src/engines/sqlite/connection/write-connection.js";
import { registerPaths } from "../../src/engines/sqlite/documents/dictionaries.js";
import { lockDataFolder, openSqlite } from "../../src/engines/sqlite/index.js";
import { prepareIndex, recordWriting } from "../../src/engines/sqlite/records/record-index.js";
import { makeRecordReader } from "../../src/engines/sqlite/records/record-reader.js";
import { makeRecordWriter } from "../../src/engines/sqlite/records/record-writer.js";
import type { Store } from "../../src/ports/store.js";
import { contractCatalog, makeClock, putAll, putOne, tinyRecord } from "../support/engines/engine-under-test.js";
import { putRecord } from "../support/put-record.js";

let folder: string;
const opened: { close(): unknown }[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-sqlite-"));
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(role: "writer" | "reader" = "writer", changes: { searchTimeoutMs?: number; catalog?: Catalog } = {}) {
  const clock = makeClock();
  const engine = openSqlite({ folder, catalog: contractCatalog(), clock, role, searchTimeoutMs: 5_000, ...changes });
  opened.push(engine);
  return engine;
}

function openDb(role: "writer" | "reader"): Db {
  createDatabase(folder);
  const db = openDatabase(folder, role);
  opened.push({ close: () => db.raw.open && db.close() });
  return db;
}

const find = async (engine: ReturnType<typeof open>, word: string): Promise<readonly string[]> => {
  const { hits } = await engine.index.searchRecords({
    clause: { kind: "words", place: { in: "text" }, words: [word] },
    scope: { kind: "public", models: ["tiny"] },
    facets: [],
    sort: "newest",
    page: { offset: 0, limit: 10 },
  });
  return hits.map(({ id }) => id);
};

describe("opening", () => {
  it("refuses to read what no writer has set up", () => {
    expect(() => open("reader")).toThrow(/bindery\.sqlite does not exist\. .*start the service once/);
  });

  it("refuses to write through a reader", async () => {
    open();
    const reader = open("reader");
    await expect(reader.store.transaction(async () => 1)).rejects.toThrow("opened to read");
    await expect(reader.store.loadTerms("species", (async function* () {})())).rejects.toThrow("opened to read");
  });

  it("refuses a file that another text analysis indexed, and one of a newer version", async () => {
    const db = openDb("writer");
    writeMeta(db.raw, "analysis", "0");
    for (const role of ["writer", "reader"] as const) {
      expect(() => openDatabase(folder, role)).toThrow(/indexed by an older Bindery \(text analysis 0/);
    }
    writeMeta(db.raw, "schema", "99");
    for (const role of ["writer", "reader"] as const) expect(() => openDatabase(folder, role)).toThrow(/newer Bindery/);
  });

  it("keeps the ids of paths whatever the order of the catalog, and gives new ones to new paths only", async () => {
    const ids = (db: Db) => new Map(db.sql<[string, number]>("SELECT path, id FROM path").raw().all());
    const db = openDb("writer");
    const catalog = contractCatalog();
    const tiny = catalog.models.get("tiny")!;
    const only = (leaves: typeof tiny.leaves) => ({
      ...catalog,
      models: new Map([["tiny", { ...tiny, leaves, elementPaths: [], termSites: [], molecules: undefined }]]),
    });
    const leaves = [...tiny.leaves];
    registerPaths(db, only(new Map(leaves.slice(5))));
    const before = ids(db);
    registerPaths(db, only(new Map(leaves.reverse())));
    const after = ids(db);
    for (const [path, id] of before) expect(after.get(path)).toBe(id);
    expect(after.size).toBe(leaves.length);
    expect(new Set(after.values()).size).toBe(leaves.length);
  });
});

describe("two engines on one file", () => {
  it("sees at once in one what was written through the other", async () => {
    const server = open();
    const reader = open("reader");
    const command = open();
    await putAll(server, [tinyRecord("a", { title: "here" })]);
    await putAll(command, [tinyRecord("b", { title: "here" })]);
    for (const engine of [server, reader, command]) expect(await find(engine, "here")).toEqual(["b", "a"]);
  });

  it("waits while another writes, and gives later instants than the other", async () => {
    const [server, command] = [open(), open()];
    const instants: string[] = [];
    const write = (engine: typeof server, id: string) =>
      engine.store.transaction(async (tx) => {
        await new Promise((resolve) => setTimeout(resolve, 3));
        instants.push(tx.now);
        await putOne(engine, tx, tinyRecord(id, {}));
      });
    const ids = Array.from({ length: 20 }, (_, i) => `r${i}`);
    await Promise.all(ids.map((id, i) => write(i % 2 ? server : command, id)));
    expect(instants).toHaveLength(20);
    expect([...new Set(instants)].sort()).toEqual(instants);
  });
});

describe("a store that cannot write", () => {
  const setUp = (reporting: { background?: BackgroundReporter } = {}) => {
    const db = openDb("writer");
    const catalog = contractCatalog();
    registerPaths(db, catalog);
    const writer = makeWriter(db, makeClock(), reporting);
    const writing = recordWriting(db, catalog);
    const store: Pick<Store, "prepareIndex"> = { prepareIndex: (...made) => prepareIndex(writing, ...made) };
    const put = (id: string, title: string) =>
      writer.run((now) => putRecord({ store, catalog }, makeRecordWriter(writing, now), tinyRecord(id, { title })));
    return { db, writer, put, reader: makeRecordReader(openDb("reader")) };
  };

  it("says that the disk is full, goes on reading, and recovers when there is room", async () => {
    const { db, put, reader } = setUp();
    await put("a", "before");
    const pages = db.raw.pragma("page_count", { simple: true });
    db.raw.pragma(`max_page_count = ${pages}`);
    const long = Array.from({ length: 20_000 }, (_, i) => `word${i}`).join(" ");
    await expect(put("b", long)).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      params: { reason: "the disk is full" },
    });
    expect(await reader.get("a", "published")).toMatchObject({ id: "a" });
    expect(await reader.get("b", "published")).toBeUndefined();
    db.raw.pragma("max_page_count = 1000000");
    await put("b", long);
    expect(await reader.get("b", "published")).toMatchObject({ id: "b" });
    expect(db.raw.pragma("integrity_check", { simple: true })).toBe("ok");
  });

  it("says that the disk is read-only, and recovers", async () => {
    const { db, put, reader } = setUp();
    db.raw.pragma("query_only = ON");
    await expect(put("a", "x")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", status: 503 });
    db.raw.pragma("query_only = OFF");
    await put("a", "x");
    expect(await reader.get("a", "published")).toMatchObject({ id: "a" });
  });

  it("merges full-text segments and writes the log back when it is quiet", async () => {
    const { db, writer, put } = setUp();
    const wal = join(folder, "bindery.sqlite-wal");
    opened.push({ close: startSegmentMerges(writer).stop }, { close: startCheckpoints(folder).stop });
    const segments = () => db.sql<number>("SELECT count(DISTINCT segid) FROM leaf_idx").pluck().get()!;
    for (let i = 0; i < 200; i++) await put(`r${i}`, `common word${i}`);
    expect(segments()).toBeLessThan(140);
    const until = Date.now() + 10_000;
    while (statSync(wal).size > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(statSync(wal).size).toBe(0);
    expect(segments()).toBeLessThan(10);
    // FULL: a merge leaves commits as durable as they were.
    expect(db.raw.pragma("synchronous", { simple: true })).toBe(2);
  });

  it("merges the segments of other connections, and those that were there at the start", async () => {
    const { db, put } = setUp();
    const segments = () => db.sql<number>("SELECT count(DISTINCT segid) FROM leaf_idx").pluck().get()!;
    const writeSegments = async (name: string) => {
      for (let i = 0; i < 30; i++) await put(`${name}${i}`, `common word${i}`);
      expect(segments()).toBeGreaterThanOrEqual(30);
    };
    await writeSegments("before");
    const { stop } = startSegmentMerges(makeWriter(openDb("writer"), makeClock()), 50);
    await vi.waitFor(() => expect(segments()).toBeLessThan(10), 5_000);
    await writeSegments("after");
    await vi.waitFor(() => expect(segments()).toBeLessThan(10), 5_000);
    stop();
  });

  it("waits with merging while another process writes", async () => {
    const told: unknown[] = [];
    const { db, writer, put } = setUp({
      background: {
        onBackgroundError: (...error) => told.push(error),
        onBackgroundSuccess: (task) => told.push(task),
        onDamage: (error) => told.push(error),
        onLookup: (authority) => told.push(authority),
        onThread: (thread) => told.push(thread),
        onCaches: () => undefined,
      },
    });
    const { stop } = startSegmentMerges(writer, 60_000);
    for (let i = 0; i < 20; i++) await put(`r${i}`, `common word${i}`);
    const other = openDb("writer");
    other.raw.exec("BEGIN IMMEDIATE");
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(told).toEqual([]);
    other.raw.exec("COMMIT");
    await vi.waitFor(() => expect(told).toEqual(["index-merge"]), 5_000);
    expect(db.sql<number>("SELECT count(DISTINCT segid) FROM leaf_idx").pluck().get()).toBeLessThan(10);
    stop();
  });
});

describe("a search that takes too long", () => {
  it("fails and names the clause", async () => {
    const engine = open("writer", { searchTimeoutMs: -1 });
    await putAll(engine, [tinyRecord("a", { title: "slow" })]);
    await expect(find(engine, "slow")).rejects.toMatchObject({ code: "QUERY_TOO_COSTLY", params: { clause: "slow" } });
  });
});

describe("the lock of the data folder", () => {
  it("is held by one server at a time", () => {
    const lock = lockDataFolder(folder);
    expect(() => lockDataFolder(folder)).toThrow(/Another server runs on the data folder/);
    lock.release();
    lockDataFolder(folder).release();
  });

  it("is freed when its process is killed", async () => {
    const script = `
      const Sqlite = require("${DRIVER}");
      const lock = new Sqlite(process.argv[1]);
      lock.pragma("journal_mode = MEMORY");
      lock.exec("BEGIN EXCLUSIVE");
      console.log("locked");
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ["-e", script, join(folder, "server.lock")]);
    await new Promise((resolve) => child.stdout.once("data", resolve));
    expect(() => lockDataFolder(folder)).toThrow(/Another server/);
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
    lockDataFolder(folder).release();
  });

  it("does not hinder commands beside the server", async () => {
    const lock = lockDataFolder(folder);
    await putAll(open(), [tinyRecord("a", { title: "x" })]);
    lock.release();
  });
});

describe("the rows of a record", () => {
  const elementsOf = (other: Database, path: string): unknown[] => {
    const p = other.prepare("SELECT id FROM path WHERE path = ?").pluck().get(path);
    return other.prepare("SELECT rowid FROM elem WHERE elem MATCH ? ORDER BY rowid").pluck().all(`"@${p}"`);
  };

  it("are one for the record and one for each object in an array, numbered in document order", async () => {
    const engine = open();
    await putAll(engine, [tinyRecord("a", { samples: [{ name: "y" }, { steps: [{ name: "z" }] }, {}] })]);
    const other = new Sqlite(join(folder, DATABASE_FILE));
    opened.push(other);
    const row = 1 << 20;
    expect(elementsOf(other, "metadata.samples")).toEqual([row + 1, row + 2, row + 4]);
    expect(elementsOf(other, "metadata.samples.steps")).toEqual([row + 3]);
  });

  it("are all replaced by an edit, and all removed with the record", async () => {
    const engine = open();
    await putAll(engine, [tinyRecord("a", { samples: [{}, {}, {}] }), tinyRecord("b", { samples: [{}] })]);
    await putAll(engine, [tinyRecord("a", { results: [{ type: "x" }] })]);
    await engine.store.transaction((tx) => tx.records.delete("b", "published"));
    const other = new Sqlite(join(folder, DATABASE_FILE));
    opened.push(other);
    expect(elementsOf(other, "metadata.samples")).toEqual([]);
    expect(elementsOf(other, "metadata.results")).toEqual([(1 << 20) + 1]);
    const count = (table: string) => other.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
    expect([count("rec"), count("doc"), count("leaf_docsize"), count("elem_docsize")]).toEqual([1, 1, 1, 1]);
    for (const table of ["leaf", "elem"]) other.exec(`INSERT INTO ${table}(${table}) VALUES('integrity-check')`);
    expect(other.pragma("integrity_check", { simple: true })).toBe("ok");
  });

  it("never get the number of one that was removed", async () => {
    const engine = open();
    await putAll(engine, [tinyRecord("a", {}), tinyRecord("b", {})]);
    await engine.store.transaction((tx) => tx.records.delete("b", "published"));
    await putAll(engine, [tinyRecord("c", {})]);
    const other = new Sqlite(join(folder, DATABASE_FILE));
    opened.push(other);
    expect(other.prepare("SELECT id FROM rec ORDER BY id").pluck().all()).toEqual([1, 3]);
    const changes = other.prepare("SELECT seq, kind, action, id, rec FROM change ORDER BY seq").raw().all();
    expect(changes).toEqual([
      [1, "record", "published", "a", 1],
      [2, "record", "published", "b", 2],
      [3, "record", "removed", "b", 2],
      [4, "record", "published", "c", 3],
    ]);
  });
});
