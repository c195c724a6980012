import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InProcessServer, PUBLIC_URL, startInProcess } from "../../test/support/in-process-server.js";
import { makeRecord } from "../../test/support/records.js";
import type { Json, JsonObject } from "../core/json.js";

type Operation = {
  readonly operationId: string;
  readonly parameters?: Json[];
  readonly responses: Readonly<Record<string, Json>>;
};

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly type: string };
}

/** As much of the document as is looked at here. */
interface Document extends JsonObject {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, JsonObject> };
}

let server: InProcessServer;
let document: Document;
let draft: string;
let published: string;
let headers: Record<string, string>;

beforeAll(async () => {
  server = await startInProcess();
  headers = { authorization: `Bearer ${await server.token("alice")}` };
  document = (await server.app.inject("/api/openapi.json")).json();
  const ids = [];
  for (const n of [1, 2]) {
    const answer = await server.app.inject({
      method: "POST",
      url: "/api/records/mst",
      headers,
      payload: makeRecord(n),
    });
    ids.push(answer.json().id);
  }
  [draft = "", published = ""] = ids;
  const url = `/api/records/mst/${published}/draft/actions/publish`;
  await server.app.inject({ method: "POST", url, headers });
});
afterAll(() => server.close());

describe("the document", () => {
  it("describes both answers of the POST that makes a draft, or only validates", () => {
    const { parameters, responses } = document.paths["/api/records/{model}"]!.post!;
    expect((parameters as JsonObject[]).find(({ name }) => name === "validate")).toMatchObject({
      in: "query",
      schema: { enum: ["only"] },
    });
    const answers = { 200: "ValidationResult", 201: "Record" };
    for (const [status, name] of Object.entries(answers)) {
      const schema = { $ref: `#/components/schemas/${name}` };
      expect(responses[status]).toMatchObject({ content: { "application/json": { schema } } });
    }
  });

  it.each([
    ["/api/records/{model}/{id}", () => `/api/records/mst/${published}`, ["datacite-xml", "jsonld", "bibtex"]],
    ["/api/search", () => "/api/search", ["csv", "ndjson", "bibtex"]],
    ["/api/vocabularies/{vocabulary}/{id}", () => "/api/vocabularies/organisms/taxid:562", ["jsonld", "turtle"]],
    ["/api/vocabularies/{vocabulary}", () => "/api/vocabularies/organisms", ["csv", "turtle"]],
  ])("names the media type of each format of %s", async (path, url, formats) => {
    const { content } = document.paths[path]!.get!.responses["200"] as unknown as { content: object };
    for (const format of formats) {
      const answer = await server.app.inject({ url: `${url()}?format=${format}&s=1`, headers });
      expect(answer.statusCode, answer.body.slice(0, 500)).toBe(200);
      expect(Object.keys(content)).toContain(String(answer.headers["content-type"]).split(";")[0]);
    }
  });

  it("gives every operation a name of its own, and refers to nothing that is not there", () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]!);
    const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect(refs.filter((ref) => !known.includes(ref))).toEqual([]);
  });

  it("shows the parameters that are read and checked", async () => {
    const gets = Object.entries(document.paths).filter(([, { get }]) => get !== undefined);
    const shown = gets.flatMap(([path, { get }]) =>
      ((get!.parameters ?? []) as unknown as Parameter[]).map((parameter) => ({ path, ...parameter })),
    );
    // Each of these stands for parameters of many names.
    const families = ["filters", "units"];
    const queried = shown.filter(({ in: place, name }) => place === "query" && !families.includes(name));
    expect(queried.length).toBeGreaterThan(50);
    for (const { path, name, schema } of queried) {
      const id = path.includes("/draft") ? draft : published;
      const values: Record<string, string> = { model: "mst", vocabulary: "organisms", id };
      const url = `${path.replace(/\{(\w+)\}/g, (_, key: string) => values[key]!)}?${name}=~`;
      const { statusCode, body } = await server.app.inject({ url, headers });
      expect(body, url).not.toContain("UNKNOWN_PARAMETER");
      if (["integer", "number", "boolean"].includes(schema.type)) expect(statusCode, url).toBe(400);
    }
  });

  it("says how facets filter, beside the schema of the parameter", () => {
    const parameters = document.paths["/api/search"]!.get!.parameters as JsonObject[];
    expect(parameters.find(({ name }) => name === "filters")).toMatchObject({ style: "form", explode: true });
  });

  it("names both spellings of page and size, and what an id in a model's place answers", () => {
    const { parameters, responses } = document.paths["/api/records/{model}"]!.get!;
    const names = (parameters as JsonObject[]).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["page", "p", "size", "s"]));
    const answers = ["RecordSearch", "Record"].map((name) => ({ $ref: `#/components/schemas/${name}` }));
    expect(responses["200"]).toMatchObject({ content: { "application/json": { schema: { anyOf: answers } } } });
  });

  it("has only links that begin with the public address", async () => {
    const { body } = await server.app.inject({ url: "/api/search", headers: { host: "evil.example" } });
    const links = [...body.matchAll(/"(?:self|next|record|files)":"([^"]+)"/g)].map((match) => match[1]!);
    expect(links.length).toBeGreaterThan(2);
    expect(links.filter((link) => !link.startsWith(`${PUBLIC_URL}/api/`))).toEqual([]);
  });
});
