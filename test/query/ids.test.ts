/** What ids and compounds mean in a query: any case, descendants, and the first block of an InChIKey. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json.js";
import type { TermContent } from "../../src/core/term.js";
import { type FieldLookup, recordFields, termFields } from "../../src/query/fields/field-lookup.js";
import { recordLeaves } from "../../src/query/index-model/record-leaves.js";
import { parseQuery } from "../../src/query/parse/parse.js";
import { printQuery } from "../../src/query/parse/print.js";
import { resolveQuery } from "../../src/query/resolve/resolve.js";
import { builtInCatalog } from "../support/catalog.js";
import { matches, termAsRecord } from "../support/reference-evaluator.js";
import { tinyRecord } from "../support/tiny-catalog.js";

const catalog = builtInCatalog();
const models = [...catalog.models.values()];
const fields = recordFields(models, catalog.vocabularies.values());

const LIGHT = "inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N";
const HEAVY = "inchikey:XLYOFNOQVPJJNP-ZSJDYOACSA-N";
const ETHANOL = "inchikey:LFQSCWFLJHTTHZ-UHFFFAOYSA-N";

function record(id: string, solvent: string, constituent: string, organism = "taxid:9606"): JsonObject {
  const substance = (inchikey: string): JsonObject => ({ name: "some", basic_information: { id: inchikey } });
  return {
    general_parameters: {
      record_information: { title: `Record ${id}` },
      entities_of_interest: [{ name: "entity", source_organism: { id: organism } }],
      chemical_environments: [{ solvent: [substance(solvent)], constituents: [substance(constituent)] }],
    },
  };
}

const RECORDS = {
  a: record("a", LIGHT, ETHANOL, "taxid:562"),
  b: record("b", HEAVY, ETHANOL),
  c: record("c", ETHANOL, HEAVY, "taxid:561"),
  d: record("d mentions XLYOFNOQVPJJNP", ETHANOL, ETHANOL),
};
const mst = catalog.models.get("mst")!;
const leaves = Object.entries(RECORDS).map(
  ([id, metadata]) => [id, recordLeaves(tinyRecord(id, metadata, { model: "mst" }), mst, () => undefined)] as const,
);
const world = { parentOf: (_: string, id: string) => (id === "taxid:562" ? "taxid:561" : undefined) };

function found(query: string): string {
  const { clause } = resolveQuery(parseQuery(query, fields).tree, fields, 0);
  return leaves.flatMap(([id, one]) => (matches(clause, one, world) ? [id] : [])).join("");
}

const codes = (query: string, among: FieldLookup = fields): readonly string[] => {
  const parsed = parseQuery(query, among);
  return [...parsed.warnings, ...resolveQuery(parsed.tree, among, 0).warnings].map(({ code }) => code);
};

describe("an InChIKey in a search for records", () => {
  it.each([
    // A whole key with its prefix is the item, exactly; its first block is every compound that shares it.
    ["inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N", "a"],
    ["InChIKey=XLYOFNOQVPJJNP-UHFFFAOYSA-N", "a"],
    ["InChIKey:xlyofnoqvpjjnp-uhfffaoysa-n", "a"],
    ["inchikey:XLYOFNOQVPJJNP", "abc"],
    ["INCHIKEY:xlyofnoqvpjjnp", "abc"],
    ["solvent:inchikey:XLYOFNOQVPJJNP", "ab"],
    ["chemical:inchikey:XLYOFNOQVPJJNP", "c"],
    ["chemical.id:inchikey:XLYOFNOQVPJJNP", "c"],
    ["chemical_environments.constituents:(inchikey:XLYOFNOQVPJJNP)", "c"],
    ["chemical_environments:(solvent:(inchikey:XLYOFNOQVPJJNP))", "ab"],
    ["organism:inchikey:XLYOFNOQVPJJNP", ""],
    ["NOT inchikey:XLYOFNOQVPJJNP", "d"],
    // Bare in the field of a compound: the first block, also of a whole key.
    ["solvent.id:XLYOFNOQVPJJNP", "ab"],
    ["solvent:XLYOFNOQVPJJNP", "ab"],
    ["solvent.id:XLYOFNOQVPJJNP-ZSJDYOACSA-N", "ab"],
    ["solvent:XLYOFNOQVPJJNP-ZSJDYOACSA-N", "ab"],
    ["solvent.id:inchikey:XLYOFNOQVPJJNP-ZSJDYOACSA-N", "b"],
    // In quotes it is text.
    ['solvent.id:"XLYOFNOQVPJJNP-ZSJDYOACSA-N"', "b"],
    ['"inchikey:XLYOFNOQVPJJNP"', "abc"],
    ["XLYOFNOQVPJJNP", "abcd"],
  ])("%s finds %s", (query, ids) => expect(found(query)).toBe(ids));

  it("is printed as what parses to the same tree", () => {
    for (const query of ["inchikey:XLYOFNOQVPJJNP", "inchikey\\:XLYOFNOQVPJJNP", "solvent:inchikey:XLYOFNOQVPJJNP"]) {
      const { tree } = parseQuery(query, fields);
      expect(parseQuery(printQuery(tree), fields).tree).toEqual(tree);
    }
  });
});

describe("an id in a search for records", () => {
  it.each([
    ["TAXID:562", "a"],
    ["organism:Taxid:562", "a"],
    ["organism.within:taxid:561", "ac"],
    ["ORGANISM.within:TAXID:561", "ac"],
    ['organism.within:"taxid:561"', "ac"],
    ["entities_of_interest.source_organism.within:taxid:561", "ac"],
    ["entities_of_interest:(source_organism.within:taxid:561)", "ac"],
    ["entities_of_interest:(organism.within:taxid:561 AND name:entity)", "ac"],
    ["-organism.within:taxid:561", "bd"],
    ["solvent.within:inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N", "a"],
  ])("%s finds %s", (query, ids) => expect(found(query)).toBe(ids));

  it.each([
    ["Ror:02BFWT286", { kind: "cites", id: "ror:02bfwt286", vocabularies: ["affiliations"], within: false }],
    ["TAXID:562", { kind: "cites", id: "taxid:562", vocabularies: ["organisms"], within: false }],
  ])("%s is read in any case", (query, clause) => {
    expect(resolveQuery(parseQuery(query, fields).tree, fields, 0).clause).toEqual(clause);
  });

  it("warns where there is no hierarchy to go down, or no id", () => {
    expect(codes("organism.within:taxid:561")).toEqual([]);
    expect(codes("solvent.within:inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N")).toEqual(["QUERY_WITHIN_FLAT"]);
    expect(codes("organism.within:coli")).toEqual(["QUERY_ID_UNKNOWN"]);
  });
});

describe("the id of a record or of a parent", () => {
  const [own, parent] = ["zv0gv-btp27", "sabr2-4pa86"];
  const mentioned = { record_information: { title: `Goes on from ${own}` } };
  const all = [
    tinyRecord(own, RECORDS.a, { model: "mst", parent: { id: parent, owner: { user: "1" } } }),
    tinyRecord("7rhyg-5g010", { general_parameters: mentioned }, { model: "mst" }),
  ].map((body) => [body.id, recordLeaves(body, mst, () => undefined)] as const);
  const ids = (query: string): readonly string[] => {
    const { clause } = resolveQuery(parseQuery(query, fields).tree, fields, 0);
    return all.flatMap(([id, one]) => (matches(clause, one, world) ? [id] : []));
  };

  it.each([own, "ZV0GV-BTP27", `"${own}"`])("%s finds the record, and what speaks of it", (query) =>
    expect(ids(query)).toEqual([own, "7rhyg-5g010"]),
  );
  it.each([`id:${own}`, "id:Zv0gv-Btp27", `ID:"${own}"`, parent, `parent.id:${parent}`, `id:${own.toUpperCase()}`])(
    "%s finds the record alone or first",
    (query) => expect(ids(query)[0]).toBe(own),
  );
  it.each([
    ...["4pa8*", "4p?86", "4pa87~", "4pa86", "sabr2", "sabr2 4pa86", '"sabr2 4pa86"', "id:zv0gv", "id:btp27"],
    ...["id:zv0*", "id:zv0gv~", "parent.id:sabr2", "parent.id:sab*", `id:${parent}`, "id:(zv0gv btp27)", "sabr2-4pa8*"],
  ])("%s finds nothing", (query) => expect(ids(query)).toEqual([]));
});

describe("an id in a vocabulary", () => {
  const organisms = termFields(catalog.vocabularies.get("organisms")!);
  const vocabulary = catalog.vocabularies.get("chemicals")!;
  const chemicals = termFields(vocabulary);
  const item = (id: string, unit = "g/mol"): TermContent => ({
    ...{ id, title: { en: "Water" }, status: "active" },
    props: { molecular_weight: { value: 18.015, unit } },
  });
  const items = [LIGHT, HEAVY, ETHANOL].map((id) => termAsRecord(item(id), vocabulary));
  const matching = (query: string): readonly boolean[] => {
    const { clause } = resolveQuery(parseQuery(query, chemicals).tree, chemicals, 0);
    return items.map((one) => matches(clause, one));
  };

  it.each([
    ["inchikey:XLYOFNOQVPJJNP", [true, true, false]],
    ["id:inchikey:XLYOFNOQVPJJNP", [true, true, false]],
    ["id:xlyofnoqvpjjnp", [true, true, false]],
    ["id:XLYOFNOQVPJJNP-UHFFFAOYSA-N", [true, true, false]],
    [LIGHT, [true, false, false]],
    [`id:${HEAVY}`, [false, true, false]],
    [`id:"${HEAVY}"`, [false, true, false]],
    ["molecular_weight:18.015Da", [true, true, true]],
    ["molecular_weight:[0.018 kDa TO 20 g/mol]", [true, true, true]],
    ["molecular_weight.value:<0.018 kDa", [false, false, false]],
    ["props.molecular_weight.value:18.015", [true, true, true]],
  ])("%s finds %j", (query, expected) => expect(matching(query)).toEqual(expected));

  it("may stand after within, alone or with the field of the ids", () => {
    const cites = { kind: "cites", id: "taxid:562", vocabularies: ["organisms"], within: true };
    for (const query of ["within:taxid:562", "id.within:taxid:562", "ID.within:TAXID:562", "Within:taxid:562"]) {
      const { tree } = parseQuery(query, organisms);
      expect(resolveQuery(tree, organisms, 0).clause).toEqual(cites);
      expect(parseQuery(printQuery(tree), organisms).tree).toEqual(tree);
    }
    expect(codes("within:taxid:562", organisms)).toEqual([]);
    expect(codes("parent.within:taxid:562", organisms)).toEqual(["QUERY_ID_UNKNOWN"]);
    expect(codes(`within:${LIGHT}`, chemicals)).toEqual(["QUERY_WITHIN_FLAT"]);
  });
});

it("names an item of a vocabulary by another id of it, as a word that is not in quotes", () => {
  const vocabulary = catalog.vocabularies.get("languages")!;
  const languages = termFields(vocabulary);
  const english = termAsRecord({ id: "en", title: { en: "English" }, props: {}, status: "active" }, vocabulary);
  const matching = (query: string): boolean =>
    matches(resolveQuery(parseQuery(query, languages).tree, languages, 0).clause, english);
  expect(["eng", "ENG", "eng english", "en"].map(matching)).toEqual([true, true, true, true]);
  expect(["deu", '"eng"', "title:eng", "-eng"].map(matching)).toEqual([false, false, false, false]);
});

it("lets the names of every model's quantities mean numbers with units", () => {
  for (const { fields: names, quantities, units } of models) {
    const declared = [...names.values()].filter(({ dimensions }) => dimensions !== undefined);
    expect(declared.length).toBeGreaterThanOrEqual(17);
    expect(quantities.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["kd", "ka", "kon", "koff", "dh", "hill"]),
    );
    for (const { name, dimensions } of declared) {
      const unit = units.dimensions.get(dimensions![0]!)!.canonical;
      expect(codes(`${name}:<"5 ${unit}"`), name).toEqual([]);
    }
  }
});
