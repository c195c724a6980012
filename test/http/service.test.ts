import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { deposit, publish } from "../support/deposit.js";
import type { RecordShape, SearchBody } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";
import { type Service, startService } from "../support/service.js";

const PUBLIC = "https://data.example.org/bindery";
let bindery: Service;
let alice: TestUser;

beforeAll(async () => {
  bindery = await startService({ env: { BINDERY_PUBLIC_URL: PUBLIC } });
  alice = await bindery.user("alice");
});
afterAll(() => bindery.dispose());

/** Every absolute link in an answer. */
const linksIn = (text: string): string[] => text.match(/https?:\/\/[^"\s]+/g) ?? [];

describe("links", () => {
  it("begin with the configured public address, whatever the Host header says", async () => {
    const draft = await deposit(alice.client, makeRecord(1));
    const record = await publish(alice.client, makeRecord(2));
    const headers = { host: "evil.example", "x-forwarded-host": "evil.example", forwarded: "host=evil.example" };
    const paths = ["/api/search/?s=1&q=*", "/api/user/search/?s=1", "/api/vocabularies?s=2", "/api/openapi.json"];
    const more = [`/api/records/${record.id}`, `/api/records/mst/${draft.id}/draft`, "/api/vocabularies/organisms?s=1"];
    for (const path of [...paths, ...more, "/api/vocabularies/organisms/taxid:562"]) {
      const { status, text } = await alice.client.get(path, { headers });
      expect(status, path).toBe(200);
      expect(text).not.toContain("evil.example");
      expect(text).toContain(PUBLIC);
      expect(linksIn(text).filter((link) => link.includes("127.0.0.1"))).toEqual([]);
    }
    const made = await alice.client.post("/api/records/mst/", makeRecord(3), { headers });
    expect(made.headers.location).toMatch(new RegExp(`^${PUBLIC}/api/records/mst/`));
    const moved = await bindery.client.get("/api/vocabularies/languages/eng", { headers });
    expect(moved.headers.location).toBe(`${PUBLIC}/api/vocabularies/languages/en`);
  });
});

describe("what the platform's client asks for", () => {
  it("is in a body with expand=true, as an empty list of requests", async () => {
    const { id } = await publish(alice.client, makeRecord(4));
    const draft = await deposit(alice.client, makeRecord(5));
    for (const path of [`/api/records/mst/${id}`, `/api/records/mst/${draft.id}/draft`]) {
      for (const flag of ["true", "1"]) {
        const { body } = await alice.client.get(`${path}?expand=${flag}`);
        expect(body).toMatchObject({ expanded: { requests: [] } });
      }
      expect((await alice.client.get(path)).body).not.toHaveProperty("expanded");
    }
  });

  it("is a list of files, always empty, for those who see the record", async () => {
    const { id } = await publish(alice.client, makeRecord(6));
    const draft = await deposit(alice.client, makeRecord(7));
    const files = { enabled: false, entries: [] };
    expect((await bindery.client.get(`/api/records/mst/${id}/files`)).body).toEqual(files);
    expect((await alice.client.get(`/api/records/mst/${draft.id}/draft/files`)).body).toEqual(files);
    expect((await bindery.client.get(`/api/records/mst/${draft.id}/draft/files`)).status).toBe(401);
  });
});

describe("a page in a browser of another site", () => {
  it("may read what is public, and may ask before it writes", async () => {
    const headers = { origin: "https://elsewhere.example" };
    const read = await bindery.client.get("/api/search/", { headers });
    expect(read.headers["access-control-allow-origin"]).toBe("*");
    const asked = "authorization,content-type,if-match,if-none-match";
    const preflight = await bindery.client.send("OPTIONS", "/api/records/mst/", {
      headers: { ...headers, "access-control-request-method": "POST", "access-control-request-headers": asked },
    });
    expect([200, 204]).toContain(preflight.status);
    for (const name of asked.split(",")) {
      expect(preflight.headers["access-control-allow-headers"]?.toLowerCase()).toContain(name);
    }
  });
});

describe("the service", () => {
  it.each(["/healthz", "/readyz"])("%s answers 200", async (path) => {
    expect((await bindery.client.get(path)).status).toBe(200);
  });

  it("tells a newcomer at / what is here, and at /api/docs how to ask", async () => {
    for (const path of ["/", "/api/docs"]) {
      const { status, headers, text } = await bindery.client.get(path, { headers: { accept: "text/html" } });
      expect(status, path).toBe(200);
      expect(headers["content-type"]).toMatch(/^text\/html/);
      expect(headers["content-security-policy"]).toBeTruthy();
      expect(text).toContain("/api/");
    }
    const { text } = await bindery.client.get("/");
    // Links are relative to the page, so that they work below any path of a proxy.
    const own = [...text.matchAll(/href="(\.[^"]*)"/g)].map((match) => {
      const { pathname, search } = new URL(match[1]!, "http://localhost/");
      return pathname + search;
    });
    expect(own.length).toBeGreaterThan(3);
    for (const path of own) expect((await bindery.client.get(path.replaceAll("&amp;", "&"))).status, path).toBe(200);
  });

  it("describes itself in OpenAPI 3.1, every path of which is there", async () => {
    const { body } = await bindery.client.get<{ openapi: string; paths: Record<string, object> }>("/api/openapi.json");
    expect(body.openapi).toMatch(/^3\.1\./);
    for (const [path, methods] of Object.entries(body.paths)) {
      const real = path.replace("{model}", "mst").replace("{vocabulary}", "organisms").replace("{id}", "zv0gv-btp27");
      for (const method of Object.keys(methods)) {
        const { status, body: said } = await alice.client.send<{ code?: string }>(method.toUpperCase(), real);
        expect(status, `${method} ${path}`).not.toBe(405);
        expect(said?.code, `${method} ${path}`).not.toBe("PATH_NOT_FOUND");
      }
    }
  });

  it("gives every answer an id that stands in errors too, and no header that says what it is made of", async () => {
    const { headers, body } = await bindery.client.get<{ request_id: string }>("/api/records/mst/zv0gv-btp27");
    expect(headers["x-request-id"]).toBe(body.request_id);
    expect(headers).not.toHaveProperty("x-powered-by");
    expect(headers["x-content-type-options"]).toBe("nosniff");
  });
});

it("finds what was written in the very next search, a hundred times", async () => {
  for (let n = 0; n < 100; n++) {
    const word = `fresh${n}word`;
    const { id } = await deposit(alice.client, makeRecord(100 + n, { title: word }));
    const mine = await alice.client.get<SearchBody<RecordShape>>(`/api/user/search/?q=${word}&facets=none`);
    expect(mine.body.hits.hits.map((hit) => hit.id)).toEqual([id]);
    if (n % 4 !== 0) continue;
    await alice.client.post(`/api/records/mst/${id}/draft/actions/publish`);
    const all = await bindery.client.get<SearchBody<RecordShape>>(`/api/search/?q=${word}&facets=none`);
    expect(all.body.hits.hits.map((hit) => hit.id)).toEqual([id]);
  }
});
