/** Stumbles of readers on earlier pages: each of them once, where only a browser shows it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_CHROMIUM } from "../support/chromium.js";
import { sidewaysScroll } from "./page-checks.js";
import { Reader } from "./reader.js";
import { openStage, type Stage } from "./stage.js";

/** An ordinary record of each model, by its title. */
const ORDINARY = {
  bli: "Imatinib binds ABL1 kinase domain on biosensors",
  itc: "Thermodynamics of acetazolamide binding to carbonic anhydrase I",
  mst: "Acarbose binds pancreatic α-amylase in capillaries",
  spr: "β-Lactamase inhibitory protein binds TEM-1 β-lactamase on a sensor chip at 15 °C",
} as const;

const MODELS = Object.keys(ORDINARY) as (keyof typeof ORDINARY)[];

/** Parts of the head of a record that a reader looks for first. */
const FACTS = [".pair .molecule", ".pair .soft", ".merits b", ".conditions", "header .people", ".box"];

/** Runs in the page: numbers of results and series, with their errors and units, that are not in the window. */
const OUT_OF_SIGHT = `[...document.querySelectorAll(".as-results table, table.series")].flatMap((table) => {
  const heads = [...table.querySelectorAll("thead th")];
  const unit = heads.findIndex(({ textContent }) => textContent === "Unit");
  return [...table.querySelectorAll("tbody td")]
    .filter((each) => each.cellIndex <= unit || each.matches(".number"))
    .filter((each) => each.getBoundingClientRect().right > innerWidth && each.textContent !== "");
}).map(({ textContent }) => textContent)`;

/** Runs in the page: for each column of numbers, by how many pixels its decimal points are apart. */
const POINTS_APART = `[...document.querySelectorAll("main table")].flatMap((table) => {
  const columns = new Map();
  for (const rest of table.querySelectorAll("td.number .rest")) {
    if (!rest.checkVisibility() || rest.closest("td").querySelector(".rest ~ * .rest") !== null) continue;
    const column = rest.closest("td").cellIndex;
    columns.set(column, [...(columns.get(column) ?? []), rest.getBoundingClientRect().left]);
  }
  return [...columns.values()].filter(({ length }) => length > 1).map((all) => Math.max(...all) - Math.min(...all));
})`;

/** Runs in the page: what looks like a link and is none. */
const FALSE_LINKS = `[...document.querySelectorAll("main :is(span, b, i, td, th, dd, dt, p, li, summary, code)")]
  .filter((each) => each.checkVisibility() && each.closest("a, button, label, del, .failed") === null)
  .filter((each) => getComputedStyle(each).textDecorationLine.includes("underline"))
  .map((each) => each.outerHTML.slice(0, 100))`;

/** Runs in the page: quantities of a text that are broken between lines. */
const BROKEN_QUANTITIES = `[...document.querySelectorAll("main .quantity:not(.long)")]
  .filter((each) => each.checkVisibility() && each.getClientRects().length > 1)
  .map((each) => each.textContent)`;

