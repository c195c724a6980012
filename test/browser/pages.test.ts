import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_CHROMIUM } from "../support/chromium.js";
import { PAGE_ADDRESSES } from "../support/page-addresses.js";
import { sidewaysScroll, violationsOf } from "./page-checks.js";
import { Reader } from "./reader.js";
import { openStage, type Stage } from "./stage.js";

/** Pages that are no answer to what was asked. */
const OTHERS = ["/nothing/here", "/records/:gone", "/records/mst?kd=none", "/search?q=qqqqzzzz+lysozyme"];

const WIDTHS = [1280, 390, 320];

/** A scheme changes colours only: at each width the dark one is looked at with TEST_LONG=1. */
const widthsOf = (scheme: "light" | "dark", widths: readonly number[]): readonly number[] =>
  scheme === "light" || process.env.TEST_LONG === "1" ? widths : widths.slice(0, 1);

/** Opens the filters, which are a sheet on a phone. */
async function openFilters(page: Page): Promise<void> {
  const filters = page.locator("#filters");
  if (!(await filters.isVisible())) await page.locator(".to-filters").click();
  await filters.waitFor();
}

/** A state of a page, and the steps that lead to it. */
const STATES: readonly {
  readonly state: string;
  readonly at: string;
  readonly open: (page: Page) => Promise<void>;
}[] = [
  {
    state: "a query with a mistake, read part by part",
    at: "/search?q=kd:<10nM+lysozyme+((",
    open: (page) => page.locator(".read-parts").waitFor(),
  },
  {
    state: "completions",
    at: "/search",
    open: async (page) => {
      await page.locator("#q").fill("temper");
      await page.getByRole("option").first().waitFor();
      await page.keyboard.press("ArrowDown");
    },
  },
  ...["Export", "Units"].map((menu) => ({
    state: `the menu ${menu}`,
    at: "/search?q=lysozyme",
    open: (page: Page) => page.locator(".bar-above summary", { hasText: menu }).click(),
  })),
  {
    state: "the columns of a table",
    at: "/search?q=lysozyme&view=table",
    open: (page) => page.locator(".bar-above summary", { hasText: "Columns" }).click(),
  },
  {
    state: "records that are selected",
    at: "/search?q=lysozyme",
    open: async (page) => {
      await page.getByLabel(/Select all \d+$/).click();
      await page.getByText(/^\d+ selected:/).waitFor();
      await page.locator(".selection .menu > summary").click();
    },
  },
  {
    state: "all filters, and their numbers as tables",
    at: "/search",
    open: async (page) => {
      for (const closed of await page.locator("details:not([open]):not(.menu) > summary").all()) {
        if (await closed.isVisible()) await closed.click();
      }
    },
  },
  {
    state: "a branch of a tree of values",
    at: "/search?facet_size=4&facets=organism&tree=1",
    open: async (page) => {
      await openFilters(page);
      const values = page.locator("#facet-organism li");
      const listed = await values.count();
      await page.locator("#facet-organism [aria-expanded=false] > .opens").first().click();
      await expect.poll(() => values.count()).toBeGreaterThan(listed);
    },
  },
  {
    state: "values that were found",
    at: "/search",
    open: async (page) => {
      await openFilters(page);
      const facet = page.locator("#facet-organism");
      await facet.getByRole("searchbox").fill("coli");
      await facet.getByText(/^\d+ values?$/).waitFor();
    },
  },
  {
    state: "the builder",
    at: "/search?q=results:(type:KD+AND+value:<10nM)+lysozyme",
    open: async (page) => {
      await page.getByRole("link", { name: "Advanced search" }).click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    state: "the list of keys",
    at: "/search",
    open: async (page) => {
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    state: "a line that says that the service cannot be reached",
    at: "/search?q=lysozyme",
    open: async (page) => {
      await openFilters(page);
      await page.context().setOffline(true);
      await page.locator("#facet-organism [role=checkbox]").first().click();
      await page.getByRole("alert").waitFor();
    },
  },
];

describe.skipIf(!HAS_CHROMIUM).each(["light", "dark"] as const)("%s pages", (colorScheme) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  it.each([...PAGE_ADDRESSES, ...OTHERS])("%s is accessible, and fits every width", async (template) => {
    const reader = await Reader.open(stage.browser, stage.at(template), { colorScheme });
    const { page } = reader;
    for (const width of widthsOf(colorScheme, WIDTHS)) {
      await page.setViewportSize({ width, height: 900 });
      expect(await sidewaysScroll(page), `at ${width} px`).toBe(0);
      if (width !== 320) expect(await violationsOf(page), `at ${width} px`).toEqual([]);
    }
    await reader.close();
  });

  it.each(STATES)("with $state open are accessible, and fit a screen and a phone", async ({ at, open }) => {
    for (const width of widthsOf(colorScheme, [1280, 390])) {
      const options = { colorScheme, viewport: { width, height: 900 } };
      const { page } = await Reader.open(stage.browser, stage.at(at), options);
      await open(page);
      expect(await sidewaysScroll(page), `at ${width} px`).toBe(0);
      expect(await violationsOf(page), `at ${width} px`).toEqual([]);
      await page.context().close();
    }
  });
});

/** Runs in the page: by how many pixels the first element of a selector is wider than the room that it has. */
const overflowOf = (selector: string): string =>
  `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector(${JSON.stringify(selector)}))`;

/** Runs in the page: where elements begin and end, from left to right. */
const spansOf = (selector: string): string =>
  `[...document.querySelectorAll(${JSON.stringify(selector)})].map((each) => {
    const { left, right } = each.getBoundingClientRect();
    return [left, right];
  })`;

describe.skipIf(!HAS_CHROMIUM)("on a page", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  it("two to six records stand side by side without scrolling", async () => {
    const answer = await fetch(stage.at("/api/search?size=6&q=kd:*"));
    const { hits } = ((await answer.json()) as { hits: { hits: { id: string }[] } }).hits;
    const reader = await Reader.open(stage.browser, stage.at("/"));
    for (const count of [2, 3, 4, 5, 6]) {
      const ids = hits.slice(0, count).map(({ id }) => id);
      await reader.page.goto(stage.at(`/compare?ids=${ids.join(",")}`));
      expect(await reader.page.locator(".compare").first().locator("thead th").count()).toBe(count + 1);
      expect(await reader.page.evaluate(overflowOf(".scroll:has(> .compare)")), `${count} records`).toBe(0);
    }
    await reader.close();
  });

  it.each([1280, 390])(
    "of a search, at %d px, what is done with the selected records stays in sight",
    async (width) => {
      const viewport = { width, height: 800 };
      const reader = await Reader.open(stage.browser, stage.at("/search?size=20"), { viewport });
      const { page } = reader;
      const bar = page.locator("hit-selection");
      await page.getByLabel(/Select all \d+$/).waitFor();
      for (const screens of [0, 1]) {
        await page.evaluate(`window.scrollTo(0, ${screens} * innerHeight)`);
        const { y, height } = (await bar.boundingBox())!;
        expect(y + height, `${screens} screens down`).toBeLessThanOrEqual(viewport.height);
      }
      await reader.close();
    },
  );

  it("of a record, checks have signs in words, and are complete in print", async () => {
    const answer = await fetch(stage.at("/api/search?size=1&facets=none&q=kd:* AND kon:* AND koff:*"));
    const { hits } = ((await answer.json()) as { hits: { hits: { id: string }[] } }).hits;
    const reader = await Reader.open(stage.browser, stage.at(`/records/${hits[0]!.id}`));
    const { page } = reader;
    const checks = page.locator("#checks");
    const lines = checks.locator("li");
    const count = await lines.count();
    expect(count).toBeGreaterThan(2);
    expect(await lines.getByRole("img", { name: /^(agrees|differs|note)$/ }).count()).toBe(count);
    expect(await checks.innerText()).toMatch(/^Checks\s+\d+ checks? agrees?/);
    // A long list is folded on the screen.
    await page.evaluate(`{
      const kept = Object.assign(document.createElement("details"), { className: "kept" });
      kept.append(document.querySelector("#checks .checks"));
      document.querySelector("#checks").append(kept);
    }`);
    expect(await lines.first().isVisible()).toBe(false);
    await page.emulateMedia({ media: "print" });
    expect(await lines.first().isVisible()).toBe(true);
    await reader.close();
  });

  /** Prints a page on A4 paper and counts the sheets. */
  const countSheets = async (page: Page): Promise<number> => {
    const file = (await page.pdf({ format: "A4", preferCSSPageSize: true })).toString("latin1");
    return file.match(/\/Type ?\/Page\b(?!s)/g)!.length;
  };

  it.each([
    ["/records/:record", 2],
    ["/search?q=lysozyme", 1],
    ["/search?q=lysozyme&view=table", 1],
    ["/compare?ids=:record&ids=:other", 2],
    ["/vocabularies/organisms/taxid:9606", 1],
    ["/molecules/uniprot:P00698", 2],
  ])("%s takes at most %i sheets of paper, on which nothing is cut", async (template, sheets) => {
    const reader = await Reader.open(stage.browser, stage.at(template));
    const { page } = reader;
    expect(await countSheets(page)).toBeLessThanOrEqual(sheets);
    // The printed width of A4, upright or across.
    await page.emulateMedia({ media: "print" });
    const isWide = await page.evaluate<boolean>("document.querySelector('.comparison, .wide') !== null");
    await page.setViewportSize({ width: isWide ? 1045 : 716, height: 900 });
    expect(await sidewaysScroll(page)).toBe(0);
    for (const hidden of ["header.head", ".side", ".selection", ".after-hits", "copy-text", ".compared"]) {
      expect(await page.locator(hidden).filter({ visible: true }).count(), hidden).toBe(0);
    }
    await reader.close();
  });

  it("of a record has its essentials on the first sheet of paper", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/records/:record"));
    await reader.page.emulateMedia({ media: "print" });
    await reader.page.setViewportSize({ width: 716, height: 1045 });
    const main = reader.page.locator("main");
    const top = (await main.boundingBox())!.y;
    for (const name of ["results", "checks", "entities", "conditions", "method"]) {
      const { y, height } = (await main.locator(`#${name}`).boundingBox())!;
      expect(y + height - top, name).toBeLessThan(1045);
    }
    const address = await main.locator("header").innerText();
    expect(address).toContain(`records/${new URL(reader.page.url()).pathname.split("/").at(-1)}`);
    await reader.close();
  });

  it("in another tab follows the chosen theme", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/"));
    const tab = await reader.page.context().newPage();
    await tab.goto(stage.at("/help"));
    const theme = () => tab.evaluate<string>("document.documentElement.dataset.theme ?? ''");
    for (const chosen of ["dark", "light", ""]) {
      await reader.page.getByLabel("Theme").selectOption(chosen);
      await expect.poll(theme).toBe(chosen);
      expect(await tab.getByLabel("Theme").inputValue()).toBe(chosen);
    }
    await tab.evaluate("localStorage.setItem('bindery-theme', 'x')");
    await tab.reload();
    expect(await theme()).toBe("");
    await reader.close();
  });

  it("of any kind, the chosen theme is kept, and is there before a script file is", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/"), { colorScheme: "light" });
    const { page } = reader;
    const paper = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    const light = await paper();
    const choice = page.getByLabel("Theme");
    await choice.selectOption("dark");
    const dark = await paper();
    expect(dark).not.toBe(light);
    await page.goto(stage.at("/search?q=lysozyme"));
    expect(await choice.inputValue()).toBe("dark");
    expect(await page.locator('meta[name="theme-color"][media="all"]').getAttribute("content")).toBe("#14181a");
    await page.route("**/*.js", (route) => route.fulfill({ contentType: "text/javascript", body: "" }));
    await page.goto(stage.at("/help"));
    expect(await paper()).toBe(dark);
    await page.unroute("**/*.js");
    await page.reload();
    await choice.selectOption("automatic");
    await page.reload();
    expect(await paper()).toBe(light);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await paper()).toBe(dark);
    await choice.selectOption("light");
    expect(await paper()).toBe(light);
    await reader.close();
  });

  it("of any kind, texts and numbers are in the typeface of the service", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/records/:record"));
    const { page } = reader;
    await page.evaluate("document.fonts.ready");
    const loaded = '[...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family)';
    expect(await page.evaluate<readonly string[]>(loaded)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^"?Bindery Sans"?$/)]),
    );
    const widths = await page.evaluate<readonly number[]>(`[..."0123456789"].map((digit) => {
      const line = Object.assign(document.createElement("span"), { textContent: digit.repeat(20) });
      document.querySelector("main").append(line);
      const { width } = line.getBoundingClientRect();
      line.remove();
      return Math.round(width);
    })`);
    expect(new Set(widths).size).toBe(1);
    await reader.close();
  });

  it("of a model, what is in the metadata is open, and what is deeper is not", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/models/spr"));
    const { page } = reader;
    const results = page.locator("[id='metadata.general_parameters.results']");
    expect(await results.isVisible()).toBe(true);
    expect(await page.locator("[id='metadata.general_parameters.results.name']").isVisible()).toBe(false);
    await results.locator("summary").first().click();
    expect(await page.locator("[id='metadata.general_parameters.results.name']").isVisible()).toBe(true);
    await reader.close();
  });

  it("of a search, axes have numbers beside each other, within the histogram", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search"));
    const { page } = reader;
    const texts = await page.locator("#facet-kd .tick").allTextContents();
    expect(texts.filter((text) => !/^10{0,2}\u202f[fpnµm]M$/.test(text))).toEqual([]);
    const [axis] = await page.evaluate<[left: number, right: number][]>(spansOf("#facet-kd .bars svg"));
    const marks = await page.evaluate<[left: number, right: number][]>(spansOf("#facet-kd .tick"));
    expect(marks.length).toBeGreaterThan(1);
    const ends = marks.map(([, right]) => right);
    for (const [i, [left]] of marks.entries()) expect(left).toBeGreaterThanOrEqual(i === 0 ? axis![0] : ends[i - 1]!);
    expect(ends.at(-1)).toBeLessThanOrEqual(axis![1]);
    await reader.close();
  });

  it("of help, on a phone, what a query finds stands beside it", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/help"), { viewport: { width: 390, height: 844 } });
    expect(await reader.page.evaluate(overflowOf(".scroll"))).toBe(0);
    await reader.close();
  });

  it("of a search, on a phone, completions have their names in one line", async () => {
    const options = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const reader = await Reader.open(stage.browser, stage.at("/search"), options);
    const { page } = reader;
    await page.locator("#q").fill("concentration");
    await page.getByRole("option").first().waitFor();
    expect(await page.evaluate(overflowOf(".completions"))).toBe(0);
    const broken = `[...document.querySelectorAll(".completions b")]
      .filter((name) => name.offsetHeight > 1.5 * parseFloat(getComputedStyle(name).lineHeight))
      .map((name) => name.textContent)`;
    expect(await page.evaluate(broken)).toEqual([]);
    await reader.close();
  });
});
