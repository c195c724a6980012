import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InProcessServer, PUBLIC_URL, startInProcess } from "../../test/support/in-process-server.js";
import { fail } from "../core/errors.js";
import { LIMITS } from "../core/limits.js";

let server: InProcessServer;
let token: string;

beforeAll(async () => {
  server = await startInProcess();
  token = await server.token("alice");
});
afterAll(() => server.close());

const send = (method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "OPTIONS" | "PATCH", url: string, headers = {}) =>
  server.app.inject({ method, url, headers });
const bearer = (text: string) => ({ authorization: `Bearer ${text}` });

describe("every answer", () => {
  it.each(["/api/search", "/api/nothing", "/healthz", "/"])("of %s carries a request id of its own", async (url) => {
    const [first, second] = [await send("GET", url), await send("GET", url)];
    expect(first.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.headers["x-request-id"]).not.toBe(second.headers["x-request-id"]);
  });

  it("may be read by pages of other sites, errors too", async () => {
    for (const url of ["/api/search", "/api/search?p=0"]) {
      const answer = await send("GET", url, { origin: "https://elsewhere.org", ...bearer("bnd_wrong") });
      expect(answer.headers["access-control-allow-origin"]).toBe("*");
      expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    }
  });
});

describe("an error", () => {
  it("has one shape, with the id of the request", async () => {
    const answer = await send("GET", "/api/records/mst/?p=0");
    expect(answer.statusCode).toBe(400);
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.json()).toEqual({
      status: 400,
      code: "PARAMETER_INVALID",
      message: 'The parameter "p" must be a whole number from 1, not "0".',
      errors: [expect.objectContaining({ field: "p", pointer: "/p", value: "0" })],
      request_id: answer.headers["x-request-id"],
    });
  });

  const long = "x".repeat(50_000);
  it.each([
    ["GET", "/api/nothing", 404, "PATH_NOT_FOUND"],
    ["GET", "/api/records/nomodel", 404, "MODEL_NOT_FOUND"],
    ["GET", "/api/records/zv0gv-btp27", 404, "RECORD_NOT_FOUND"],
    ["GET", "/api/records/mst/zv0gv-btp27", 404, "RECORD_NOT_FOUND"],
    ["GET", "/api/records/mst/%zz", 404, "RECORD_NOT_FOUND"],
    ["GET", "/api/records/mst/%00", 404, "RECORD_NOT_FOUND"],
    ["GET", "/api/records/mst/%ff%fe/files", 404, "RECORD_NOT_FOUND"],
    ["GET", "/api/vocabularies/nothing", 404, "VOCABULARY_NOT_FOUND"],
    ["GET", "/api/vocabularies/organisms/%zz", 404, "TERM_NOT_FOUND"],
    ["GET", "/api/vocabularies/organisms/<long>", 404, "TERM_NOT_FOUND"],
    ["GET", "/api/vocabularies/<long>", 404, "VOCABULARY_NOT_FOUND"],
    ["GET", "/api/records/<long>", 404, "MODEL_NOT_FOUND"],
    ["GET", "/api/records/mst/<long>", 404, "RECORD_NOT_FOUND"],
    ["GET", "/api/<long>", 404, "PATH_NOT_FOUND"],
    ["GET", "/api/vocabularies/__proto__/constructor", 404, "VOCABULARY_NOT_FOUND"],
    ["GET", "/api/user/search", 401, "TOKEN_MISSING"],
    ["POST", "/api/records/mst", 401, "TOKEN_MISSING"],
    ["GET", "/api/records/mst/zv0gv-btp27/draft", 401, "TOKEN_MISSING"],
    ["POST", "/api/search", 405, "METHOD_NOT_ALLOWED"],
    ["PATCH", "/api/records/mst/zv0gv-btp27/draft", 405, "METHOD_NOT_ALLOWED"],
  ] as const)("of %s %s is %i %s", async (method, url, status, code) => {
    const answer = await send(method, url.replace("<long>", long));
    expect(answer.json()).toMatchObject({ status, code });
    expect(answer.statusCode).toBe(status);
    expect(answer.body.length).toBeLessThan(2_000);
  });

  it("names the methods that a path has, with a slash at its end or not", async () => {
    for (const url of ["/api/records/mst/zv0gv-btp27/draft", "/api/records/mst/zv0gv-btp27/draft/"]) {
      expect((await send("PATCH", url)).headers.allow).toBe("DELETE, GET, HEAD, POST, PUT");
    }
    expect((await send("DELETE", "/api/records/mst/")).headers.allow).toBe("GET, HEAD, POST");
  });

  it("of our own carries no detail, and the log has it all", async () => {
    const broken = await startInProcess({
      listVocabularies: () => Promise.reject(new Error("secret table is missing")),
      checkReady: () => Promise.reject(new Error("away")),
      readTerm: () => Promise.reject(fail("STORE_UNAVAILABLE", { reason: "the disk is full" })),
    });
    const answer = await broken.app.inject("/api/vocabularies");
    expect(answer.json()).toMatchObject({ status: 500, code: "INTERNAL", errors: [] });
    expect(answer.body).not.toContain("secret");
    const logged = broken.log.find(({ reqId }) => reqId === answer.headers["x-request-id"]);
    expect(JSON.stringify(logged)).toContain("secret table");

    const unready = await broken.app.inject("/readyz");
    expect(unready.json()).toMatchObject({ status: 503, code: "STORE_UNAVAILABLE" });
    expect(unready.headers["retry-after"]).toMatch(/^\d+$/);
    expect((await broken.app.inject("/healthz")).statusCode).toBe(200);
    const full = await broken.app.inject("/api/vocabularies/organisms/taxid:562");
    expect(full.json()).toMatchObject({ status: 503, message: expect.stringContaining("the disk is full") });
    await broken.close();
  });
});

