import type { Locator } from "playwright-core";
import { expect } from "vitest";
import type { Reader } from "./reader.js";

/** A part of a page, as assistive technology knows it. */
export interface Part {
  /** `summary` opens a `<details>`; browsers differ in the role that it has. */
  readonly role: "link" | "button" | "checkbox" | "combobox" | "textbox" | "summary";
  readonly name: string | RegExp;
  /** A selector of where it stands; the first is meant if there are several. */
  readonly within?: string;
}

/** Something that a reader does; what it takes depends on how the page is read. */
export type Step = (reader: Reader) => Promise<void>;

function find({ page }: Reader, { role, name, within = "body" }: Part): Locator {
  const place = page.locator(within).first();
  if (role === "summary") return place.locator("summary", { hasText: name }).first();
  return place.getByRole(role, { name, exact: true }).first();
}

const arrive = async ({ page }: Reader, address: RegExp | undefined): Promise<void> => {
  if (address !== undefined) await page.waitForURL(address);
};

/** Opens the filters if they are a sheet that is closed. */
async function openFilters(reader: Reader): Promise<void> {
  const { page } = reader;
  await page.locator("#filters").waitFor({ state: "attached" });
  if (!(await page.locator("#filters").isVisible())) await reader.press(page.locator(".to-filters"));
}

/** Opens the search of all records from the head of a page. */
export const openSearch: Step = async (reader) => {
  await reader.press(find(reader, { role: "link", name: "Search", within: ".head nav" }));
  await arrive(reader, /\/search$/);
};

/** Types a query into the search field, and sends it. */
export const search =
  (text: string): Step =>
  async (reader) => {
    await reader.fill(reader.page.locator("#q"), text);
    await reader.key("Enter");
    await reader.page.waitForURL(/[?&]q=/);
  };

/** Follows a link, presses a button, ticks the box of a filter or opens what is folded. @param to where that leads */
export const press =
  (part: Part, to?: RegExp): Step =>
  async (reader) => {
    if (part.within?.startsWith("#facet-")) await openFilters(reader);
    await reader.press(find(reader, part));
    await arrive(reader, to);
  };

/** Finds values of a facet by a text; without scripts a link lists all of them. */
export const findValues =
  (facet: string, text: string): Step =>
  async (reader) => {
    if (!reader.hasScripts) {
      await reader.press(find(reader, { role: "link", name: "Show more values" }));
      return arrive(reader, /facet_size=/);
    }
    const place = reader.page.locator(`#facet-${facet}`);
    await openFilters(reader);
    await reader.fill(place.getByRole("searchbox"), text);
    await place.getByText(/^\d+ values?$/).waitFor();
  };

/** Ticks the first records of the page one by one. */
export const tick =
  (count: number): Step =>
  async (reader) => {
    const { page, hasScripts } = reader;
    for (let nth = 0; nth < count; nth++) {
      await reader.press(page.locator(".hits .tick-box input").nth(nth));
      if (hasScripts) await page.getByText(`${nth + 1} selected:`).waitFor();
    }
  };

/** Selects all records of the page. */
export const selectAll =
  (count: number): Step =>
  async (reader) => {
    const { page, hasScripts } = reader;
    const all = hasScripts ? page.getByLabel(/Select all \d+$/) : page.getByRole("link", { name: "Select all" });
    await reader.press(all);
    await page.getByText(`${count} selected:`).waitFor();
  };

/** Chooses from a list; without scripts a button reads what was chosen. @param button none where it is read later */
export const choose =
  (list: Part, option: string, to: RegExp, button?: string): Step =>
  async (reader) => {
    await reader.choose(find(reader, list), option);
    if (reader.hasScripts || button !== undefined) await send(reader, button, to);
  };

/** Fills a field of the builder. Without scripts it is read when what is found is shown. */
export const fill =
  (field: Part, text: string, to: RegExp): Step =>
  async (reader) => {
    await reader.fill(find(reader, field), text);
    if (reader.hasScripts) await arrive(reader, to);
  };

async function send(reader: Reader, button: string | undefined, to: RegExp): Promise<void> {
  if (!reader.hasScripts && button !== undefined) await reader.press(find(reader, { role: "button", name: button }));
  await arrive(reader, to);
}

/** Presses one thing where scripts run, and another one where none do. */
export const pressEither =
  (withScripts: Part, withoutScripts: Part, to: RegExp): Step =>
  async (reader) => {
    await reader.press(find(reader, reader.hasScripts ? withScripts : withoutScripts));
    await arrive(reader, to);
  };

/** A range of a histogram. */
interface Range {
  readonly facet: string;
  readonly label: string;
  /** Both ends as parts of its width, from 0 to 1. */
  readonly parts: readonly [number, number];
  /** In the unit of the fields. */
  readonly ends: readonly [string, string];
  readonly query: string;
}

/** Opens the search, and draws a range: by keys its two fields are filled, and without scripts a query says it. */
export const draw =
  ({ facet, label, parts, ends, query }: Range): Step =>
  async (reader) => {
    if (!reader.hasScripts) return search(query)(reader);
    await openSearch(reader);
    const histogram = reader.page.locator(`range-brush[data-name=${facet}] svg`);
    const address = new RegExp(`[?&]${facet}=`);
    await openFilters(reader);
    if (await reader.draw(histogram, ...parts)) return arrive(reader, address);
    for (const [i, end] of ["from", "to"].entries()) {
      await reader.fill(find(reader, { role: "textbox", name: `${label} ${end}` }), ends[i]!);
    }
    await reader.page.keyboard.press("Tab"); // A field is read when it is left.
    await arrive(reader, /kd=0\.3nM\.\.20nM/);
  };

/** Follows a link to a file. @param name of the file */
export const download =
  (file: Part, name: RegExp): Step =>
  async (reader) => {
    const download = reader.page.waitForEvent("download");
    await reader.press(find(reader, file));
    expect((await download).suggestedFilename()).toMatch(name);
  };

/** Copies a text with its button; without scripts the text stands there to be marked. */
export const copy =
  (what: string): Step =>
  async (reader) => {
    if (!reader.hasScripts) return;
    await reader.press(find(reader, { role: "button", name: `Copy ${what}` }));
    await reader.page.getByText(/^Copied$/).waitFor();
  };

/** Takes the address of the page, and opens it elsewhere. */
export const copyAddress: Step = (reader) => reader.moveElsewhere();
