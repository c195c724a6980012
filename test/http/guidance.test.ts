/** What a request that is nearly right is told: the value, the parameter, the header or the path that was meant. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordWith } from "../support/deposit.js";
import type { RecordShape, SearchBody } from "../support/http-client.js";
import { type InProcessServer, startInProcess } from "../support/in-process-server.js";

let server: InProcessServer;
let token: string;
let id: string;
let draft: string;

async function send(method: "POST" | "GET" | "DELETE", url: string, body?: object, authorization = `Bearer ${token}`) {
  const { statusCode, body: text } = await server.app.inject({
    ...{ method, url, headers: { authorization, ...(body && { "content-type": "application/json" }) } },
    ...(body && { payload: JSON.stringify(body) }),
  });
  return { status: statusCode, body: text === "" ? {} : JSON.parse(text) };
}

beforeAll(async () => {
  server = await startInProcess();
  token = await server.token("alice");
  const post = async (url: string, body: object): Promise<RecordShape> => {
    const answer = await send("POST", url, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const instrument = { instrument: { id: "ins:2" } };
  ({ id } = await post("/api/records/mst", recordWith(1, instrument, { title: "Lysozyme" })));
  await post(`/api/records/mst/${id}/draft/actions/publish`, {});
  ({ id: draft } = await post("/api/records/mst", recordWith(2, instrument, { title: "A draft" })));
}, 60_000);
afterAll(() => server.close());

async function search(url: string, authorization?: string): Promise<SearchBody<RecordShape>> {
  const { status, body } = await send("GET", url, undefined, authorization);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

describe("an unknown value of a facet finds nothing, and the answer names known ones", () => {
  it.each([
    ["/api/search/?instrument=ins:22222", "instrument", "ins:2"],
    ["/api/search/?instrument=2", "instrument", "ins:2"],
    ["/api/search/?organism=Homo+sapiens", "organism", "taxid:9606"],
    ["/api/search/?organism=TAXID:562", "organism", "taxid:562"],
    ["/api/search/?organism=56", "organism", "taxid:562"],
    ["/api/search/?organism=taxid:56&facets=none", "organism", "taxid:562"],
    ["/api/search/?instrument=Biacore+T200", "instrument", "ins:36"],
    ["/api/search/?chemical=Caffeine", "chemical", "inchikey:RYYVLZVUVIJVGH-UHFFFAOYSA-N"],
    ["/api/search/?grant=MOSBRI", "grant", "oa:corda__h2020::f219b1de6eeb4e5c5b2ad39010832d79"],
    ["/api/search/?grant=101004806", "grant", "oa:corda__h2020::f219b1de6eeb4e5c5b2ad39010832d79"],
    [
      "/api/search/?technique=MST",
      "technique",
      "Microscale thermophoresis/Temperature related intensity change (MST/TRIC)",
    ],
    ["/api/user/search/?state=publishd", "state", "published"],
    ["/api/user/search/?state=Draft", "state", "draft"],
    ["/api/search/?manufacturer=nanotempr", "manufacturer", "Nanotemper"],
    ["/api/vocabularies/organisms?rank=specie", "rank", "species"],
  ])("%s: %s is near to %s", async (url, parameter, near) => {
    const { hits, warnings } = await search(url);
    expect(hits.total).toBe(0);
    expect(warnings).toMatchObject([{ code: "UNKNOWN_VALUE", parameter }]);
    expect(warnings![0]!.nearest).toContain(near);
    expect(warnings![0]!.message).toContain(near);
  });

  it("says nothing of a known value that no hit has", async () => {
    const none = await search(
      "/api/search/?q=nothinglikethis&manufacturer=Nanotemper&instrument=ins:2&organism=taxid:562",
    );
    expect(none.hits.total).toBe(0);
    expect(none).not.toHaveProperty("warnings");
    expect(await search("/api/search/?instrument=ins:2")).not.toHaveProperty("warnings");
  });

  it("tells of values alone that the caller can find", async () => {
    const { warnings } = await search("/api/user/search/?state=draf", `Bearer ${await server.token("bob")}`);
    expect(warnings).toMatchObject([{ code: "UNKNOWN_VALUE" }]);
    expect(warnings![0]).not.toHaveProperty("nearest");
  });
});

describe("a parameter that another service has names ours", () => {
  it.each([
    ["query=lysozyme", "q"],
    ["search=lysozyme", "q"],
    ["limit=5", "size"],
    ["per_page=5", "size"],
    ["perPage=5", "size"],
    ["offset=10", "page"],
    ["order=title", "sort"],
    ["sort_by=title", "sort"],
  ])("%s: %s", async (parameter, ours) => {
    for (const path of ["/api/search/", "/api/vocabularies/organisms", "/api/user/records/mst/"]) {
      const { warnings } = await search(`${path}?${parameter}`);
      expect(warnings).toMatchObject([
        { code: "UNKNOWN_PARAMETER", parameter: parameter.split("=")[0], nearest: [ours] },
      ]);
      expect(warnings![0]!.message).toContain(`"${ours}"`);
    }
  });

  it.each([
    ["/api/search/?model=ITC", "/api/records/itc/", "/api/records/itc/"],
    ["/api/records/?model=itc", "/api/records/itc/", "/api/records/itc/"],
    ["/api/records/mst/?model=spr", "/api/records/spr/", "This path searches mst."],
    ["/api/records/mst/?model=Surface+plasmon+resonance", "/api/records/spr/", "/api/records/spr/"],
    ["/api/records/mst/?model=mst", "/api/records/mst/", "The path names the model mst already."],
    ["/api/user/search/?model=spr", "/api/user/records/spr/", "/api/user/records/spr/"],
    ["/api/user/records/mst/?model=spr", "/api/user/records/spr/", "This path searches mst."],
    ["/api/search/?model=xyz", "/api/records/bli/", "/api/records/<model>/"],
    ["/api/records/mst/?model=xyz", "/api/records/bli/", "/api/records/<model>/"],
  ])("%s names the path %s", async (url, path, message) => {
    const [warning] = (await search(url)).warnings!;
    expect(warning).toMatchObject({ code: "UNKNOWN_PARAMETER", parameter: "model" });
    expect(warning!.nearest![0]).toBe(path);
    expect(warning!.message).toContain(message);
  });
});

it.each([
  ["Token abc", 'not "Token"'],
  ["Basic YTpi", 'not "Basic"'],
  ["bnd_abcdefgh", 'Bearer <token>".'],
  ["Bearer", 'Bearer <token>".'],
])("Authorization: %s is told to use Bearer", async (authorization, said) => {
  const { status, body } = await send("GET", "/api/user/search/", undefined, authorization);
  expect({ status, code: body.code }).toEqual({ status: 401, code: "TOKEN_INVALID" });
  expect(body.message).toContain('"Authorization: Bearer <token>"');
  expect(body.message).toContain(said);
  expect(body.message).not.toContain("bnd_abcdefgh");
});

describe("an id under the wrong model", () => {
  it("is told where a published record is", async () => {
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/files"],
      ["DELETE", ""],
      ["POST", "/draft"],
    ] as const) {
      const { status, body } = await send(method, `/api/records/itc/${id}${path}`, method === "POST" ? {} : undefined);
      expect(status).toBe(404);
      expect(body.message, `${method} ${path}`).toContain(`/api/records/mst/${id}.`);
    }
  });

  it("is told where a draft is only to who may read it", async () => {
    const own = await send("GET", `/api/records/itc/${draft}/draft`);
    expect(own.body.message).toContain(`/api/records/mst/${draft}/draft`);
    const other = await send(
      "GET",
      `/api/records/itc/${draft}/draft`,
      undefined,
      `Bearer ${await server.token("carol")}`,
    );
    expect(other).toMatchObject({ status: 404, body: { code: "DRAFT_NOT_FOUND" } });
    expect(other.body.message).not.toContain("mst");
    expect((await send("GET", `/api/records/itc/${draft}`)).body.message).not.toContain("mst");
  });
});

it.each([
  ["organisms/562", "taxid:562"],
  ["organisms/ncbi:562", "taxid:562"],
  ["affiliations/ror.org%2F024d6js02", "ror:024d6js02"],
  ["instruments/2", "ins:2"],
])("the item %s is told its id", async (path, near) => {
  const { status, body } = await send("GET", `/api/vocabularies/${path}`);
  expect({ status, code: body.code }).toEqual({ status: 404, code: "TERM_NOT_FOUND" });
  expect(body.message).toContain(near);
  expect(body.errors).toMatchObject([{ code: "TERM_UNKNOWN", nearest: [near] }]);
});

it("an id that nothing is near to is only not found", async () => {
  expect((await send("GET", "/api/vocabularies/organisms/zzz")).body).toMatchObject({
    code: "TERM_NOT_FOUND",
    errors: [],
  });
});
