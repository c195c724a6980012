import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createDatabase, type Db, openDatabase } from "../connection/database.js";
import { giveKey, makeValueDictionary } from "./dictionaries.js";

let folder: string;
let db: Db;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-keys-"));
  createDatabase(folder);
  db = openDatabase(folder, "writer");
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

function give(values: readonly string[], ending: "COMMIT" | "ROLLBACK" = "COMMIT"): number[] {
  db.transactions += 1;
  db.sql("BEGIN IMMEDIATE").run();
  const ids = values.map((value) => giveKey(db, 1, value));
  db.sql(ending).run();
  return ids;
}

const rows = () => db.sql("SELECT id, path, value FROM key ORDER BY id").all();

it("gives a value the same row in each transaction, and each path its own", () => {
  const [serum, water, again] = give(["serum", "water", "serum"]);
  expect(again).toBe(serum);
  expect(give(["water", "serum"])).toEqual([water, serum]);
  expect(give(["water", "serum"])).toEqual([water, serum]);
  db.transactions += 1;
  const other = giveKey(db, 2, "serum");
  expect(rows()).toEqual([
    { id: serum, path: 1, value: "serum" },
    { id: water, path: 1, value: "water" },
    { id: other, path: 2, value: "serum" },
  ]);
});

it("forgets the row of a transaction that was rolled back", () => {
  give(["serum", "serum"], "ROLLBACK");
  const [water, serum] = give(["water", "serum"]);
  expect(rows()).toEqual([
    { id: water, path: 1, value: "water" },
    { id: serum, path: 1, value: "serum" },
  ]);
});

it("finds the rows of a folded value at a path, also those that were added since", () => {
  const reader = openDatabase(folder, "reader");
  const keys = makeValueDictionary(reader);
  const [upper, lower] = give(["UniProt:P1", "uniprot:p1", "uniprot:p2"]);
  expect(keys.findFolded(1, "uniprot:p1")).toEqual([upper, lower]);
  expect(keys.findFolded(1, "UniProt:P1")).toEqual([]);
  expect(keys.findFolded(2, "uniprot:p1")).toEqual([]);
  const [title] = give(["Uniprot:P1"]);
  expect(keys.findFolded(1, "uniprot:p1")).toEqual([upper, lower, title]);
  reader.close();
});
