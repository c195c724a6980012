import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InProcessServer, PUBLIC_URL, startInProcess } from "../../test/support/in-process-server.js";
import { makeRecord } from "../../test/support/records.js";

let server: InProcessServer;
let alice: Record<string, string>;
let bob: Record<string, string>;

beforeAll(async () => {
  server = await startInProcess();
  alice = { authorization: `Bearer ${await server.token("alice")}` };
  bob = { authorization: `Bearer ${await server.token("bob")}` };
});
afterAll(() => server.close());

interface Page {
  readonly hits: { readonly hits: readonly { readonly id: string }[] };
  readonly links: { readonly next?: string };
}
type Method = "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
const send = (method: Method, url: string, headers: object = {}, payload?: object) =>
  server.app.inject({ method, url, headers: { ...headers }, ...(payload === undefined ? {} : { payload }) });
const deposit = async (n: number): Promise<string> =>
  (await send("POST", "/api/records/mst", alice, makeRecord(n))).json().id;
const publish = async (n: number): Promise<string> => {
  const id = await deposit(n);
  const answer = await send("POST", `/api/records/mst/${id}/draft/actions/publish`, alice);
  expect(answer.statusCode, answer.body.slice(0, 500)).toBe(202);
  return id;
};

describe("a draft", () => {
  it("is made with its place, its revision and its links", async () => {
    const answer = await send("POST", "/api/records/mst/", alice, makeRecord(1));
    const body = answer.json();
    const url = `${PUBLIC_URL}/api/records/mst/${body.id}`;
    expect(answer.statusCode).toBe(201);
    expect(answer.headers).toMatchObject({
      location: `${url}/draft`,
      etag: '"1"',
      "cache-control": "private, no-store",
    });
    expect(body).toMatchObject({ state: "draft", revision_id: 1, is_draft: true });
    expect(body.links).toEqual({
      self: `${url}/draft`,
      draft: `${url}/draft`,
      publish: `${url}/draft/actions/publish`,
      files: `${url}/draft/files`,
    });
  });

  it("is nobody else's to see, and takes no token-less request", async () => {
    const id = await deposit(2);
    for (const path of [`/api/records/mst/${id}/draft`, `/api/records/mst/${id}/draft/files`]) {
      expect((await send("GET", path, bob)).json()).toMatchObject({ status: 404, code: "DRAFT_NOT_FOUND" });
      expect((await send("GET", path)).json()).toMatchObject({ status: 401, code: "TOKEN_MISSING" });
      expect((await send("GET", path, alice)).statusCode).toBe(200);
    }
    expect((await send("GET", `/api/records/mst/${id}`, alice)).statusCode).toBe(404);
  });

  it("is replaced, read again as not changed, and deleted by its revision only", async () => {
    const path = `/api/records/mst/${await deposit(3)}/draft`;
    const read = (await send("GET", path, alice)).json();
    const changed = { ...read, metadata: { ...read.metadata, note: "new" } };
    const put = await send("PUT", path, { ...alice, "if-match": "1" }, changed);
    expect(put.statusCode).toBe(200);
    expect(put.headers.etag).toBe('"2"');
    expect(put.json().warnings).toEqual([expect.objectContaining({ code: "UNKNOWN_FIELD" })]);
    expect((await send("GET", path, alice)).json()).not.toHaveProperty("warnings");

    const kept = await send("GET", path, { ...alice, "if-none-match": '"1", W/"2"' });
    expect([kept.statusCode, kept.body, kept.headers.etag]).toEqual([304, "", '"2"']);
    const stale = await send("PUT", path, { ...alice, "if-match": '"1"' }, changed);
    expect(stale.json()).toMatchObject({ status: 412, code: "REVISION_STALE" });
    expect((await send("DELETE", path, { ...alice, "if-match": "x" })).json()).toMatchObject({
      status: 400,
      errors: [{ field: "If-Match" }],
    });
    const gone = await send("DELETE", path, { ...alice, "if-match": '"2"', "content-type": "application/json" });
    expect([gone.statusCode, gone.body]).toEqual([204, ""]);
    expect((await send("GET", path, alice)).statusCode).toBe(404);
  });

  it("needs a body to be made or replaced", async () => {
    const path = `/api/records/mst/${await deposit(4)}/draft`;
    for (const [method, url] of [
      ["POST", "/api/records/mst"],
      ["PUT", path],
    ] as const) {
      const answer = await send(method, url, { ...alice, "content-type": "application/json" });
      expect(answer.json()).toMatchObject({ status: 400, code: "BODY_MISSING" });
    }
  });

  it("has what some clients look for, on demand", async () => {
    const path = `/api/records/mst/${await deposit(5)}/draft`;
    expect((await send("GET", path, alice)).json()).not.toHaveProperty("expanded");
    for (const value of ["1", "true"]) {
      expect((await send("GET", `${path}?expand=${value}`, alice)).json().expanded).toEqual({ requests: [] });
    }
    expect((await send("GET", `${path}?expand=yes`, alice)).json()).toMatchObject({ errors: [{ field: "expand" }] });
    expect((await send("GET", `${path}?exapnd=1`, alice)).json().warnings).toMatchObject([{ nearest: ["expand"] }]);
  });
});

