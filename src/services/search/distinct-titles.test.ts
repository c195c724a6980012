import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenServices, openServices } from "../../../test/support/open-services.js";
import { readDistinctTitles } from "./distinct-titles.js";

const HOMONYMS = fileURLToPath(new URL("../../../test/data/homonyms", import.meta.url));

let bindery: OpenServices;
beforeAll(async () => {
  bindery = await openServices({ content: "nothing" });
  await bindery.loadAuthority({ authority: "ncbi", dump: HOMONYMS });
  await add("organisms", [
    { id: "taxid:629395", title: "Bacteria", parent: "taxid:33208", props: { rank: "genus" } },
    { id: "taxid:7001", title: "Morus", parent: "taxid:33090" },
    { id: "taxid:7002", title: "Morus", parent: "taxid:7003" },
    { id: "taxid:7003", title: "Aves", parent: "taxid:33208" },
    { id: "taxid:7004", title: "Oenanthe", parent: "taxid:33208" },
    { id: "taxid:7005", title: "Oenanthe", parent: "taxid:7003" },
    { id: "taxid:7215", title: "Drosophila", parent: "taxid:33208", props: { rank: "genus" } },
    { id: "taxid:32281", title: "Drosophila", parent: "taxid:7215", props: { rank: "subgenus" } },
    { id: "taxid:7006", title: "Sophora", parent: "taxid:33090" },
    { id: "taxid:7007", title: "SOPHORA", parent: "taxid:7006" },
  ]);
  await add("affiliations", [
    { id: "ror:000000001", title: "Trinity College", props: { city: "Dublin", country: "Ireland" } },
    { id: "ror:000000002", title: "Trinity College", props: { city: "Hartford", country: "United States" } },
    { id: "ror:000000003", title: "City College", props: { city: "London", country: "United Kingdom" } },
    { id: "ror:000000004", title: "CITY COLLEGE", props: { city: "London", country: "Canada" } },
    { id: "ror:000000005", title: "No Place", props: { country: "France" } },
    { id: "ror:000000006", title: "No Place" },
    { id: "ror:000000007", title: "Alone", props: { city: "Oslo" } },
    { id: "ror:000000010", title: "Merged", props: { city: "Bonn" } },
    { id: "ror:000000011", title: "Merged", props: { city: "Jena" }, status: "deprecated" },
    { id: "ror:000000012", title: "Signs (+)", props: { city: "Bern" } },
    { id: "ror:000000013", title: "Signs (-)", props: { city: "Chur" } },
    { id: "ror:000000014", title: "+", props: { city: "Graz" } },
    { id: "ror:000000015", title: "+", props: { city: "Linz" } },
    { id: "ror:000000016", title: "Three", props: { city: "Brno" } },
    { id: "ror:000000017", title: "Three", props: { city: "Brno" } },
    { id: "ror:000000018", title: "Three", props: { city: "Kiel" } },
    ...Array.from({ length: 60 }, (_, i) => ({
      id: `ror:0000001${10 + i}`,
      title: "Ministry of Health",
      props: { city: `City ${i}` },
    })),
    ...Array.from({ length: 26 * 40 }, (_, i) => ({
      id: `ror:00001${1000 + i}`,
      title: `Institute ${Math.floor(i / 40)}`,
      props: { city: `City ${i}` },
    })),
  ]);
});
afterAll(() => bindery.dispose());

function add(vocabulary: string, items: readonly object[]) {
  const file = bindery.file("items.ndjson", items.map((item) => JSON.stringify(item)).join("\n"));
  return bindery.importTerms({ vocabulary, file, skipRefused: false });
}

const labelsOf = async (vocabulary: string, ids: readonly string[]) => [
  ...(await readDistinctTitles(bindery.store.terms, vocabulary, ids, "en")).values(),
];

