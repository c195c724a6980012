import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { contractCatalog, makeClock, putAll, tinyDraft } from "../../../../test/support/engines/engine-under-test.js";
import { tinyRecord } from "../../../../test/support/tiny-catalog.js";
import { type Db, openDatabase } from "../connection/database.js";
import { openSqlite, type SqliteEngine } from "../index.js";
import { makeChangeLog } from "./snapshot-cache.js";

let folder: string;
let engine: SqliteEngine;
let db: Db;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-changes-"));
  const catalog = contractCatalog();
  engine = openSqlite({ folder, catalog, clock: makeClock(), role: "writer", searchTimeoutMs: 1_000 });
  db = openDatabase(folder, "reader");
});

afterEach(async () => {
  db.close();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const put = (...ids: string[]) =>
  putAll(
    engine,
    ids.map((id) => tinyRecord(id, { title: id })),
  );

it("says which rows changed since, neighbours as one range", async () => {
  await put("a", "b", "c", "d");
  const changes = makeChangeLog(db);
  const before = changes.catchUp();
  expect(changes.since(before)).toEqual([]);
  await put("a", "c", "e");
  expect(changes.since(before)).toEqual([]);
  expect(changes.catchUp()).toBe(before + 3);
  expect(changes.since(before)).toEqual([
    { first: 1, last: 1 },
    { first: 3, last: 3 },
    { first: 5, last: 5 },
  ]);
  expect(changes.since(before + 2)).toEqual([{ first: 5, last: 5 }]);
});

it("counts the row of a record's other state in: its draft hides it from its owner", async () => {
  await put("a", "b");
  const changes = makeChangeLog(db);
  const before = changes.catchUp();
  await putAll(engine, [tinyDraft("a", { title: "a" })]);
  changes.catchUp();
  expect(changes.since(before)).toEqual([
    { first: 1, last: 1 },
    { first: 3, last: 3 },
  ]);
  const between = changes.catchUp();
  await engine.store.transaction((tx) => tx.records.delete("a", "draft"));
  changes.catchUp();
  expect(changes.since(between)).toEqual([
    { first: 1, last: 1 },
    { first: 3, last: 3 },
  ]);
});

it("does not know what was before it began", async () => {
  await put("a");
  const changes = makeChangeLog(db);
  const now = changes.catchUp();
  expect([changes.since(now), changes.since(now - 1)]).toEqual([[], undefined]);
});
