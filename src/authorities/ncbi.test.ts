import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type DumpFolder,
  dmp,
  entriesOf,
  itemsOf,
  makeDumpFolder,
  reasonsOf,
  TAXA,
  type Taxon,
  taxdump,
} from "../../test/support/dumps.js";
import { makeTar, makeZip } from "../../test/support/make-archive.js";
import type { JsonObject } from "../core/json.js";
import { ncbi } from "./ncbi.js";

let dumps: DumpFolder;
beforeAll(() => {
  dumps = makeDumpFolder();
});
afterAll(() => dumps.dispose());

const read = (files: Record<string, string>) => entriesOf(ncbi, dumps.folder(files));

describe("a taxdump", () => {
  it("gives each taxon its rank, its parent, and all of its names with their classes", async () => {
    const items = itemsOf(await read(taxdump(TAXA)));
    expect(Object.keys(items)).toHaveLength(TAXA.length);
    expect(items["taxid:562"]).toEqual({
      id: "taxid:562",
      title: { en: "Escherichia coli" },
      props: { rank: "species", taxa_below: 1 },
      synonyms: [
        { name: '"Bacillus coli" Migula 1895', kind: "authority" },
        { name: "ATCC 11775", kind: "type material" },
        { name: "Bacillus coli", kind: "synonym" },
        { name: "E. coli", kind: "common name" },
        { name: "Escherichia sp. MAR", kind: "includes" },
      ],
      parent: "taxid:561",
      status: "active",
      replaced_by: null,
    });
    expect(items["taxid:1"]).toMatchObject({ parent: null, title: { en: "root" } });
  });

  it("gives taxa of one name their unique names as synonyms", async () => {
    const cases = new URL("../../test/data/homonyms/", import.meta.url);
    const files = Object.fromEntries(
      ["nodes.dmp", "names.dmp"].map((name) => [name, readFileSync(new URL(name, cases), "utf8")]),
    );
    const items = itemsOf(await read(files));
    expect([items["taxid:43170"], items["taxid:1930290"], items["taxid:33208"]]).toMatchObject([
      {
        title: { en: "Linaria" },
        synonyms: [
          { name: "Linaria <angiosperm>", kind: "unique name" },
          { name: "toadflaxes", kind: "common name" },
        ],
      },
      { title: { en: "Linaria" }, synonyms: [{ name: "Linaria <bird>", kind: "unique name" }] },
      { title: { en: "Metazoa" }, synonyms: [] },
    ]);
  });

  it("says of each taxon how many stand below it, rounded down, so that few more change nothing", async () => {
    const strains = (count: number): Taxon[] =>
      Array.from({ length: count }, (_, i) => ({ id: 10_000 - i, parent: 562, rank: "strain", name: `strain ${i}` }));
    const below = async (count: number) => {
      const items = itemsOf(await read(taxdump([...strains(count), ...TAXA])));
      return ["taxid:1", "taxid:561", "taxid:562", "taxid:83333"].map((id) => {
        return (items[id] as { props: JsonObject }).props.taxa_below;
      });
    };
    expect(await below(0)).toEqual([5, 2, 1, null]);
    expect(await below(3)).toEqual([5, 5, 2, null]);
    expect(await below(9)).toEqual([10, 10, 10, null]);
    expect(await below(998)).toEqual([1000, 1000, 500, null]);
    expect(await below(1998)).toEqual([2000, 2000, 1000, null]);
  });

  it("is the same in a tar, packed or not, in a zip and in a folder, in any order of its files", async () => {
    const files = taxdump(TAXA, { merged: [[29, 562]], deleted: [30] });
    const reversed = Object.fromEntries(Object.entries(files).reverse());
    const expected = await read(files);
    const modified = new Date("2026-11-01T04:00:00Z");
    for (const path of [
      dumps.file("taxdump.tar.gz", gzipSync(makeTar({ "citations.dmp": "x", ...files, "readme.txt": "x" }, modified))),
      dumps.file("taxdump.tar", makeTar(reversed, modified)),
      dumps.file("taxdmp.zip", makeZip(files)),
    ]) {
      const [release, ...rest] = await entriesOf(ncbi, path);
      expect(release).toEqual({ release: "2026-11-01" });
      expect(rest).toEqual(expected.filter((entry) => !("release" in entry)));
    }
  });

  it("leads merged ids to their successors, and says of deleted ones that they are gone", async () => {
    const merged = [
      [29, 562],
      [36, 999],
      [543, 562],
    ] as const;
    const entries = await read(taxdump(TAXA, { merged, deleted: [40, 29, 561] }));
    expect(entries.filter((entry) => "redirect" in entry)).toEqual([
      { part: "merged.dmp", line: 1, redirect: "taxid:29", to: "taxid:562" },
      { part: "merged.dmp", line: 2, redirect: "taxid:36", to: null },
      { part: "delnodes.dmp", line: 1, redirect: "taxid:40", to: null },
    ]);
    expect(entries.filter((entry) => "leftOut" in entry)).toEqual([
      { leftOut: "merged or deleted ids that are live taxa", count: 2 },
      { leftOut: "successors of merged ids that are no taxa (the ids are withdrawn)", count: 1 },
    ]);
    expect(reasonsOf(entries)).toEqual([]);
  });

  it("may stand in another order than that of the numbers, as long as names of a taxon are together", async () => {
    const mixed = [...TAXA].reverse();
    expect(itemsOf(await read(taxdump(mixed)))).toEqual(itemsOf(await read(taxdump(TAXA))));
    const files = taxdump(TAXA);
    const apart = { ...files, "names.dmp": files["names.dmp"] + dmp(562, "colon bacillus", "", "synonym") };
    expect(reasonsOf(await read(apart))).toEqual([
      "names.dmp:15: names of taxon 562 stand on line 7 too; sort the file by its first column",
    ]);
  });

  it("tells the time of day nobody wrote as no release", async () => {
    const file = dumps.file("taxdump.tar", makeTar(taxdump(TAXA), new Date(0)));
    expect((await entriesOf(ncbi, file)).some((entry) => "release" in entry)).toBe(false);
  });
});

