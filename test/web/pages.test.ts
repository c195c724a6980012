import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_CHROMIUM, startChromium } from "../support/chromium.js";
import { startDemo } from "../support/demo-server.js";
import type { InProcessServer } from "../support/in-process-server.js";
import { PAGE_ADDRESSES } from "../support/page-addresses.js";
import { Reader } from "./reader.js";
import { WALKS } from "./walks.js";

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

describe.skipIf(!HAS_CHROMIUM)("in Chromium", () => {
  it.each(PAGES)(
    "%s is accessible, fits the width, and says nothing to the console",
    async (template) => {
      const context = await browser.newContext({ bypassCSP: true });
      const page = await open(context, template);
      for (const { name, viewport, colorScheme } of LOOKS) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        expect(await violationsOf(page), name).toEqual([]);
        const [needed, given] = await page.evaluate<[number, number]>(
          "[document.documentElement.scrollWidth, document.documentElement.clientWidth]",
        );
        expect(needed, name).toBeLessThanOrEqual(given);
      }
      await context.close();
    },
    60_000,
  );
});

describe.skipIf(!HAS_CHROMIUM)("a reader", () => {
  it.each(WALKS)(
    "$task: in $acts acts at most",
    async ({ acts, from = "/", walk }) => {
      const reader = await Reader.open(browser, base + from);
      await walk(reader);
      await reader.close(acts);
    },
    60_000,
  );

  it("2: sends what was found as a link, which shows the same elsewhere", async () => {
    const reader = await Reader.open(browser, `${base}/search?q=lysozyme`);
    await reader.page
      .getByLabel(/^Gallus gallus/)
      .first()
      .click();
    await reader.page.waitForURL(/organism=/);
    const [address, total] = [reader.page.url(), await reader.total()];
    const other = await Reader.open(browser, address);
    expect(await other.total()).toBe(total);
    await other.close(1);
    await reader.close(1);
  }, 60_000);

  it("searches, selects and compares by keys alone", async () => {
    const reader = await Reader.open(browser, `${base}/search`);
    const { page } = reader;
    await page.keyboard.press("/");
    const completed = page.waitForResponse((response) => response.url().includes("q=temper&"));
    await page.keyboard.type("temper");
    await completed;
    await page
      .getByRole("option", { name: /^temperature/ })
      .first()
      .waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Tab");
    expect(await page.locator("#q").inputValue()).toBe("temperature:");
    await page.keyboard.type("25°C lysozyme");
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=temperature/);
    await expect.poll(() => page.locator(".read-parts .part").count()).toBe(2);
    await page.locator("#q").blur();
    for (const count of [1, 2]) {
      await page.keyboard.press("j");
      await page.keyboard.press("x");
      await page.getByText(`${count} selected:`).waitFor();
    }
    await page.getByRole("button", { name: "Compare" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/compare/);
    await reader.close(0);
  }, 60_000);

  it("moves in the tree of terms with the keys of a tree", async () => {
    const reader = await Reader.open(browser, `${base}/vocabularies/organisms?view=tree&at=taxid:561`);
    const { page } = reader;
    const focused = () => page.evaluate<string>("document.activeElement.innerText.trim()");
    await page.locator("[role=treeitem][tabindex='0']").focus();
    await page.keyboard.press("Home");
    expect(await focused()).toMatch(/^root/);
    await page.keyboard.press("End");
    expect(await focused()).toMatch(/^Escherichia coli/);
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/taxid%3A562/);
    await page.getByRole("treeitem", { name: /K-12/ }).waitFor();
    await page.keyboard.press("ArrowLeft");
    expect(await focused()).toMatch(/^Escherichia taxid/);
    await page.keyboard.press("Enter");
    await page.waitForURL(/vocabularies\/organisms\/taxid:561/);
    await reader.close(0);
  }, 60_000);

  it("finds focus, opened filters and the way back as they were, where a filter changed the page", async () => {
    const reader = await Reader.open(browser, `${base}/search?q=lysozyme`);
    const { page } = reader;
    await page.locator("#facet-ph summary").first().click();
    const box = page.locator("#facet-organism input[type=checkbox]").first();
    await box.focus();
    await page.keyboard.press("Space");
    await page.waitForURL(/organism=/);
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("organism");
    expect(await page.locator("#facet-ph").getAttribute("open")).not.toBeNull();
    await page.goBack();
    await expect.poll(() => box.isChecked()).toBe(false);
    await reader.close(0);
  }, 60_000);

  it("finds values of a long facet, opens its tree and ticks what is there, by keys alone", async () => {
    const reader = await Reader.open(browser, `${base}/search?facet_size=4`);
    const { page } = reader;
    const facet = page.locator("#facet-organism");
    const focused = (what: string) => page.evaluate<string>(`document.activeElement.${what}`);
    await facet.getByRole("searchbox").focus();
    await page.keyboard.type("bacter");
    await facet.getByText(/^\d+ values?$/).waitFor();
    expect(await focused("value")).toBe("bacter");
    expect(page.url()).toMatch(/facet_size=4$/);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => focused("ariaExpanded")).toBe("true");
    await page.keyboard.press("ArrowRight");
    const ticked = await focused("querySelector('input').value");
    await page.keyboard.press("Space");
    await page.waitForURL(/organism=/);
    expect(new URL(page.url()).searchParams.getAll("organism")).toEqual([ticked]);
    await expect.poll(() => focused("querySelector('input')?.value")).toBe(ticked);
    expect(await focused("ariaChecked")).toBe("true");
    expect(await facet.getByRole("searchbox").inputValue()).toBe("");
    await reader.close(0);
  }, 60_000);

  it("is told what fails, and tries again, and the page stays", async () => {
    const reader = await Reader.open(browser, `${base}/search?q=lysozyme`);
    const { page } = reader;
    await page.route("**/search?*", (route) => route.abort(), { times: 1 });
    await page
      .getByLabel(/^Gallus gallus/)
      .first()
      .click();
    await page.getByRole("alert").waitFor();
    expect(await page.locator(".hits > li").count()).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.waitForURL(/organism=/);
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.context().close();
  }, 60_000);

  it.each(["light", "dark"] as const)(
    "reads lists, dialogs and menus that are accessible (%s)",
    async (colorScheme) => {
      const options = { colorScheme, bypassCSP: true, viewport: { width: 390, height: 844 } };
      const reader = await Reader.open(browser, `${base}/search?q=kd:<10nM+lysozyme+((`, options);
      const { page } = reader;
      await page.locator(".read-parts").waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.locator("#q").fill("temper");
      await page.getByRole("option").first().waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.goto(`${base}/search?q=lysozyme`);
      await page.getByText("Export", { exact: true }).first().click();
      expect(await violationsOf(page)).toEqual([]);
      await page.goto(`${base}/search?facet_size=4`);
      const facet = page.locator("#facet-organism");
      const listed = await facet.locator("li").count();
      await facet.locator("[aria-expanded=false] > .opens").first().click();
      await expect.poll(() => facet.locator("li").count()).toBeGreaterThan(listed);
      expect(await violationsOf(page)).toEqual([]);
      await facet.getByRole("searchbox").fill("coli");
      await facet.getByText(/^\d+ values?$/).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.locator("h1").click();
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.context().close();
    },
    60_000,
  );
});

