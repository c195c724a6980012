import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_CHROMIUM } from "../support/chromium.js";
import { Reader } from "./reader.js";
import { openStage, type Stage } from "./stage.js";

const PHONE = { viewport: { width: 390, height: 800 }, hasTouch: true };

describe.skipIf(!HAS_CHROMIUM)("filters", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  const open = (address: string, options = {}) => Reader.open(stage.browser, stage.at(address), options);

  it.each([true, false])("exclude a value that was not chosen, with scripts: %s", async (javaScriptEnabled) => {
    const reader = await open("/search?kd=1e-9..1e-6", { javaScriptEnabled });
    const { page } = reader;
    const all = await reader.total();
    const human = page.locator("#facet-organism li").filter({ hasText: "Homo sapiens" });
    const count = Number(await human.locator(".count").innerText());
    await reader.press(human.getByRole("button", { name: "not Homo sapiens" }));
    await page.waitForURL(/q=-organism\.within%3Ataxid%3A9606/);
    await expect.poll(() => reader.total()).toBe(all - count);
    expect(new URL(page.url()).searchParams.has("not")).toBe(false);
    await page.locator(".part", { hasText: "not Organism within Homo sapiens" }).getByRole("link").click();
    await page.waitForURL((url) => !url.searchParams.has("q"));
    await expect.poll(() => reader.total()).toBe(all);
    await reader.close(1);
  });

  it("give their width to the hits while they are closed", async () => {
    const reader = await open("/search?q=lysozyme");
    const { page } = reader;
    const width = async () => (await page.locator(".found").boundingBox())!.width;
    const narrow = await width();
    await page.locator(".filters > summary").click();
    expect((await width()) - narrow).toBeGreaterThan(250);
    await reader.close();
  });

  it.each([true, false])(
    "are a sheet on a phone that says how many records it leaves, with scripts: %s",
    async (javaScriptEnabled) => {
      const reader = await open("/search?q=lysozyme", { ...PHONE, javaScriptEnabled });
      const { page } = reader;
      const sheet = page.locator("#filters");
      expect(await sheet.isVisible()).toBe(false);
      await page.locator(".to-filters").tap();
      await sheet.waitFor();
      const box = (await sheet.boundingBox())!;
      expect(Math.round(box.y + box.height)).toBe(800);
      const total = await reader.total();
      const end = sheet.getByRole("link", { name: `Show ${total} records` });
      expect(await isOnScreen(page, end)).toBe(true);
      if (javaScriptEnabled) {
        const first = page.locator("#facet-technique").getByRole("checkbox").first();
        await first.tap();
        await page.waitForURL(/technique=/);
        await expect.poll(() => reader.total()).toBeLessThan(total);
        const fewer = await reader.total();
        await sheet.getByRole("link", { name: `Show ${fewer} record` }).tap();
      } else await end.tap();
      await expect.poll(() => sheet.isVisible()).toBe(false);
      await reader.close();
    },
  );
});

const isOnScreen = async (page: Page, target: ReturnType<Page["locator"]>): Promise<boolean> => {
  const box = await target.boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= page.viewportSize()!.height;
};

describe.skipIf(!HAS_CHROMIUM)("a histogram", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  const barCounts = (page: Page) =>
    page
      .locator("#facet-kd .reach")
      .evaluateAll((bars) => bars.map((bar) => Number((bar as HTMLElement).dataset.count)));
  const centreOf = async (target: ReturnType<Page["locator"]>) => {
    const { x, y, width, height } = (await target.boundingBox())!;
    return { x: x + width / 2, y: y + height / 2 };
  };

  it("has round numbers on its axis, and shows the count of a bar under the pointer and with the focus", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search"));
    const { page } = reader;
    const chart = page.locator("#facet-kd");
    expect(await chart.locator(".tick").allTextContents()).toEqual([
      "1\u202fpM",
      "1\u202fnM",
      "1\u202fµM",
      "1\u202fmM",
    ]);
    const bar = chart.locator("a", { has: page.locator("[data-from='1e-8']") });
    const tally = bar.locator("xpath=following-sibling::*[1]");
    expect(await tally.isVisible()).toBe(false);
    await bar.hover();
    expect(await tally.isVisible()).toBe(true);
    expect(await tally.textContent()).toBe(await bar.locator(".reach").getAttribute("data-count"));
    await page.mouse.move(0, 0);
    await bar.focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    expect(await tally.isVisible()).toBe(true);
    await reader.close();
  });

  it("moves the end whose grip is drawn, keeps the other one, and counts meanwhile", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search?kd=1e-9..1e-6"));
    const { page } = reader;
    const chart = page.locator("#facet-kd");
    const grip = chart.getByRole("slider").nth(1).locator(".grip");
    const box = (await grip.boundingBox())!;
    expect(box.width).toBeGreaterThanOrEqual(8);
    expect(box.height).toBeGreaterThanOrEqual(18);
    const from = await centreOf(grip);
    const target = (await chart.locator("[data-from='1e-8']").boundingBox())!;
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(target.x + target.width + 1, from.y, { steps: 5 });
    const counts = await barCounts(page);
    const bars = await chart
      .locator(".reach")
      .evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset.from));
    const sum = counts[bars.indexOf("1e-9")]! + counts[bars.indexOf("1e-8")]!;
    expect(await chart.locator("output").textContent()).toBe(`${sum} records`);
    await page.mouse.up();
    await page.waitForURL(/kd=1e-9\.\.1e-7(&|$)/);
    expect(await reader.total()).toBe(sum);
    await reader.close();
  });
});
