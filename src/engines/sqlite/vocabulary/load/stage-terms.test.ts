import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { tinyCatalog } from "../../../../../test/support/tiny-catalog.js";
import type { TermContent } from "../../../../core/term.js";
import type { LoadOptions, LoadSummary, PreparedTerm, TermLine } from "../../../../ports/loads.js";
import { createDatabase, type Db, openDatabase } from "../../connection/database.js";
import { makeWriter, type Writer } from "../../connection/write-connection.js";
import { makeTermReader } from "../store/term-reader.js";
import { makeTermWriter } from "../store/term-writer.js";
import { prepareLines } from "./stage-terms.js";
import { startTermLoads, type TermLoads } from "./term-loads.js";

const catalog = tinyCatalog();
const species = catalog.vocabularies.get("species")!;

const wolf: TermContent = { id: "sp:1", title: { en: "Wolf" }, props: {}, status: "active" };

let folder: string;
let db: Db;
let writer: Writer;
let loads: TermLoads;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-lines-"));
  createDatabase(folder);
  db = openDatabase(folder, "writer");
  writer = makeWriter(db, { nowMicros: () => Date.now() * 1000 });
  loads = startTermLoads(writer, catalog, async () => undefined);
});
afterEach(async () => {
  await loads.stop();
  await writer.idle();
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

const put = (content: TermContent): Promise<unknown> =>
  writer.run((now) => makeTermWriter(db, catalog, now, () => undefined).put("species", content));
const wolfNow = async (): Promise<unknown> => {
  const found = await makeTermReader(db, catalog).get("species", "sp:1");
  return found?.kind === "found" ? JSON.parse(found.term.json) : found;
};
const line = (content: TermContent): TermLine => ({ line: 1, patch: content, alone: content });

async function* lines(prepared: readonly PreparedTerm[]): AsyncGenerator<TermLine> {
  for (const each of prepared) yield { line: 1, prepared: each };
}

const load = (prepared: readonly PreparedTerm[], options?: LoadOptions): Promise<LoadSummary> =>
  loads.loadTerms("species", lines(prepared), options);

it("leaves an item that was as the line says as others have made it since", async () => {
  await put(wolf);
  const prepared = prepareLines(db, species, [line(wolf)]);
  await put({ ...wolf, title: { en: "Grey wolf" } });
  expect(await load(prepared, { source: "zoo" })).toMatchObject({ new: 0, changed: 0, unchanged: 1 });
  expect(await wolfNow()).toMatchObject({ title: { en: "Grey wolf" } });
});

it("notes the source of an item that stays as it is, and knows it when the source no longer has it", async () => {
  await put(wolf);
  await load(prepareLines(db, species, [line(wolf)]), { source: "zoo", isUnique: true });
  const other = { ...wolf, id: "sp:2" };
  const synced = await load(prepareLines(db, species, [line(other)]), { source: "zoo", withdraws: () => true });
  expect(synced).toMatchObject({ new: 1, withdrawn: 1 });
});

it("does not withdraw what the source still has, unchanged", async () => {
  await put(wolf);
  await load(prepareLines(db, species, [line(wolf)]), { source: "zoo" });
  const again = await load(prepareLines(db, species, [line(wolf)]), { source: "zoo", withdraws: () => true });
  expect(again).toMatchObject({ unchanged: 1, withdrawn: 0 });
});

it("writes a line over an item that somebody added since it was prepared", async () => {
  const prepared = prepareLines(db, species, [line(wolf)]);
  await put({ ...wolf, title: { en: "Hound" }, synonyms: [{ name: "Lupus", kind: "synonym" }] });
  expect(await load(prepared)).toMatchObject({ new: 0, changed: 1 });
  expect(await wolfNow()).toMatchObject({ title: { en: "Wolf" }, synonyms: [{ name: "Lupus", kind: "synonym" }] });
});
