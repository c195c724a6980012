/** What stands behind the method in a request, sent as it is: HTTP libraries would correct it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendRaw } from "../support/http-client.js";
import { type Service, startService } from "../support/service.js";

let bindery: Service;

beforeAll(async () => {
  bindery = await startService();
});
afterAll(() => bindery.dispose());

interface Answered {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

async function ask(method: string, target: string, accept = "*/*"): Promise<Answered> {
  const lines = [`${method} ${target} HTTP/1.1`, "Host: bindery.example", `Accept: ${accept}`, "Connection: close"];
  const text = await sendRaw(bindery.url, `${lines.join("\r\n")}\r\n\r\n`, 10_000);
  const end = text.indexOf("\r\n\r\n");
  return { status: Number(text.split(" ", 2)[1]), head: text.slice(0, end), body: text.slice(end + 4) };
}

const HTML = "text/html";

describe("a target that is no path", () => {
  it.each(["*", "*?q=x", "**", "*/api", "bindery.example:80"])("%s is a 400 for every method", async (target) => {
    for (const method of ["GET", "OPTIONS", "POST", "DELETE", "PROPFIND", "CONNECT"]) {
      const { status, body } = await ask(method, target);
      expect([method, status]).toEqual([method, 400]);
      expect(JSON.parse(body)).toMatchObject({ code: "REQUEST_MALFORMED" });
    }
    expect((await ask("HEAD", target)).status).toBe(400);
    expect((await ask("GET", target, HTML)).status).toBe(400);
  });

  it.each(["", "?", "?q=x", "#", "api"])("%s, too, is a 400", async (target) => {
    expect((await ask("GET", target)).status).toBe(400);
  });
});

it.each([
  ["http://elsewhere.example/healthz", 200],
  ["HTTPS://elsewhere.example:99/healthz?x", 200],
  ["http://elsewhere.example/nothing", 404],
])("%s is read as its path", async (target, status) => {
  expect((await ask("GET", target)).status).toBe(status);
});

it.each(["http://elsewhere.example", "http://elsewhere.example/", "http://elsewhere.example?x", "//", "/?"])(
  "%s is the start page, with links that lead on",
  async (target) => {
    const { status, body } = await ask("GET", target, HTML);
    expect(status).toBe(200);
    expect(body).toMatch(/href="\.\.?\/search/);
    expect(body).not.toContain("elsewhere");
  },
);

/** A little less than what a URL may have. */
const LENGTH = 60_000;

describe("answers to very long targets are short", () => {
  const repeat = (text: string): string => text.repeat(LENGTH / text.length);
  const paths = ["", "/api", "/search", "/records", "/vocabularies/chemicals", "/api/vocabularies/chemicals", "/help"];
  it.each(["/", "a/", "%2F", "../", "%2e%2e/", "a", "%zz", "./", ";", "//a"])("%s", async (text) => {
    for (const start of paths) {
      for (const accept of ["*/*", HTML]) {
        const { status, head, body } = await ask("GET", `${start}/${repeat(text)}`, accept);
        expect([404, 406, 200]).toContain(status);
        expect(`${head}${body}`.length, `${start} ${accept}`).toBeLessThan(5_000);
      }
    }
  });

  it.each([
    "/api/records/mst?cursor=",
    "/api/changes?since=",
    "/api/records/mst?instrument=",
    "/api/vocabularies/chemicals?ids=",
    "/api/vocabularies/chemicals?suggest=",
    "/api/vocabularies/organisms?ancestor=",
    "/api/records/mst?sort=",
    "/search?instrument=",
    "/search?cursor=",
    "/vocabularies/chemicals?suggest=",
    "/vocabularies/organisms?ancestor=",
    "/vocabularies/chemicals?ids=",
  ])("%s", async (start) => {
    const isApi = start.startsWith("/api");
    const { status, head, body } = await ask("GET", start + repeat("z"), isApi ? "*/*" : HTML);
    // A page leaves a wrong parameter out, and says so.
    expect(status).toBe(isApi ? 400 : 200);
    const plain = isApi ? "" : (await ask("GET", start.split("?")[0]!, HTML)).body;
    expect(`${head}${body}`.length - plain.length).toBeLessThan(5_000);
  });
});
