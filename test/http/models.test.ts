import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isObject, type Json, type JsonObject } from "../../src/core/json.js";
import { ROOT, type TestUser } from "../support/bindery.js";
import { BUILT_IN_MODELS } from "../support/built-in-models.js";
import type { Answer, Problem, SearchBody } from "../support/http-client.js";
import { type Service, startService } from "../support/service.js";

interface ModelShape {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly version: number;
  readonly links: Readonly<Record<string, string>>;
}

/** Two models of an operator's own: one with an example, one without. */
const DIARY = "title: Diary\ndescription: Days.\nversion: 3\nfields: {}\n";
const EXAMPLE = { metadata: { title: "A day", place: { name: "Brno" } } };
const OWN: Readonly<Record<string, string>> = {
  "models/diary/model.yaml": `name: diary\n${DIARY}`,
  "models/diary/metadata.schema.json": JSON.stringify({
    title: "A day",
    type: "object",
    required: ["title"],
    properties: {
      title: { type: "string", title: "Title", description: "What the day was about." },
      place: { $ref: "../../shared/places.schema.json#/$defs/Place", title: "Where" },
      mood: { "x-vocabulary": { name: "languages" } },
    },
  }),
  "models/diary/example.json": JSON.stringify(EXAMPLE),
  "models/bare/model.yaml": `name: bare\n${DIARY}`,
  "models/bare/metadata.schema.json": '{"type": "object", "properties": {"note": {"type": "string"}}}',
  "shared/places.schema.json": JSON.stringify({
    $defs: { Place: { title: "Place", type: "object", properties: { name: { type: "string" } } } },
  }),
};
/** The keywords that JSON Schema does not have, each explained in docs/http.md. */
const OURS = ["x-vocabulary", "x-reference", "x-not-known", "x-kind", "x-past", "discriminator"];