describe("terms of one title", () => {
  it.each([
    // Both terms are in the list.
    ["organisms", ["taxid:43170", "taxid:1930290"], ["Linaria (Viridiplantae)", "Linaria (Metazoa)"]],
    ["organisms", ["taxid:1386", "taxid:55087"], ["Bacillus (Bacteria)", "Bacillus (Metazoa)"]],
    ["affiliations", ["ror:000000001", "ror:000000002"], ["Trinity College (Dublin)", "Trinity College (Hartford)"]],
    ["affiliations", ["ror:000000003", "ror:000000004"], ["City College (United Kingdom)", "CITY COLLEGE (Canada)"]],
    ["affiliations", ["ror:000000005", "ror:000000006"], ["No Place (France)", "No Place (ror:000000006)"]],
    ["affiliations", ["ror:000000014", "ror:000000015"], ["+ (Graz)", "+ (Linz)"]],
    // One of them is in the list.
    ["organisms", ["taxid:43170", "taxid:1386"], ["Linaria (Viridiplantae)", "Bacillus (Bacteria)"]],
    ["organisms", ["taxid:1930290"], ["Linaria (Metazoa)"]],
    ["affiliations", ["ror:000000007", "ror:000000001"], ["Alone", "Trinity College (Dublin)"]],
    ["affiliations", ["ror:000000006"], ["No Place (ror:000000006)"]],
    // An ancestor of both does not distinguish them, nor does one that the other has further above.
    ["organisms", ["taxid:2", "taxid:629395"], ["Bacteria (superkingdom)", "Bacteria (Metazoa)"]],
    ["organisms", ["taxid:7002"], ["Morus (Aves)"]],
    ["organisms", ["taxid:7004", "taxid:7005"], ["Oenanthe (taxid:7004)", "Oenanthe (Aves)"]],
    ["affiliations", ["ror:000000018", "ror:000000017"], ["Three (Kiel)", "Three (ror:000000017)"]],
    // Nor does a parent with the same title.
    ["organisms", ["taxid:7215", "taxid:32281"], ["Drosophila (genus)", "Drosophila (subgenus)"]],
    ["organisms", ["taxid:32281"], ["Drosophila (subgenus)"]],
    ["organisms", ["taxid:7006", "taxid:7007"], ["Sophora (taxid:7006)", "SOPHORA (taxid:7007)"]],
    // Terms of one title that are too many to be read.
    ["affiliations", ["ror:000000110"], ["Ministry of Health (ror:000000110)"]],
    // A deprecated term changes the label of an active one only if both are in the list.
    ["affiliations", ["ror:000000010"], ["Merged"]],
    ["affiliations", ["ror:000000011"], ["Merged (Jena)"]],
    ["affiliations", ["ror:000000010", "ror:000000011"], ["Merged (Bonn)", "Merged (Jena)"]],
    // The same words with other signs are another title.
    ["affiliations", ["ror:000000012"], ["Signs (+)"]],
    ["affiliations", ["ror:000000007", "ror:000000008"], ["Alone"]],
    ["affiliations", [], []],
  ] as const)(
    "are told apart by what is above them, by a place or by their ids: %s %j",
    async (vocabulary, ids, labels) => {
      expect(await labelsOf(vocabulary, ids)).toEqual(labels);
    },
  );

  it("are told apart by their ids if a list needs more terms than are read", async () => {
    const ids = Array.from({ length: 26 }, (_, i) => `ror:00001${1000 + i * 40}`);
    const labels = await labelsOf("affiliations", ids);
    expect(labels.slice(0, 2)).toEqual(["Institute 0 (City 0)", "Institute 1 (City 40)"]);
    expect(labels.slice(-2)).toEqual(["Institute 24 (City 960)", "Institute 25 (ror:000012000)"]);
  });

  it("are told apart as long as there are several", async () => {
    const second = { id: "ror:000000021", title: "Renamed College", props: { city: "Ulm" } };
    await add("affiliations", [{ id: "ror:000000020", title: "Renamed College", props: { city: "Lund" } }]);
    expect(await labelsOf("affiliations", ["ror:000000020"])).toEqual(["Renamed College"]);
    await add("affiliations", [second]);
    expect(await labelsOf("affiliations", ["ror:000000020"])).toEqual(["Renamed College (Lund)"]);
    await add("affiliations", [{ ...second, title: "Ulm College" }]);
    expect(await labelsOf("affiliations", ["ror:000000020"])).toEqual(["Renamed College"]);
  });
});

describe("what matched of a suggestion", () => {
  const matched = async (suggest: string, id: string) => {
    const window = { size: 10, page: 1 };
    const request = { vocabulary: "organisms", suggest, filters: {}, facetSize: 0, lang: "en", window };
    const { hits } = await bindery.searchTerms({ kind: "anonymous" }, request);
    return (hits.find((hit) => hit.id === id) as { matched?: object } | undefined)?.matched;
  };

  beforeAll(async () => {
    const synonyms = ['"Bacillus coli" Migula 1895', "Bacillus coli communis", "Bacillus coli", "E. coli"];
    await add("organisms", [{ id: "taxid:562", title: "Escherichia coli", synonyms }]);
  });

  it.each([
    ["bacillus coli", "Bacillus coli"],
    ["Bacillus col", "Bacillus coli"],
    ["bacillus coli mig", '"Bacillus coli" Migula 1895'],
    ["bacillus coli comm", "Bacillus coli communis"],
    ["communis", "Bacillus coli communis"],
    ["coli bacillus", '"Bacillus coli" Migula 1895'],
    ["bacilus coli", "Bacillus coli"],
    ["e. coli", "E. coli"],
    ["escherichia coli", "Escherichia coli"],
    ["562", "taxid:562"],
  ])("is the name that was typed: %s", async (typed, text) => {
    expect(await matched(typed, "taxid:562")).toMatchObject({ text });
  });

  it("is the unique name of a taxon", async () => {
    expect(await matched("linaria bird", "taxid:1930290")).toEqual({
      field: "synonyms",
      text: "Linaria <bird>",
      kind: "unique name",
    });
  });
});
