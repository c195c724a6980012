import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newStore } from "../../../../test/support/new-store.js";
import { makeCache } from "../../../core/caches.js";
import { LIMITS } from "../../../core/limits.js";
import type { StoredRecord } from "../../../core/record.js";
import { makeChangeLog } from "../cache/snapshot-cache.js";
import { type Db, openDatabase } from "../connection/database.js";
import { shownRecords } from "./make-record-search.js";

const SEQ = 7;
let folder: string;
let db: Db;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bindery-shown-"));
  await newStore(folder);
  db = openDatabase(folder, "reader");
});
afterAll(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

it("refuses a page whose records are too long together, and names the cure", () => {
  const shown = makeCache(Number.MAX_SAFE_INTEGER);
  // The same string repeated takes no further memory.
  const json = "x".repeat(LIMITS.answerTextLengthMax / 4);
  for (const row of [1, 2, 3, 4, 5]) {
    const names = { id: `r${row}`, parent: "p", model: "mst", owner: "ada", revision: 1 };
    const record: StoredRecord = { ...names, state: "published", isPublished: true, json };
    shown.set(`record ${row}`, { seq: SEQ, record }, 1);
  }
  const context = { db, shown, changes: makeChangeLog(db) };
  expect(shownRecords(context, [1, 2, 3, 4], SEQ)).toHaveLength(4);
  expect(() => shownRecords(context, [1, 2, 3, 4, 5], SEQ)).toThrow(
    expect.objectContaining({ code: "ANSWER_TOO_LARGE", message: expect.stringMatching(/request fewer \(size\)/) }),
  );
});
