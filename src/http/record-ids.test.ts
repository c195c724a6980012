import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InProcessServer, PUBLIC_URL, startInProcess } from "../../test/support/in-process-server.js";
import { makeRecord } from "../../test/support/records.js";

let server: InProcessServer;
let alice: Record<string, string>;
let ben: Record<string, string>;
let id: string;
let parent: string;

type Method = "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
const send = (method: Method, url: string, headers: object = {}, payload?: object) =>
  server.app.inject({ method, url, headers: { ...headers }, ...(payload === undefined ? {} : { payload }) });

beforeAll(async () => {
  server = await startInProcess({}, undefined, { config: { publicUrl: PUBLIC_URL } });
  alice = { authorization: `Bearer ${await server.token("alice")}` };
  ben = { authorization: `Bearer ${await server.token("ben")}` };
  const draft = await send("POST", "/api/records/mst", alice, makeRecord(1));
  ({
    id,
    parent: { id: parent },
  } = draft.json());
});
afterAll(() => server.close());

describe("a record by its id alone", () => {
  it("goes through its whole life as with the model in the path", async () => {
    const at = `/api/records/${id}`;
    expect((await send("GET", `${at}/draft`, alice)).json()).toMatchObject({ id, model: "mst", state: "draft" });
    const body = makeRecord(1, { title: "Changed by id" });
    expect((await send("PUT", `${at}/draft`, alice, body)).statusCode).toBe(200);
    expect((await send("POST", `${at}/draft/actions/publish`, alice)).statusCode).toBe(202);
    const record = await send("GET", at);
    expect(record.json()).toMatchObject({ id, links: { self_html: `${PUBLIC_URL}/records/${id}` } });
    expect(record.body).toBe((await send("GET", `/api/records/mst/${id}`)).body);
    expect(record.headers.etag).toBe('"3"');
    expect((await send("HEAD", at)).statusCode).toBe(200);
    for (const path of ["versions", "files"]) {
      const [short, long] = [`${at}/${path}`, `/api/records/mst/${id}/${path}`];
      expect((await send("GET", short)).body, path).toBe((await send("GET", long)).body);
    }
    const latest = await send("GET", `${at}/versions/latest`);
    expect([latest.statusCode, latest.headers.location]).toEqual([301, `${PUBLIC_URL}/api/records/mst/${id}`]);
    expect((await send("GET", `/api/records/${parent}/versions`)).json().hits.total).toBe(1);
    expect((await send("POST", `${at}/draft`, alice)).statusCode).toBe(201);
    expect((await send("DELETE", `${at}/draft`, alice)).statusCode).toBe(204);
  });

  it("is there in every format", async () => {
    const answer = await send("GET", `/api/records/${id.toUpperCase()}`, { accept: "application/x-bibtex" });
    expect(answer.body).toMatch(/^@misc/);
    expect((await send("GET", `/api/records/${id}?format=ris`)).headers["content-type"]).toContain("research-info");
  });

  it("is seen and changed by nobody who may not with the model in the path", async () => {
    const { id: draft } = (await send("POST", "/api/records/mst", alice, makeRecord(2))).json();
    expect((await send("GET", `/api/records/${draft}/draft`)).statusCode).toBe(401);
    const answer = await send("GET", `/api/records/${draft}/draft`, ben);
    expect(answer.json()).toMatchObject({ status: 404, code: "DRAFT_NOT_FOUND" });
    const unknown = await send("GET", "/api/records/zzzzz-zzz00/draft", ben);
    expect(unknown.json()).toMatchObject({ status: 404, code: "DRAFT_NOT_FOUND" });
    expect((await send("GET", `/api/records/${draft}`)).json()).toMatchObject({ code: "RECORD_NOT_FOUND" });
    expect((await send("DELETE", `/api/records/${id}`, ben)).statusCode).toBe(403);
    expect((await send("POST", `/api/records/${id}/versions`)).statusCode).toBe(401);
  });

  it("names the methods of its path, and what is not there", async () => {
    const refused = await send("PUT", `/api/records/${id}/versions`, alice, {});
    expect([refused.statusCode, refused.headers.allow]).toEqual([405, "DELETE, GET, HEAD, POST"]);
    expect((await send("PUT", "/api/records/mst/versions", alice, {})).headers.allow).toBe("DELETE, GET, HEAD");
    expect((await send("GET", `/api/records/${id}/nothing`)).json()).toMatchObject({ status: 404 });
    expect((await send("GET", "/api/records/abcde-fghij/versions")).json()).toMatchObject({ code: "RECORD_NOT_FOUND" });
    expect((await send("GET", "/api/records/nothing/versions")).json()).toMatchObject({ code: "MODEL_NOT_FOUND" });
  });

  it("leaves a tombstone there, too", async () => {
    expect((await send("DELETE", `/api/records/${id}`, alice)).statusCode).toBe(204);
    for (const path of [id, parent, `${id}/versions`, `${id}/files`]) {
      expect((await send("GET", `/api/records/${path}`)).json(), path).toMatchObject({ code: "RECORD_GONE" });
    }
  });
});
