import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_CHROMIUM } from "../support/chromium.js";
import { Reader } from "./reader.js";
import { openStage, type Stage } from "./stage.js";

/** Lets pages of a reader use the clipboard, and returns a function that reads a type from it. */
async function openClipboard(page: Page): Promise<(type: string) => Promise<string>> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  return (type) =>
    page.evaluate<string>(
      `navigator.clipboard.read().then(([item]) => item.getType("${type}")).then((blob) => blob.text())`,
    );
}

const LABELS = (elements: readonly Element[]) => elements.map((element) => element.getAttribute("aria-label"));

describe.skipIf(!HAS_CHROMIUM)("a record", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  it("has buttons that copy a number, the results, and a sequence in FASTA", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/records/:record"));
    const { page } = reader;
    const read = await openClipboard(page);
    const row = page.locator("#results tbody tr").first();
    await row.hover();
    await row.getByRole("button", { name: /^Copy/ }).click();
    await row.getByText("Copied").waitFor();
    const copied = await read("text/plain");
    expect(copied).toMatch(/^[\d.]+( ± [\d.]+)?( × 10\S+)? \S+/);
    expect(await row.innerText()).toContain(/^[\d.]+/.exec(copied)![0].split(".")[0]!);
    await page.getByRole("button", { name: "Copy table" }).click();
    await page.getByText(/^Copied \d+ rows?$/).waitFor();
    const lines = (await read("text/plain")).split("\n");
    expect(lines).toHaveLength((await page.locator("#results tbody tr").count()) + 1);
    expect(lines.join("\n")).not.toContain("Copy");
    const found = await fetch(stage.at("/api/search?q=sequence:*&size=100&facets=none"));
    const answer = (await found.json()) as { readonly hits: { readonly hits: readonly { readonly id: string }[] } };
    const { id } = answer.hits.hits.find((hit) => /"sequence":"[A-Z]{31,}"/.test(JSON.stringify(hit)))!;
    await page.goto(stage.at(`/records/${id}`));
    const sequence = page.locator("details.fold", { has: page.locator(".sequence") }).first();
    await sequence.locator("summary").click();
    await sequence.getByRole("button", { name: "Copy FASTA" }).click();
    await sequence.getByText("Copied").waitFor();
    const [head, ...residues] = (await read("text/plain")).trimEnd().split("\n");
    expect(head).toMatch(/^>\S/);
    expect(residues.join("")).toBe(await sequence.locator(".sequence").innerText());
    expect(Math.max(...residues.map(({ length }) => length))).toBeLessThanOrEqual(60);
    await reader.close();
  });

  it("cites compounds whose pages have buttons that copy the InChIKey and the structure", async () => {
    const address = "/vocabularies/chemicals/inchikey:OVRNDRQMDRJTHS-FMDGEEDCSA-N";
    const reader = await Reader.open(stage.browser, stage.at(address));
    const { page } = reader;
    const read = await openClipboard(page);
    await page.getByRole("button", { name: "Copy InChIKey" }).click();
    await page.getByText("Copied").waitFor();
    expect(await read("text/plain")).toBe("OVRNDRQMDRJTHS-FMDGEEDCSA-N");
    await page.getByRole("button", { name: "Copy SMILES" }).click();
    await page.getByText("Copied").nth(1).waitFor();
    expect(await read("text/plain")).toMatch(/^C[A-Za-z0-9()=[\]@+-]+$/);
    await reader.close();
  });
});

