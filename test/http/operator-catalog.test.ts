import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { deposit, importItems, publish } from "../support/deposit.js";
import { at, type ItemShape, type Problem, type RecordShape, type SearchBody } from "../support/http-client.js";
import { type Service, startService } from "../support/service.js";

/** An operator's own model and vocabulary: data, no code. */
const OWN: Readonly<Record<string, string>> = {
  "vocabularies/minerals/vocabulary.yaml": `
name: minerals
title: Minerals
description: Species of minerals, by their symbol.
id_pattern: "min:[A-Z][a-z]*"
id_prefixes: [min]
languages: [en, cs]
props:
  hardness: { title: Hardness on the scale of Mohs, type: number }
  system: { title: Crystal system, type: text, facet: Crystal system }
`,
  "vocabularies/minerals/starter.jsonl": [
    { id: "min:Qz", title: { en: "Quartz", cs: "křemen" }, props: { hardness: 7, system: "trigonal" } },
    { id: "min:Cal", title: { en: "Calcite", cs: "kalcit" }, props: { hardness: 3, system: "trigonal" } },
  ]
    .map((item) => JSON.stringify(item))
    .join("\n"),
  "models/xrd/model.yaml": `
name: xrd
title: X-ray diffraction
description: Patterns of powders.
version: 1
roots: [metadata]
fields:
  title: { path: metadata.title, weight: title }
  mineral: { path: metadata.samples.mineral, facet: Mineral }
  angle: { path: metadata.samples.peaks.angle }
  measured: { path: metadata.measured }
`,
  "models/xrd/metadata.schema.json": JSON.stringify({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    required: ["title", "samples"],
    properties: {
      title: { type: "string", minLength: 1 },
      measured: { type: "string", format: "date" },
      samples: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          required: ["mineral"],
          properties: {
            mineral: { "x-vocabulary": { name: "minerals", fields: ["system", "hardness"] } },
            peaks: {
              type: "array",
              items: { type: "object", properties: { angle: { type: "number", minimum: 0, maximum: 180 } } },
            },
          },
        },
      },
    },
  }),
};

let folder: string;
let bindery: Service;
let alice: TestUser;

