import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_CHROMIUM } from "../support/chromium.js";
import { sidewaysScroll } from "./page-checks.js";
import { Reader } from "./reader.js";
import { openStage, type Stage } from "./stage.js";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Runs in the page: what can be pressed and is smaller than `least` pixels, but for links within a text. */
const smallerThan = (least: number): string => `(() => {
  const isInText = (element) => element.localName === "a" && element.closest("p, li, dd") !== null
    && getComputedStyle(element).display === "inline";
  const pressed = (element) => (element.type === "checkbox" ? element.closest("label") : element);
  return [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, summary")]
    .filter((element) => element.checkVisibility() && !element.closest("svg") && !isInText(element))
    .map((element) => ({ text: element.outerHTML.slice(0, 120), size: pressed(element).getBoundingClientRect() }))
    .filter(({ size }) => size.width > 1 && (size.height < ${least} - 0.5 || size.width < ${least} - 0.5))
    .map(({ text, size }) => Math.round(size.width) + " x " + Math.round(size.height) + " " + text);
})()`;

const PAGES = [
  "/",
  "/search?q=lysozyme&organism=taxid:9031",
  "/search?q=lysozyme&view=table",
  "/search?q=kd:<5",
  "/records/:record",
  "/compare?ids=:record&ids=:other",
  "/vocabularies/organisms?view=tree&at=taxid:562",
  "/vocabularies/organisms/taxid:562",
  "/molecules/uniprot:P00698",
];

