import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCOPES } from "../../src/core/actor.js";
import type { TestUser } from "../support/bindery.js";
import { deposit, publish } from "../support/deposit.js";
import { type Answer, type Problem, type RecordShape, sendRaw } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";
import { type Service, startService } from "../support/service.js";

let bindery: Service;
let alice: TestUser;

beforeAll(async () => {
  bindery = await startService();
  alice = await bindery.user("alice");
});
afterAll(() => bindery.dispose());

/** Checks the one shape of all errors. */
function expectProblem({ status, headers, body, text }: Answer<Problem>, expected: number, code: string): void {
  expect(status, text.slice(0, 500)).toBe(expected);
  expect(headers["content-type"]).toMatch(/^application\/json/);
  expect(body).toMatchObject({ status: expected, code });
  expect(Object.keys(body).sort()).toEqual(
    [...["status", "code", "message", "request_id"], ...(body.errors ? ["errors"] : [])].sort(),
  );
  expect(body.message).toMatch(/[.!]$/);
  expect(body.request_id).toMatch(/\S/);
}

describe("404", () => {
  it.each([
    ["/nothing", "PATH_NOT_FOUND"],
    ["/api/nothing", "PATH_NOT_FOUND"],
    ["/api/nothing/here", "PATH_NOT_FOUND"],
    ["/api/records/xrd/", "MODEL_NOT_FOUND"],
    ["/api/user/records/xrd/", "MODEL_NOT_FOUND"],
    ["/api/records/xrd/zv0gv-btp27", "MODEL_NOT_FOUND"],
    ["/api/records/__proto__/", "MODEL_NOT_FOUND"],
    ["/api/records/mst/zv0gv-btp27", "RECORD_NOT_FOUND"],
    ["/api/records/zv0gv-btp27", "RECORD_NOT_FOUND"],
    ["/api/records/mst/not-an-id", "RECORD_NOT_FOUND"],
    ["/api/records/mst/zv0gv-btp27/draft", "DRAFT_NOT_FOUND"],
    ["/api/vocabularies/planets", "VOCABULARY_NOT_FOUND"],
    ["/api/vocabularies/constructor", "VOCABULARY_NOT_FOUND"],
    ["/api/vocabularies/planets/earth", "VOCABULARY_NOT_FOUND"],
    ["/api/vocabularies/organisms/taxid:0", "TERM_NOT_FOUND"],
    ["/api/vocabularies/organisms/%00", "TERM_NOT_FOUND"],
    ["/api/vocabularies/organisms/taxid%3A562%2Fx", "TERM_NOT_FOUND"],
  ])("%s", async (path, code) => {
    expectProblem(await alice.client.get<Problem>(path), 404, code);
  });
});

it.each([
  ["DELETE", "/api/records/mst/"],
  ["PATCH", "/api/records/mst/zv0gv-btp27/draft"],
  ["POST", "/api/search/"],
  ["PUT", "/api/vocabularies"],
  ["GET", "/api/records/mst/zv0gv-btp27/draft/actions/publish"],
])("405 for %s %s, with the methods that there are", async (method, path) => {
  const answer = await alice.client.send<Problem>(method, path);
  expectProblem(answer, 405, "METHOD_NOT_ALLOWED");
  const allowed = answer.headers.allow!.split(/,\s*/);
  expect(allowed).not.toContain(method);
  for (const each of allowed) expect((await alice.client.send(each, path)).status, each).not.toBe(405);
});

it.each([
  ...["text/html", "image/png", "application/json;q=0"].map((accept) => ["/api/search/", accept] as const),
  ...["text/csv", "application/x-ndjson"].map((accept) => ["/api/models", accept] as const),
])("406 at %s for Accept: %s", async (path, accept) => {
  expectProblem(await alice.client.get<Problem>(path, { headers: { accept } }), 406, "NOT_ACCEPTABLE");
});