describe("a broken taxdump", () => {
  const files = taxdump(TAXA);
  const reasons = async (changed: Partial<typeof files>) => reasonsOf(await read({ ...files, ...changed }));
  const line = (text: string, number: number): string => text.split("\n")[number - 1]!;

  it("names the file and line of a row with too few columns, and of one that was cut", async () => {
    const short = files["names.dmp"].replace(line(files["names.dmp"], 4), "543\t|\tEnterobacteriaceae\t|");
    expect(await reasons({ "names.dmp": short })).toEqual([
      expect.stringMatching(/^names\.dmp:4: a row has 4 columns or more \(tax_id, name_txt, .*cut off/),
      expect.stringMatching(/^nodes\.dmp:3: taxon 543 has no name/),
    ]);
    const [cut] = await reasons({ "nodes.dmp": files["nodes.dmp"].slice(0, -9) });
    expect(cut).toMatch(/^nodes\.dmp:7: a row has 3 columns or more/);
  });

  it("names taxa whose parent is missing, that come twice, or whose parents lead in a circle", async () => {
    const twice = `${files["nodes.dmp"] + line(files["nodes.dmp"], 4)}\n`;
    expect(await reasons({ "nodes.dmp": twice })).toEqual(["nodes.dmp:8: taxon 561 is already on line 4"]);
    const orphan = files["nodes.dmp"].replace("\n543\t|\t2\t", "\n543\t|\t77\t");
    expect(await reasons({ "nodes.dmp": orphan })).toEqual([
      expect.stringMatching(/^nodes\.dmp:3: the parent 77 of taxon 543 is not in the file; is it cut off/),
    ]);
    const circle = files["nodes.dmp"].replace("\n543\t|\t2\t", "\n543\t|\t562\t");
    expect(await reasons({ "nodes.dmp": circle })).toEqual([
      expect.stringMatching(/^nodes\.dmp:3: the parents of taxon 543 lead back to it/),
    ]);
  });

  it("names numbers that are none, unknown taxa, and those without a scientific name", async () => {
    const large = files["nodes.dmp"].replace("\n543\t", "\n99999999999\t");
    expect((await reasons({ "nodes.dmp": large }))[0]).toMatch(/^nodes\.dmp:3: "99999999999" is not the number/);
    expect(await reasons({ "names.dmp": files["names.dmp"] + dmp(77, "Nobody", "", "scientific name") })).toEqual([
      expect.stringMatching(/^names\.dmp:15: taxon 77 is not in nodes\.dmp/),
    ]);
    const nameless = files["names.dmp"].replace(
      /562(\t\|\tEscherichia coli\t\|\t\t\|\t)scientific name/,
      "562$1synonym",
    );
    expect(await reasons({ "names.dmp": nameless })).toEqual([
      expect.stringMatching(/^names\.dmp:\d+: taxon 562 has no scientific name/),
    ]);
  });

  it("is refused as a whole where it has no names, and where its text is no UTF-8", async () => {
    const { "names.dmp": _, ...rest } = files;
    expect(reasonsOf(await read(rest))).toEqual([
      ":1: there is no names.dmp in it; a taxdump has nodes.dmp and names.dmp",
    ]);
    const bad = Buffer.from(files["names.dmp"]);
    bad[20] = 0xff;
    const folder = dumps.folder({ ...files, "names.dmp": bad });
    expect(reasonsOf(await entriesOf(ncbi, folder))).toEqual([expect.stringMatching(/^names\.dmp:1: .*not UTF-8/)]);
  });
});

it("names every table that it reads in what it takes", () => {
  const docs = readFileSync(new URL("../../docs/authorities.md", import.meta.url), "utf8");
  for (const table of ["nodes.dmp", "names.dmp", "merged.dmp", "delnodes.dmp"]) {
    expect(ncbi.takes).toContain(table);
    expect(docs).toContain(table);
  }
});
