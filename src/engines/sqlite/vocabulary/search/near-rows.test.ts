import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { contractCatalog, makeClock } from "../../../../../test/support/engines/engine-under-test.js";
import { item, loadAll, putTerms } from "../../../../../test/support/engines/term-fixtures.js";
import { LIMITS } from "../../../../core/limits.js";
import type { Engine } from "../../../../ports/engine.js";
import { openSqlite } from "../../index.js";

let folder: string;
let engine: Engine;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-near-"));
  const options = { folder, catalog: contractCatalog(), clock: makeClock() };
  engine = openSqlite({ ...options, role: "writer", searchTimeoutMs: 5_000 });
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const suggest = async (text: string): Promise<readonly string[]> => {
  const page = { offset: 0, limit: 10 };
  const found = await engine.index.suggestTerms({ vocabulary: "species", text, facets: [], lang: "en", page });
  return found.hits.map(({ id }) => id);
};

/** Returns enough terms for a load that makes a new generation. */
const fillers = (from: number) =>
  Array.from({ length: LIMITS.importTransactionItemsMax + 1 }, (_, n) => item(from + n, `Filler ${from + n}`));

it("finds words with typos in what was loaded, added, changed and deleted since they were typed first", async () => {
  await loadAll(engine, [item(1, "Zymomonas mobilis"), item(2, "Zymomonas pomaceae"), ...fillers(10_000)]);
  expect(await suggest("zymomnas")).toEqual(["sp:1", "sp:2"]);
  await putTerms(engine, [item(4, "Zymomonas"), item(1, "Mobilis")]);
  expect(await suggest("zymomnas")).toEqual(["sp:4", "sp:2"]);
  await engine.store.transaction((tx) => tx.terms.delete("species", "sp:2"));
  expect(await suggest("zymomnas")).toEqual(["sp:4"]);
  await loadAll(engine, [item(7, "Zymomonas nova"), ...fillers(20_000)]);
  expect(await suggest("zymomnas")).toEqual(["sp:4", "sp:7"]);
});
