import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { hearBackground } from "../../../../test/support/background.js";
import { makeClock, putAll } from "../../../../test/support/engines/engine-under-test.js";
import { tinyCatalog, tinyRecord } from "../../../../test/support/tiny-catalog.js";
import { type Db, openDatabase } from "../connection/database.js";
import { makeWriter } from "../connection/write-connection.js";
import { openSqlite, type SqliteEngine } from "../index.js";
import { readCount, SWEPT, startWordSweeps } from "./record-words.js";

let folder: string;
let engine: SqliteEngine;
/** As of another process. */
let db: Db;
let sweeps: { stop(): Promise<void> } | undefined;
const heard = hearBackground();
const clock = makeClock();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-sweep-"));
  const options = { folder, catalog: tinyCatalog(), clock, searchTimeoutMs: 5_000, background: heard };
  engine = openSqlite({ ...options, role: "writer" });
  db = openDatabase(folder, "writer");
});
afterEach(async () => {
  await sweeps?.stop();
  sweeps = undefined;
  await engine.close();
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

const words = (): readonly string[] =>
  db.sql<string>("SELECT word FROM word UNION SELECT word FROM new_word ORDER BY word").pluck().all();
const remove = (id: string): Promise<void> =>
  engine.store.transaction(async (tx) => tx.records.delete(id, "published"));

async function sweep(): Promise<void> {
  const before = readCount(db, SWEPT);
  sweeps ??= startWordSweeps(makeWriter(db, clock, { background: heard }), 5);
  await vi.waitFor(() => expect(readCount(db, SWEPT)).toBeGreaterThan(before), { timeout: 5_000, interval: 5 });
}

it("removes the words of removed and replaced records, and keeps those that any other record has", async () => {
  await putAll(engine, [
    tinyRecord("r1", { title: "lysozyme kinetics" }),
    tinyRecord("r2", { title: "serum kinetics" }),
  ]);
  expect(words()).toEqual(expect.arrayContaining(["kinetics", "lysozyme", "published", "serum", "tiny"]));
  await remove("r1");
  await sweep();
  expect(words()).toEqual(expect.arrayContaining(["kinetics", "published", "serum", "tiny"]));
  expect(words()).not.toContain("lysozyme");
  await putAll(engine, [tinyRecord("r2", { title: "albumin kinetics" })]);
  await sweep();
  expect(words()).toEqual(expect.arrayContaining(["albumin", "kinetics", "published", "tiny"]));
  expect(words()).not.toContain("serum");
});

it("is noticed by a writer of another connection that knew a word to be there", async () => {
  await putAll(engine, [tinyRecord("r1", { title: "lysozyme" })]);
  await putAll(engine, [tinyRecord("r2", { title: "lysozyme" })]);
  await remove("r1");
  await remove("r2");
  await sweep();
  expect(words()).not.toContain("lysozyme");
  await putAll(engine, [tinyRecord("r3", { title: "lysozyme" })]);
  expect(words()).toContain("lysozyme");
  const near = await engine.index.nearestWords({ in: "records" }, "lysozime", 5);
  expect(near).toEqual(["lysozyme"]);
});

it("goes through tables of several steps, and leaves what nothing was taken from alone", async () => {
  const many = Array.from({ length: 2_500 }, (_, n) => `word${n}`).join(" ");
  await putAll(engine, [tinyRecord("r1", { title: many }), tinyRecord("r2", { title: "word7" })]);
  await remove("r1");
  await sweep();
  expect(words().filter((word) => word.startsWith("word"))).toEqual(["word7"]);
  expect(heard.last("word-sweep")).toBe("success");
});
