import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InProcessServer, PUBLIC_URL, startInProcess } from "../../test/support/in-process-server.js";
import { readVersion } from "../app/composition/package-root.js";

let server: InProcessServer;
beforeAll(async () => {
  server = await startInProcess();
});
afterAll(() => server.close());

const page = (url: string) => server.app.inject({ url, headers: { accept: "text/html,*/*;q=0.8" } });

describe.each(["/", "/api/docs"])("the page at %s", (url) => {
  it("is HTML that loads nothing and allows its own style only", async () => {
    const answer = await page(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    const style = /<style>(.*?)<\/style>/s.exec(answer.body)![1]!;
    const hash = createHash("sha256").update(style).digest("base64");
    const policy = String(answer.headers["content-security-policy"]);
    expect(policy).toContain(`default-src 'none'; style-src 'sha256-${hash}'; `);
    expect(answer.body).not.toMatch(/<script|<img|@import|<link rel="stylesheet"|style="|onclick/);
  });

  it("shows the version of the package, and no markup of its sources", async () => {
    const { body } = await page(url);
    expect(body).toContain(`Bindery ${readVersion()}, `);
    expect(body).not.toContain("`");
  });

  it("says its language, fits a phone, and has one first heading", async () => {
    const { body } = await page(url);
    expect(body).toContain('<html lang="en">');
    expect(body).toContain('content="width=device-width, initial-scale=1"');
    expect(body.match(/<h1>/g)).toHaveLength(1);
  });

  it("has no link within it that leads nowhere", async () => {
    const { body } = await page(url);
    const ids = new Set([...body.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]));
    const targets = [...body.matchAll(/href="#([^"]+)"/g)].map((match) => match[1]);
    expect(targets.filter((target) => !ids.has(target))).toEqual([]);
  });
});

it("shows newcomers every model and vocabulary with its count, and requests that work", async () => {
  const { body } = await page("/");
  const { hits } = (await server.app.inject("/api/vocabularies")).json();
  for (const { id, count } of hits.hits) {
    expect(body).toContain(`href="./api/vocabularies/${id}"`);
    expect(body).toContain(`<td class="number">${count}</td>`);
  }
  for (const model of ["bli", "itc", "mst", "spr"]) expect(body).toContain(`"./api/records/${model}"`);

  const links = [...body.matchAll(/href="([^"#]+)"/g)].map((match) => match[1]!.replaceAll("&amp;", "&"));
  expect(links.filter((link) => !link.startsWith("./"))).toEqual(["data:,"]);
  expect(links.length).toBeGreaterThan(20);
  for (const link of links.filter((each) => each !== "data:,")) {
    const path = link.slice(1);
    const answer = await server.app.inject(path);
    expect(answer.statusCode, path).toBe(200);
    if (path.includes("q=") || path.includes("suggest=")) expect(answer.json().hits.total, path).toBeGreaterThan(0);
  }
  expect(body).toContain("npx bindery token create");
  expect(body).not.toContain(PUBLIC_URL);
});

it("shows every operation of the interface, with its parameters and schemas", async () => {
  const { body } = await page("/api/docs");
  const { paths, components } = (await server.app.inject("/api/openapi.json")).json();
  for (const operations of Object.values(paths) as Record<string, { operationId: string }>[]) {
    for (const { operationId } of Object.values(operations)) expect(body).toContain(`id="${operationId}"`);
  }
  for (const name of Object.keys(components.schemas)) expect(body).toContain(`id="schema-${name}"`);
});
