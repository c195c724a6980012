import { describe, expect, it } from "vitest";
import { Problems, parseJsonDeclaration, parseYamlDeclaration } from "../declarations/declaration.js";
import { compileUnits } from "../units/units.js";
import { compileModel } from "./compile-model.js";

const UNITS = `
molarity: { title: Molarity, canonical: M, units: { M: { factor: 1 }, nM: { factor: 1e-9 } } }
per_molarity: { title: Reciprocal, canonical: M^-1, units: { M^-1: { factor: 1 } } }
temperature: { title: Temperature, canonical: K, units: { K: { factor: 1 } } }
dimensionless: { title: Number, canonical: unitless, bare: true, units: { unitless: { factor: 1 } } }
`;

const number = { type: "number" };
const text = { type: "string" };
const amount = { type: "object", properties: { value: number, unit: text } };
const list = (properties: object) => ({ type: "array", items: { type: "object", properties } });
const SCHEMA = {
  properties: {
    warmth: amount,
    note: text,
    samples: list({ dose: amount, kind: text }),
    results: list({ type: text, value: number, unit: text, copies: list({ copy_number: number }) }),
  },
};

const HEAD = `name: demo
title: Demo
description: A model
version: 1
fields:
  kd: { symbol: K_D, path: metadata.results, where: { type: KD }, quantity: molarity }
  ka: { symbol: K_A, path: metadata.results, where: { type: KA }, quantity: per_molarity }
  warmth: { path: metadata.warmth, quantity: temperature }
  note: { path: metadata.note }
  absent: { path: [], quantity: molarity }
describe: { results: { path: metadata.results, of: copies } }
page:
  checks:
`;

const KD = '    kd: { compare: 1 / ka, with: kd, factor: 2, text: "1 / K_A is {value}, {with}" }\n';
const DOSE = "values: { dose: { path: samples.dose, quantity: molarity, above: 0 } }";

function compile(checks: string) {
  const problems = new Problems();
  const units = compileUnits([parseYamlDeclaration("units.yaml", UNITS, problems)!], problems);
  const model = parseYamlDeclaration("model.yaml", HEAD + checks, problems)!;
  const schema = parseJsonDeclaration("schema.json", JSON.stringify(SCHEMA), problems)!;
  const compiled = compileModel({ folder: "demo", model, schema, shared: new Map(), units }, new Map(), problems);
  return { checks: compiled?.page.checks, problems: problems.list.map(({ line, reason }) => `${line}: ${reason}`) };
}

describe("a model with checks", () => {
  it("compares expressions, and writes them with symbols", () => {
    const { checks, problems } = compile(KD);
    expect(problems).toEqual([]);
    expect(checks).toMatchObject([
      {
        name: "kd",
        formula: "KD = 1 / KA",
        text: ["1 / ", { symbol: "K_A" }, " is ", { place: "value" }, ", ", { place: "with" }],
        test: { kind: "compare", factor: 2, dimensions: ["molarity"] },
      },
    ]);
  });

  it("reads tolerances and bounds with units, and names at paths", () => {
    const { checks, problems } = compile(
      `${KD.replace("factor: 2", "within: 3 nM")}    dose: { range: dose / kd, across: 1, ${DOSE}, text: "{value}" }\n`,
    );
    expect(problems).toEqual([]);
    expect(checks?.[0]?.test).toMatchObject({ within: 3e-9 });
    expect(checks?.[1]?.test).toMatchObject({
      kind: "range",
      dimensions: ["dimensionless"],
      value: [
        { values: [{ path: "metadata.samples.dose.value", outer: "metadata.samples", inner: "metadata.samples" }] },
      ],
    });
  });

  it("leaves out expressions with names that this model lacks, and checks without any", () => {
    expect(compile(KD.replace("with: kd", "with: [absent, kd]"))).toMatchObject({
      checks: [{ test: { with: [{ expression: { text: "kd" } }] } }],
      problems: [],
    });
    expect(compile(KD.replace("with: kd", "with: absent"))).toEqual({ checks: [], problems: [] });
  });

  it("reads places, counts and ratios", () => {
    const { checks, problems } = compile(
      '    there: { present: { control: samples.dose = 0 or samples without kind }, text: "ok" }\n' +
        `    doses: { count: dose, ${DOSE}, text: "{count dose/doses}" }\n` +
        '    ratio: { ratio: copies.copy_number, where: { type: N }, text: "{value}" }\n' +
        '    kind: { each: samples, sentence: "{kind}" }\n',
    );
    expect(problems).toEqual([]);
    expect(checks?.[0]?.test).toEqual({
      kind: "present",
      places: new Map([
        [
          "control",
          [
            { path: "metadata.samples.dose", equals: "0", without: undefined },
            { path: "metadata.samples", equals: undefined, without: "kind" },
          ],
        ],
      ]),
    });
    expect(checks?.map(({ each, formula }) => [each, formula])).toEqual([
      [undefined, "control"],
      [undefined, "dose"],
      [undefined, "copies.copy_number"],
      ["metadata.samples", "{kind}"],
    ]);
  });

  it.each([
    ["1 / ka", "2 * ka", '"2 * ka" is in M^-1, and "kd" in M'],
    ["1 / ka", "1 / kaa", '"1 / kaa": there is no quantity "kaa"; did you mean "ka"?'],
    ["1 / ka", "1 /", '"1 /": the expression ends where a number or a name is expected'],
    ["1 / ka", "note", '"note": "note" is not a quantity that results or the whole record state'],
    ["1 / ka", "kd + ka", '"kd + ka": M and M^-1 cannot be added'],
    ["factor: 2", "factor: 1", '"factor" must be above 1'],
    ["factor: 2, ", "", 'a comparison needs a "factor" or "within": its tolerance without errors'],
    ["factor: 2", "within: 3 K", '"3 K" is not a number with a unit of molarity'],
    ["{value}", "{values}", "there is no {values} here; known are value, with, factor, difference"],
    ["factor: 2", "factor: 2, range: kd", "a check needs one of compare, range, ratio, count, present, sentence"],
    [
      "factor: 2",
      "factor: 2, across: 1",
      'unknown key "across"; known are compare, each, text, differs, formula, with, factor, within, values',
    ],
    ["factor: 2", "factor: 2, each: result", 'the schema has no "result"; did you mean "results"?'],
    ["factor: 2", "factor: 2, each: samples", '"1 / ka": "ka" is not a quantity of metadata.samples'],
  ])("notes %s as %s", (before, after, reason) => {
    const { problems } = compile(KD.replace(before, after));
    expect(problems.map((each) => each.replace(/^\d+: /, ""))).toContain(reason);
  });

  it.each([
    [`    a: { count: doses, ${DOSE}, text: "{count dose/doses}" }`, '"values" has no "doses"'],
    [`    a: { count: dose, ${DOSE}, text: "{count}" }`, "{count} needs two nouns: {count sample/samples}"],
    [
      '    a: { range: kd, between: [2, 1], text: "{value}" }',
      '"between" must be two numbers, the smaller one first: [1, 1000]',
    ],
    ['    a: { range: kd, unit: K, text: "{value}" }', 'the range is in M, and "K" is no unit of it'],
    ["    a: { present: { x: a b }, text: ok }", '"a b" must be like a.b, a.b = 0, or a.b without c'],
    [
      "    a: { range: w / kd, values: { w: { path: note, quantity: molarity } }, text: ok }",
      'there is no number at "metadata.note" or right below it',
    ],
  ])("notes %s", (check, reason) => {
    expect(compile(`${check}\n`).problems.map((each) => each.replace(/^\d+: /, ""))).toContain(reason);
  });
});
