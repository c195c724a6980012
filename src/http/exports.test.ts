import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InProcessServer, PUBLIC_URL, startInProcess } from "../../test/support/in-process-server.js";
import { makeRecord } from "../../test/support/records.js";
import { RECORD_FORMATS } from "../formats/records/formats.js";
import { RECORD_TYPES } from "./parameters/representation.js";

let server: InProcessServer;
let alice: Record<string, string>;
let id: string;

const send = (url: string, headers: object = {}) => server.app.inject({ url, headers: { ...headers } });
const post = async (url: string, payload?: object) => {
  const answer = await server.app.inject({
    method: "POST",
    url,
    headers: alice,
    ...(payload === undefined ? {} : { payload }),
  });
  expect(answer.statusCode, answer.body.slice(0, 300)).toBeLessThan(300);
  return answer.json();
};
const publish = async (draft: string): Promise<string> => {
  await post(`/api/records/mst/${draft}/draft/actions/publish`);
  return draft;
};

beforeAll(async () => {
  server = await startInProcess({}, undefined, { config: { publicUrl: PUBLIC_URL, citeUrl: "https://w3id.org/x/" } });
  alice = { authorization: `Bearer ${await server.token("alice")}` };
  id = await publish((await post("/api/records/mst", makeRecord(1))).id);
});
afterAll(() => server.close());

const record = () => `/api/records/mst/${id}`;