describe("a published record", () => {
  it("is everybody's, whoever asks and however its id is written", async () => {
    const id = await publish(6);
    const url = `${PUBLIC_URL}/api/records/mst/${id}`;
    const bare = await send("GET", `/api/records/mst/${id}`);
    expect(bare.headers).toMatchObject({ "cache-control": "public, no-cache", etag: `"${bare.json().revision_id}"` });
    expect(bare.json().links).toEqual({
      self: url,
      self_html: `${PUBLIC_URL}/records/${id}`,
      record: url,
      versions: `${url}/versions`,
      latest: `${url}/versions/latest`,
      files: `${url}/files`,
    });
    for (const path of [`/api/records/${id}`, `/api/records/${id}/`, `/api/records/mst/${id.toUpperCase()}`]) {
      expect((await send("GET", path)).body, path).toBe(bare.body);
    }
    expect((await send("GET", `/api/records/mst/${id}`, alice)).body).toBe(bare.body);
    expect((await send("GET", `/api/records/itc/${id}`)).statusCode).toBe(404);
    expect((await send("GET", `/api/records/mst/${id}/files`)).json()).toEqual({ enabled: false, entries: [] });
  });

  it("is published with {} as with nothing for a body", async () => {
    const id = await deposit(7);
    const answer = await send("POST", `/api/records/mst/${id}/draft/actions/publish`, alice, {});
    expect(answer.statusCode).toBe(202);
    expect(answer.json()).toMatchObject({ id, state: "published" });
  });

  it("is not published while there is something wrong with it", async () => {
    const { id } = (await send("POST", "/api/records/mst", alice, { metadata: {} })).json();
    const answer = await send("POST", `/api/records/mst/${id}/draft/actions/publish`, alice);
    expect(answer.json()).toMatchObject({ status: 400, code: "DRAFT_INVALID" });
    expect(answer.json().errors.length).toBeGreaterThan(0);
  });

  it("equals its hit in a search, byte for byte", async () => {
    const id = await publish(8);
    const { body } = await send("GET", `/api/records/mst/${id}`);
    const search = await send("GET", `/api/records/mst?q=${id}`);
    expect(search.body).toContain(`"hits":[${body}]`);
    expect(search.json().links.self).toBe(
      `${PUBLIC_URL}/api/records/mst?page=1&q=${id}&size=10&sort=${search.json().sortBy}`,
    );
  });

  it("stands in all searches that it belongs to", async () => {
    const id = await publish(9);
    const found = async (path: string, headers = {}): Promise<number> =>
      (await send("GET", `${path}?q=id:${id}`, headers)).json().hits.total;
    expect(await found("/api/search")).toBe(1);
    expect(await found("/api/records")).toBe(1);
    expect(await found("/api/records/itc")).toBe(0);
    expect(await found("/api/user/search", alice)).toBe(1);
    expect(await found("/api/user/records/mst", alice)).toBe(1);
    expect(await found("/api/user/search", bob)).toBe(0);
  });
});