describe("a token", () => {
  const paths = ["/api/search", "/api/vocabularies/organisms", "/api/nothing", "/", "/api/user/search"];

  it.each(paths)("that is not known is a 401 at %s", async (url) => {
    for (const header of ["Bearer bnd_unknown", "Bearer", "Bearer ", "Basic YTpi", "bnd_x"]) {
      const answer = await send("GET", url, { authorization: header });
      expect(answer.json()).toMatchObject({ status: 401, code: "TOKEN_INVALID" });
      expect(answer.headers["www-authenticate"]).toMatch(/^Bearer realm="bindery", error="invalid_token"/);
    }
  });

  it("that is missing is a 401 without an error in the challenge", async () => {
    expect((await send("GET", "/api/user/search")).headers["www-authenticate"]).toBe('Bearer realm="bindery"');
  });

  it("is read whatever the case of the scheme, and its use is noted", async () => {
    const answer = await send("GET", "/api/user/search", { authorization: `bearer ${token}` });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["cache-control"]).toBe("private, no-store");
    const today = new Date().toISOString().slice(0, 10);
    await expect.poll(async () => (await server.services.listTokens())[0]?.lastUsed).toBe(today);
  });

  it("that lacks the scope is a 403 that names it", async () => {
    const reader = await server.token("reader", { scopes: ["records:read"] });
    const answer = await server.app.inject({
      method: "POST",
      url: "/api/records/mst",
      headers: bearer(reader),
      payload: { metadata: {} },
    });
    expect(answer.json()).toMatchObject({ status: 403, code: "SCOPE_MISSING" });
    expect(answer.headers["www-authenticate"]).toContain('error="insufficient_scope", scope="records:write"');
  });

  it("never stands in the log, not even out of a URL", async () => {
    await send("GET", `/api/search?access_token=${token}`, bearer(token));
    expect(JSON.stringify(server.log)).not.toContain(token);
    expect(server.log).toContainEqual(
      expect.objectContaining({ method: "GET", status: 200, reqId: expect.any(String) }),
    );
  });
});

