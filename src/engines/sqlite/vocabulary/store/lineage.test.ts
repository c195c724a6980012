import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { contractCatalog, makeClock } from "../../../../../test/support/engines/engine-under-test.js";
import { item, loadAll, putTerms } from "../../../../../test/support/engines/term-fixtures.js";
import { descendants } from "../../../../../test/support/engines/term-reference.js";
import { makeCache } from "../../../../core/caches.js";
import type { TermContent } from "../../../../core/term.js";
import type { Engine } from "../../../../ports/engine.js";
import { type Db, openDatabase } from "../../connection/database.js";
import { openSqlite } from "../../index.js";
import { type Lineage, makeLineage } from "./lineage.js";

const LOADED = 3_000;

let folder: string;
let engine: Engine;
let db: Db;
let lineage: Lineage;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-lineage-"));
  const options = { folder, catalog: contractCatalog(), clock: makeClock() };
  engine = openSqlite({ ...options, role: "writer", searchTimeoutMs: 5_000 });
  db = openDatabase(folder, "reader");
  lineage = makeLineage(db, makeCache(1 << 20));
});
afterEach(async () => {
  db.close();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const erase = (id: string): Promise<void> => engine.store.transaction((tx) => tx.terms.delete("species", id));
const below = (id: string, ids: readonly string[]): string[] =>
  db.read(() => [...lineage.descendantsAmong("species", id, ids)]);
const above = (id: string): readonly string[] => db.read(() => lineage.findAncestors("species", [id]).get(id)!);

/** A chain of 1,000 below `sp:0`, the others wide below it. */
const tree = (): Map<string, TermContent> => {
  const items = Array.from({ length: LOADED }, (_, n) => {
    const parent = n < 1_000 ? n - 1 : n % 50;
    return item(n, `Item ${n}`, parent < 0 ? {} : { parent: `sp:${parent}` });
  });
  return new Map(items.map((content) => [content.id, content]));
};

it("knows what lies below, whatever single writes moved, added and deleted since", async () => {
  const items = tree();
  await loadAll(engine, items.values());
  const ids = [...items.keys(), "sp:9000", "sp:9001", "sp:none"];
  const check = (): void => {
    for (const id of ["sp:0", "sp:7", "sp:500", "sp:999", "sp:2500", "sp:9000", "sp:none"]) {
      const wanted = descendants([...items.values()], id).add(id);
      expect(below(id, ids).sort()).toEqual(ids.filter((other) => wanted.has(other)).sort());
    }
  };
  const put = async (content: TermContent): Promise<void> => {
    await putTerms(engine, [content]);
    items.set(content.id, content);
  };
  check();
  await put(item(9000, "Root"));
  await put(item(9001, "Below", { parent: "sp:2500" }));
  check();
  await put(item(500, "Moved", { parent: "sp:9000" }));
  check();
  await erase("sp:7");
  items.delete("sp:7");
  check();
  await put(item(7, "Back again", { parent: "sp:9000" }));
  await erase("sp:2500");
  items.delete("sp:2500");
  check();
  await loadAll(
    engine,
    Array.from({ length: 1_200 }, (_, n) => item(20_000 + n, `Later ${n}`, { parent: "sp:9001" })),
  );
  expect(below("sp:9001", ["sp:20000", "sp:21199", "sp:2500"])).toEqual(["sp:20000", "sp:21199"]);
  check();
});

it("names what lies above, nearest first, and walks a circle once", async () => {
  await putTerms(engine, [
    item(1, "Root"),
    item(2, "Middle", { parent: "sp:1" }),
    item(3, "Leaf", { parent: "sp:2" }),
    item(4, "Orphan", { parent: "sp:404" }),
  ]);
  expect(above("sp:3")).toEqual(["sp:2", "sp:1"]);
  expect(above("sp:4")).toEqual(["sp:404"]);
  expect(above("sp:404")).toEqual([]);
  await putTerms(engine, [item(1, "Root", { parent: "sp:3" })]);
  expect(above("sp:3")).toEqual(["sp:2", "sp:1"]);
  expect(above("sp:1")).toEqual(["sp:3", "sp:2"]);
  expect(below("sp:2", ["sp:1", "sp:2", "sp:3", "sp:4"])).toEqual(["sp:1", "sp:2", "sp:3"]);
  expect(below("sp:4", ["sp:1", "sp:2"])).toEqual([]);
  expect(below("sp:404", ["sp:4"])).toEqual(["sp:4"]);
});

it("knows nothing of a vocabulary without items", () => {
  expect(below("sp:1", ["sp:1"])).toEqual(["sp:1"]);
  expect(above("sp:1")).toEqual([]);
});
