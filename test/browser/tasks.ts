import { expect } from "vitest";
import type { Reader } from "./reader.js";
import {
  choose,
  copy,
  copyAddress,
  download,
  draw,
  fill,
  findValues,
  openSearch,
  type Part,
  press,
  pressEither,
  type Step,
  search,
  selectAll,
  tick,
} from "./steps.js";

/** A task of a reader, and the number of acts that it may take. */
export interface Task {
  readonly task: string;
  readonly acts: number;
  /** Larger numbers of acts by the name of the mode, if a way of reading takes more than a pointer. */
  readonly more?: Readonly<Record<string, number>>;
  /** Steps from the start page to the beginning of the task. They are walked, but not counted. */
  readonly given?: readonly Step[];
  readonly steps: readonly Step[];
  /** Checks that the task succeeded. */
  readonly result: (reader: Reader) => Promise<void>;
}

const BY_KEYS = "by keys alone";
/** There, a link opens the filters. */
const ON_A_PHONE = "on a phone";

const link = (name: string | RegExp, within?: string): Part => ({ role: "link", name, ...(within && { within }) });
const button = (name: string): Part => ({ role: "button", name });
const menu = (name: string, within: string): Part => ({ role: "summary", name, within });
const box = (name: string | RegExp, within: string): Part => ({ role: "checkbox", name, within });

const hits = ({ page }: Reader) => page.locator(".hits :is(h2, h3) a");
const findsSomething = async (reader: Reader): Promise<void> => {
  expect(await hits(reader).count()).toBeGreaterThan(0);
};

/** The tasks of readers, from the start page. */
export const TASKS: readonly Task[] = [
  {
    task: "1: records of one protein, KD below 10 nM, by MST, pH 7 to 8, and all of them as a file",
    acts: 6,
    steps: [
      search("staurosporine kd:<10nM ph:[7 TO 8]"),
      press(link("MST", ".tabs"), /records\/mst/),
      press(menu("Export", ".bar-above")),
      download(link("CSV", ".bar-above"), /\.csv$/),
    ],
    result: async (reader) => expect(await reader.total()).toBe(1),
  },
  {
    task: "2: the same as one link",
    acts: 1,
    given: [search("staurosporine kd:<10nM ph:[7 TO 8]"), press(link("MST", ".tabs"), /records\/mst/)],
    steps: [copyAddress],
    result: async (reader) => expect(await reader.total()).toBe(1),
  },
  {
    task: "3: the tightest binders of one protein, whatever unit they were deposited in",
    acts: 4,
    steps: [
      search("lysozyme kd:*"),
      choose({ role: "combobox", name: "Sort" }, "KD, smallest first", /sort=kd/, "Sort"),
    ],
    result: async ({ page }) => expect(await page.locator(".hits .merits").first().innerText()).toMatch(/KD\s+30\spM/),
  },
  {
    task: "4: everything of bacteria, but not of E. coli",
    acts: 5,
    steps: [
      openSearch,
      press({ ...button("not Escherichia coli"), within: "#facet-organism" }, /q=-organism/),
      press(link("Browse the tree", "#facet-organism"), /tree=1/),
      press(box(/^Bacteria/, "#facet-organism"), /organism=taxid/),
    ],
    result: findsSomething,
  },
  {
    task: "5: KD from 0.3 to 20 nM, drawn on the histogram",
    acts: 2,
    // Each end is a field of its own.
    more: { [BY_KEYS]: 3, [ON_A_PHONE]: 3 },
    steps: [
      draw({ facet: "kd", label: "KD", parts: [0.4627, 0.5929], ends: ["0.3", "20"], query: "kd:[0.3nM TO 20nM]" }),
    ],
    result: async (reader) => expect(await reader.total()).toBeLessThan(200),
  },
  {
    task: "6: one result that is an enthalpy below -50 kJ/mol, without a word of syntax",
    acts: 7,
    steps: [
      press(link("Advanced search"), /build=1/),
      choose({ role: "combobox", name: "Field" }, "ΔH", /b\.0\.field=dh/, "Read the rows"),
      choose({ role: "combobox", name: "Comparison" }, "<", /b\.0\.is=%3C/),
      fill({ role: "textbox", name: "Value" }, "-50", /b\.0\.value=-50/),
      pressEither(link(/^Show \d+ records$/), button("Show the records"), /q=dh/),
    ],
    result: async (reader) => expect(await reader.total()).toBe(9),
  },
  {
    task: "7: why was this found",
    acts: 0,
    given: [search("lysozyme")],
    steps: [],
    result: async ({ page }) => expect(await page.getByText("matched in").count()).toBeGreaterThan(0),
  },
  {
    task: "8: a mistyped name finds the right records",
    acts: 2,
    steps: [search("stauresporine")],
    result: async (reader) => expect(await hits(reader).first().innerText()).toMatch(/staurosporine/i),
  },
  ...["10.5072/demo.itc.4", "0000-0002-1825-0097", "P00698", "BZKPWHYZMXOIDC-UHFFFAOYSA-N"].map(
    (id): Task => ({
      task: `9: ${id} leads to its records`,
      acts: 2,
      steps: [search(id)],
      result: findsSomething,
    }),
  ),
  {
    task: "10: one instrument of a facet of 200",
    acts: 3,
    more: { [ON_A_PHONE]: 4 },
    steps: [
      openSearch,
      findValues("instrument", "bench 87"),
      press(box(/^Monolith of bench 87\b/, "#facet-instrument"), /instrument=/),
    ],
    result: async (reader) => expect(await reader.total()).toBe(1),
  },
  {
    task: "13: three records side by side",
    acts: 5,
    steps: [
      press(link("KD below 1 nM", ".examples"), /q=/),
      tick(3),
      pressEither(link("Compare", ".selection"), button("Compare the ticked records"), /compare\?ids=/),
    ],
    result: async ({ page }) => expect(await page.locator(".compare").first().locator("thead th").count()).toBe(4),
  },
  {
    task: "14: the ACS reference of a record",
    acts: 2,
    steps: [press(link(/./, ".newest .hits"), /\/records\//), copy("ACS")],
    result: async ({ page }) =>
      expect(await page.locator(".citations").textContent()).toMatch(/ACS.+, version 2; MBDB./),
  },
  {
    task: "14: twenty records as BibTeX",
    acts: 4,
    given: [openSearch, press(link("20", "[aria-label='Per page']"), /size=20/)],
    steps: [selectAll(20), press(menu("Export", ".selection")), download(link("BibTeX", ".selection"), /\.bib$/)],
    result: async () => undefined,
  },
  {
    task: "15: what changed since version 1",
    acts: 2,
    steps: [
      press(link("On- and off-rates of CD80 and CTLA-4", ".newest"), /\/records\//),
      press(link("Compare with this one", "#versions"), /compare/),
    ],
    result: async ({ page }) => expect(await page.locator(".differs").count()).toBeGreaterThan(0),
  },
  {
    task: "16: from a taxon to all records below it",
    acts: 2,
    given: [press(link(/^Organisms/), /organisms$/), search("Escherichia"), press(link("Escherichia"), /taxid:561$/)],
    steps: [press(link(/ha(?:s|ve) it or a subgroup/), /organism=taxid/)],
    result: findsSomething,
  },
];