it("logs whose request it was: the address, and the id of the user where there is one", async () => {
  const { user } = (await server.services.listTokens("alice"))[0]!;
  const urls = ["/api/models?a=1", "/api/models?a=2", "/api/models?a=3"];
  await send("GET", urls[0]!, bearer(token));
  await send("GET", urls[1]!);
  await send("GET", urls[2]!, bearer("bnd_wrong"));
  const logged = urls.map((url) => server.log.find((line) => line.url === url));
  expect(logged).toMatchObject([
    { status: 200, ip: "127.0.0.1", user },
    { status: 200, ip: "127.0.0.1" },
    { status: 401, ip: "127.0.0.1" },
  ]);
  for (const line of logged.slice(1)) expect(line).not.toHaveProperty("user");
});

describe("Accept", () => {
  it.each(["application/json", "*/*", "application/vnd.inveniordm.v1+json", "application/*;q=0.1"])(
    "%s gets JSON",
    async (accept) => {
      const answer = await send("GET", "/api/search", { accept });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    },
  );

  it.each(["text/html", "application/xml", "image/png"])("%s is a 406 from the API", async (accept) => {
    expect((await send("GET", "/api/search", { accept })).json()).toMatchObject({
      status: 406,
      code: "NOT_ACCEPTABLE",
    });
  });

  it("application/json is a 406 from a page, and from nowhere a 404", async () => {
    expect((await send("GET", "/", { accept: "application/json" })).statusCode).toBe(406);
    expect((await send("GET", "/api/nothing", { accept: "application/json" })).statusCode).toBe(404);
  });
});

describe("a request", () => {
  it("whose URL and headers pass the limit is a 431", async () => {
    const long = "a".repeat(LIMITS.urlBytesMax);
    expect((await send("GET", `/api/search?q=${long}`)).json()).toMatchObject({ status: 431, code: "URL_TOO_LONG" });
    expect((await send("GET", "/api/search", { "x-long": long })).statusCode).toBe(431);
    const nearly = "a".repeat(LIMITS.urlBytesMax - 500);
    expect((await send("GET", "/api/search", { "x-long": nearly })).statusCode).toBe(200);
  });

  it("may ask what may be done, as a CORS preflight or plainly", async () => {
    const asked = { origin: "https://elsewhere.org", "access-control-request-method": "PUT" };
    const preflight = await send("OPTIONS", "/api/records/mst/zv0gv-btp27/draft", asked);
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers["access-control-allow-headers"]).toBe(
      "authorization, content-type, if-match, if-none-match, idempotency-key",
    );
    const plain = await send("OPTIONS", "/api/records/mst");
    expect(plain.statusCode).toBe(204);
    expect(plain.headers.allow).toBe("GET, HEAD, POST, OPTIONS");
    // `lookup` is never the id of a term, so this address has no methods of a term.
    const lookup = "/api/vocabularies/organisms/lookup";
    expect((await send("OPTIONS", lookup)).headers.allow).toBe("GET, HEAD, OPTIONS");
    for (const method of ["PUT", "PATCH", "DELETE"] as const) {
      const { statusCode, headers } = await send(method, lookup);
      expect([statusCode, headers.allow]).toEqual([405, "GET, HEAD"]);
    }
    expect((await send("OPTIONS", "/api/nothing")).statusCode).toBe(404);
  });

  it("reaches the same with a slash at the end", async () => {
    for (const path of ["/api/search", "/api/records/mst", "/api/vocabularies/organisms/taxid:562"]) {
      const [bare, slashed] = [await send("GET", path), await send("GET", `${path}/`)];
      expect(slashed.statusCode, path).toBe(200);
      expect(slashed.body).toBe(bare.body);
    }
  });
});

describe("the service", () => {
  it("says that it lives and that it is ready", async () => {
    expect((await send("GET", "/healthz")).json()).toEqual({ status: "ok" });
    expect((await send("GET", "/readyz")).json()).toEqual({ status: "ready" });
  });

  it("serves its OpenAPI document with its own address", async () => {
    const { openapi, servers, paths } = (await send("GET", "/api/openapi.json")).json();
    expect({ openapi, servers }).toEqual({ openapi: "3.1.0", servers: [{ url: PUBLIC_URL }] });
    expect(Object.keys(paths)).toContain("/api/vocabularies/{vocabulary}/{id}");
  });
});