describe("a body", () => {
  const send = (text: string | Buffer, headers = {}) =>
    alice.client.send<Problem>("POST", "/api/records/mst/", { text, headers });

  it.each([
    ["", "BODY_MISSING"],
    ["   ", "BODY_MISSING"],
    ["{", "BODY_NOT_JSON"],
    ["{'metadata': {}}", "BODY_NOT_JSON"],
    ['{"metadata": {}} {}', "BODY_NOT_JSON"],
    ["NaN", "BODY_NOT_JSON"],
    ["[]", "BODY_INVALID"],
    ["null", "BODY_INVALID"],
    ['"text"', "BODY_INVALID"],
    ['{"metadata": {"a": "\\u0000"}}', "BODY_INVALID"],
    ['{"metadata": {"a": "\\ud800"}}', "BODY_INVALID"],
    ['{"metadata": {"\\udc00": 1}}', "BODY_INVALID"],
    ['{"model": "spr", "metadata": {}}', "MODEL_MISMATCH"],
    [`{"metadata": {"a": ${"[".repeat(64)}${"]".repeat(64)}}}`, "BODY_TOO_COMPLEX"],
    [`{"metadata": {"a": ${"[".repeat(200_000)}`, "BODY_TOO_COMPLEX"],
    [`{"metadata": {"a": [${"0,".repeat(10_000)}0]}}`, "BODY_TOO_COMPLEX"],
    [
      `{"metadata": {${Array.from({ length: 22 }, (_, i) => `"a${i}": [${"0,".repeat(7_000)}0]`).join(",")}}}`,
      "BODY_TOO_COMPLEX",
    ],
  ])("that is not what a record is (%#) is a 400", async (text, code) => {
    expectProblem(await send(text), 400, code);
  });

  it("that is not UTF-8 is a 400", async () => {
    expectProblem(await send(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])), 400, "BODY_NOT_UTF8");
  });

  it("may begin with a byte order mark, or have exactly the limits", async () => {
    const leaves = Array.from({ length: 15 }, (_, i) => `"a${i}": [${"0,".repeat(9_998)}0]`).join(",");
    expect((await send(`{"metadata": {${leaves}}}`)).status).toBe(201);
    expect((await send(`{"metadata": {"a": ${"[".repeat(62)}${"]".repeat(62)}}}`)).status).toBe(201);
    expect([201, 400]).toContain((await send('\ufeff{"metadata": {}}')).status);
  });

  it("above its limit is a 413 on every route that takes no record", async () => {
    const admin = await bindery.user("adam", { role: "admin", scopes: SCOPES });
    const { body: document } = await admin.client.get<{ paths: Readonly<Record<string, object>> }>("/api/openapi.json");
    const values: Readonly<Record<string, string>> = { model: "mst", vocabulary: "organisms" };
    const others: string[] = [];
    for (const [path, methods] of Object.entries(document.paths)) {
      const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "1");
      for (const method of Object.keys(methods).filter((name) => name !== "get")) {
        const { status } = await admin.client.send(method.toUpperCase(), target, { json: "x".repeat(300 * 1024) });
        // 404: refused before its body is read.
        if (status !== 413 && status !== 404) others.push(`${method} ${path}`);
      }
    }
    expect(others).toEqual(["post /api/records/{model}"]);
  });

  it("above 10 MiB is a 413, whatever it holds", async () => {
    expectProblem(await send(`"${"x".repeat(10 * 1024 * 1024)}"`), 413, "BODY_TOO_LARGE");
  });

  it.each([
    "text/plain",
    "application/xml",
    "multipart/form-data; boundary=x",
    "nonsense",
    "application/x-www-form-urlencoded",
  ])("of type %s is a 415", async (type) => {
    expectProblem(await send("{}", { "content-type": type }), 415, "MEDIA_TYPE_UNSUPPORTED");
  });

  it.each(["application/json; charset=utf-8", "APPLICATION/JSON", "application/json;odata=verbose"])(
    "of type %s is JSON",
    async (type) => {
      expect((await send("{}", { "content-type": type })).status).toBe(201);
    },
  );
});