describe.skipIf(!HAS_CHROMIUM)("a page", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  it.each(PAGES)("%s has targets of 24 pixels, and of 44 for a finger", async (template) => {
    for (const [options, least] of [
      [{}, 24],
      [PHONE, 44],
    ] as const) {
      const reader = await Reader.open(stage.browser, stage.at(template), options);
      expect(await reader.page.evaluate(smallerThan(least)), `of ${least} pixels`).toEqual([]);
      await reader.close();
    }
  });

  it.each([
    "/search?q=Quindecillion",
    "/search?q=Quindecillion&view=table",
    "/search?q=Quindecillion&view=table&rows=results&numbers=deposited",
    "/vocabularies/organisms?view=tree&at=taxid:9606",
    "/vocabularies/organisms/taxid:9606",
    "/search?organism=taxid:9606&facets=organism&facet_below=taxid:2759",
  ])("%s is not wider than its window", async (template) => {
    const reader = await Reader.open(stage.browser, stage.at(template));
    for (const width of [320, 390, 768, 1280]) {
      await reader.page.setViewportSize({ width, height: 800 });
      expect(await sidewaysScroll(reader.page), `at ${width} px`).toBe(0);
    }
    await reader.close();
  });

  /** A word without a place to break, and addresses whose pages repeat it. */
  const LONG = "w".repeat(300);

  it.each([
    "/search?q=LONG",
    "/search?q=LONG&view=table&unit.kd=LONG&cols=LONG&sort=LONG",
    "/search?q=created:LONG+kd:<5LONG+titel:LONG",
    "/search?q=lysozyme&organism=LONG&year=LONG",
    "/search?q=lysozyme&LONG=1&page=LONG",
    "/search?build=1&q=title:LONG+OR+(LONG)",
    "/search?facets=organism&facet_text=LONG",
    "/records/bli/LONG",
    "/records/LONG",
    "/records/:record?rows.LONG=1&rows.results=LONG",
    "/compare?ids=LONG",
    "/compare?ids=:record&ids=LONG&ids=LONG2",
    "/vocabularies/LONG",
    "/vocabularies/organisms?q=LONG",
    "/vocabularies/organisms?view=tree&q=LONG",
    "/vocabularies/organisms?view=tree&at=LONG",
    "/vocabularies/organisms/LONG",
    "/molecules/LONG",
    "/molecules/uniprot:P00698?LONG=1",
    "/models/LONG",
    "/deposit?model=LONG",
    "/help/LONG",
    "/help?LONG=1",
    "/LONG",
  ])("%s is not wider than a phone", async (template) => {
    const reader = await Reader.open(stage.browser, stage.at(template).replaceAll("LONG", LONG));
    for (const width of [320, 390]) {
      await reader.page.setViewportSize({ width, height: 800 });
      expect(await sidewaysScroll(reader.page), `at ${width} px`).toBe(0);
    }
    await reader.close();
  });

  it.each([
    "/records/:record",
    "/compare?ids=:record&ids=:other",
    "/search?q=lysozyme",
    "/molecules/uniprot:P00698",
    "/vocabularies/organisms/taxid:9606",
    "/vocabularies/organisms?view=tree&at=taxid:9606",
    "/vocabularies/chemicals?q=water",
    "/models/bli",
    "/deposit",
  ])("%s is not wider than a phone if its texts are words of any length", async (template) => {
    const reader = await Reader.open(stage.browser, stage.at(template));
    // Names, titles and values of deposits have no limit, so each text that is not of the page itself may be long.
    await reader.page.evaluate(`(() => {
      const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
      const texts = [];
      while (walker.nextNode()) texts.push(walker.currentNode);
      const isShown = (node) => node.parentElement.closest("svg, script, select, .skip") === null;
      const isLong = (node) => node.data.trim().length > 12 && isShown(node);
      for (const node of texts.filter(isLong)) node.data = "${LONG}";
    })()`);
    for (const width of [320, 390]) {
      await reader.page.setViewportSize({ width, height: 800 });
      expect(await sidewaysScroll(reader.page), `at ${width} px`).toBe(0);
    }
    await reader.close();
  });

  it.each(["/molecules/uniprot:P00698", "/records/itc?q=kd:*&view=table&cols=title,kd,author&size=50"])(
    "%s has the decimal points of a column below each other, those of derived numbers too",
    async (template) => {
      const reader = await Reader.open(stage.browser, stage.at(template));
      const columns = await reader.page.evaluate<readonly (readonly number[])[]>(`
      [...document.querySelectorAll("main table:has(.origin)")].flatMap((table) => {
        const places = [];
        for (const rest of table.querySelectorAll("td .rest"))
          (places[rest.closest("td").cellIndex] ??= []).push(Math.round(rest.getBoundingClientRect().left));
        return places.filter((each) => each !== undefined);
      })`);
      expect(columns.length).toBeGreaterThan(0);
      for (const places of columns) expect(new Set(places).size, places.join(" ")).toBe(1);
      await reader.close();
    },
  );

  const openLong = async (): Promise<{ readonly reader: Reader; readonly page: Page }> => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=Quindecillion"));
    await reader.page.locator(".hits h2 a").click();
    await reader.page.waitForURL(/records\//);
    return { reader, page: reader.page };
  };

  it("of a record with 300 results shows at most four in its head, and its list page by page", async () => {
    const { reader, page } = await openLong();
    expect(await page.locator("header .merits > li").count()).toBeLessThanOrEqual(5);
    expect(await page.locator("header .merits > li").last().innerText()).toMatch(/^\+ (29\d|300)$/);
    const height = () => page.evaluate<number>("document.documentElement.scrollHeight");
    // Two screens, and 50 rows of two lines: numbers of 17 digits are long.
    expect(await height()).toBeLessThan(2_000 + 50 * 50);
    const rows = page.locator("#results tbody tr");
    const seen = new Set<string>();
    for (let shown = 0; shown < 7; shown++) {
      expect(await rows.count()).toBeLessThanOrEqual(50);
      for (const name of await page.locator("#results tbody th").allInnerTexts()) seen.add(name);
      const next = page.locator("#results").getByRole("link", { name: "Next", exact: true });
      if ((await next.count()) === 0) break;
      const place = page.url();
      await next.click();
      await page.waitForURL((url) => url.href !== place);
    }
    expect(seen.size).toBeGreaterThanOrEqual(300);
    expect(await page.locator("header .merits > li").first().innerText()).not.toMatch(/15\d\d/);
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await sidewaysScroll(page)).toBe(0);
    await reader.close();
  });

  /** Runs in the page: lines of the cells with numbers, digits that are broken, and the height of a row. */
  const NUMBERS = `(() => {
    const cells = [...document.querySelectorAll("td.number:not(:empty)")];
    const range = document.createRange();
    const tops = (node, from, to) => {
      range.setStart(node, from);
      range.setEnd(node, to);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    };
    const textOf = (cell) => document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode();
    const broken = cells.flatMap((cell) => {
      const node = textOf(cell);
      const numbers = [...node.data.matchAll(/[0-9.]+/g)];
      return numbers.filter(({ index, 0: digits }) => tops(node, index, index + digits.length) > 1);
    });
    const row = cells[0].closest("tr").getBoundingClientRect();
    const { right } = cells[0].getBoundingClientRect();
    return { broken: broken.length, cells: cells.length, height: row.height, isInSight: right <= innerWidth };
  })()`;

  it.each([
    ["record", 320, 160, false],
    ["record", 1280, 90, true],
    ["/search?q=Quindecillion&view=table&rows=results&numbers=deposited", 320, 160, false],
    ["/search?q=Quindecillion&view=table&rows=results&numbers=deposited", 1280, 110, true],
  ])(
    "with numbers of 17 digits has low rows, and breaks no number: %s at %d px",
    async (path, width, height, isInSight) => {
      const reader = path === "record" ? (await openLong()).reader : await Reader.open(stage.browser, stage.at(path));
      const { page } = reader;
      await page.setViewportSize({ width, height: 800 });
      const numbers = await page.evaluate<{ broken: number; cells: number; height: number; isInSight: boolean }>(
        NUMBERS,
      );
      expect(numbers.cells).toBeGreaterThan(5);
      expect(numbers.broken).toBe(0);
      expect(numbers.height).toBeLessThan(height);
      if (isInSight) expect(numbers.isInSight).toBe(true);
      // The first cell of a row stays in sight while the table scrolls.
      const scroll = page.locator(".scroll").first();
      await scroll.evaluate("(element) => { element.scrollLeft = 1_000; }");
      const head = (await page.locator("tbody th").nth(3).boundingBox())!;
      expect(head.x).toBeGreaterThanOrEqual(0);
      expect(await sidewaysScroll(page)).toBe(0);
      await reader.close();
    },
  );

  /** Runs in the page: where the digits before the decimal points of the first results end. */
  const POINTS = `[...document.querySelectorAll(".numbers .merits b")].map((number) => {
    const range = document.createRange();
    const text = number.firstChild;
    range.setStart(text, 0);
    range.setEnd(text, text.data.match(/^\\d*/)[0].length);
    return range.getBoundingClientRect().right;
  })`;

  it("of a search has its first hit in sight, two lines for most hits, and the numbers below each other", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=kd:<10nM"));
    const { page } = reader;
    expect((await page.locator(".hits > li").first().boundingBox())!.y).toBeLessThan(300);
    const boxes = await Promise.all((await page.locator(".hits > li").all()).map((hit) => hit.boundingBox()));
    expect(boxes.filter((box) => box!.height < 70).length).toBeGreaterThan(boxes.length / 2);
    const points = await page.evaluate<readonly number[]>(POINTS);
    expect(points.length).toBeGreaterThan(5);
    expect(Math.max(...points) - Math.min(...points)).toBeLessThan(2);
    await page.setViewportSize({ width: 1920, height: 1080 });
    await page.goto(stage.at("/search?q=kd:<10nM&view=table"));
    const table = (await page.locator(".wide").boundingBox())!;
    expect(table.x + table.width).toBeGreaterThan(1_850);
    await reader.close();
  });

  it.each([320, 768, 1280])("of a search, at %d px, has a link to its filters", async (width) => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=lysozyme"), {
      viewport: { width, height: 800 },
    });
    const { page } = reader;
    const link = page.locator("a.to-filters");
    await link.focus();
    const box = (await link.boundingBox())!;
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(24);
    await page.keyboard.press("Enter");
    await page.waitForURL(/#filters$/);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.closest('#filters') !== null")).toBe(true);
    await reader.close();
  });

  it("of a record marks the heading of an anchor, and nothing else, for two seconds", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/records/:record"));
    const { page } = reader;
    const marked = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector("${selector}")).backgroundColor`);
    const plain = await marked("#method");
    await page.locator(".contents").getByRole("link", { name: "Method" }).click();
    expect(await marked("#method > h2")).not.toBe(plain);
    expect(await marked("#method")).toBe(plain);
    await expect.poll(() => marked("#method > h2"), { timeout: 4_000 }).toBe(plain);
    await reader.close();
  });
});