describe.skipIf(!HAS_CHROMIUM)("the budgets of scripts, gzipped", () => {
  it.each([
    ["/", 20_000],
    ["/records/:record", 20_000],
    ["/search?q=lysozyme", 45_000],
    ["/vocabularies/organisms?view=tree", 25_000],
  ])(
    "of %s: %d bytes, and at most six requests",
    async (template, bytes) => {
      const context = await browser.newContext();
      const page = await context.newPage();
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      await page.goto(addressOf(template), { waitUntil: "networkidle" });
      const scripts = asked.filter((url) => url.endsWith(".js"));
      const sizes = await Promise.all(
        scripts.map(async (url) => gzipSync((await server.app.inject(new URL(url).pathname)).rawPayload).length),
      );
      expect(scripts).toHaveLength(1);
      expect(sizes.reduce((a, b) => a + b, 0)).toBeLessThan(bytes);
      expect(asked.filter((url) => !url.startsWith("data:")).length).toBeLessThanOrEqual(6);
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

  it("a value of a long facet is found and ticked beside another one", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await open(context, "/search?organism=taxid:9031");
    await page.getByRole("searchbox", { name: "Find in Organism" }).focus();
    await page.keyboard.type("baker's yeast");
    await page.keyboard.press("Enter");
    await page.waitForURL(/facet_text=baker/);
    await page.getByRole("checkbox", { name: /^Saccharomyces cerevisiae/ }).focus();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Apply" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.searchParams.getAll("organism").length === 2);
    expect(new URL(page.url()).search).not.toContain("facet");
    expect(await page.getByText("Saccharomyces cerevisiae").count()).toBeGreaterThan(1);
    await context.close();
  }, 60_000);
});