describe("431", () => {
  it("for a URL above 64 KiB, in our shape", async () => {
    const answer = await bindery.client.get<Problem>(`/api/search/?q=${"x".repeat(70_000)}`);
    expectProblem(answer, 431, "URL_TOO_LONG");
  });

  it("for headers above 64 KiB, in our shape", async () => {
    const headers = { "x-long": "x".repeat(70_000) };
    expectProblem(await bindery.client.get<Problem>("/api/search/", { headers }), 431, "URL_TOO_LONG");
  });

  it("not for 50 KiB of either", async () => {
    expect((await bindery.client.get(`/api/search/?colour=${"x".repeat(50_000)}`)).status).toBe(200);
  });
});

it.each([
  "GARBAGE\r\n\r\n",
  "GET /api/search/ HTTP/9.9\r\n\r\n",
  "GET /api/search/?q=\u0001\u0002 HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET /api/search/?q=a b HTTP/1.1\r\nHost: x\r\n\r\n",
  "POST /api/records/mst/ HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n",
  "GET /api/search/ HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n",
])("answers what is no HTTP in our shape: %j", async (bytes) => {
  const text = await sendRaw(bindery.url, Buffer.from(bytes, "latin1"), 500);
  expect(text).toMatch(/^HTTP\/1\.1 4\d\d /);
  const body = JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4)) as Problem;
  expect(body.code).toMatch(/^[A-Z_]+$/);
  expect(body.message).toMatch(/\S/);
});

describe("revisions", () => {
  it("a stale If-Match is a 412 and changes nothing, a right one goes through, quoted or bare", async () => {
    const { id } = await deposit(alice.client, makeRecord(1));
    const path = `/api/records/mst/${id}/draft`;
    const put = (revision: string, n: number) =>
      alice.client.put<Problem>(path, makeRecord(n), { headers: { "if-match": revision } });
    expectProblem(await put('"7"', 2), 412, "REVISION_STALE");
    expect((await put('"1"', 2)).status).toBe(200);
    expect((await put("2", 3)).status).toBe(200);
    expectProblem(await put("2", 4), 412, "REVISION_STALE");
    const stale = { headers: { "if-match": '"1"' } };
    expectProblem(await alice.client.delete<Problem>(path, stale), 412, "REVISION_STALE");
    expectProblem(await alice.client.send<Problem>("POST", `${path}/actions/publish`, stale), 412, "REVISION_STALE");
    expect((await put("*", 4)).status).toBe(200);
    expect((await alice.client.get<RecordShape>(path)).body.revision_id).toBe(4);
    expect((await alice.client.delete(path, { headers: { "if-match": "4" } })).status).toBe(204);
  });

  it("If-None-Match is a 304 without a body on every single resource", async () => {
    const { id } = await publish(alice.client, makeRecord(5));
    const draft = await deposit(alice.client, makeRecord(6));
    const paths = [`/api/records/mst/${id}`, `/api/records/${id}`, `/api/records/mst/${draft.id}/draft`];
    for (const path of [...paths, "/api/vocabularies/organisms/taxid:562"]) {
      const { headers, status } = await alice.client.get(path);
      expect(status).toBe(200);
      expect(headers.etag, path).toMatch(/^"\d+"$/);
      for (const tag of [headers.etag!, `"0", ${headers.etag}`, "*", `W/${headers.etag}`]) {
        const again = await alice.client.get(path, { headers: { "if-none-match": tag } });
        expect([again.status, again.text], `${path} ${tag}`).toEqual([304, ""]);
        expect(again.headers.etag).toBe(headers.etag);
      }
      expect((await alice.client.get(path, { headers: { "if-none-match": '"0"' } })).status).toBe(200);
    }
  });

  it("what is public may be cached, what is not may not", async () => {
    const { id } = await publish(alice.client, makeRecord(7));
    const draft = await deposit(alice.client, makeRecord(8));
    const cacheOf = async (path: string) => (await alice.client.get(path)).headers["cache-control"] ?? "";
    expect(await cacheOf(`/api/records/mst/${id}`)).not.toBe("");
    expect(await cacheOf("/api/vocabularies/organisms/taxid:562")).not.toBe("");
    expect(await cacheOf(`/api/records/mst/${draft.id}/draft`)).not.toMatch(/public|max-age=[1-9]/);
  });
});
