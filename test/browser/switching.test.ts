import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_CHROMIUM } from "../support/chromium.js";
import { FINGER } from "./hands.js";
import { Reader } from "./reader.js";
import { openStage, type Stage } from "./stage.js";

/** Runs in the page: how often each part that scripts add is visible. */
const PARTS = `(() => {
  const visible = (all) => [...all].filter((each) => each.checkVisibility()).length;
  const texts = (text) => [...document.querySelectorAll("main *")]
    .filter((each) => each.children.length === 0 && each.textContent.trim() === text);
  const labels = [...document.querySelectorAll("label")];
  return {
    selectAll: visible(labels.filter((each) => /^ ?Select all [0-9]+$/.test(each.innerText))),
    readAs: visible(document.querySelectorAll(".read-parts")),
    completions: document.querySelectorAll(".completions").length,
    ranges: document.querySelectorAll("#facet-kd .range-fields").length,
    handles: document.querySelectorAll("#facet-kd .handle").length,
    dialogs: document.querySelectorAll("dialog").length,
  };
})()`;

const ONCE = { selectAll: 1, readAs: 1, completions: 1, ranges: 1, handles: 2, dialogs: 0 };

/** How a reader leaves the builder. */
const WAYS_OUT: readonly (readonly [way: string, leave: (page: Page) => Promise<void>])[] = [
  ["Escape", (page) => page.keyboard.press("Escape")],
  ["Close", (page) => page.getByRole("dialog").getByRole("link", { name: "Close" }).click()],
  ["Cancel", (page) => page.getByRole("dialog").getByRole("link", { name: "Cancel" }).click()],
  ["a press outside", (page) => page.mouse.click(5, 5)],
  ["what it finds", (page) => page.getByRole("link", { name: /^Show \d+ records$/ }).click()],
  ["Back", async (page) => void (await page.goBack())],
];