describe("an item", () => {
  it("is read by its id, with colons as they are or encoded", async () => {
    const plain = await send("GET", "/api/vocabularies/organisms/taxid:562");
    expect(plain.json()).toMatchObject({
      id: "taxid:562",
      type: "organisms",
      links: { self: `${PUBLIC_URL}/api/vocabularies/organisms/taxid:562` },
    });
    expect((await send("GET", "/api/vocabularies/organisms/taxid%3A562/")).body).toBe(plain.body);
    const etag = String(plain.headers.etag);
    expect((await send("GET", "/api/vocabularies/organisms/taxid:562", { "if-none-match": etag })).statusCode).toBe(
      304,
    );
    const head = await send("HEAD", "/api/vocabularies/organisms/taxid:562");
    expect([head.statusCode, head.body, head.headers["content-length"]]).toEqual([
      200,
      "",
      String(Buffer.byteLength(plain.body)),
    ]);
  });

  it("is found under its alias by a redirect", async () => {
    const answer = await send("GET", "/api/vocabularies/languages/eng");
    expect(answer.statusCode).toBe(301);
    expect(answer.headers).toMatchObject({
      location: `${PUBLIC_URL}/api/vocabularies/languages/en`,
      "cache-control": expect.stringContaining("no-cache"),
    });
  });

  it("is fetched among others by id, in the order asked", async () => {
    const answer = await send("GET", "/api/vocabularies/organisms?ids=taxid:9606&ids=taxid:562&ids=taxid:9606&ids=x:1");
    const { hits, warnings, links } = answer.json();
    expect(hits.hits.map(({ id }: { id: string }) => id)).toEqual(["taxid:9606", "taxid:562"]);
    expect(hits.total).toBe(2);
    expect(warnings).toEqual([expect.objectContaining({ code: "UNKNOWN_ID", value: "x:1" })]);
    expect((await send("GET", links.self.slice(PUBLIC_URL.length))).json().hits).toEqual(hits);
  });

  it("is suggested with what matched", async () => {
    const { hits } = (await send("GET", "/api/vocabularies/organisms?suggest=esch")).json();
    expect(hits.hits[0]).toMatchObject({ id: "taxid:562", matched: { text: "Escherichia coli" } });
  });
});

it("lists the vocabularies in the shape of a search answer", async () => {
  const { hits, page, links } = (await send("GET", "/api/vocabularies/")).json();
  expect({ page, links, total: hits.total }).toEqual({
    page: 1,
    links: { self: `${PUBLIC_URL}/api/vocabularies` },
    total: 10,
  });
  const organisms = hits.hits.find(({ id }: { id: string }) => id === "organisms");
  const url = `${PUBLIC_URL}/api/vocabularies/organisms`;
  expect(organisms).toMatchObject({ count: expect.any(Number), links: { self: url, items: url } });
  expect((await send("GET", "/api/vocabularies/organisms?size=1")).json().hits.total).toBe(organisms.count);
});

it("pages by numbers and by cursor to the same hits", async () => {
  const ids: string[][] = [];
  for (const first of ["/api/vocabularies/instruments?size=5", "/api/vocabularies/instruments?size=5&cursor=*"]) {
    const seen: string[] = [];
    for (let url: string | undefined = first; url !== undefined; ) {
      const answer: Page = (await send("GET", url)).json();
      seen.push(...answer.hits.hits.map(({ id }) => id));
      url = answer.links.next?.slice(PUBLIC_URL.length);
    }
    ids.push(seen);
  }
  expect(ids[0]!.length).toBeGreaterThan(10);
  expect(ids[1]).toEqual(ids[0]);
});
