import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenServices, openServices } from "../../../test/support/open-services.js";
import { titlesApart } from "./tell-apart.js";

const HOMONYMS = fileURLToPath(new URL("../../../test/data/homonyms", import.meta.url));

let bindery: OpenServices;
beforeAll(async () => {
  bindery = await openServices({ content: "nothing" });
  await bindery.loadAuthority({ authority: "ncbi", dump: HOMONYMS });
  await add("affiliations", [
    { id: "ror:000000001", title: "Trinity College", props: { city: "Dublin", country: "Ireland" } },
    { id: "ror:000000002", title: "Trinity College", props: { city: "Hartford", country: "United States" } },
    { id: "ror:000000003", title: "City College", props: { city: "London", country: "United Kingdom" } },
    { id: "ror:000000004", title: "CITY COLLEGE", props: { city: "London", country: "Canada" } },
    { id: "ror:000000005", title: "No Place", props: { country: "France" } },
    { id: "ror:000000006", title: "No Place" },
    { id: "ror:000000007", title: "Alone", props: { city: "Oslo" } },
  ]);
});
afterAll(() => bindery.dispose());

function add(vocabulary: string, items: readonly object[]) {
  const file = bindery.file("items.ndjson", items.map((item) => JSON.stringify(item)).join("\n"));
  return bindery.importTerms({ vocabulary, file, skipRefused: false });
}

describe("terms of one title", () => {
  it.each([
    ["organisms", ["taxid:43170", "taxid:1930290"], ["Linaria (Viridiplantae)", "Linaria (Metazoa)"]],
    ["organisms", ["taxid:1386", "taxid:55087"], ["Bacillus (Bacteria)", "Bacillus (Metazoa)"]],
    ["organisms", ["taxid:43170", "taxid:1386"], ["Linaria", "Bacillus"]],
    ["affiliations", ["ror:000000001", "ror:000000002"], ["Trinity College (Dublin)", "Trinity College (Hartford)"]],
    ["affiliations", ["ror:000000003", "ror:000000004"], ["City College (United Kingdom)", "CITY COLLEGE (Canada)"]],
    ["affiliations", ["ror:000000005", "ror:000000006"], ["No Place (ror:000000005)", "No Place (ror:000000006)"]],
    ["affiliations", ["ror:000000007", "ror:000000001"], ["Alone", "Trinity College"]],
    ["affiliations", ["ror:000000007", "ror:000000008"], ["Alone"]],
  ] as const)(
    "are told apart by what is above them, by a place or by their ids: %s %j",
    async (vocabulary, ids, titles) => {
      const apart = await titlesApart(bindery.store.terms, vocabulary, ids, "en");
      expect([...apart.values()]).toEqual(titles);
    },
  );
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
      ...{ field: "synonyms", text: "Linaria <bird>", kind: "unique name" },
    });
  });
});