describe.skipIf(!HAS_CHROMIUM)("a reader does not stumble", () => {
  let stage: Stage;
  const ids = new Map<string, string>();
  beforeAll(async () => {
    stage = await openStage();
    for (const model of MODELS) {
      const query = new URLSearchParams({ q: `title:"${ORDINARY[model]}"`, size: "1", facets: "none" });
      const answer = await fetch(`${stage.at("/api/records/")}${model}?${query}`);
      ids.set(model, ((await answer.json()) as { hits: { hits: { id: string }[] } }).hits.hits[0]!.id);
    }
  });
  afterAll(() => stage.close());

  const openRecord = (model: string, options = {}) =>
    Reader.open(stage.browser, stage.at(`/records/${ids.get(model)}`), options);

  it.each(MODELS)("over a long page: %s says the most asked in the first screen, and all in two", async (model) => {
    const reader = await openRecord(model);
    const { page } = reader;
    for (const fact of FACTS) {
      const box = (await page.locator(fact).first().boundingBox())!;
      expect(box.y + box.height, fact).toBeLessThan(900 / 2);
    }
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThanOrEqual(2_000);
    expect(await page.locator(".body > section").first().getAttribute("id")).toBe("results");
    expect(await page.locator("#rest details").first().getAttribute("open")).toBeNull();
    // Ids within a document are for programs.
    const answer = await fetch(stage.at(`/api/records/${model}/${ids.get(model)}`));
    const { metadata } = (await answer.json()) as { metadata: { general_parameters: { results: { id: string }[] } } };
    const text = await page.locator("main").innerText();
    for (const { id } of metadata.general_parameters.results) expect(text.split(/\s+/)).not.toContain(id);
    await reader.close();
  });

  it.each(MODELS)("over numbers out of sight on a phone: %s", async (model) => {
    const reader = await openRecord(model, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const { page } = reader;
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await page.evaluate(OUT_OF_SIGHT), `at ${width} px`).toEqual([]);
      expect(await page.evaluate(BROKEN_QUANTITIES), `at ${width} px`).toEqual([]);
      expect(await sidewaysScroll(page)).toBe(0);
    }
    await reader.close();
  });

  it.each(MODELS)("over paper: %s has its essentials on one page, and no bars", async (model) => {
    // The width of A4 without its margins.
    const reader = await openRecord(model, { viewport: { width: 718, height: 1_000 } });
    const { page } = reader;
    await page.emulateMedia({ media: "print" });
    for (const part of ["header .printed", ".merits", "#results", "#checks"]) {
      const box = (await page.locator(part).first().boundingBox())!;
      expect(box.y + box.height, part).toBeLessThan(1_000);
    }
    const citation = await page.locator("header .printed").innerText();
    expect(citation).toContain(ORDINARY[model]);
    expect(citation).toContain(ids.get(model)!);
    const bars = `[...document.querySelectorAll("body *")].filter((each) => each.checkVisibility()
      && ["sticky", "fixed"].includes(getComputedStyle(each).position) && !each.matches("th, td, .skip")).length`;
    expect(await page.evaluate(bars)).toBe(0);
    expect(await page.locator(".head, .foot, .contents, .box, copy-text").filter({ visible: true }).count()).toBe(0);
    expect(await page.evaluate("getComputedStyle(document.querySelector('h2')).breakAfter")).toBe("avoid");
    await reader.close();
  });

  it("over columns of numbers: their decimal points stand below each other", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=lysozyme&view=table"));
    const { page } = reader;
    expect(await page.getByText("(from KA)").count()).toBeGreaterThan(1);
    for (const template of [
      "",
      "/molecules/uniprot:P00698",
      `/records/${ids.get("itc")}`,
      `/records/${ids.get("bli")}`,
    ]) {
      if (template !== "") await page.goto(stage.at(template));
      const apart = await page.evaluate<readonly number[]>(POINTS_APART);
      expect(apart.length, page.url()).toBeGreaterThan(0);
      expect(Math.max(...apart), page.url()).toBeLessThan(2);
    }
    await reader.close();
  });

  it("over a comparison: three records are below 3,000 pixels, and lie on paper as it does", async () => {
    const three = ["bli", "itc", "spr"].map((model) => ids.get(model)).join(",");
    const reader = await Reader.open(stage.browser, stage.at(`/compare?ids=${three}`));
    const { page } = reader;
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThan(3_000);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    const [, width, height] = /MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf)!;
    expect(Number(width)).toBeGreaterThan(Number(height));
    await reader.close();
  });

  it("over what looks like a link and is none", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/"));
    const { page } = reader;
    const three = MODELS.map((model) => ids.get(model)).join(",");
    const pages = [
      "/search?q=lysozyme",
      "/search?q=kd:*&view=table",
      `/records/${ids.get("spr")}`,
      `/compare?ids=${three}`,
    ];
    for (const template of [
      ...pages,
      "/vocabularies/organisms/taxid:9606",
      "/vocabularies/organisms?view=tree&at=taxid:562",
    ]) {
      await page.goto(stage.at(template));
      expect(await page.evaluate(FALSE_LINKS), template).toEqual([]);
    }
    // The name and the id of a term are one link.
    const link = page.locator("[id='at-taxid:562'] a", { hasText: "taxid:562" }).first();
    expect(await link.innerText()).toMatch(/^Escherichia coli\s+taxid:562$/);
    await reader.close();
  });

  it("over drawings on white in the dark", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=caffeine"), { colorScheme: "dark" });
    const { page } = reader;
    const style = (name: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector(".structure")).${name}`);
    expect(await style("backgroundColor")).toBe("rgba(0, 0, 0, 0)");
    expect(await style("filter")).toContain("invert");
    await page.getByLabel("Theme").selectOption("light");
    expect(await style("filter")).toBe("none");
    await page.getByLabel("Theme").selectOption("dark");
    await page.emulateMedia({ media: "print" });
    expect(await style("filter")).toBe("none");
    await reader.close();
  });

  it("over colours of warning where nothing is wrong", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=Kd+(nM)+<+5"));
    const { page } = reader;
    const warnings = `(() => {
      const probe = Object.assign(document.createElement("p"), { className: "warning" });
      document.querySelector("main").append(probe);
      const { color } = getComputedStyle(probe);
      probe.remove();
      return [...document.querySelectorAll("main *")]
        .filter((each) => each.checkVisibility() && getComputedStyle(each).color === color).length;
    })()`;
    expect(await reader.total()).toBeGreaterThan(0);
    expect(await page.evaluate(warnings)).toBe(0);
    await page.goto(stage.at("/search?q=lysozyme+(("));
    expect(await page.evaluate(warnings)).toBeGreaterThan(0);
    await reader.close();
  });

  it("over a dialog that loses the place: the focus returns to what opened it", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=lysozyme"));
    const { page } = reader;
    const focused = () => page.evaluate<string>("document.activeElement.innerText.trim()");
    await page.getByRole("link", { name: "Advanced search", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL((url) => !url.searchParams.has("build"));
    await expect.poll(focused).toBe("Advanced search");
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    expect(await focused()).toBe("Advanced search");
    await reader.close();
  });

  /** Presses Tab or Shift+Tab until the focus is where it should be. @returns whether it is */
  const walkTo = async (reader: Reader, key: string, target: string): Promise<boolean> => {
    const isThere = () => reader.page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(target)})`);
    while (!(await isThere()) && reader.acts < 10) await reader.key(key);
    return isThere();
  };

  const SUMMARY = ".bar-above .menu > summary";

  it.each([
    ["/search?q=lysozyme", "#filters", "Tab", "#filters :is(a, summary, button)"],
    ["/search?q=lysozyme", "#hits", "Tab", ".hits input"],
    ["/search?q=lysozyme&view=table", "#hits", "Tab", "#hits .scroll"],
    ["/search?q=lysozyme&view=table", "#hits", "Shift+Tab", `.menu:has(.export) > summary`],
    ["/search?q=lysozyme&view=table", "#hits", "Shift+Tab", `.menu:has(.units) > summary`],
    ["/search?q=lysozyme&view=table", "#hits", "Shift+Tab", `.menu:has(.columns) > summary`],
    ["/search?q=lysozyme", "#hits", "Shift+Tab", SUMMARY],
    ["/vocabularies/organisms", "#hits", "Shift+Tab", SUMMARY],
  ])("over keys: within ten of the field of %s, %s and %s lead to %s", async (template, skip, key, target) => {
    for (const width of [1280, 390]) {
      const reader = await Reader.open(stage.browser, stage.at(template), { viewport: { width, height: 800 } });
      await reader.page.locator("#q").focus();
      expect(await walkTo(reader, "Shift+Tab", `[href="${skip}"]`)).toBe(true);
      await reader.key("Enter");
      await reader.key(key);
      expect(await walkTo(reader, key, target), `at ${width} px`).toBe(true);
      await reader.close(10);
    }
  });
});
