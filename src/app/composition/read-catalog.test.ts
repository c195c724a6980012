import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { BUILT_IN_MODELS } from "../../../test/support/built-in-models.js";
import { isQuantityAt } from "../../core/catalog/compile-quantity.js";
import { FACET_KIND_NAMES } from "../../core/catalog/facet-kinds/facet-kinds.js";
import { hasIdForm } from "../../core/catalog/schema-keywords.js";
import type { Leaf, Model } from "../../core/catalog/types.js";
import { CatalogError } from "../../core/declarations/declaration.js";
import { checkTerm } from "../../services/rules/check-term.js";
import { BUILT_IN_CATALOG, readCatalog } from "./read-catalog.js";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** Creates a catalog folder with these files. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "bindery-catalog-"));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

function problemsOf(...catalog: string[]): readonly string[] {
  try {
    readCatalog(catalog);
  } catch (error) {
    if (error instanceof CatalogError) return error.message.split("\n").slice(1);
    throw error;
  }
  return [];
}

const VOCABULARY = "name: moods\ntitle: Moods\ndescription: How one feels\nid_pattern: 'mood:[a-z]+'\n";
const MODEL = "name: diary\ntitle: Diary\ndescription: Days\nversion: 1\nfields: {}\n";
const SCHEMA = '{"type": "object", "properties": {"mood": {"x-vocabulary": {"name": "moods"}}}}';
const OPERATOR = {
  "models/diary/model.yaml": MODEL,
  "models/diary/metadata.schema.json": SCHEMA,
  "vocabularies/moods/vocabulary.yaml": VOCABULARY,
  "vocabularies/moods/starter.jsonl": "",
};

