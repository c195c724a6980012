import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BROWSER, linksOf, startDemo, textOf } from "../../test/support/demo-server.js";
import { type InProcessServer, PUBLIC_URL } from "../../test/support/in-process-server.js";
import { HELP_DOCS } from "./pages/help-pages.js";

let server: InProcessServer;
beforeAll(async () => {
  server = await startDemo();
}, 120_000);
afterAll(() => server.close());

const TOPICS = [...HELP_DOCS.keys()].map((topic) => `/help/${topic}`);
const page = async (url: string) => (await server.app.inject({ url, headers: BROWSER })).body;
const anchorsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, anchor]) => anchor!);

describe.each(["/help", ...TOPICS])("the help at %s", (address) => {
  it("is a page of the documentation without traces of its markup", async () => {
    const body = await page(address);
    expect(body.match(/<h1>/g)).toHaveLength(1);
    const text = textOf(body.replaceAll(/<(pre|code|copy-text)[^>]*>.*?<\/\1>/gs, ""));
    expect(text).not.toMatch(/\]\(|\*\*|```|^#|&lt;!--/m);
    expect(text).not.toContain("`");
  });

  it("leads to pages, and to parts of them that exist", async () => {
    const body = await page(address);
    const links = linksOf(body.slice(body.indexOf("<main"), body.indexOf("</main>")));
    const wrong: string[] = [];
    for (const link of links.filter((each) => !/^(https?|mailto):/.test(each))) {
      const { pathname, search, hash } = new URL(link, `${PUBLIC_URL}${address}`);
      const answer = await server.app.inject({ url: pathname + search, headers: BROWSER });
      const isThere = hash === "" || anchorsOf(answer.body).includes(decodeURIComponent(hash.slice(1)));
      if (answer.statusCode !== 200 || !isThere) wrong.push(`${answer.statusCode} ${link}`);
    }
    expect(wrong).toEqual([]);
  });

  it("lists all topics", async () => {
    const links = linksOf(await page(address)).map((link) => new URL(link, `${PUBLIC_URL}${address}`).pathname);
    expect(links).toEqual(expect.arrayContaining(TOPICS));
  });
});

it("has examples of queries as links to their searches, which find what the documentation says", async () => {
  const body = await page("/help");
  const rows = [
    ...body.matchAll(/<tr><td><a href="([^"]+)"[^>]*><code>([^<]+)<\/code><\/a><\/td>.*?<td>(\d+)<\/td><\/tr>/g),
  ];
  expect(rows.length).toBeGreaterThan(15);
  for (const [, link, , hits] of rows) {
    const { search } = new URL(link!.replaceAll("&amp;", "&"), `${PUBLIC_URL}/help`);
    const { total } = (await server.app.inject(`/api/search${search}&size=1`)).json().hits;
    expect(total, link).toBe(Number(hits));
  }
  const syntax = linksOf(await page("/help/search")).filter((link) => link.startsWith("../search?q="));
  expect(syntax.length).toBeGreaterThan(150);
});

it("is offered where something was not found", async () => {
  expect(linksOf(await page("/search?q=xyzzyx"))).toContain("./help");
  const lost = linksOf(await page("/nowhere"));
  expect(lost).toContain("./help");
  expect(lost).toContain("./help/errors");
});
