import { describe, expect, it } from "vitest";
import { type Declaration, Problems, parseJsonDeclaration, parseYamlDeclaration } from "../declarations/declaration.js";
import { compileUnits, NO_UNITS } from "../units/units.js";
import { checkFacets } from "./compile-facet.js";
import { compileModel } from "./compile-model.js";
import { compileVocabulary } from "./compile-vocabulary.js";
import type { Facet, Vocabulary } from "./types.js";

const VOCABULARIES = {
  taxa: 'name: taxa\ntitle: Taxa\ndescription: D\nid_pattern: "t:[0-9]+"\nhierarchy: true\n',
  tools: 'name: tools\ntitle: Tools\ndescription: D\nid_pattern: "i:[0-9]+"\n',
};

const UNITS = "molarity: { title: M, canonical: M, units: { M: { factor: 1 }, nM: { factor: 1.0e-9 } } }\n";

const AMOUNT = { type: "object", properties: { value: { type: "number" }, unit: { enum: ["M", "nM"] } } };
const RESULT = { type: "object", properties: { ...AMOUNT.properties, type: { type: "string" } } };

const SCHEMA = JSON.stringify({
  properties: {
    title: { type: "string" },
    started: { type: "string", format: "date" },
    ph: { type: "number" },
    amount: AMOUNT,
    results: { type: "array", items: RESULT },
    taxon: { "x-vocabulary": { name: "taxa" } },
    tool: { "x-vocabulary": { name: "tools" } },
  },
});

const yaml = (file: string, text: string, problems: Problems): Declaration =>
  parseYamlDeclaration(file, text, problems)!;

/** The facets of a model with these fields, one in each line, and what is wrong with them. */
function compile(...fields: string[]): { facets: readonly Facet[]; problems: readonly string[] } {
  const problems = new Problems();
  const vocabularies = new Map<string, Vocabulary>();
  for (const [name, text] of Object.entries(VOCABULARIES)) {
    vocabularies.set(name, compileVocabulary(yaml("vocabulary.yaml", text, problems), name, NO_UNITS, problems)!);
  }
  const text = `name: demo\ntitle: T\ndescription: D\nversion: 1\nfields:\n${fields.map((f) => `  ${f}\n`).join("")}`;
  const model = yaml("model.yaml", text, problems);
  const schema = parseJsonDeclaration("metadata.schema.json", SCHEMA, problems)!;
  const units = compileUnits([yaml("units.yaml", UNITS, problems)], problems);
  const compiled = compileModel({ folder: "demo", model, schema, shared: new Map(), units }, vocabularies, problems);
  return {
    facets: compiled?.facets.filter(({ name }) => name !== "state") ?? [],
    problems: problems.list.map(({ file, line, reason }) => `${file}:${line}: ${reason}`),
  };
}