describe.skipIf(!HAS_CHROMIUM)("the results of a search", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  it("are copied as a table cell by cell: numbers, errors and units apart, with a decimal point", async () => {
    const address = "/records/spr?q=kon:*+kd:*&view=table&cols=title,kd,kon,author&sort=kd&size=20";
    const reader = await Reader.open(stage.browser, stage.at(address));
    const { page } = reader;
    const read = await openClipboard(page);
    await page.getByRole("button", { name: "Copy table" }).click();
    await page.getByText(/^Copied \d+ rows$/).waitFor();
    const [head = [], ...lines] = (await read("text/plain")).split("\n").map((line) => line.split("\t"));
    const [unit = ""] = /[fpnµm]M/.exec(head[1]!) ?? [];
    expect(head).toEqual(["Title", `KD (${unit})`, `KD error (${unit})`, "kon (M⁻¹ s⁻¹)", "author"]);
    expect(lines).toHaveLength(await page.locator(".wide tbody tr").count());
    const exported = await fetch(
      stage.at("/api/records/spr?q=kon:*+kd:*&sort=kd&format=ndjson&fields=kd,kon&unit.kon=M^-1+s^-1&unit.kd=") + unit,
    );
    const rows = (await exported.text()).trim().split("\n");
    for (const [i, [, kd, error, kon, people]] of lines.entries()) {
      const row = JSON.parse(rows[i]!) as { kd: number | number[]; kd_error_upper: number; kon: number };
      if (typeof row.kd !== "number") continue;
      expect(Number(kd) / row.kd).toBeCloseTo(1, 3);
      expect(Number(kon) / row.kon).toBeCloseTo(1, 3);
      expect(error === "").toBe(row.kd_error_upper === null);
      expect(people).toMatch(/^[^,]+, [^,;]+(; [^,]+, [^,;]+)*$/);
    }
    const html = await read("text/html");
    expect(html.match(/<tr>/g)).toHaveLength(lines.length + 1);
    expect(html).toContain(`<a href="${new URL(stage.at("/records/")).href}`);
    await reader.close();
  });

  it("are copied with the origin of derived numbers, and with texts that no spreadsheet runs", async () => {
    const address = "/records/itc?q=kd:*&view=table&cols=title,kd,author&size=50";
    const reader = await Reader.open(stage.browser, stage.at(address));
    const { page } = reader;
    const read = await openClipboard(page);
    // A title is any text.
    await page.evaluate("document.querySelector('.wide tbody th a').textContent = '=1+1'");
    await page.getByRole("button", { name: "Copy table" }).click();
    await page.getByText(/^Copied/).waitFor();
    const [head = [], ...lines] = (await read("text/plain")).split("\n").map((line) => line.split("\t"));
    expect(head[2]).toBe("derived from");
    const origins = lines.map((line) => line[2]);
    expect(origins.filter((text) => text === "from KA").length).toBeGreaterThan(2);
    expect(origins).toContain("");
    expect(lines[0]![0]).toBe("'=1+1");
    await reader.close();
  });

  it("have no hidden text in what is selected by hand", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=kd:*&view=table&cols=title,kd"));
    const { page } = reader;
    const selected = await page.evaluate<string>(
      "getSelection().selectAllChildren(document.querySelector('.wide')); getSelection().toString()",
    );
    expect(selected).toContain(await page.locator(".wide tbody th a").first().innerText());
    expect(selected).not.toContain("Select");
    await reader.close();
  });

  it("say how many pages there are, and keep the search where a parameter is wrong", async () => {
    for (const [parameter, note] of [
      ["p=99", "There is no page 99: the last page is "],
      ["page=0", 'must be a whole number from 1, not "0". It was left out.'],
      ["kd=abc", "must be a range such as"],
      ["cols=nothing", "“nothing” is not a value of “cols” and was ignored."],
    ]) {
      const address = `/search?q=lysozyme&view=table&size=10&${parameter}`;
      const reader = await Reader.open(stage.browser, stage.at(address));
      expect(await reader.page.locator("main").innerText(), parameter).toContain(note);
      expect(await reader.page.locator("#q").inputValue()).toBe("lysozyme");
      expect(await reader.total()).toBeGreaterThan(10);
      await reader.close();
    }
  });

  it.each([
    ["with", {}],
    ["without", { javaScriptEnabled: false }],
  ])("are exported by use %s scripts: spreadsheets, references, data, and the request as code", async (_, options) => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=lysozyme+kd:*&view=table&unit.kd=nM"), options);
    const { page } = reader;
    await page.locator(".bar-above summary", { hasText: "Export" }).click();
    const panel = page.locator(".bar-above .export");
    const total = await reader.total();
    expect(await panel.innerText()).toMatch(
      new RegExp(`^The whole result: ${total} rows · about [\\d.]+ [km]B as`, "i"),
    );
    expect(await panel.locator("[role=group]").evaluateAll(LABELS)).toEqual(["Spreadsheet", "References", "Data"]);
    for (const [name, file] of [
      ["Excel (.xlsx)", "records.xlsx"],
      ["Results as Excel (.xlsx)", "records.xlsx"],
      ["CSV for Excel (decimal comma)", "records.csv"],
      ["BibTeX", "records.bib"],
      ["JSON lines", "records.ndjson"],
    ] as const) {
      const download = page.waitForEvent("download");
      await panel.getByRole("link", { name, exact: true }).click();
      expect((await download).suggestedFilename()).toBe(file);
    }
    await panel.locator("summary").click();
    const code = await panel.locator("code").allInnerTexts();
    expect(code.map((text) => text.split(/[ .]/, 1)[0])).toEqual(["curl", "import", "table"]);
    const [, address = ""] = /'(.+)'/.exec(code[0]!)!;
    const csv = await fetch(stage.at("") + new URL(address).pathname + new URL(address).search);
    expect((await csv.text()).split("\r\n")).toHaveLength(total + 2);
    expect(address).toContain("unit.kd=nM");
    if (reader.hasScripts) {
      const read = await openClipboard(page);
      await panel.getByRole("button", { name: "Copy Python" }).click();
      await panel.getByText("Copied").waitFor();
      expect(await read("text/plain")).toBe(code[1]);
    }
    await reader.close();
  });

  it("are in the units and columns that a reader chose before, unless the address says otherwise", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/records/mst?view=table&size=5"));
    const { page } = reader;
    const parameters = () => [...new URL(page.url()).searchParams].map((pair) => pair.join("=")).join("&");
    await page.locator("summary", { hasText: "Units" }).first().click();
    await page.locator("[id='unit.kd']").selectOption("pM");
    await page.waitForURL(/unit\.kd=pM/);
    await page.locator("summary", { hasText: "Columns" }).click();
    await page.locator(".columns input[value=ka]").check();
    await page.waitForURL(/cols=ka/);
    // A search from another page has the units at once, and the way back leads to that page.
    await page.goto(stage.at("/"));
    await page.locator("#q").fill("kd:*");
    await page.locator("#q").press("Enter");
    await page.waitForURL(/\/search\?/);
    expect(parameters()).toBe("q=kd:*&unit.kd=pM");
    await page.goBack();
    expect(new URL(page.url()).pathname).toBe("/");
    await page.goto(stage.at("/models/mst"));
    await page.getByRole("link", { name: "Records of this model" }).first().click();
    await page.waitForURL(/\/records\/mst/);
    expect(parameters()).toBe("unit.kd=pM");
    // A table that is opened has the columns.
    await page.getByRole("link", { name: "Table", exact: true }).click();
    await page.waitForURL(/cols=ka/);
    expect(await page.locator(".wide thead").innerText()).toContain("KA");
    // Links that somebody sent are as they say, and stay so.
    for (const sent of ["/records/mst?unit.kd=mM&view=table&cols=title", "/records/mst?q=kd:*&view=table"]) {
      await page.goto(stage.at(sent));
      await page.locator(".values button[name]").first().click();
      await page.waitForURL(/organism=|technique=|instrument=/);
      expect(parameters()).toContain(new URL(stage.at(sent)).search.slice(1));
      expect(parameters()).not.toContain("pM");
      expect(parameters()).not.toContain("cols=ka");
    }
    await reader.close();
  });

  it("lose chosen units and columns by a press", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/records/mst?view=table&size=5"));
    const { page } = reader;
    await page.locator("summary", { hasText: "Units" }).first().click();
    await page.locator("[id='unit.kd']").selectOption("pM");
    await page.waitForURL(/unit\.kd=pM/);
    await page.locator(".units").getByRole("link", { name: "Reset" }).click();
    await page.waitForURL((url) => !url.search.includes("unit."));
    await page.goto(stage.at("/"));
    await page.locator("#q").fill("kd:*");
    await page.locator("#q").press("Enter");
    await page.waitForURL(/\/search\?/);
    expect(page.url()).not.toContain("unit.");
    await reader.close();
  });
});
