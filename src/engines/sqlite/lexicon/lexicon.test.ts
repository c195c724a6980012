import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { tinyCatalog } from "../../../../test/support/tiny-catalog.js";
import { type Cache, makeCache } from "../../../core/caches.js";
import type { TextScope } from "../../../query/index-model/clause.js";
import { buildAtOnce } from "../cache/missing-parts.js";
import { createDatabase, type Db, openDatabase } from "../connection/database.js";
import { startDeadline } from "../connection/deadline.js";
import { loadWords } from "../search/nearest-words.js";
import { type ExpandedClause, makeExpandWords, recordWords } from "./lexicon.js";
import { noteWords } from "./record-words.js";

let folder: string;
let db: Db;
let reader: Db;

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
  db.transactions += 1;
  db.sql("BEGIN IMMEDIATE").run();
  noteWords(db, words);
  db.sql(ending).run();
}

const never = startDeadline(60_000, () => "");
const similar = (cache: Cache, word: string): readonly string[] =>
  reader.read(() => recordWords(reader, cache, never).similar({ word, edits: 1 }));
/** Words in both tables, each once. */
const count = (): number =>
  db.sql<number>("SELECT count(*) FROM (SELECT word FROM word UNION SELECT word FROM new_word)").pluck().get() ?? 0;

it.each([
  ["that keeps all", 1 << 20],
  ["that keeps nothing", 0],
])("finds a word in the very next question, with a cache %s", (_, budget) => {
  const cache = makeCache(budget);
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
  const cache = makeCache(1 << 20);
  write(["kept"]);
  write(["kept", "lost"], "ROLLBACK");
  expect(count()).toBe(1);
  write(["lost"]);
  write(["lost", "last"], "ROLLBACK");
  write(["last", "lost", "kept"]);
  expect(similar(cache, "lost")).toEqual(["last", "lost"]);
  expect(count()).toBe(3);
});

it("notes a word again that several works of one transaction noted, where that was rolled back", () => {
  db.transactions += 1;
  db.sql("BEGIN IMMEDIATE").run();
  noteWords(db, ["lost"]);
  noteWords(db, ["lost"]);
  db.sql("ROLLBACK").run();
  write(["lost"]);
  expect(count()).toBe(1);
});

it("finds words by patterns and by edits", () => {
  write(["mononucleosis", "monolith", "mono", "nomo"]);
  const place: TextScope = { in: "text" };
  const expand = makeExpandWords(() => recordWords(reader, makeCache(1 << 20), never));
  const ask = (clause: ExpandedClause) => reader.read(() => expand(clause));
  expect(ask({ kind: "fuzzy", place, word: "mnoo", edits: 1 })).toEqual(["mono"]);
  expect(ask({ kind: "wildcard", place, pattern: "mono?i*h" })).toEqual(["monolith"]);
  expect(ask({ kind: "wildcard", place, pattern: "mono*i*" })).toEqual(["monolith", "mononucleosis"]);
});

it("is in the cache once its words were loaded", () => {
  write(["serum", "albumin"]);
  const cache = makeCache(1 << 20);
  const source = { catalog: tinyCatalog(), cache, deadline: never, build: buildAtOnce };
  const load = (): void => reader.read(() => loadWords(reader, { in: "records" }, source));
  load();
  const loaded = cache.bytes;
  expect(loaded).toBeGreaterThan(0);
  const beginning = reader.read(() => recordWords(reader, cache, never).beginning("ser", () => true));
  expect(beginning).toEqual(["serum"]);
  expect(cache.bytes).toBe(loaded);
});