describe("a facet", () => {
  it.each<[string, Partial<Facet>]>([
    ["a: { path: metadata.title, facet: A }", { path: "metadata.title", kind: "terms" }],
    ["a: { path: metadata.tool, facet: A }", { path: "metadata.tool.id", kind: "terms", vocabulary: "tools" }],
    ["a: { path: metadata.taxon, facet: A }", { path: "metadata.taxon.id", kind: "tree", vocabulary: "taxa" }],
    ["a: { path: metadata.taxon.id, facet: A }", { path: "metadata.taxon.id", kind: "tree", vocabulary: "taxa" }],
    [
      "a: { path: metadata.taxon, facet: { label: A, kind: terms } }",
      { path: "metadata.taxon.id", kind: "terms", vocabulary: "taxa" },
    ],
    ["a: { path: metadata.started, facet: A }", { path: "metadata.started", kind: "year" }],
    ["a: { path: created, facet: { label: A, kind: year } }", { path: "created", kind: "year" }],
    [
      "a: { path: metadata.ph, facet: { label: A, edges: [1e-12, 0.5, 7] } }",
      { path: "metadata.ph", kind: "histogram", scale: "log", edges: [1e-12, 0.5, 7] },
    ],
    ["a: { path: metadata.ph, facet: A }", { path: "metadata.ph", kind: "histogram", scale: "linear" }],
    [
      "a: { path: metadata.ph, facet: { label: A, scale: log } }",
      { path: "metadata.ph", kind: "histogram", scale: "log" },
    ],
    [
      "a: { path: metadata.ph, facet: { label: A, edges: [1, 2, 4], scale: linear } }",
      { path: "metadata.ph", kind: "histogram", scale: "linear", edges: [1, 2, 4] },
    ],
    [
      "a: { path: metadata.ph, facet: { label: A, edges: [4, 5, 6] } }",
      { path: "metadata.ph", kind: "histogram", scale: "linear", edges: [4, 5, 6] },
    ],
    [
      "a: { path: metadata.ph, facet: { label: A, kind: histogram, edges: [7], unit: M } }",
      { path: "metadata.ph", kind: "histogram", scale: "linear", edges: [7], unit: "M" },
    ],
    [
      "a: { path: metadata.amount.value, facet: { label: A, edges: [1e-9] } }",
      { path: "metadata.amount.value@molarity", kind: "histogram", scale: "linear", edges: [1e-9], unit: "M" },
    ],
    [
      "a: { path: metadata.results, where: { type: KD }, quantity: molarity, facet: { label: A, edges: [1e-9] } }",
      { path: "metadata.results.@a", kind: "histogram", scale: "linear", edges: [1e-9], unit: "M" },
    ],
    [
      "a: { path: metadata.ph, facet: { label: A, on_request: true } }",
      { path: "metadata.ph", kind: "histogram", scale: "linear", onRequest: true },
    ],
    [
      "a: { path: [metadata.amount, metadata.results], quantity: molarity, facet: { label: A, scale: log } }",
      {
        path: "metadata.amount.value@molarity",
        morePaths: ["metadata.results.value@molarity"],
        kind: "histogram",
        scale: "log",
        unit: "M",
      },
    ],
  ])("%s", (field, expected) => {
    expect(compile(field)).toEqual({ facets: [{ name: "a", label: "A", ...expected }], problems: [] });
  });
});

describe("a mistake in a facet is named with its line", () => {
  it.each<[string, string, string]>([
    ["the name of a parameter", "sort: { path: metadata.title, facet: S }", 'a facet cannot be named "sort"'],
    ["an object", "a: { path: metadata, facet: A }", "each path of a facet must name a single value"],
    [
      "texts at two paths",
      "a: { path: [metadata.title, metadata.results.type], facet: A }",
      "a facet over several paths counts numbers, all in one unit",
    ],
    [
      "an object beside a number",
      "a: { path: [metadata.ph, metadata], facet: A }",
      "each path of a facet must name a single value",
    ],
    [
      "numbers with a unit and without one",
      "a: { path: [metadata.ph, metadata.results], facet: A }",
      "a facet over several paths counts numbers, all in one unit",
    ],
    ["an unknown key", "a: { path: metadata.title, facet: { labl: A } }", 'unknown key "labl"; did you mean "label"?'],
    [
      "an unknown kind",
      "a: { path: metadata.title, facet: { label: A, kind: tems } }",
      'unknown kind "tems"; known are terms, tree, year, histogram',
    ],
    [
      "texts by year",
      "a: { path: metadata.title, facet: { label: A, kind: year } }",
      "a facet by year counts dates, but metadata.title is a keyword; there the kind is terms",
    ],
    [
      "dates as texts",
      "a: { path: metadata.started, facet: { label: A, kind: terms } }",
      "a facet of terms counts texts, but metadata.started is a date; there the kind is year",
    ],
    [
      "a histogram of terms",
      "a: { path: metadata.taxon, facet: { label: A, kind: histogram, edges: [1] } }",
      "a histogram counts numbers, but metadata.taxon.id is a keyword; there the kind is tree",
    ],
    [
      "a tree of texts",
      "a: { path: metadata.title, facet: { label: A, kind: tree } }",
      "a tree needs terms of a hierarchical vocabulary, but no term is cited at metadata.title",
    ],
    [
      "a tree without a hierarchy",
      "a: { path: metadata.tool, facet: { label: A, kind: tree } }",
      "a tree needs terms of a hierarchical vocabulary, but tools has no hierarchy; there the kind is terms",
    ],
    ["a scale of no kind", "a: { path: metadata.ph, facet: { label: A, scale: ln } }", 'unknown scale "ln"; known are'],
    [
      "a scale of texts",
      "a: { path: metadata.title, facet: { label: A, scale: log } }",
      "only a histogram has scale; this facet is of the kind terms",
    ],
    [
      "no edges",
      "a: { path: metadata.ph, facet: { label: A, edges: [] } }",
      "the edges of a histogram are ascending numbers",
    ],
    [
      "edges that fall",
      "a: { path: metadata.ph, facet: { label: A, edges: [2, 1] } }",
      "the edges of a histogram are ascending numbers",
    ],
    [
      "equal edges",
      "a: { path: metadata.ph, facet: { label: A, edges: [1, 1] } }",
      "the edges of a histogram are ascending numbers",
    ],
    ["an edge without end", "a: { path: metadata.ph, facet: { label: A, edges: [.inf] } }", "the edges of a histogram"],
    [
      "an edge as text",
      'a: { path: metadata.ph, facet: { label: A, edges: ["1"] } }',
      "the edges of a histogram are ascending numbers",
    ],
    [
      "edges in another unit",
      "a: { path: metadata.amount.value, facet: { label: A, edges: [1], unit: nM } }",
      "the numbers are counted in M: give the edges in M, and leave out the unit",
    ],
    [
      "edges of texts",
      "a: { path: metadata.title, facet: { label: A, edges: [1], unit: M } }",
      "only a histogram has edges; this facet is of the kind terms",
    ],
  ])("%s", (_, field, expected) => {
    const { problems } = compile("b: { path: metadata.title }", field);
    expect(problems[0]).toContain(`model.yaml:7: ${expected}`);
  });

  it("in a vocabulary", () => {
    const problems = new Problems();
    const text = `${VOCABULARIES.tools}props:\n  lang: { title: L, type: text, facet: L }\n`;
    compileVocabulary(yaml("vocabulary.yaml", text, problems), "tools", NO_UNITS, problems);
    expect(problems.list).toMatchObject([{ line: 6, reason: expect.stringContaining('named "lang"') }]);
  });
});

