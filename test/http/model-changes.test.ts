import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OutdatedRecord } from "../../src/services/api/admin.js";
import { type Bindery, mainFile, runCommand, settings, startBindery, type TestUser } from "../support/bindery.js";
import { deposit, eventually, publish } from "../support/deposit.js";
import type { ItemShape, Problem, RecordShape, SearchBody } from "../support/http-client.js";

const FIELDS = "fields:\n  title: { path: metadata.title, weight: title }\n";
const MODEL = `name: xrd\ntitle: X-ray diffraction\ndescription: Patterns of powders.\nversion: 1\n${FIELDS}`;

const SCHEMA = {
  type: "object",
  required: ["title"],
  properties: {
    title: { type: "string", minLength: 1 },
    form: { type: "string", enum: ["powder", "crystal", "film"] },
    scans: { type: "number" },
    measured: { type: "string" },
    comment: { type: "string" },
    organism: { "x-vocabulary": { name: "organisms" } },
  },
};

/** The model as it is from the second start on. */
const CHANGED_MODEL = `${MODEL.replace("version: 1", "version: 2")}  form: { path: metadata.form, facet: Form }
  measured: { path: metadata.measured, facet: Year of measurement }
  scans: { path: metadata.scans, facet: { label: Scans, edges: [10, 100] } }
`;
const { comment: _, ...kept } = SCHEMA.properties;
const CHANGED_SCHEMA = {
  ...SCHEMA,
  required: ["title", "operator"],
  properties: {
    ...kept,
    operator: { type: "string", title: "Operator" },
    form: { type: "string", enum: ["powder", "crystal"] },
    measured: { type: "string", format: "date" },
    organism: { "x-vocabulary": { name: "instruments" } },
  },
};

let folder: string;
let bindery: Bindery;
let alice: TestUser;
let published: readonly RecordShape[];
let draft: RecordShape;
let open: RecordShape;

function writeModel(model: string, schema: object): void {
  mkdirSync(join(folder, "models/xrd"), { recursive: true });
  writeFileSync(join(folder, "models/xrd/model.yaml"), model);
  writeFileSync(join(folder, "models/xrd/metadata.schema.json"), JSON.stringify(schema, null, 2));
}

const quartz = { title: "Quartz", form: "powder", scans: 5, measured: "2024-03-04", comment: "milled by hand" };
const garnet = { title: "Garnet", form: "film", scans: 50, measured: "2025-01-02", organism: { id: "taxid:562" } };
const draftOf = ({ id }: RecordShape): string => `/api/records/xrd/${id}/draft`;
const readPublished = async (): Promise<string[]> =>
  Promise.all(published.map(async ({ id }) => (await bindery.client.get(`/api/records/xrd/${id}`)).text));

async function search(query: string): Promise<SearchBody<RecordShape>> {
  const { status, body } = await bindery.client.get<SearchBody<RecordShape>>(`/api/records/xrd/?${query}`);
  expect(status, query).toBe(200);
  return body;
}
const titles = async (q: string): Promise<unknown[]> =>
  (await search(`sort=oldest&q=${encodeURIComponent(q)}`)).hits.hits.map(({ metadata }) => metadata.title);
const counts = async (facet: string): Promise<unknown[]> =>
  (await search("")).aggregations![facet]!.buckets.map(({ key, doc_count }) => [key, doc_count]);

async function verify(): Promise<{ code: number | null; outdated: { total: number; records: OutdatedRecord[] } }> {
  const { code, stdout } = await bindery.cli("verify", "--json");
  return { code, ...JSON.parse(stdout) };
}

async function startsNot(catalog: string): Promise<string> {
  const env = settings(bindery.data, { BINDERY_CATALOG: catalog });
  const { code, stderr } = await runCommand("timeout", ["20", process.execPath, mainFile(), "serve"], env);
  expect(code).toBe(1);
  return stderr;
}

function writeVocabulary(): void {
  const salts = join(folder, "vocabularies/salts");
  mkdirSync(salts, { recursive: true });
  writeFileSync(join(salts, "vocabulary.yaml"), 'name: salts\ntitle: Salts\ndescription: Salts.\nid_pattern: "s:1"\n');
  writeFileSync(join(salts, "starter.jsonl"), '{"id": "s:1", "title": "Halite"}\n');
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bindery-changes-"));
  writeModel(MODEL, SCHEMA);
  writeVocabulary();
  bindery = await startBindery({ env: { BINDERY_CATALOG: folder } });
  alice = await bindery.user("alice");
  published = [
    await publish(alice.client, { metadata: quartz }, "xrd"),
    await publish(alice.client, { metadata: garnet }, "xrd"),
  ];
  draft = await deposit(alice.client, { metadata: { form: "film" } }, "xrd");
  open = (await alice.client.post<RecordShape>(draftOf(published[0]!))).body;
}, 120_000);
afterAll(async () => {
  await bindery.dispose();
  rmSync(folder, { recursive: true });
});

