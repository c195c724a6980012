import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_CHROMIUM } from "../support/chromium.js";
import { PAGE_ADDRESSES } from "../support/page-addresses.js";
import { sidewaysScroll, violationsOf } from "./page-checks.js";
import { Reader } from "./reader.js";
import { openStage, type Stage } from "./stage.js";

const LOOKS = [
  { name: "on a screen, light", viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  { name: "on a phone, dark", viewport: { width: 390, height: 844 }, colorScheme: "dark" },
] as const;

describe.skipIf(!HAS_CHROMIUM)("in Chromium", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  it.each([...PAGE_ADDRESSES, "/nothing/here"])("%s is accessible, and fits the width", async (template) => {
    const reader = await Reader.open(stage.browser, stage.at(template));
    const { page } = reader;
    for (const { name, viewport, colorScheme } of LOOKS) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      expect(await violationsOf(page), name).toEqual([]);
      expect(await sidewaysScroll(page), name).toBe(0);
    }
    await reader.close();
  });

  it.each(["light", "dark"] as const)(
    "reads lists, dialogs and menus that are accessible (%s)",
    async (colorScheme) => {
      const options = { colorScheme, viewport: { width: 390, height: 844 } };
      const reader = await Reader.open(stage.browser, stage.at("/search?q=kd:<10nM+lysozyme+(("), options);
      const { page } = reader;
      await page.locator(".read-parts").waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.locator("#q").fill("temper");
      await page.getByRole("option").first().waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.goto(stage.at("/search?q=lysozyme"));
      await page.getByText("Export", { exact: true }).first().click();
      expect(await violationsOf(page)).toEqual([]);
      await page.goto(stage.at("/search?facet_size=4"));
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
      await reader.close();
    },
  );
});
