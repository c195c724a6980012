import { expect } from "vitest";
import type { Reader } from "./reader.js";

/** A task of somebody who reads, and the acts that it may take. */
export interface Walk {
  readonly task: string;
  readonly acts: number;
  /** Where it begins; absent: at the start page. */
  readonly from?: string;
  readonly walk: (reader: Reader) => Promise<void>;
}

const link = ({ page }: Reader, name: string | RegExp) => page.getByRole("link", { name, exact: true }).first();
const hits = ({ page }: Reader) => page.locator(".hits h2 a");

async function searchFor(reader: Reader, text: string): Promise<void> {
  await reader.fill(reader.page.locator("#q"), text);
  await reader.press("Enter");
  await reader.page.waitForURL(/[?&]q=/);
}

export const WALKS: readonly Walk[] = [
  {
    task: "1: records of one protein, KD below 10 nM, by MST, pH 7 to 8, and all of them as a file",
    acts: 6,
    walk: async (reader) => {
      await searchFor(reader, "staurosporine kd:<10nM ph:[7 TO 8]");
      await reader.click(link(reader, "MST"));
      await reader.page.waitForURL(/records\/mst/);
      expect(await reader.total()).toBe(1);
      await reader.click(reader.page.getByText("Export", { exact: true }).first());
      const download = reader.page.waitForEvent("download");
      await reader.click(reader.page.getByRole("link", { name: "CSV", exact: true }).first());
      expect((await download).suggestedFilename()).toMatch(/\.csv$/);
    },
  },
  {
    task: "3: the tightest binders of one protein, whatever unit they were deposited in",
    acts: 4,
    walk: async (reader) => {
      await searchFor(reader, "lysozyme kd:*");
      await reader.choose(reader.page.getByLabel("Sort"), "kd");
      await reader.page.waitForURL(/sort=kd/);
      expect(await reader.page.locator(".hits .merits").first().innerText()).toMatch(/KD 0\.03 nM/);
    },
  },
  {
    task: "4: everything of bacteria, but not of E. coli",
    acts: 5,
    walk: async (reader) => {
      await reader.click(link(reader, "Search"));
      const box = (name: RegExp) => reader.page.getByLabel(name).first();
      await reader.click(box(/^Escherichia coli/));
      await reader.page.waitForURL(/organism=/);
      await reader.click(link(reader, "not this"));
      await reader.page.waitForURL(/q=-organism/);
      const before = await reader.total();
      await reader.click(box(/^Bacteria/));
      await reader.page.waitForURL(/organism=taxid/);
      expect(await reader.total()).toBeLessThan(before);
      expect(await hits(reader).count()).toBeGreaterThan(0);
    },
  },
  {
    task: "5: KD from 0.3 to 20 nM, drawn on the histogram",
    acts: 2,
    walk: async (reader) => {
      await reader.click(link(reader, "Search"));
      const all = await reader.total();
      await reader.drag(reader.page.locator("range-brush[data-name=kd] svg"), 0.315, 0.482);
      await reader.page.waitForURL(/kd=/);
      expect(await reader.total()).toBeLessThan(all);
      const [from, to] = new URL(reader.page.url()).searchParams.get("kd")!.split("..").map(Number);
      expect(from! / 3e-10).toBeCloseTo(1, 0);
      expect(to! / 2e-8).toBeCloseTo(1, 0);
    },
  },
  {
    task: "6: one result that is an enthalpy below -50 kJ/mol, without a word of syntax",
    acts: 7,
    walk: async (reader) => {
      await reader.click(link(reader, "Search"));
      await reader.click(link(reader, "Build"));
      const dialog = reader.page.getByRole("dialog");
      await reader.click(dialog.getByRole("button", { name: "+ field" }));
      await reader.choose(dialog.getByLabel("Field"), "dh");
      await dialog.getByLabel("Unit").waitFor();
      await reader.page.waitForURL(/b\.0\.field=dh/);
      await reader.choose(dialog.getByLabel("Comparison"), "<");
      await reader.page.waitForURL(/b\.0\.is=%3C/);
      await reader.fill(dialog.getByLabel("Value"), "-50");
      await dialog.getByText("dh:<-50kJ/mol").waitFor();
      await reader.click(dialog.getByRole("link", { name: /^Show \d+ records$/ }));
      await reader.page.waitForURL(/q=dh/);
      expect(await reader.total()).toBe(9);
    },
  },
  {
    task: "7: why was this found",
    acts: 0,
    from: "/search?q=lysozyme",
    walk: async (reader) => {
      expect(await reader.page.getByText("matched in").count()).toBeGreaterThan(0);
    },
  },
  {
    task: "8: a mistyped name finds the right records",
    acts: 2,
    walk: async (reader) => {
      await searchFor(reader, "stauresporine");
      await reader.page
        .getByRole("link", { name: /staurosporine/i })
        .first()
        .waitFor();
      expect(await hits(reader).first().innerText()).toMatch(/staurosporine/i);
    },
  },
  ...["10.5072/demo.itc.4", "0000-0002-1825-0097", "P00698"].map(
    (id): Walk => ({
      task: `9: ${id} leads to its records`,
      acts: 2,
      walk: async (reader) => {
        await searchFor(reader, id);
        expect(await hits(reader).count()).toBeGreaterThan(0);
      },
    }),
  ),
  {
    task: "10: a value of a long facet that is not listed",
    acts: 3,
    walk: async (reader) => {
      await reader.click(link(reader, "Search"));
      const facet = reader.page.locator("#facet-organism");
      expect(await facet.getByLabel(/^Saccharomyces cerevisiae/).count()).toBe(0);
      await reader.fill(facet.getByRole("searchbox"), "baker's yeast");
      await facet.getByText("1 value", { exact: true }).waitFor();
      await reader.click(facet.getByLabel(/^Saccharomyces cerevisiae/));
      await reader.page.waitForURL(/organism=/);
      expect(await hits(reader).count()).toBeGreaterThan(0);
    },
  },
  {
    task: "13: three records side by side",
    acts: 5,
    walk: async (reader) => {
      await reader.click(reader.page.locator(".examples a").first());
      await reader.page.locator("hit-selection input[type=checkbox]").first().waitFor();
      for (let i = 0; i < 3; i++) {
        await reader.click(reader.page.locator(".hits .tick-box input").nth(i));
        await reader.page.getByText(`${i + 1} selected:`).waitFor();
      }
      await reader.click(reader.page.getByRole("button", { name: "Compare" }));
      await reader.page.waitForURL(/compare/);
      expect(await reader.page.locator(".compare thead th").count()).toBe(4);
    },
  },
  {
    task: "14: the ACS reference of a record",
    acts: 2,
    walk: async (reader) => {
      await reader.click(reader.page.locator(".hits h3 a").first());
      await reader.click(reader.page.getByRole("button", { name: "Copy ACS" }));
      await reader.page.getByText(/^Copied$/).waitFor();
    },
  },
  {
    task: "14: twenty records as BibTeX",
    acts: 4,
    from: "/search?size=20",
    walk: async (reader) => {
      await reader.click(reader.page.getByLabel("all on this page"));
      await reader.page.getByText("20 selected:").waitFor();
      await reader.click(reader.page.locator(".selection").getByText("Export"));
      const download = reader.page.waitForEvent("download");
      await reader.click(reader.page.locator(".selection").getByRole("link", { name: "BibTeX" }));
      expect((await download).suggestedFilename()).toMatch(/\.bib$/);
    },
  },
  {
    task: "15: what changed since version 1",
    acts: 2,
    from: "/search?allversions=true&q=CTLA-4&sort=oldest",
    walk: async (reader) => {
      await reader.click(hits(reader).first());
      await reader.click(link(reader, "What changed"));
      expect(await reader.page.locator(".differs").count()).toBeGreaterThan(0);
    },
  },
  {
    task: "16: from a taxon to all records below it",
    acts: 2,
    from: "/vocabularies/organisms/taxid:561",
    walk: async (reader) => {
      await reader.click(reader.page.getByRole("link", { name: /with it or anything below it/ }));
      await reader.page.waitForURL(/organism=taxid/);
      expect(await hits(reader).count()).toBeGreaterThan(0);
    },
  },
];