describe("after a change of a model", () => {
  let before: readonly string[];
  beforeAll(async () => {
    before = await readPublished();
    await bindery.end("SIGTERM");
    writeModel(CHANGED_MODEL, CHANGED_SCHEMA);
    await bindery.restart();
  }, 120_000);

  it("published records are what they were, to the byte", async () => {
    const port = (text: string): string => text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "");
    expect((await readPublished()).map(port)).toEqual(before.map(port));
  });

  it("they are found as before, also by a field that is gone", async () => {
    expect(await titles("garnet")).toEqual(["Garnet"]);
    expect(await titles("metadata.form:film")).toEqual(["Garnet"]);
    expect(await titles("milled")).toEqual(["Quartz"]);
    expect(await titles("comment:milled")).toEqual([]);
    expect(await titles("coli")).toEqual(["Garnet"]);
  });

  it("short names, facets and types that are new hold for them too", async () => {
    expect(await titles("form:powder")).toEqual(["Quartz"]);
    expect(await counts("scans")).toEqual([
      ["..10", 1],
      ["10..100", 1],
    ]);
    await eventually(async () => {
      expect(await counts("form")).toEqual(
        expect.arrayContaining([
          ["powder", 1],
          ["film", 1],
        ]),
      );
      expect(await titles("measured:>2024-12-31")).toEqual(["Garnet"]);
      expect(await counts("measured")).toEqual([
        ["2024", 1],
        ["2025", 1],
      ]);
      expect((await search("form=film")).hits.total).toBe(1);
    });
  });

  it("verify lists what no longer passes, and all agrees", async () => {
    const { code, outdated } = await eventually(async () => {
      const found = await verify();
      expect(found.code).toBe(0);
      return found;
    });
    expect(code).toBe(0);
    expect(outdated.total).toBe(3);
    expect(outdated.records.map(({ id, state, problems }) => [id, state, problems])).toEqual([
      [published[0]!.id, "published", 1],
      [published[1]!.id, "published", 3],
      [open.id, "draft", 1],
    ]);
    expect(outdated.records[0]!.first).toMatchObject({ field: "metadata.operator", code: "REQUIRED" });
    expect(outdated.records[1]!.first).toMatchObject({ field: "metadata.organism.id", code: "TERM_UNKNOWN" });
    const { stdout } = await bindery.cli("verify");
    expect(stdout).toMatch(/^No longer pass their model: 3 records\. .*$/m);
    expect(stdout).toContain(`  xrd ${published[0]!.id} (published): metadata.operator: `);
    expect(stdout).toMatch(/ \(and 2 more\)$/m);
  });

  it("a draft is read with the problems that it was saved with, until it is saved again", async () => {
    const codes = ({ errors = [] }: RecordShape): string[] => errors.map(({ field }) => field).sort();
    expect(codes((await alice.client.get<RecordShape>(draftOf(draft))).body)).toEqual(["metadata.title"]);
    const saved = await alice.client.put<RecordShape>(draftOf(draft), { metadata: { form: "film" } });
    expect(codes(saved.body)).toEqual(["metadata.form", "metadata.operator", "metadata.title"]);
    expect(codes((await alice.client.get<RecordShape>(draftOf(draft))).body)).toEqual(codes(saved.body));
  });

  it("an edit is published once it says what the model wants now", async () => {
    const path = draftOf(published[0]!);
    const refused = await alice.client.post<Problem>(`${path}/actions/publish`);
    expect(refused.status).toBe(400);
    expect(refused.body.errors!.map(({ field }) => field)).toEqual(["metadata.operator"]);
    expect((await alice.client.put(path, { metadata: { ...quartz, operator: "Alice" } })).status).toBe(200);
    const again = await alice.client.post<RecordShape>(`${path}/actions/publish`);
    expect(again.status).toBe(202);
    expect(again.body.metadata.comment).toBe(quartz.comment);
    expect((await verify()).outdated.records.map(({ id }) => id)).toEqual([published[1]!.id]);
  });
});

describe("a model with records that leaves the catalog", () => {
  it("stops the start, which says how many there are and what to do", async () => {
    await bindery.end("SIGTERM");
    const said = await startsNot("");
    expect(said).toContain("  xrd: 2 published, 1 in drafts\n");
    expect(said).toMatch(/BINDERY_CATALOG/);
    expect(said).not.toMatch(/at .*\.js:\d+/);
  });

  it("stops it under another name too, and starts again when it is back", async () => {
    renameSync(join(folder, "models/xrd"), join(folder, "models/xray"));
    writeFileSync(join(folder, "models/xray/model.yaml"), CHANGED_MODEL.replace("name: xrd", "name: xray"));
    expect(await startsNot(folder)).toContain("xrd: 2 published");
    renameSync(join(folder, "models/xray"), join(folder, "models/xrd"));
    writeModel(CHANGED_MODEL, CHANGED_SCHEMA);
    await bindery.restart();
    expect(await titles("garnet")).toEqual(["Garnet"]);
  });
});

it("a vocabulary with items that leaves the catalog is warned of, and comes back with them", async () => {
  const titleOf = async () => (await bindery.client.get<ItemShape>("/api/vocabularies/salts/s:1")).body.title;
  const warning = "The catalog has no vocabulary salts: its terms (1) are kept, but not served.";
  expect(bindery.output()).not.toContain(warning);
  await bindery.end("SIGTERM");
  rmSync(join(folder, "vocabularies"), { recursive: true });
  await bindery.restart();
  expect(bindery.output()).toContain(warning);
  expect((await bindery.client.get("/api/vocabularies/salts/s:1")).status).toBe(404);
  await bindery.end("SIGTERM");
  writeVocabulary();
  await bindery.restart();
  expect(await titleOf()).toEqual({ en: "Halite" });
});