it("of a vocabulary may be a histogram of numbers", () => {
  const problems = new Problems();
  const mass = "mass: { title: M, type: number, facet: { label: Mass, edges: [1, 2] } }";
  const text = `${VOCABULARIES.tools}props:\n  ${mass}\n`;
  const vocabulary = compileVocabulary(yaml("vocabulary.yaml", text, problems), "tools", NO_UNITS, problems);
  expect(problems.list).toEqual([]);
  expect(vocabulary?.facets).toEqual([
    { name: "mass", label: "Mass", path: "props.mass", kind: "histogram", scale: "linear", edges: [1, 2] },
  ]);
});

describe("facets of one name in several models", () => {
  const check = (first: string, second: string): readonly string[] => {
    const problems = new Problems();
    const models = [first, second].map((field, i) => {
      const declaration = yaml(`${i}.yaml`, `name: x\nfields:\n  ${field}\n`, problems);
      return { model: { name: `m${i}`, facets: compile(field).facets } as never, declaration };
    });
    checkFacets(models, problems);
    return problems.list.map(({ file, line, reason }) => `${file}:${line}: ${reason}`);
  };

  it("may have other paths, labels and vocabularies", () => {
    expect(check("a: { path: metadata.title, facet: A }", "a: { path: metadata.tool, facet: A }")).toEqual([]);
    expect(check("a: { path: metadata.title, facet: A }", "a: { path: state, facet: B }")).toEqual([]);
    const edges = "facet: { label: A, edges: [1, 2], unit: M } }";
    expect(check(`a: { path: metadata.ph, ${edges}`, `a: { path: metadata.ph, ${edges}`)).toEqual([]);
  });

  it.each([
    [
      "a: { path: metadata.title, facet: A }",
      "a: { path: metadata.started, facet: A }",
      'the facet "a" is of years here, but of terms in the model m0; facets of one name must agree',
    ],
    [
      "a: { path: metadata.taxon, facet: A }",
      "a: { path: metadata.taxon, facet: { label: A, kind: terms } }",
      "is of terms here, but a tree of taxa in",
    ],
    [
      "a: { path: metadata.ph, facet: { label: A, edges: [1, 2] } }",
      "a: { path: metadata.ph, facet: { label: A, edges: [1, 3], unit: M } }",
      "is a linear histogram with the edges 1, 3 in M here, but a linear histogram with the edges 1, 2 in",
    ],
  ])("must count the same: %s, %s", (first, second, expected) => {
    const [problem, ...others] = check(first, second);
    expect(problem).toContain("1.yaml:3: ");
    expect(problem).toContain(expected);
    expect(others).toEqual([]);
  });
});
