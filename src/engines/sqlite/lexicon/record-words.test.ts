import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Cache, makeCache } from "../../../core/caches.js";
import { createDatabase, type Db, openDatabase } from "../connection/database.js";
import { startDeadline } from "../connection/deadline.js";
import { makeWriter, type Writer } from "../connection/write-connection.js";
import { recordWords } from "./lexicon.js";
import { hasManyNewWords, NEW_WORDS_MAX, noteWords, removeWords, sortNewWords } from "./record-words.js";

let folder: string;
let db: Db;
let reader: Db;
let writer: Writer;
let keepsAll: Cache;

beforeEach(() => {
  keepsAll = makeCache(1 << 24);
  folder = mkdtempSync(join(tmpdir(), "bindery-new-words-"));
  createDatabase(folder);
  db = openDatabase(folder, "writer");
  reader = openDatabase(folder, "reader");
  writer = makeWriter(db, { nowMicros: () => 1_000 });
});
afterEach(async () => {
  await writer.idle();
  reader.close();
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

const note = (words: readonly string[]): Promise<void> => writer.run(() => noteWords(db, words));
const wordsIn = (table: "word" | "new_word"): readonly string[] =>
  reader.sql<string>(`SELECT word FROM ${table} ORDER BY word`).pluck().all();

const never = startDeadline(60_000, () => "");
/** All words, as a search finds them that keeps their list, and as one that has no memory for it. */
const found = (): readonly (readonly string[])[] =>
  [keepsAll, makeCache(0)].map((cache) =>
    reader.read(() => recordWords(reader, cache, never).beginning("w", () => true)).sort(),
  );

it("gives words their places, and all are found before, meanwhile and after", async () => {
  const words = Array.from({ length: 1_700 }, (_, n) => `w${(n * 7_919) % 10_007}`);
  const sorted = [...words].sort();
  await note(words);
  expect(wordsIn("word")).toEqual([]);
  expect(found()).toEqual([sorted, sorted]);
  let looks = 0;
  await sortNewWords(writer, () => {
    looks += 1;
    expect(found()).toEqual([sorted, sorted]);
    return looks === 3;
  });
  // It was stopped after the first transaction.
  expect([wordsIn("word").length, wordsIn("new_word").length]).toEqual([500, 1_700]);
  await note(["wnew", ...words]);
  await sortNewWords(writer);
  expect(wordsIn("new_word")).toEqual([]);
  expect(wordsIn("word")).toEqual([...sorted, "wnew"].sort());
  expect(found()).toEqual([wordsIn("word"), wordsIn("word")]);
});

it("keeps a word that is removed and comes back after it got its place", async () => {
  await note(["wa", "wb"]);
  let looks = 0;
  await sortNewWords(writer, () => {
    looks += 1;
    if (looks === 3) {
      void writer.run(() => removeWords(db, ["wa"]));
      void note(["wa"]);
    }
    return false;
  });
  expect([looks, ...found()]).toEqual([3, ["wa", "wb"], ["wa", "wb"]]);
});

it("is due after so many words, however often one is noted", async () => {
  await note(Array.from({ length: NEW_WORDS_MAX }, (_, n) => `w${n}`));
  await note(["w0", "w1", "w2"]);
  expect(hasManyNewWords(db)).toBe(false);
  await note(["another"]);
  expect(hasManyNewWords(db)).toBe(true);
});
