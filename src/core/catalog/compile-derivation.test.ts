import { describe, expect, it } from "vitest";
import { Problems, parseJsonDeclaration, parseYamlDeclaration } from "../declarations/declaration.js";
import { compileUnits } from "../units/units.js";
import { compileModel } from "./compile-model.js";

const UNITS = `
molarity: { title: Molarity, canonical: M, units: { M: { factor: 1 }, nM: { factor: 1e-9 } } }
per_molarity: { title: Reciprocal, canonical: M^-1, units: { M^-1: { factor: 1 } } }
temperature: { title: Temperature, canonical: K, units: { K: { factor: 1 } } }
`;

const number = { type: "number" };
const SCHEMA = {
  properties: {
    warmth: { type: "object", properties: { value: number, unit: { type: "string" } } },
    plain: number,
    results: {
      type: "array",
      items: { type: "object", properties: { type: { type: "string" }, value: number, unit: { type: "string" } } },
    },
  },
};

const HEAD = "name: demo\ntitle: Demo\ndescription: A model\nversion: 1\nfields:\n";
const KD = "  kd: { path: metadata.results, where: { type: KD }, quantity: molarity, derived: 1 / ka, facet: KD }\n";
const KA = "  ka: { path: metadata.results, where: { type: KA }, quantity: per_molarity }\n";
const WARMTH = "  warmth: { path: metadata.warmth, quantity: temperature }\n";

function compile(fields: string) {
  const problems = new Problems();
  const units = compileUnits([parseYamlDeclaration("units.yaml", UNITS, problems)!], problems);
  const model = parseYamlDeclaration("model.yaml", HEAD + fields, problems)!;
  const schema = parseJsonDeclaration("schema.json", JSON.stringify(SCHEMA), problems)!;
  const compiled = compileModel({ folder: "demo", model, schema, shared: new Map(), units }, new Map(), problems);
  return { model: compiled, problems: problems.list.map(({ file, line, reason }) => `${file}:${line}: ${reason}`) };
}

const sourcesOf = (fields: string, name = "kd") =>
  compile(fields).model?.quantities.find((each) => each.name === name)?.derivation?.sources;

describe("a model with derived quantities", () => {
  it("indexes derived values apart from the stated ones, and finds, sorts and counts both", () => {
    const { model, problems } = compile(KD + KA);
    expect(problems).toEqual([]);
    const [stated, derived] = ["metadata.results.@kd", "metadata.results.@kd~"];
    expect(model?.quantities[0]?.derivation).toMatchObject({
      sources: [{ expression: { text: "1 / ka", names: ["ka"] }, conditions: [] }],
      leaf: { path: `${derived}=`, quantity: { named: derived, dimensions: ["molarity"], isDerived: true } },
    });
    expect(model?.fields.get("kd")).toMatchObject({ path: `${stated}=`, morePaths: [`${derived}=`] });
    expect(model?.facets[0]).toMatchObject({ name: "kd", path: stated, morePaths: [derived] });
  });

  it("has several expressions, in order, and a bound for their values", () => {
    const { model, problems } = compile(
      `${KD.replace("derived: 1 / ka", "derived: { from: [1 / ka, 1 / ka * 1], above: 0 }")}${KA}`,
    );
    expect(problems).toEqual([]);
    const derivation = model?.quantities[0]?.derivation;
    expect(derivation?.sources.map(({ expression }) => expression.text)).toEqual(["1 / ka", "1 / ka * 1"]);
    expect(derivation?.above).toBe(0);
  });

  it("may be only derived", () => {
    const half = "  half: { path: metadata.results, quantity: molarity, derived: 1 / ka / 2 }\n";
    const { model, problems } = compile(KA + half);
    expect(problems).toEqual([]);
    expect(model?.quantities[1]?.where).toBeUndefined();
    expect(model?.fields.get("half")).toMatchObject({ path: "metadata.results.@half~=", morePaths: undefined });
  });

  it("takes conditions from the whole record", () => {
    const fields = `${KD.replace("1 / ka", "warmth / 1 K / ka")}${KA}${WARMTH}`;
    const warmth = { name: "warmth", paths: ["metadata.warmth"], dimensions: ["temperature"] };
    expect(sourcesOf(fields)).toMatchObject([{ conditions: [warmth] }]);
  });

  it("leaves out an expression with a name that has no path here", () => {
    const fields = `${KD.replace("1 / ka", "[warmth / 1 K / ka, 1 / ka]")}${KA}`;
    const { problems } = compile(`${fields}  warmth: { path: [], quantity: temperature }\n`);
    expect(problems).toEqual([]);
    expect(sourcesOf(`${fields}  warmth: { path: [], quantity: temperature }\n`)).toMatchObject([
      { expression: { text: "1 / ka" } },
    ]);
  });

  it.each([
    ["1 /", "the expression ends where a number or a name is expected"],
    ["1 / kaa", 'there is no quantity "kaa"; did you mean "ka"?'],
    ["2 * ka", "the expression is in M^-1, and not in M"],
    ["1 / ka + 1", "M and no unit cannot be added"],
    ["kd * 2", "a quantity is not derived from itself"],
    ["warmth * 1 M / 1 K", 'it names no quantity of "metadata.results"'],
    ["plain / ka", '"plain" is not a quantity of "metadata.results", and not one of the whole record'],
    ["3 M", 'it names no quantity of "metadata.results"'],
  ])("notes the expression %j", (text, reason) => {
    const plain = "  plain: { path: metadata.plain }\n";
    const { problems } = compile(`${KD.replace("1 / ka", JSON.stringify(text))}${KA}${WARMTH}${plain}`);
    expect(problems).toEqual([`model.yaml:6: "${text}": ${reason}`]);
  });

  it.each([
    ["derived: 1 / ka", "derived: []", '"derived" needs an expression, such as "1 / ka"'],
    ["derived: 1 / ka", "derived: { from: 1 / ka, over: 0 }", 'unknown key "over"; known are from, above'],
    ["derived: 1 / ka", "derived: { from: 1 / ka, above: x }", '"fields.kd.derived.above" must be a number'],
    ["quantity: molarity,", "", '"where" goes with a "quantity"'],
    ["where: { type: KD }, quantity: molarity,", "", '"derived" goes with a "quantity"'],
  ])("notes %s as %s", (before, after, reason) => {
    expect(compile(KD.replace(before, after) + KA).problems).toContain(`model.yaml:6: ${reason}`);
  });
});
