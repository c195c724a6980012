import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { violationsOf } from "../browser/page-checks.js";
import { Reader } from "../browser/reader.js";
import { HAS_CHROMIUM, startChromium } from "../support/chromium.js";
import { startDemo } from "../support/demo-server.js";
import type { InProcessServer } from "../support/in-process-server.js";

/** The heart of what test/browser proves at length (`npm run test:browser`), quick enough for each run. */
describe.skipIf(!HAS_CHROMIUM)("in Chromium", () => {
  let server: InProcessServer;
  let browser: Browser;
  let base: string;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startDemo(), startChromium()]);
    base = await server.app.listen({ host: "127.0.0.1", port: 0 });
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  it("a record is found from the start page, with a filter that applies at once, on accessible pages", async () => {
    const reader = await Reader.open(browser, base);
    const { page } = reader;
    expect(await violationsOf(page)).toEqual([]);
    await reader.fill(page.locator("#q"), "lysozyme");
    await reader.key("Enter");
    await page.waitForURL(/q=lysozyme/);
    await reader.press(page.getByRole("checkbox", { name: /^Gallus gallus/ }));
    await page.waitForURL(/organism=/);
    expect(await violationsOf(page)).toEqual([]);
    await reader.press(page.locator(".hits h2 a").first());
    await page.waitForURL(/records\//);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toMatch(/lysozyme/i);
    expect(await violationsOf(page)).toEqual([]);
    await reader.close(4);
  });

  it("a search is typed, read and sent by keys alone", async () => {
    const reader = await Reader.open(browser, `${base}/search`);
    const { page } = reader;
    await page.keyboard.press("/");
    const completed = page.waitForResponse((response) => response.url().includes("q=temper&"));
    await page.keyboard.type("temper");
    await completed;
    await page
      .getByRole("option", { name: /^Temperature/ })
      .first()
      .waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Tab");
    expect(await page.locator("#q").inputValue()).toBe("temperature:");
    await page.keyboard.type("25°C lysozyme");
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=temperature/);
    await expect.poll(() => page.locator(".read-parts .part").count()).toBe(2);
    await reader.close();
  });

  it("a record is found without scripts", async () => {
    const reader = await Reader.open(browser, base, { javaScriptEnabled: false });
    const { page } = reader;
    await reader.fill(page.getByRole("searchbox"), "lysozyme");
    await reader.key("Enter");
    await page.waitForURL(/q=lysozyme/);
    await reader.press(page.getByRole("checkbox", { name: /Gallus gallus/ }));
    await page.waitForURL(/organism=/);
    expect(await page.locator(".hits h2 a").count()).toBeGreaterThan(0);
    await reader.close();
  });
});
