import { afterAll, beforeAll, expect, it } from "vitest";
import { BROWSER, linksOf, startDemo, textOf } from "../../test/support/demo-server.js";
import type { InProcessServer } from "../../test/support/in-process-server.js";

let server: InProcessServer;
beforeAll(async () => {
  server = await startDemo();
}, 120_000);
afterAll(() => server.close());

const page = (url: string) => server.app.inject({ url, headers: BROWSER });
/** From a page at the root's first level. */
const follow = (link: string) => page(link.replace(/^\.\//, "/"));

/** Of the records that a page shows. */
const idsOf = (html: string): readonly string[] =>
  [...html.matchAll(/name="sel" value="([^"]+)"/g)].map((match) => match[1]!);

it("a link selects all records of the page, beside those that are selected on others", async () => {
  const first = idsOf((await page("/search?sort=oldest")).body);
  const { body } = await page(`/search?sort=oldest&page=2&sel=${first[0]}`);
  const all = linksOf(body).find((link) => /[?&]sel=/.test(link) && link.includes("page=2"))!;
  const selected = (await follow(all)).body;
  expect(textOf(selected)).toContain(`${first.length + 1} selected:`);
  expect(selected).toContain("page=2");
  expect(textOf(body)).toMatch(/Select all 10\b/);
  expect(textOf(selected)).not.toMatch(/Select all \d/);
});

it("a button leads to the comparison of the records that are ticked", async () => {
  const { body } = await page("/search?q=lysozyme");
  expect(body).toContain('formaction="./compare"');
  const [a, b] = idsOf(body);
  const { statusCode, headers } = await page(`/compare?q=lysozyme&sel=${a}&sel=${b}`);
  expect([statusCode, headers.location]).toEqual([302, `./compare?ids=${a}%2C${b}`]);
  expect(textOf((await page("/compare?q=lysozyme")).body)).toContain("Choose at least two records.");
});

it("the builder begins with a row, and a button shows what its rows say", async () => {
  const begun = (await page("/search?build=1")).body;
  expect(begun.match(/name="b\.0\.field"/g)).toHaveLength(1);
  const row = "b.0.field=dh&b.0.is=%3C&b.0.value=-50&b.0.unit=kJ/mol";
  const { statusCode, headers } = await page(`/search?view=table&build=1&b.join=all&${row}&b.do=show`);
  expect([statusCode, headers.location]).toEqual([302, "./search?view=table&q=dh%3A%3C-50kJ%2Fmol"]);
});