function writeCatalog(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "bindery-catalog-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

beforeAll(async () => {
  folder = writeCatalog(OWN);
  bindery = await startService({ env: { BINDERY_CATALOG: folder } });
  alice = await bindery.user("alice");
});
afterAll(async () => {
  await bindery.dispose();
  rmSync(folder, { recursive: true });
});

const sample = (id: string, angle: number) => ({ mineral: { id }, peaks: [{ angle }, { angle: angle + 1 }] });
const record = (title: string, ...samples: object[]) => ({ metadata: { title, measured: "2026-03-04", samples } });

describe("an operator's vocabulary", () => {
  it("stands in the list beside the built-in ones", async () => {
    const { body } = await bindery.client.get<SearchBody>("/api/vocabularies");
    expect(body.hits.total).toBe(11);
    expect(body.hits.hits.find(({ id }) => id === "minerals")).toMatchObject({ title: "Minerals", count: 2 });
  });

  it("answers item, search, suggest, ids, facets and languages", async () => {
    const path = "/api/vocabularies/minerals";
    const item = await bindery.client.get<ItemShape>(`${path}/min:Qz`);
    expect(item.body).toMatchObject({ id: "min:Qz", type: "minerals", props: { hardness: 7 } });
    const first = async (query: string) =>
      (await bindery.client.get<SearchBody<ItemShape>>(`${path}?${query}`)).body.hits.hits.map(({ id }) => id);
    expect(await first("q=quartz")).toEqual(["min:Qz"]);
    expect(await first("q=hardness:%3E5")).toEqual(["min:Qz"]);
    expect(await first("q=min:Cal")).toEqual(["min:Cal"]);
    expect(await first("suggest=ca")).toEqual(["min:Cal"]);
    expect(await first("ids=min:Qz&ids=min:Cal")).toEqual(["min:Qz", "min:Cal"]);
    expect(await first("sort=title")).toEqual(["min:Cal", "min:Qz"]);
    expect(await first("sort=title&lang=cs")).toEqual(["min:Cal", "min:Qz"]);
    const { body } = await bindery.client.get<SearchBody>(`${path}?system=trigonal`);
    expect(body.aggregations!.system!.buckets).toMatchObject([{ key: "trigonal", doc_count: 2, is_selected: true }]);
  });

  it("takes imports, and refuses ids that do not fit", async () => {
    expect(
      await importItems(bindery, "minerals", [{ id: "min:Gp", title: { en: "Gypsum" }, props: { hardness: 2 } }]),
    ).toMatch(/1 new/);
    const bad = join(bindery.data, "bad.ndjson");
    writeFileSync(bad, '{"id": "gypsum", "title": {"en": "Gypsum"}}\n');
    expect((await bindery.cli("import", "vocabulary", "minerals", bad)).code).toBe(1);
  });
});

describe("an operator's model", () => {
  it("takes deposits, fills terms in, publishes, and is found through every search", async () => {
    const draft = await deposit(alice.client, record("Quartz sand", sample("min:Qz", 26.6)), "xrd");
    expect(at(draft, "metadata.samples.0.mineral")).toMatchObject({
      title: { en: "Quartz" },
      system: "trigonal",
      hardness: 7,
    });
    const published = await publish(alice.client, record("Limestone", sample("min:Cal", 29.4)), "xrd");
    for (const path of ["/api/records/xrd/", "/api/search/"]) {
      for (const q of [
        "limestone",
        "calcite",
        "mineral:min\\:Cal",
        "angle:>29",
        "samples.peaks.angle:29.4",
        "model:xrd",
      ]) {
        const { body } = await bindery.client.get<SearchBody<RecordShape>>(`${path}?q=${encodeURIComponent(q)}`);
        expect(
          body.hits.hits.map(({ id }) => id),
          `${path} ${q}`,
        ).toEqual([published.id]);
      }
    }
    const { body } = await bindery.client.get<SearchBody>("/api/records/xrd/?mineral=min:Cal");
    expect(body.aggregations!.mineral!.buckets).toMatchObject([
      { key: "min:Cal", label: "Calcite", is_selected: true },
    ]);
    const mine = await alice.client.get<SearchBody<RecordShape>>("/api/user/records/xrd/");
    expect(mine.body.hits.hits.map(({ id }) => id).sort()).toEqual([draft.id, published.id].sort());
  });

  it("checks what its schema says", async () => {
    const draft = await deposit(alice.client, record("", sample("min:Xx", 200)), "xrd");
    const fields = draft.errors!.map(({ field }) => field).sort();
    expect(fields).toEqual([
      "metadata.samples.0.mineral.id",
      "metadata.samples.0.peaks.0.angle",
      "metadata.samples.0.peaks.1.angle",
      "metadata.title",
    ]);
    const path = `/api/records/xrd/${draft.id}/draft`;
    expect((await alice.client.post<Problem>(`${path}/actions/publish`)).status).toBe(400);
    expect((await alice.client.put<RecordShape>(path, record("Now", sample("min:Qz", 1)))).body.errors).toBeUndefined();
    expect((await alice.client.delete(path)).status).toBe(204);
  });
});

describe("a wrong declaration", () => {
  it.each<[string, Record<string, string>, RegExp]>([
    ["no YAML", { "models/xrd/model.yaml": "name: [xrd\n" }, /model\.yaml:\d+/],
    [
      "an unknown key",
      { "vocabularies/minerals/vocabulary.yaml": `${OWN["vocabularies/minerals/vocabulary.yaml"]}colour: red\n` },
      /vocabulary\.yaml:11.*colour/,
    ],
    [
      "a path that no schema has",
      { "models/xrd/model.yaml": OWN["models/xrd/model.yaml"]!.replace("metadata.measured", "metadata.mesured") },
      /model\.yaml:11/,
    ],
    [
      "a facet named like a parameter",
      { "models/xrd/model.yaml": OWN["models/xrd/model.yaml"]!.replace("  mineral:", "  sort:") },
      /model\.yaml:9.*sort/,
    ],
    [
      "a pattern that is none",
      {
        "vocabularies/minerals/vocabulary.yaml": OWN["vocabularies/minerals/vocabulary.yaml"]!.replace(
          "min:[A-Z][a-z]*",
          "min:(",
        ),
      },
      /vocabulary\.yaml:5/,
    ],
    [
      "a starter item that does not fit",
      {
        "vocabularies/minerals/starter.jsonl":
          '{"id": "min:Qz", "title": {"en": "Quartz"}}\n{"id": "x", "title": {"en": "X"}}\n',
      },
      /starter\.jsonl:2/,
    ],
    [
      "an unknown vocabulary in a schema",
      {
        "models/xrd/metadata.schema.json": OWN["models/xrd/metadata.schema.json"]!.replace(
          '"name":"minerals"',
          '"name":"rocks"',
        ),
      },
      /metadata\.schema\.json:\d+.*rocks/,
    ],
    ["a schema that is no JSON", { "models/xrd/metadata.schema.json": "{\n  nonsense\n}" }, /metadata\.schema\.json:2/],
  ])("(%s) stops the start with file, line and reason", async (_, files, expected) => {
    const broken = writeCatalog({ ...OWN, ...files });
    // How the program ends then, test/cli/cli.test.ts shows.
    const start = startService({ data: join(broken, "data"), env: { BINDERY_CATALOG: broken } });
    const { message } = await start.then(
      () => new Error("It started."),
      (error: Error) => error,
    );
    rmSync(broken, { recursive: true });
    expect(message).toMatch(expected);
    expect(message).not.toMatch(/at .*\.[jt]s:\d+/);
  });
});
