import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type DumpFolder, entriesOf, itemsOf, makeDumpFolder, reasonsOf } from "../../test/support/dumps.js";
import { makeZip } from "../../test/support/make-archive.js";
import { ror } from "./ror.js";

let dumps: DumpFolder;
beforeAll(() => {
  dumps = makeDumpFolder();
});
afterAll(() => dumps.dispose());

const place = (name: string, region: string, country: string) => ({
  geonames_id: 1,
  geonames_details: { name, country_subdivision_name: region, country_name: country, lat: 0, lng: 0 },
});

/** An organisation as the documentation of ROR's schema v2 shows it, with facts of ROR (CC0). */
const MASARYK = {
  id: "https://ror.org/02j46qs45",
  status: "active",
  types: ["education", "funder"],
  established: 1919,
  domains: ["muni.cz"],
  names: [
    { value: "MU", types: ["acronym"], lang: null },
    { value: "Masaryk University", types: ["ror_display", "label"], lang: "en" },
    { value: "Masarykova univerzita", types: ["label"], lang: "cs" },
  ],
  locations: [place("Brno", "South Moravian", "Czechia"), place("Prague", "Prague", "Czechia")],
  external_ids: [
    { type: "grid", preferred: "grid.10267.32", all: ["grid.10267.32"] },
    { type: "isni", preferred: null, all: ["0000 0001 2194 0956"] },
    { type: "wikidata", preferred: "Q655866", all: ["Q1", "Q655866"] },
  ],
  relationships: [
    { type: "child", label: "Central European Institute of Technology", id: "https://ror.org/009nz6031" },
    { type: "related", label: "CEITEC once more", id: "https://ror.org/009nz6031" },
    { type: "related", label: "University Hospital Brno", id: "https://ror.org/00qq1fp34" },
    { type: "predecessor", label: "Older", id: "https://ror.org/01aaaaa11" },
  ],
  links: [],
};
const named = (id: string, name: string, more: object = {}) => ({
  id: `https://ror.org/${id}`,
  status: "active",
  types: [],
  locations: [],
  external_ids: [],
  relationships: [],
  names: [{ value: name, types: ["ror_display"], lang: null }],
  ...more,
});

const read = (records: readonly object[]) => entriesOf(ror, dumps.file("v2.8-ror-data.json", JSON.stringify(records)));

it("takes the displayed name as the title, and all others as synonyms with kind and language", async () => {
  expect(itemsOf(await read([MASARYK]))["ror:02j46qs45"]).toEqual({
    id: "ror:02j46qs45",
    title: { en: "Masaryk University" },
    synonyms: [
      { name: "MU", kind: "acronym" },
      { name: "Masarykova univerzita", kind: "label", lang: "cs" },
    ],
    props: {
      city: "Brno",
      state: "South Moravian",
      country: "Czechia",
      types: ["education", "funder"],
      identifiers: ["grid.10267.32", "isni:0000 0001 2194 0956", "wikidata:Q655866", "wikidata:Q1"],
      parents: [],
      children: ["ror:009nz6031"],
      predecessors: ["ror:01aaaaa11"],
      successors: [],
      related: ["ror:00qq1fp34"],
    },
    status: "active",
    replaced_by: null,
  });
});

it("reads the zip of a release, of which it takes the file of schema v2 and the number of the release", async () => {
  const old = JSON.stringify([{ id: "https://ror.org/02j46qs45", name: "Masaryk University" }]);
  const now = JSON.stringify([MASARYK]);
  const zip = makeZip({
    "v1.58-ror-data.json": old,
    "v1.58-ror-data.csv": "id,name",
    "v1.58-ror-data_schema_v2.json": now,
  });
  const entries = await entriesOf(ror, dumps.file("v1.58.zip", zip));
  expect(entries).toContainEqual({ release: "v1.58" });
  expect(itemsOf(entries)).toEqual(itemsOf(await read([MASARYK])));
  expect(itemsOf(await entriesOf(ror, dumps.file("a.json.gz", gzipSync(now))))).toEqual(itemsOf(entries));
});

it("refuses the retired schema v1 with a word on where schema v2 is", async () => {
  const file = dumps.file("v1.44-ror-data.json", JSON.stringify([{ id: "https://ror.org/0001a2m26", name: "SUNY" }]));
  expect(reasonsOf(await entriesOf(ror, file))).toEqual([
    expect.stringMatching(/retired schema v1 .*_schema_v2\.json/),
  ]);
});

it("deprecates what is no longer active, with its successor where the file has it, before or after it", async () => {
  const to = (id: string) => ({ relationships: [{ type: "successor", label: "x", id: `https://ror.org/${id}` }] });
  const entries = await read([
    named("01aaaaa11", "Old", { status: "inactive", ...to("01bbbbb22") }),
    named("01ccccc33", "Lost", { status: "withdrawn", ...to("01zzzzz99") }),
    named("01bbbbb22", "New"),
  ]);
  expect(itemsOf(entries)).toMatchObject({
    "ror:01aaaaa11": { status: "deprecated", replaced_by: "ror:01bbbbb22", title: { en: "Old" } },
    "ror:01ccccc33": { status: "deprecated", replaced_by: null },
    "ror:01bbbbb22": { status: "active", replaced_by: null },
  });
  expect(entries).toContainEqual({ leftOut: "successors that are not in the file", count: 1 });
});

it("names the line of a record that is none, and says of a cut file that it was cut", async () => {
  const text = `[\n${JSON.stringify(named("01bbbbb22", "New"))},\n{"id": "x", "names": []},\n5\n]`;
  expect(reasonsOf(await entriesOf(ror, dumps.file("a.json", text)))).toEqual([
    'a.json:3: "id" must be the address of a ROR record',
    "a.json:4: it is no JSON object; is this the right file?",
  ]);
  expect(reasonsOf(await entriesOf(ror, dumps.file("a.json", text.slice(0, -2))))).toContainEqual(
    expect.stringMatching(/a\.json:\d: the array does not end/),
  );
  expect(reasonsOf(await entriesOf(ror, dumps.file("a.csv", "id,name")))).toEqual([
    ":1: there is no JSON file of ROR records in it",
  ]);
});
