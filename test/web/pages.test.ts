import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_CHROMIUM, startChromium } from "../support/chromium.js";
import { startDemo } from "../support/demo-server.js";
import type { InProcessServer } from "../support/in-process-server.js";
import { PAGE_ADDRESSES } from "../support/page-addresses.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let server: InProcessServer;
let browser: Browser;
let base: string;
let record: string;
let other: string;
if (HAS_CHROMIUM) {
  beforeAll(async () => {
    server = await startDemo();
    base = await server.app.listen({ host: "127.0.0.1", port: 0 });
    const ids = async (query: string): Promise<string[]> =>
      (await server.app.inject(`/api/search?${query}`)).json().hits.hits.map(({ id }: { id: string }) => id);
    [record] = (await ids("q=HyHEL-10")) as [string];
    [other] = (await ids("q=calmodulin")) as [string];
    browser = await startChromium();
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
}

const PAGES = [...PAGE_ADDRESSES, "/nothing/here"];

const addressOf = (template: string): string => base + template.replace(":record", record).replace(":other", other);

/** Opens a page; whatever its console says is a failure, but for an error page's own status. */
async function open(context: BrowserContext, template: string): Promise<Page> {
  const page = await context.newPage();
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.message));
  await page.goto(addressOf(template));
  expect(said.filter((text) => !text.includes("status of 404"))).toEqual([]);
  return page;
}

async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>("axe.run(document, { resultTypes: ['violations'] })");
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** Pages must not need scripts; axe needs one, which their policy forbids. */
const LOOKS = [
  { name: "on a screen, light", viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  { name: "on a phone, dark", viewport: { width: 390, height: 844 }, colorScheme: "dark" },
] as const;

describe.skipIf(!HAS_CHROMIUM).each(LOOKS)("in Chromium $name", ({ viewport, colorScheme }) => {
  it.each(PAGES)(
    "%s is accessible, fits the width, and says nothing to the console",
    async (template) => {
      const context = await browser.newContext({ viewport, colorScheme, bypassCSP: true });
      const page = await open(context, template);
      expect(await violationsOf(page)).toEqual([]);
      const [needed, given] = await page.evaluate<[number, number]>(
        "[document.documentElement.scrollWidth, document.documentElement.clientWidth]",
      );
      expect(needed).toBeLessThanOrEqual(given);
      await context.close();
    },
    60_000,
  );
});

describe.skipIf(!HAS_CHROMIUM)("without scripts, by keyboard", () => {
  it("a record is found, narrowed down and read", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await open(context, "/");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter"); // To the content.
    await page.getByRole("searchbox").focus();
    await page.keyboard.type("lysozyme");
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=lysozyme/);
    const before = await page.getByRole("status").innerText();
    await page.getByRole("checkbox", { name: /Gallus gallus/ }).focus();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Apply" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/organism=/);
    expect(await page.getByRole("status").innerText()).not.toBe(before);
    await page.getByRole("heading", { level: 2 }).getByRole("link").first().focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/records\//);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toMatch(/lysozyme/i);
    await context.close();
  }, 60_000);
});