describe("the built-in catalog", () => {
  const catalog = readCatalog([BUILT_IN_CATALOG]);

  it("has the models of its folders and the ten vocabularies, alphabetically", () => {
    expect([...catalog.models.keys()]).toEqual(BUILT_IN_MODELS);
    expect(BUILT_IN_MODELS).toEqual(expect.arrayContaining(["bli", "itc", "mst", "spr"]));
    expect([...catalog.vocabularies.keys()]).toEqual([
      "affiliations",
      "body_fluids",
      "cell_fractions",
      "chemicals",
      "environment_types",
      "grants",
      "instruments",
      "languages",
      "organisms",
      "products",
    ]);
  });

  it("cites a term at every depth, with what is copied", () => {
    const sites = new Map(catalog.models.get("mst")?.termSites.map((site) => [site.path, site]));
    const general = "metadata.general_parameters";
    expect(sites.get(`${general}.funding_references`)?.fields).toEqual(["funder_name", "grant_id"]);
    expect(sites.get(`${general}.entities_of_interest.components.source_organism`)?.vocabulary).toBe("organisms");
    expect(sites.get(`${general}.chemical_environments.solvent.basic_information`)?.fields).toEqual([
      "chemical_formula",
      "molecular_weight",
      "additional_identifiers",
    ]);
  });

  it("names the same fields and the facet of the state in all models", () => {
    for (const { fields, facets } of catalog.models.values()) {
      expect([...fields.keys()]).toEqual(
        expect.arrayContaining(["title", "technique", "instrument", "organism", "ph"]),
      );
      expect(facets.map(({ name }) => name)).toEqual(expect.arrayContaining(["technique", "organism", "state"]));
      expect(new Set(facets.map(({ name }) => name)).size).toBe(facets.length);
    }
  });

  it("counts organisms as a tree, dates by year, pH and KD in ranges, in all models", () => {
    for (const { facets } of catalog.models.values()) {
      const kinds = new Map(facets.map(({ name, kind }) => [name, kind]));
      expect(["organism", "chemical", "year", "collected", "ph", "kd"].map((name) => kinds.get(name))).toEqual([
        "tree",
        "terms",
        "year",
        "year",
        "histogram",
        "histogram",
      ]);
      const path = "metadata.general_parameters.results.@kd";
      expect(facets.find(({ name }) => name === "kd")).toMatchObject({ path, unit: "M" });
    }
  });

  it("knows numbers that mean an unknown value", () => {
    const path = "metadata.general_parameters.results.entities_involved.copy_number";
    expect(catalog.models.get("itc")?.leaves.get(path)).toMatchObject({ type: "number", notKnown: -1 });
  });

  it("names each quantity of a measurement, so that it compares in any unit", () => {
    for (const { name, leaves, fields } of catalog.models.values()) {
      const named = [...fields.values()].flatMap(({ dimensions, path, morePaths = [] }) =>
        dimensions === undefined ? [] : [path, ...morePaths],
      );
      const quantities = [...leaves.values()].filter(
        ({ path, quantity }) => quantity !== undefined && path.startsWith("metadata.method_specific_parameters."),
      );
      expect(quantities.length, name).toBeGreaterThan(0);
      const isNamed = (leaf: Leaf): boolean => named.some((path) => isQuantityAt(leaf, path));
      expect(quantities.filter((leaf) => !isNamed(leaf)).map(({ path }) => path)).toEqual([]);
    }
  });

  it("reads three-letter codes of languages as the two-letter ones", () => {
    expect(catalog.vocabularies.get("languages")?.aliases.get("eng")).toBe("en");
    expect(catalog.vocabularies.get("languages")?.aliases.get("ger")).toBe("de");
  });

  it("matches whole ids only", () => {
    const organisms = catalog.vocabularies.get("organisms")!;
    expect(["taxid:562", "taxid:562\n", "xtaxid:562", "taxid:0562"].map((id) => hasIdForm(organisms, id))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("an operator's folder", () => {
  it("may be written as docs/catalog.md shows", () => {
    const text = readFileSync(join(BUILT_IN_CATALOG, "..", "docs", "catalog.md"), "utf8");
    const [vocabulary = "", starter = "", model = "", schema = ""] = [
      ...text.matchAll(/```(?:yaml|json)\n(.*?)```/gs),
    ].map((block) => block[1]);
    const folder = folderOf({
      "vocabularies/solvents/vocabulary.yaml": vocabulary,
      "vocabularies/solvents/starter.jsonl": starter,
      "models/nmr/model.yaml": model,
      "models/nmr/metadata.schema.json": schema,
    });
    const { models, vocabularies } = readCatalog([BUILT_IN_CATALOG, folder]);
    expect(models.get("nmr")?.facets.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      "solvent terms",
      "nucleus terms",
      "measured year",
      "scans histogram",
      "state terms",
    ]);
    expect(checkTerm(vocabularies.get("solvents")!, JSON.parse(starter)).reasons).toBeUndefined();
  });

  it("adds a model and a vocabulary", () => {
    const { models, vocabularies } = readCatalog([BUILT_IN_CATALOG, folderOf(OPERATOR)]);
    expect([...models.keys()]).toEqual([...BUILT_IN_MODELS, "diary"].sort());
    expect(vocabularies.get("moods")?.starterFile).toMatch(/starter\.jsonl$/);
    expect(models.get("diary")?.termSites).toEqual([{ path: "metadata.mood", vocabulary: "moods", fields: [] }]);
  });

  it("may bring an example of a body", () => {
    const example = '{"metadata": {"mood": {"id": "mood:happy"}}}';
    const { models } = readCatalog([folderOf({ ...OPERATOR, "models/diary/example.json": example })]);
    expect(models.get("diary")?.example).toEqual(JSON.parse(example));
    expect(readCatalog([folderOf(OPERATOR)]).models.get("diary")?.example).toBeUndefined();
  });

  it.each([
    ["is a list", "[]", ['1: an example is a JSON object with the key "metadata"']],
    ["is not JSON", '{\n"metadata"', [expect.stringMatching(/^\d: not valid JSON/)]],
    ["lacks metadata", "{}", ['1: an example needs "metadata"']],
    ["has metadata that are text", '{\n\n"metadata": ""}', ['3: "metadata" must be an object']],
    [
      "has other keys",
      '{"metadata": {},\n"metdata": {}}',
      ['2: an example has "metadata" only, not "metdata"; did you mean "metadata"?'],
    ],
  ])("is refused if its example %s", (_, example, expected) => {
    const folder = folderOf({ ...OPERATOR, "models/diary/example.json": example });
    const file = `${join(folder, "models/diary/example.json")}:`;
    expect(problemsOf(folder).map((line) => (line.startsWith(file) ? line.slice(file.length) : line))).toEqual(
      expected,
    );
  });

  it("is the whole catalog if the built-in one is left out", () => {
    expect([...readCatalog([folderOf(OPERATOR)]).models.keys()]).toEqual(["diary"]);
  });

  it("replaces a model or vocabulary of the same name", () => {
    const products = VOCABULARY.replace("moods", "products").replace("Moods", "Goods");
    const folder = folderOf({ "vocabularies/products/vocabulary.yaml": products });
    const { vocabularies } = readCatalog([BUILT_IN_CATALOG, folder]);
    expect(vocabularies.get("products")).toMatchObject({ title: "Goods", idPattern: "mood:[a-z]+" });
    expect(vocabularies.get("products")?.starterFile).toBeUndefined();
    expect(vocabularies.get("organisms")?.title).toBe("Organisms");
  });

  it("replaces a shared part in all models", () => {
    const protocols = '{"$defs": {"Step": {"properties": {"name": {"type": "string"}}}}}';
    const problems = problemsOf(BUILT_IN_CATALOG, folderOf({ "shared/protocols.schema.json": protocols }));
    const [lost, others] = [
      /protocols\.schema\.json.*(Storage|ProcessingStep|Fitting)" leads nowhere$/,
      /the schema has no (?:object at )?"[a-z_.]*(?:storage|preparation_protocol|data_fitting|data_processing|description)/,
    ];
    expect(problems.filter((problem) => lost.test(problem))).not.toEqual([]);
    expect(problems.filter((problem) => !lost.test(problem) && !others.test(problem))).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, string>>, RegExp]>([
    [
      "a model without a schema",
      { "models/diary/model.yaml": MODEL },
      /diary\/metadata\.schema\.json:1: this file is missing/,
    ],
    [
      "a file under a wrong name",
      { ...OPERATOR, "models/diary/model.yml": MODEL },
      /model\.yml:1: files with this name are not read/,
    ],
    [
      "a folder without any part",
      { "model/diary/model.yaml": MODEL },
      /:1: a catalog folder must contain some of models/,
    ],
    [
      "a name with capitals",
      { "vocabularies/Moods/vocabulary.yaml": VOCABULARY },
      /vocabulary\.yaml:1: a vocabulary's name/,
    ],
  ])("is refused for %s", (_, files, expected) => {
    expect(problemsOf(folderOf(files)).join("\n")).toMatch(expected);
  });

  it("is refused if a facet counts differently from one of the same name", () => {
    const model = MODEL.replace("fields: {}", "fields:\n  year: { path: metadata.mood, facet: Year }");
    expect(problemsOf(BUILT_IN_CATALOG, folderOf({ ...OPERATOR, "models/diary/model.yaml": model }))).toEqual([
      expect.stringMatching(/diary\/model\.yaml:6: the facet "year" is of terms here, but of years in the model bli;/),
    ]);
  });

  it("is refused if it does not exist", () => {
    expect(problemsOf("/nowhere/at/all")).toEqual(["/nowhere/at/all:1: this catalog folder does not exist"]);
  });

  it("is refused with all its mistakes at once", () => {
    const files = { ...OPERATOR, "models/diary/model.yaml": `${MODEL}a: 1\nb: 2\n` };
    const error = expect.objectContaining({ problems: expect.objectContaining({ length: 2 }) });
    expect(() => readCatalog([folderOf(files)])).toThrow(error);
  });
});

it("has the kinds of facet that docs/catalog.md lists", () => {
  const text = readFileSync(join(BUILT_IN_CATALOG, "..", "docs", "catalog.md"), "utf8");
  const [, table = ""] = /\n\| `kind` \|.*\n.*\n((?:\|.*\n)+)/.exec(text) ?? [];
  expect([...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, kind]) => kind)).toEqual(FACET_KIND_NAMES);
});

describe("an operator's declaration that extends", () => {
  it("may be written as docs/catalog.md shows", () => {
    const text = readFileSync(join(BUILT_IN_CATALOG, "..", "docs", "catalog.md"), "utf8");
    const section = text.slice(text.indexOf("## Extending a model"), text.indexOf("## Quantities and units"));
    const [itc = "", spr = ""] = [...section.matchAll(/```yaml\n(.*?)```/gs)].map((block) => block[1]);
    const schema = readFileSync(join(BUILT_IN_CATALOG, "models/itc/metadata.schema.json"), "utf8");
    const itcFiles = { "models/itc/model.yaml": itc, "models/itc/metadata.schema.json": schema };
    const { models } = readCatalog([BUILT_IN_CATALOG, folderOf({ ...itcFiles, "models/spr/model.yaml": spr })]);
    expect(models.get("itc")?.fields.get("concentration")?.morePaths).toHaveLength(2);
    expect(models.get("spr")?.facets.find(({ name }) => name === "grant")?.label).toBe("Project");
    expect(models.get("spr")?.fields.has("hill")).toBe(false);
  });

  const SPR = "name: spr\nextends: spr\n";

  it("a built-in model of its own name changes that one, and needs no schema and no example", () => {
    const wells = "{ path: metadata.general_parameters.schema_version, facet: Version }";
    const model = `${SPR}fields:\n  wells: ${wells}\n  kd: null\n`;
    const sprOf = (...folders: string[]): Model => readCatalog([BUILT_IN_CATALOG, ...folders]).models.get("spr")!;
    const [built, changed] = [sprOf(), sprOf(folderOf({ "models/spr/model.yaml": model }))];
    expect([...changed.fields.keys()]).toEqual([...[...built.fields.keys()].filter((name) => name !== "kd"), "wells"]);
    expect([changed.title, changed.schema, changed.example]).toEqual([built.title, built.schema, built.example]);
  });

  it("the built-in base of its own name changes all models that extend it", () => {
    const base = "extends: general\nfields:\n  version: { path: metadata.general_parameters.schema_version }\n";
    const { models } = readCatalog([BUILT_IN_CATALOG, folderOf({ "shared/general.model.yaml": base })]);
    for (const { fields } of models.values())
      expect([fields.has("version"), fields.has("grant")]).toEqual([true, true]);
  });

  it("a built-in model is another one, with a name of its own", () => {
    const model = "name: spri\nextends: spr\ntitle: Imaging SPR\nfields: {}\n";
    const { models } = readCatalog([BUILT_IN_CATALOG, folderOf({ "models/spri/model.yaml": model })]);
    expect(models.get("spri")).toMatchObject({ name: "spri", title: "Imaging SPR", version: 2 });
    expect(models.get("spri")?.schema).toEqual(models.get("spr")?.schema);
  });

  it("its own base inherits only fields that its schema has; the mistake names both files and the cure", () => {
    const base = "fields:\n  feeling: { path: metadata.mood }\n  place: { path: metadata.place }\n";
    const model = `${MODEL.replace("fields: {}", "fields: {}\nextends: daily")}`;
    const files = { ...OPERATOR, "models/diary/model.yaml": model, "shared/daily.model.yaml": base };
    const folder = folderOf(files);
    expect(problemsOf(folder)).toEqual([
      `${join(folder, "shared/daily.model.yaml")}:3: the schema has no "metadata.place" (inherited by ` +
        `${join(folder, "models/diary/model.yaml")}:6; override it there, or leave it out with null)`,
    ]);
    const cured = folderOf({ ...files, "models/diary/model.yaml": `${model}\n`.replace("{}", "{ place: null }") });
    expect([...readCatalog([cured]).models.get("diary")!.fields.keys()]).toEqual(["feeling"]);
  });

  it.each([
    ["a title", "title: Daily\n", /daily\.model\.yaml:1: unknown key "title"; known are extends, roots, expected/],
    [
      "an unknown key of a field",
      "fields: { a: { paht: metadata.mood } }\n",
      /:1: unknown key "paht"; did you mean "path"/,
    ],
    [
      "an unknown base",
      "extends: dayly\n",
      /:1: there is no "dayly" to extend, neither shared\/dayly\.model\.yaml nor/,
    ],
  ])("a base may not have %s, even if nothing extends it", (_, base, expected) => {
    expect(problemsOf(folderOf({ ...OPERATOR, "shared/daily.model.yaml": base }))).toEqual([
      expect.stringMatching(expected),
    ]);
  });

  it("a base needs another name than a model", () => {
    expect(problemsOf(folderOf({ ...OPERATOR, "shared/diary.model.yaml": "fields: {}\n" }))).toEqual([
      expect.stringMatching(/diary\.model\.yaml:1: "diary" is the name of a model; a base needs another name$/),
    ]);
  });

  it("a file that is not valid is one mistake, however many extend it", () => {
    const model = `${MODEL}extends: daily\n`;
    const files = { ...OPERATOR, "models/diary/model.yaml": model, "shared/daily.model.yaml": "fields: [" };
    const other = { "models/log/model.yaml": model.replace("diary", "log"), "models/log/metadata.schema.json": SCHEMA };
    const problems = problemsOf(folderOf({ ...files, ...other }));
    expect(problems.filter((line) => line.includes("not valid YAML"))).toHaveLength(1);
    expect(problems.filter((line) => line.includes("to extend"))).toEqual([]);
  });
});