describe.skipIf(!HAS_CHROMIUM)("a reader who switches", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  it("between list and table, ticks, builds and goes back finds everything once", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=kd:<10nM+lysozyme"));
    const { page } = reader;
    const states: string[] = [];
    const look = async (state: string) => {
      states.push(state);
      await expect.poll(() => page.evaluate(PARTS), { message: states.join(", ") }).toEqual(ONCE);
    };
    await look("list");
    for (const view of ["Table", "List", "Table"]) {
      await page.getByRole("link", { name: view }).click();
      await page.locator(view === "Table" ? ".wide" : ".hits").waitFor();
      await look(view);
    }
    await page.locator("[name=sel]").first().check();
    await page.waitForURL(/sel=/);
    await look("ticked");
    await page.getByRole("link", { name: "List" }).click();
    await page.locator(".hits").waitFor();
    await look("list with a tick");
    await page.locator("#facet-organism").getByRole("checkbox").first().click();
    await page.waitForURL(/organism=/);
    await look("filtered");
    for (let i = 0; i < 4; i++) {
      await page.goBack();
      await look(`back ${i}`);
    }
    for (let i = 0; i < 4; i++) {
      await page.goForward();
      await look(`forward ${i}`);
    }
    await reader.close();
  });

  it.each(WAYS_OUT)("leaves the builder by %s, and Back and Forward work after it", async (_, leave) => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=kd:<10nM+lysozyme"));
    const { page } = reader;
    for (const view of ["Table", "List"]) {
      await page.getByRole("link", { name: view }).click();
      await page.locator(view === "Table" ? ".wide" : ".hits").waitFor();
    }
    await page.getByRole("link", { name: "Advanced search", exact: true }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Value" }).first().fill("20");
    await page.waitForURL(/b\.0\.value=20/);
    await leave(page);
    await page.waitForURL((url) => !url.searchParams.has("build"));
    await expect.poll(() => page.evaluate(PARTS)).toEqual(ONCE);
    const left = page.url();
    expect(new URL(left).searchParams.get("q")).toMatch(/^kd:<[12]0nM lysozyme$/);
    await page.goBack();
    await page.goForward();
    await page.waitForURL(left);
    await expect.poll(() => page.evaluate(PARTS)).toEqual(ONCE);
    await reader.close();
  });

  it("keeps the builder open if a press begins or ends in it, as a selection of text does", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=kd:<10nM+lysozyme&build=1"));
    const { page } = reader;
    const dialog = page.getByRole("dialog");
    const value = await dialog.getByRole("textbox", { name: "Value" }).first().boundingBox();
    const inside: readonly [number, number] = [value!.x + value!.width - 4, value!.y + value!.height / 2];
    const outside: readonly [number, number] = [5, 300];
    for (const [from, to] of [[inside, outside] as const, [outside, inside] as const]) {
      await page.mouse.move(...from);
      await page.mouse.down();
      await page.mouse.move(...to, { steps: 4 });
      await page.mouse.up();
      await page.evaluate("new Promise((done) => setTimeout(done, 100))");
      expect(await dialog.isVisible()).toBe(true);
      expect(page.url()).toContain("build=1");
    }
    await page.mouse.click(...outside);
    await page.waitForURL((url) => !url.searchParams.has("build"));
    await reader.close();
  });

  it("closes a long builder on a phone by what stays in sight, and by a tap outside", async () => {
    const phone = { hands: FINGER, viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true };
    const words = Array.from({ length: 14 }, (_, i) => `word${i}`).join("+");
    for (const leave of ["Close", "outside"]) {
      const reader = await Reader.open(stage.browser, stage.at(`/search?q=${words}&build=1`), phone);
      const { page } = reader;
      const dialog = page.getByRole("dialog");
      await dialog.locator(".ends").scrollIntoViewIfNeeded();
      const box = (await dialog.getByRole("link", { name: "Close" }).boundingBox())!;
      expect(box.y).toBeGreaterThan(0);
      expect(box.y + box.height).toBeLessThan(700);
      await (leave === "Close"
        ? page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
        : page.touchscreen.tap(4, 350));
      await page.waitForURL((url) => !url.searchParams.has("build"));
      await reader.close();
    }
  });

  it("opens results of a kind in the builder as they are written, with the units of the kind", async () => {
    const q = "results:(type:enthalpy AND value:<-50kJ/mol)";
    const reader = await Reader.open(stage.browser, stage.at(`/search?q=${encodeURIComponent(q)}`));
    const { page } = reader;
    const total = await reader.total();
    expect(total).toBeGreaterThan(2);
    await page.getByRole("link", { name: "Advanced search", exact: true }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.locator(".built").innerText()).toBe(q);
    const unit = dialog.getByRole("combobox", { name: "Unit" });
    expect(await unit.inputValue()).toBe("kJ/mol");
    expect(await unit.locator("option").allInnerTexts()).toEqual(["kJ/mol", "J/mol", "kcal/mol", "cal/mol"]);
    await unit.selectOption("kcal/mol");
    await page.waitForURL(/kcal/);
    await dialog.getByText(/^Show \d+ records?$/).waitFor();
    await dialog.getByRole("link", { name: "Cancel" }).click();
    await page.waitForURL((url) => !url.searchParams.has("build"));
    expect(new URL(page.url()).searchParams.get("q")).toBe(q);
    expect(await reader.total()).toBe(total);
    await reader.close();
  });

  it("keeps a unit that the builder does not know", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=kd:<10furlong&build=1"));
    const { page } = reader;
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByRole("combobox", { name: "Unit" }).inputValue()).toBe("furlong");
    await dialog.getByRole("textbox", { name: "Value" }).fill("20");
    await page.waitForURL(/value=20/);
    expect(await dialog.locator(".built").innerText()).toBe("kd:<20furlong");
    await reader.close();
  });

  it("keeps what is typed into the builder while the page of an earlier choice arrives", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=kd:<10nM&build=1"));
    const { page } = reader;
    const dialog = page.getByRole("dialog");
    const value = dialog.getByRole("textbox", { name: "Value" });
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 3_600_000); // Timers wait for the test.
    const held: Route[] = [];
    await page.route("**/search?*", (route) => void held.push(route), { times: 1 });
    await dialog.getByRole("combobox", { name: "Comparison" }).selectOption(">");
    const requested = page.waitForRequest("**/search?*");
    await page.clock.runFor(10);
    const request = await requested;
    await value.fill("25");
    await page.keyboard.press("Tab");
    await held[0]!.continue();
    await request.response().catch(() => undefined);
    await expect.poll(() => page.locator("main[aria-busy]").count()).toBe(0);
    await page.clock.runFor(1_000); // The pause after typing ends when the earlier page has arrived.
    await page.waitForURL(/value=25/);
    expect(await value.inputValue()).toBe("25");
    await reader.close();
  });

  it("closes the builder of a page that was opened with it to the search that was there before", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=lysozyme&build=1"));
    const { page } = reader;
    await page.getByRole("button", { name: "+ text" }).click();
    await page.waitForURL(/b\.join=/);
    await page.reload();
    await page.keyboard.press("Escape");
    await page.waitForURL((url) => !url.searchParams.has("build"));
    expect(new URL(page.url()).searchParams.get("q")).toBe("lysozyme");
    await reader.close();
  });

  it.each([
    ["a pointer", {}],
    ["a finger", { hands: FINGER, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ])("with %s has one menu open at a time, and closes it by Escape, outside and another menu", async (_, options) => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=lysozyme&view=table"), options);
    const { page } = reader;
    const summary = (name: string) => page.locator(".bar-above summary", { hasText: name });
    const open = () => page.locator("details.menu[open] > summary").allInnerTexts();
    for (const name of ["Columns", "Units", "Export"]) {
      await reader.press(summary(name));
      await expect.poll(open).toEqual([name]);
    }
    await page.keyboard.press("Escape");
    await expect.poll(open).toEqual([]);
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Export");
    await reader.press(summary("Units"));
    await reader.press(page.locator("h1"));
    await expect.poll(open).toEqual([]);
    await reader.close();
  });

  it("keeps a menu open while it changes the page, and closes it when the focus leaves it", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=lysozyme&view=table"));
    const { page } = reader;
    await page.locator(".bar-above summary", { hasText: "Columns" }).click();
    await page.locator(".columns").getByLabel("kon", { exact: true }).check();
    await page.waitForURL(/cols=/);
    expect(await page.locator("details.menu[open]").count()).toBe(1);
    await page.locator("#q").focus();
    await expect.poll(() => page.locator("details.menu[open]").count()).toBe(0);
    await reader.close();
  });

  it("opens the enthalpy of a result in the builder with its unit, and others of that kind", async () => {
    const q = "results:(type:enthalpy AND value:<-50kJ/mol)";
    const reader = await Reader.open(stage.browser, stage.at(`/search?q=${encodeURIComponent(q)}&build=1`));
    const { page } = reader;
    const unit = page.getByRole("dialog").getByLabel("Unit");
    expect(await unit.inputValue()).toBe("kJ/mol");
    expect(await unit.locator("option").allInnerTexts()).not.toContain("M");
    expect(await page.locator(".built code").innerText()).toBe(q);
    await page
      .getByRole("dialog")
      .getByLabel("Value", { exact: true })
      .first()
      .selectOption("Constant of dissociation KD");
    await expect.poll(() => unit.inputValue()).toBe("M");
    expect(await unit.locator("option").allInnerTexts()).toEqual(expect.arrayContaining(["nM", "pM"]));
    await reader.close();
  });

  it("is asked once for the unit of a number, and finds something with it", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=kd:<5"));
    const { page } = reader;
    await page.locator(".read-parts").waitFor();
    expect(await page.getByText("have units").filter({ visible: true }).count()).toBe(1);
    expect(await reader.total()).toBe(0);
    await page.locator(".needs-unit").getByRole("link", { name: "nM", exact: true }).click();
    await page.waitForURL(/5nM/);
    await expect.poll(() => reader.total()).toBeGreaterThan(0);
    await reader.close();
  });
});
