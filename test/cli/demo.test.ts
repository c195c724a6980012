import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { DEMO_FOLDER, loadDemo } from "../../src/cli/demo.js";
import { type Actor, ANONYMOUS } from "../../src/core/actor.js";
import { fieldTree } from "../../src/core/catalog/field-tree.js";
import type { RecordBody } from "../../src/core/record.js";
import type { RecordSearchRequest } from "../../src/services/api/searches.js";
import { builtInCatalog } from "../support/catalog.js";
import { newStore } from "../support/new-store.js";
import { type OpenServices, openServices } from "../support/open-services.js";
import { runCli } from "./run-cli.js";

const MODELS = ["bli", "itc", "mst", "spr"];

function readLines(file: string): string[] {
  return readFileSync(join(DEMO_FOLDER, file), "utf8").trimEnd().split("\n");
}

/** All lines of a folder, each with the name of its file. */
function readFolder(folder: string): { name: string; line: string }[] {
  const files = readdirSync(join(DEMO_FOLDER, folder));
  return files.flatMap((file) =>
    readLines(join(folder, file)).map((line) => ({ name: basename(file, ".jsonl"), line })),
  );
}

const records = [...readFolder("generated"), ...readFolder("records")];
const versions = readFolder("versions");
const drafts = readFolder("drafts");
const termCount = readFolder("vocabularies").length;
const recordCount = records.length + versions.length;

describe("bindery demo", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "bindery-demo-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("finds nothing to do a second time, without a server too", async () => {
    const env = { BINDERY_DATA: join(folder, "alone") };
    await newStore(env.BINDERY_DATA, "demo");
    const tokens = await runCli(["token", "list"], env);
    const second = await runCli(["demo"], env);
    expect(second).toMatchObject({ code: 0, stderr: "" });
    expect(second.stdout).toContain(`Nothing to do: ${termCount} terms and ${recordCount} records are there.`);
    expect((await runCli(["token", "list"], env)).stdout).toBe(tokens.stdout);
  });
});

it("goes on where an earlier run was ended", async () => {
  const services = await openServices();
  onTestFinished(() => services.dispose());
  await services.addUser("demo", "depositor");
  for (const vocabulary of ["chemicals", "organisms"]) {
    const file = join(DEMO_FOLDER, `vocabularies/${vocabulary}.jsonl`);
    await services.importTerms({ vocabulary, file, skipRefused: false });
  }
  const file = join(DEMO_FOLDER, "records/bli.jsonl");
  const { published } = await services.importRecords({ model: "bli", file, owner: "demo", publish: true });
  expect(await loadDemo(services)).toEqual({
    terms: { changed: 0, all: termCount },
    records: { changed: recordCount - published, all: recordCount },
  });
}, 180_000);

describe("the examples", () => {
  let services: OpenServices;
  let owner: Actor;
  beforeAll(async () => {
    services = await openServices({ content: "demo" });
    owner = await services.authenticate(
      (await services.createToken({ user: "demo", scopes: ["records:read", "records:write"] })).token,
    );
  }, 180_000);
  afterAll(() => services.dispose());

  const searchAs = (actor: Actor, request: Partial<RecordSearchRequest>): ReturnType<OpenServices["searchRecords"]> =>
    services.searchRecords(actor, {
      own: false,
      window: { page: 1, size: 1_000 },
      filters: {},
      facetSize: 1_000,
      lang: "en",
      ...request,
    });

  const countsOf = async (facet: string): Promise<Record<string, number>> => {
    const { aggregations } = await searchAs(ANONYMOUS, {});
    return Object.fromEntries(aggregations![facet]!.buckets.map(({ label, doc_count }) => [label, doc_count]));
  };

  it("are some 50 records of each model, all published", async () => {
    const { hits, total } = await searchAs(ANONYMOUS, {});
    expect(total).toBe(records.length);
    const counts = MODELS.map((model) => hits.filter((hit) => hit.model === model).length);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(45);
    expect(Math.max(...counts)).toBeLessThanOrEqual(55);
  });

  it("have every kind of result and of entity that the models know", async () => {
    expect(Object.keys(await countsOf("result_type")).sort()).toEqual(kindsOf("results"));
    expect(Object.keys(await countsOf("entity_type")).sort()).toEqual(kindsOf("entities_of_interest"));
  });

  it("are of many years, instruments, grants and affiliations, and of all access rights", async () => {
    expect(Object.keys(await countsOf("collected")).length).toBeGreaterThanOrEqual(12);
    expect(Object.keys(await countsOf("instrument")).length).toBeGreaterThanOrEqual(40);
    expect(Object.keys(await countsOf("grant")).length).toBeGreaterThanOrEqual(10);
    expect(Object.keys(await countsOf("affiliation")).length).toBeGreaterThanOrEqual(15);
    expect(Object.keys(await countsOf("access_rights")).sort()).toEqual(["embargoed", "open", "restricted"]);
  });

  it("have drafts of the owner's, of which one can be published", async () => {
    const { hits } = await searchAs(owner, { own: true, filters: { is_draft: ["true"] } });
    expect(hits).toHaveLength(drafts.length);
    const counts = hits.map(({ json }) => (JSON.parse(json) as RecordBody).errors?.length ?? 0);
    expect(counts.filter((count) => count === 0)).toHaveLength(1);
  });

  it("have older versions, which only a search of all versions finds", async () => {
    expect((await searchAs(ANONYMOUS, { allVersions: true })).total).toBe(recordCount);
    const { hits } = await searchAs(ANONYMOUS, { q: "title:bisphenol title:estrogen", allVersions: true });
    const found = hits.map(({ json }) => (JSON.parse(json) as RecordBody).versions);
    expect(found.map(({ index, is_latest }) => [index, is_latest])).toEqual([
      [2, true],
      [1, false],
    ]);
  });

  it("have a term that was replaced", async () => {
    expect(await services.readTerm("organisms", "taxid:11321")).toEqual({ kind: "moved", to: "taxid:387139" });
  });

  it("are deposited without anything to be said about them", async () => {
    for (const { name, line } of [...records, ...versions, ...drafts]) {
      const { warnings, record } = await services.createDraft(owner, name, line);
      expect(warnings, line.slice(0, 300)).toEqual([]);
      if (!drafts.some((draft) => draft.line === line)) {
        expect((JSON.parse(record.json) as RecordBody).errors ?? [], line.slice(0, 300)).toEqual([]);
      }
    }
  }, 180_000);
});

/** The kinds of what a list of the model holds, sorted. */
function kindsOf(list: string): string[] {
  const { schema } = builtInCatalog().models.get("mst")!;
  const general = fieldTree(schema).shape!.fields.get("general_parameters")!;
  const { choices } = general.shape!.fields.get(list)!.items!.shape!;
  const choice = choices.find(({ by }) => by === "type")!;
  return choice.alternatives.flatMap(({ values }) => values).sort();
}