let bindery: Service;
let ada: TestUser;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bindery-models-"));
  for (const [name, text] of Object.entries(OWN)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  bindery = await startService({ env: { BINDERY_CATALOG: folder } });
  ada = await bindery.user("ada");
});
afterAll(async () => {
  await bindery.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const get = <Body = JsonObject>(path: string, headers: Record<string, string> = {}): Promise<Answer<Body>> =>
  bindery.client.get<Body>(path.startsWith("http") ? path.slice(bindery.url.length) : path, { headers });
const models = async (): Promise<readonly ModelShape[]> =>
  (await get<SearchBody<ModelShape>>("/api/models")).body.hits.hits;

describe("the list of models", () => {
  it("is a search answer that says what each is, and where more is said", async () => {
    const served = [...BUILT_IN_MODELS, "bare", "diary"].sort();
    const { body, headers } = await get<SearchBody<ModelShape>>("/api/models");
    expect(body.hits.hits.map(({ id }) => id)).toEqual(served);
    expect(body).toMatchObject({
      hits: { total: served.length },
      page: 1,
      links: { self: `${bindery.url}/api/models` },
    });
    expect(body).not.toHaveProperty("warnings");
    expect(headers["cache-control"]).toBe("public, no-cache");
    for (const hit of body.hits.hits) {
      expect(hit.version).toBeGreaterThan(0);
      for (const [name, link] of Object.entries(hit.links)) expect((await get(link)).status, name).toBe(200);
      expect((await get<ModelShape>(hit.links.self!)).body).toEqual(hit);
    }
  });

  it("links to an example where there is one", async () => {
    const named = new Map((await models()).map(({ id, links }) => [id, links]));
    const self = `${bindery.url}/api/models/diary`;
    const records = `${bindery.url}/api/records/diary`;
    const [schema, fields, example] = ["schema", "fields", "example"].map((end) => `${self}/${end}`);
    expect(named.get("diary")).toEqual({ self, schema, fields, example, records });
    expect(Object.keys(named.get("bare")!)).toEqual(["self", "schema", "fields", "records"]);
  });
});

describe("every path of a model", () => {
  const paths = ["", "/schema", "/fields", "/example"].map((end) => `/api/models/diary${end}`);

  it.each([...paths, "/api/models"])(
    "%s works with a slash at its end, with HEAD, and names what it does not know",
    async (path) => {
      const { text, headers } = await get(path);
      expect((await get(`${path}/`)).text).toBe(text);
      const head = await bindery.client.send("HEAD", path);
      expect([head.status, head.text, head.headers["content-length"]]).toEqual([200, "", headers["content-length"]]);
      expect((await get(`${path}?reffs=resolved`)).body).toMatchObject({
        warnings: [{ code: "UNKNOWN_PARAMETER", parameter: "reffs" }],
      });
      expect((await bindery.client.send("DELETE", path)).status).toBe(405);
    },
  );

  it.each(paths)("%s has a strong ETag of its content", async (path) => {
    const { headers, text } = await get(path);
    expect(headers.etag).toMatch(/^"[\w-]{22}"$/);
    expect(headers["cache-control"]).toBe("public, no-cache");
    for (const tag of [headers.etag!, `W/${headers.etag}`, `"x", ${headers.etag}`, "*"]) {
      const again = await get(path, { "if-none-match": tag });
      expect([again.status, again.text, again.headers.etag]).toEqual([304, "", headers.etag]);
    }
    expect((await get(path, { "if-none-match": '"1"' })).text).toBe(text);
    expect((await get(`${path}?x=1`)).headers.etag).not.toBe(headers.etag);
  });

  it.each(["", "/schema", "/example"])("is a 404 where there is no such model: %s", async (end) => {
    const { status, body } = await get<Problem>(`/api/models/nmr${end}`);
    expect([status, body.code]).toEqual([404, "MODEL_NOT_FOUND"]);
  });
});

describe("the example", () => {
  it("is the body that the catalog has", async () => {
    expect((await get("/api/models/diary/example")).body).toEqual(EXAMPLE);
    const { status, body } = await get<Problem>("/api/models/bare/example");
    expect([status, body.code]).toEqual([404, "EXAMPLE_NOT_FOUND"]);
    expect(body.message).toContain("bare");
  });

  it("of each model can be deposited as it stands", async () => {
    for (const { id, links } of await models()) {
      if (links.example === undefined) continue;
      const { body } = await get(links.example);
      const { status, body: answer } = await ada.client.post(`/api/records/${id}?validate=only`, body);
      expect([status, answer.valid, answer.errors, answer.warnings], id).toEqual([200, true, [], []]);
    }
  });
});

describe("the schema", () => {
  it("keeps shared parts in $defs, or has them where they are used", async () => {
    const kept = (await get("/api/models/diary/schema")).body;
    const $id = `${bindery.url}/api/models/diary/schema`;
    const $schema = "https://json-schema.org/draft/2020-12/schema";
    const place = { title: "Place", type: "object", properties: { name: { type: "string" } } };
    expect(kept).toMatchObject({ $schema, $id, title: "A day", description: "Days." });
    expect(kept.$defs).toEqual({ "places.Place": place });
    expect((kept.properties as JsonObject).place).toEqual({ $ref: "#/$defs/places.Place", title: "Where" });

    const resolved = (await get("/api/models/diary/schema?refs=resolved")).body;
    expect(resolved).toMatchObject({ $schema, $id: `${$id}?refs=resolved`, required: ["title"] });
    expect(resolved).not.toHaveProperty("$defs");
    expect((resolved.properties as JsonObject).place).toEqual({ ...place, title: "Where" });
    expect((await get("/api/models/diary/schema?refs=kept")).body).toEqual(kept);
  });

  it("refuses another value of refs, and says which there are", async () => {
    const { status, body } = await get<Problem>("/api/models/diary/schema?refs=inline");
    expect([status, body.code]).toEqual([400, "PARAMETER_INVALID"]);
    expect(body.errors).toMatchObject([{ field: "refs", allowed: ["kept", "resolved"] }]);
  });

  it("is JSON, whatever of it is asked for", async () => {
    for (const accept of ["application/schema+json", "application/json", "*/*", "text/html, application/*;q=0.1"]) {
      const { status, headers } = await get("/api/models/mst/schema", { accept });
      expect([status, headers["content-type"]], accept).toEqual([200, "application/json; charset=utf-8"]);
    }
    expect((await get<Problem>("/api/models/mst/schema", { accept: "text/html" })).body.code).toBe("NOT_ACCEPTABLE");
    expect((await get<Problem>("/api/models/mst", { accept: "application/schema+json" })).status).toBe(406);
  });

  it.each(["kept", "resolved"])("of each model is one that another validator takes, with refs=%s", async (refs) => {
    for (const { id, links } of await models()) {
      const { body: schema } = await get(`${links.schema}?refs=${refs}`);
      const ajv = makeStrictAjv();
      expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true);
      const validate = ajv.compile(schema);
      expect(validate([]), id).toBe(false);
      if (links.example === undefined) continue;
      const { metadata } = (await get<{ metadata: JsonObject }>(links.example)).body;
      expect(validate(metadata), JSON.stringify(validate.errors)).toBe(true);
    }
  });

  it("has no keyword that is neither of JSON Schema nor explained", async () => {
    const documented = readFileSync(join(ROOT, "docs/http.md"), "utf8");
    for (const keyword of OURS) expect(documented).toContain(`\`${keyword}\``);
    const standard = new Set(Object.keys(makeStrictAjv().RULES.keywords));
    for (const { links } of await models()) {
      const found = keywordsOf((await get(links.schema!)).body);
      expect([...found].filter((keyword) => !standard.has(keyword) && !OURS.includes(keyword))).toEqual([]);
    }
  });
});

/** Takes no keyword that it does not know. Types may stand in another part of the schema than what needs them. */
function makeStrictAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, discriminator: true });
  addFormats.default(ajv);
  return ajv.addVocabulary(OURS.filter((keyword) => keyword.startsWith("x-")));
}

const HOLD_ONE = ["items", "contains", "not", "if", "then", "else", "additionalProperties", "unevaluatedProperties"];
const HOLD_LIST = ["allOf", "anyOf", "oneOf", "prefixItems"];
const HOLD_MAP = ["properties", "patternProperties", "$defs"];

function keywordsOf(schema: Json, found = new Set<string>()): ReadonlySet<string> {
  if (!isObject(schema)) return found;
  for (const [keyword, value] of Object.entries(schema)) {
    found.add(keyword);
    if (HOLD_ONE.includes(keyword)) keywordsOf(value, found);
    if (HOLD_LIST.includes(keyword)) for (const inner of value as readonly Json[]) keywordsOf(inner, found);
    if (HOLD_MAP.includes(keyword)) for (const inner of Object.values(value as JsonObject)) keywordsOf(inner, found);
  }
  return found;
}
