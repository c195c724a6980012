import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_CHROMIUM } from "../support/chromium.js";
import { openStage, type Stage } from "./stage.js";

/** Runs in each page before its scripts: sums how far parts of the page move by themselves. */
const SHIFTS = `{
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) window.shifted += value;
  }).observe({ type: "layout-shift", buffered: true });
}`;

describe.skipIf(!HAS_CHROMIUM)("the budgets", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  it("of shifts of the layout: 0.02, on a slow processor and network too", async () => {
    const context = await stage.browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.addInitScript(SHIFTS);
    const session = await context.newCDPSession(page);
    const fast4g = { latency: 60, downloadThroughput: 1_125_000, uploadThroughput: 1_125_000 };
    await session.send("Network.emulateNetworkConditions", { offline: false, ...fast4g });
    await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    const searches = ["/search?q=lysozyme", "/search?q=kd:*&view=table"];
    for (const template of ["/", ...searches, "/records/:record", "/vocabularies/organisms/taxid:562"]) {
      await page.goto(stage.at(template), { waitUntil: "networkidle" });
      expect(await page.evaluate<number>("window.shifted"), template).toBeLessThan(0.02);
    }
    await context.close();
  });

  it.each([
    ["/", 20_000],
    ["/records/:record", 20_000],
    ["/search?q=lysozyme", 45_000],
    ["/vocabularies/organisms?view=tree", 25_000],
  ])("of scripts, gzipped, of %s: %d bytes, and at most six requests", async (template, bytes) => {
    const context = await stage.browser.newContext();
    const page = await context.newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(stage.at(template), { waitUntil: "networkidle" });
    const scripts = asked.filter((url) => url.endsWith(".js"));
    const sizes = await Promise.all(
      scripts.map(async (url) => gzipSync(await (await fetch(url)).arrayBuffer()).length),
    );
    expect(scripts).toHaveLength(1);
    expect(sizes.reduce((a, b) => a + b, 0)).toBeLessThan(bytes);
    // Pictures of structures come as they come into view, and are kept for ever.
    const others = asked.filter((url) => !url.startsWith("data:") && !url.includes("/structure.svg?v="));
    expect(others.length).toBeLessThanOrEqual(6);
    await context.close();
  });
});