describe("a record", () => {
  it.each(RECORD_FORMATS.map(({ name, mediaType }) => [name, mediaType]))("is there as %s", async (name, type) => {
    const file = await send(`/records/${id}/export/${name}`);
    expect(file.statusCode, file.body).toBe(200);
    expect(file.headers["content-type"]).toContain(type);
    expect(file.headers["content-disposition"]).toMatch(new RegExp(`^attachment; filename="${id}\\.\\w+"$`));
    expect(file.headers.link).toBe(`<${PUBLIC_URL}/records/${id}>; rel="describes"; type="text/html"`);
    const negotiated = await send(record(), { accept: type });
    expect([negotiated.statusCode, negotiated.body]).toEqual([200, file.body]);
    expect(negotiated.headers.vary).toContain("accept");
  });

  it("is cited by the operator's persistent address", async () => {
    const { body } = await send(`${record()}?format=citation&style=apa`);
    expect(body).toMatch(new RegExp(`https://w3id\\.org/x/${id}\n$`));
    expect((await send(record(), { accept: "text/x-bibliography; style=APA" })).body).toBe(body);
    expect((await send(`${record()}?format=citation`)).body).not.toBe(body);
  });

  it("has the style of a citation as a parameter of its address", async () => {
    const styled = await send(`/records/${id}/export/citation?style=vancouver`);
    expect([styled.statusCode, styled.body]).toEqual([
      200,
      (await send(`/records/${id}/export/citation-vancouver`)).body,
    ]);
    expect(styled.body).toContain("Available from: ");
    const { parent } = (await send(record())).json();
    const moved = await send(`/records/${parent.id}/export/citation?style=apa`);
    expect([moved.statusCode, moved.headers.location]).toEqual([
      302,
      `${PUBLIC_URL}/records/${id}/export/citation-apa`,
    ]);
    const statusOf = async (rest: string) => (await send(`/records/${id}/export/${rest}`)).statusCode;
    expect(await statusOf("citation?style=bluebook")).toBe(400);
    expect(await statusOf("bibtex?style=apa")).toBe(400);
    expect(await statusOf("citations?style=apa")).toBe(404);
  });

  it.each([
    ["text/x-bibliography; style=apa;q=0.1, text/x-bibliography; style=acs", "citation-acs"],
    ["text/x-bibliography; style=apa;q=0, text/x-bibliography; style=acs;q=0.5", "citation-acs"],
    ["application/json;q=0, */*", "jsonld"],
    ["application/json;q=0, application/ld+json;q=0, application/x-bibtex;q=0.2", "bibtex"],
    ["application/linkset", "linkset-text"],
    ["application/linkset+json;q=0.5, application/linkset", "linkset-text"],
  ])("is sent as %s asks", async (accept, name) => {
    const answer = await send(record(), { accept });
    expect([answer.statusCode, answer.body]).toEqual([200, (await send(`/records/${id}/export/${name}`)).body]);
  });

  it.each(["image/png", "application/json;q=0", "*/*;q=0", "text/html"])("lists all types for %s", async (accept) => {
    const answer = await send(record(), { accept });
    const { message, errors } = answer.json();
    expect([answer.statusCode, errors[0].allowed]).toEqual([406, expect.arrayContaining([...RECORD_TYPES])]);
    for (const type of RECORD_TYPES) expect(message).toContain(type);
  });

  it("stays JSON for whoever asks for nothing else, and for browsers", async () => {
    for (const accept of [undefined, "*/*", "application/json", "text/html,application/xml;q=0.9,*/*;q=0.8"]) {
      const answer = await send(record(), accept === undefined ? {} : { accept });
      expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(answer.headers.vary).toContain("accept");
    }
    expect((await send(`${record()}?format=json`, { accept: "application/x-bibtex" })).json()).toMatchObject({ id });
    expect((await send(record(), { accept: "application/x-bibtex;q=0.5, application/json;q=0.4" })).body).toMatch(
      /^@misc/,
    );
  });

  it("is not sent again to whoever has it", async () => {
    const first = await send(`${record()}?format=ris`);
    const again = await send(`${record()}?format=ris`, { "if-none-match": first.headers.etag });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
    const other = await send(`${record()}?format=csl`, { "if-none-match": first.headers.etag });
    expect(other.statusCode).toBe(200);
  });

  it("names its other versions", async () => {
    const second = await publish((await post(`${record()}/versions`)).id);
    const relations = async (of: string) => {
      const { relatedIdentifiers } = (await send(`/records/${of}/export/datacite-json`)).json();
      return relatedIdentifiers.map((each: Record<string, string>) => [each.relationType, each.relatedIdentifier]);
    };
    expect(await relations(id)).toContainEqual(["IsPreviousVersionOf", `https://w3id.org/x/${second}`]);
    expect(await relations(second)).toContainEqual(["IsNewVersionOf", `https://w3id.org/x/${id}`]);
    const { parent } = (await send(record())).json();
    const moved = await send(`/records/${parent.id}/export/bibtex`);
    expect([moved.statusCode, moved.headers.location]).toEqual([302, `${PUBLIC_URL}/records/${second}/export/bibtex`]);
  });

  it("says which formats there are", async () => {
    const unknown = await send(`/records/${id}/export/marc`);
    expect(unknown.json()).toMatchObject({ status: 404, code: "FORMAT_NOT_FOUND" });
    expect(unknown.json().message).toContain("json, jsonld, datacite-json");
    expect((await send(`${record()}?format=bibtx`)).json()).toMatchObject({ status: 400, code: "PARAMETER_INVALID" });
    expect((await send(`${record()}?style=apa`)).json()).toMatchObject({ status: 400, code: "PARAMETER_INVALID" });
    expect((await send(`${record()}?format=citation&style=mla`)).json().errors[0].field).toBe("style");
    expect((await send(record(), { accept: "text/x-bibliography; style=mla" })).statusCode).toBe(400);
    expect((await send(record(), { accept: "image/png" })).json()).toMatchObject({ code: "NOT_ACCEPTABLE" });
    expect((await send("/records/abcde-12345/export/bibtex")).json()).toMatchObject({ code: "RECORD_NOT_FOUND" });
    expect((await send(`/records/${"x".repeat(3_000)}/export/json`)).statusCode).toBe(404);
  });

  it("is gone in every format once it is retracted", async () => {
    const gone = await publish((await post("/api/records/mst", makeRecord(2))).id);
    await server.app.inject({ method: "DELETE", url: `/api/records/mst/${gone}`, headers: alice });
    expect((await send(`/records/${gone}/export/bibtex`)).statusCode).toBe(410);
    expect((await send(`/api/records/mst/${gone}?format=csl`)).statusCode).toBe(410);
  });
});

it("gives a draft in the formats to those who may read it", async () => {
  const { id: draft } = await post("/api/records/mst", { metadata: {} });
  const path = `/api/records/mst/${draft}/draft?format=datacite-xml`;
  const answer = await send(path, alice);
  expect(answer.body).toContain(":unav");
  expect(answer.headers["cache-control"]).toBe("private, no-store");
  expect((await send(path)).statusCode).toBe(401);
  expect((await send(`/records/${draft}/export/bibtex`)).statusCode).toBe(404);
});
