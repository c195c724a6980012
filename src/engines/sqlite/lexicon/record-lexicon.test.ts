import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { tinyCatalog } from "../../../../test/support/tiny-catalog.js";
import { type LruCache, makeLruCache } from "../cache/lru-cache.js";
import { createDatabase } from "../connection/create-database.js";
import { type Db, openDatabase } from "../connection/database.js";
import { startDeadline } from "../connection/deadline.js";
import { loadWords } from "../search/nearest-words.js";
import { makeIndexWords } from "./expand-words.js";
import { noteWords } from "./record-lexicon.js";

let folder: string;
let db: Db;
let reader: Db;
let now = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-words-"));
  createDatabase(folder);
  db = openDatabase(folder, "writer");
  reader = openDatabase(folder, "reader");
});
afterEach(() => {
  reader.close();
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

function write(words: readonly string[], ending: "COMMIT" | "ROLLBACK" = "COMMIT"): void {
  now += 1;
  db.sql("BEGIN IMMEDIATE").run();
  noteWords(db, now, words);
  db.sql(ending).run();
}

const never = startDeadline(60_000, () => "");
const similar = (cache: LruCache, word: string): readonly string[] =>
  reader.read(() => makeIndexWords(reader, never, cache).similar("", word, 1));
const count = (): number => db.sql<number>("SELECT count(*) FROM word").pluck().get() ?? 0;

it.each([
  ["that keeps all", 1 << 20],
  ["that keeps nothing", 0],
])("finds a word in the very next question, with a cache %s", (_, budget) => {
  const cache = makeLruCache(budget);
  expect(similar(cache, "serum")).toEqual([]);
  write(["serum", "albumin"]);
  expect(similar(cache, "serums")).toEqual(["serum"]);
  write(["serums", "serum"]);
  expect(similar(cache, "serums")).toEqual(["serum", "serums"]);
  const many = Array.from({ length: 30_000 }, (_, n) => `word${n}`);
  write(many.slice(0, 2_000));
  expect(similar(cache, "wrod1999")).toEqual(["word1999"]);
  write(many);
  expect(similar(cache, "wrod29999")).toEqual(["word29999"]);
  expect(similar(cache, "serums")).toEqual(["serum", "serums"]);
  expect(count()).toBe(30_003);
});

it("notes a word again whose transaction was rolled back", () => {
  const cache = makeLruCache(1 << 20);
  write(["kept"]);
  write(["kept", "lost"], "ROLLBACK");
  expect(count()).toBe(1);
  write(["lost"]);
  write(["lost", "last"], "ROLLBACK");
  write(["last", "lost", "kept"]);
  expect(similar(cache, "lost")).toEqual(["last", "lost"]);
  expect(count()).toBe(3);
});

it("puts the words behind the signs of a path, and expands patterns", () => {
  write(["mononucleosis", "monolith", "mono", "nomo"]);
  const words = reader.read(() => makeIndexWords(reader, never, makeLruCache(1 << 20)));
  const ask = <T>(question: () => T): T => reader.read(question);
  expect(ask(() => words.similar("_17_", "mnoo", 1))).toEqual(["_17_mono"]);
  expect(ask(() => words.expand("_17_mono", "?i*h"))).toEqual(["_17_monolith"]);
  expect(ask(() => words.expand("_17_mono", "*i*"))).toEqual(["_17_monolith", "_17_mononucleosis"]);
  expect(ask(() => words.expand("mono", "*i*"))).toEqual(["monolith", "mononucleosis"]);
});

it("is in the cache once its words were loaded", () => {
  write(["serum", "albumin"]);
  const cache = makeLruCache(1 << 20);
  const load = (): void =>
    reader.read(() => loadWords(reader, { in: "records" }, { catalog: tinyCatalog(), cache, deadline: never }));
  load();
  const loaded = cache.bytes;
  expect(loaded).toBeGreaterThan(0);
  expect(similar(cache, "serums")).toEqual(["serum"]);
  expect(cache.bytes).toBe(loaded);
});
