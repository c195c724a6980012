/** The service behind a reverse proxy that has it under a path, over real connections. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InProcessServer, PUBLIC_URL, startInProcess } from "../../test/support/in-process-server.js";
import { type PrefixProxy, startPrefixProxy } from "../../test/support/prefix-proxy.js";
import { makeRecord } from "../../test/support/records.js";
import { readVersion } from "../app/composition/package-root.js";

let proxy: PrefixProxy;
beforeAll(async () => {
  proxy = await startPrefixProxy("/data/repo");
});
afterAll(() => proxy.close());

/** A server that the proxy passes to. */
async function start(publicUrl: string): Promise<InProcessServer> {
  const server = await startInProcess({}, publicUrl);
  proxy.passTo(await server.app.listen({ host: "127.0.0.1", port: 0 }));
  return server;
}

describe("the pages, whatever the public address is", () => {
  let server: InProcessServer;
  beforeAll(async () => {
    server = await start(PUBLIC_URL);
  });
  afterAll(() => server.close());

  it.each(["/", "/?a=b/c", "/api/docs", "/api/docs/"])("at %s lead on within the prefix", async (path) => {
    const page = await fetch(`${proxy.url}${path}`);
    expect(page.status).toBe(200);
    const body = await page.text();
    // The canonical address is the public one, which leads here or not.
    const targets = [...body.replace(/<link rel="canonical"[^>]*>/, "").matchAll(/(?:href|action)="([^"#]+)"/g)].map(
      (match) => match[1]!.replaceAll("&amp;", "&"),
    );
    const links = [...new Set(targets)].filter((target) => target !== "data:,");
    expect(links.length).toBeGreaterThan(2);
    for (const link of links) {
      const { href } = new URL(link, page.url);
      expect(href.startsWith(`${proxy.url}/`), link).toBe(true);
      expect((await fetch(href)).status, href).toBe(200);
    }
  });

  it("have a form that searches", async () => {
    const page = await fetch(`${proxy.url}/`);
    const action = /<form action="([^"]+)"/.exec(await page.text())![1]!;
    const answer = await fetch(`${new URL(action, page.url)}?q=lysozyme`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("Nothing found.");
    const data = await fetch(answer.url, { headers: { accept: "application/json" } });
    expect(new URL(data.url).pathname).toBe("/data/repo/api/search");
    expect(await data.json()).toMatchObject({ hits: { total: 0 }, query: { parsed: "lysozyme" } });
  });
});

describe("with the prefix in the public address", () => {
  let server: InProcessServer;
  beforeAll(async () => {
    server = await start(proxy.url);
  });
  afterAll(() => server.close());

  /** Every address under `links` of an answer, at any depth. */
  const linksOf = (answer: unknown): string[] => {
    if (typeof answer !== "object" || answer === null) return [];
    return Object.entries(answer).flatMap(([key, value]) =>
      key === "links" ? (Object.values(value) as string[]) : linksOf(value),
    );
  };

  it("every link of an answer works", async () => {
    const authorization = `Bearer ${await server.token("ada")}`;
    const headers = { authorization, "content-type": "application/json" };
    const made = await fetch(`${proxy.url}/api/records/mst/`, {
      method: "POST",
      headers,
      body: JSON.stringify(makeRecord(1)),
    });
    expect(made.status).toBe(201);
    const draft = (await made.json()) as { links: { self: string; publish: string } };
    expect(made.headers.get("location")).toBe(draft.links.self);
    const published = await fetch(draft.links.publish, { method: "POST", headers });
    expect(published.status).toBe(202);

    const start = [
      "/api",
      "/api/models",
      "/api/vocabularies/organisms?size=2",
      "/api/search?size=1",
      "/api/user/search",
    ];
    const answers = [published, ...(await Promise.all(start.map((path) => fetch(proxy.url + path, { headers }))))];
    const links = new Set<string>();
    for (const answer of answers) for (const link of linksOf(await answer.json())) links.add(link);
    expect(links.size).toBeGreaterThan(15);
    for (const link of links) {
      expect(link.startsWith(`${proxy.url}/`), link).toBe(true);
      expect((await fetch(link, { headers })).status, link).toBe(200);
    }
  });

  it("OpenAPI's paths follow its server", async () => {
    const { servers, info } = (await (await fetch(`${proxy.url}/api/openapi.json`)).json()) as {
      servers: unknown;
      info: { version: string };
    };
    expect(servers).toEqual([{ url: proxy.url }]);
    expect(info.version).toBe(readVersion());
  });

  it("the service says its version, and where to go on", async () => {
    for (const path of ["/api", "/api/"]) {
      const answer = await fetch(proxy.url + path);
      expect(await answer.json()).toEqual({
        name: "Bindery",
        version: readVersion(),
        links: {
          self: `${proxy.url}/api`,
          docs: `${proxy.url}/api/docs`,
          openapi: `${proxy.url}/api/openapi.json`,
          models: `${proxy.url}/api/models`,
          vocabularies: `${proxy.url}/api/vocabularies`,
          search: `${proxy.url}/api/search`,
          changes: `${proxy.url}/api/changes`,
        },
      });
    }
  });
});
