import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_CHROMIUM } from "../support/chromium.js";
import { openStage, type Stage } from "./stage.js";

describe.skipIf(!HAS_CHROMIUM)("the budgets of scripts, gzipped", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  it.each([
    ["/", 20_000],
    ["/records/:record", 20_000],
    ["/search?q=lysozyme", 45_000],
    ["/vocabularies/organisms?view=tree", 25_000],
  ])("of %s: %d bytes, and at most six requests", async (template, bytes) => {
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
