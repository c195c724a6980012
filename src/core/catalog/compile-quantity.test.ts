import { describe, expect, it } from "vitest";
import { Problems, parseJsonDeclaration, parseYamlDeclaration } from "../declarations/declaration.js";
import { compileUnits } from "../units/units.js";
import { compileModel } from "./compile-model.js";
import { compileVocabulary } from "./compile-vocabulary.js";
import type { Model } from "./types.js";

const UNITS = `molarity: { title: Molarity, canonical: M, units: { M: { factor: 1 }, nM: { factor: 1e-9 } } }
duration: { title: Duration, canonical: s, units: { s: { factor: 1 } } }
`;

const amount = { type: "object", properties: { value: { type: "number" }, unit: { enum: ["nM", "M", "furlong"] } } };
const SCHEMA = {
  type: "object",
  properties: {
    amount,
    free: { type: "object", properties: { mean: { type: "number" }, unit: { type: "string" } } },
    key: { type: "string", "x-kind": "inchikey" },
    either: {
      anyOf: [
        { type: "object", properties: { value: { type: "number" }, unit: { const: "s" } } },
        { type: "object", properties: { value: { type: "number" }, unit: { const: "M" } } },
      ],
    },
    results: {
      type: "array",
      items: {
        type: "object",
        properties: { type: { type: "string" }, value: { type: "number" }, unit: { type: "string" }, inner: amount },
      },
    },
  },
};

const HEAD = "name: demo\ntitle: Demo\ndescription: A model\nversion: 1\nfields:\n";

function compile(fields: string, schema: object = SCHEMA): { model: Model | undefined; problems: readonly string[] } {
  const problems = new Problems();
  const declared = parseYamlDeclaration("units.yaml", UNITS, problems);
  const units = compileUnits(declared === undefined ? [] : [declared], problems);
  const model = parseYamlDeclaration("model.yaml", HEAD + fields, problems);
  const read = parseJsonDeclaration("metadata.schema.json", JSON.stringify(schema, null, 1), problems);
  const source = model && read && { folder: "demo", model, schema: read, shared: new Map(), units };
  const compiled = source && compileModel(source, new Map(), problems);
  return { model: compiled, problems: problems.list.map(({ file, line, reason }) => `${file}:${line}: ${reason}`) };
}

const KD = "kd: { path: metadata.results, where: { type: KD }, quantity: molarity }";

describe("a model with quantities", () => {
  const both = "both: { path: [metadata.amount, metadata.free.mean], quantity: [molarity, duration] }";
  const { model, problems } = compile(`  ${KD}\n  ${both}\n`);
  const quantityAt = (path: string) => model?.leaves.get(`metadata.${path}`)?.quantity;

  it("marks numbers beside a unit, with the dimensions of the units that may stand there", () => {
    expect(problems).toEqual([]);
    expect(quantityAt("amount.value")).toEqual({ dimensions: ["molarity"] });
    expect(quantityAt("free.mean")).toEqual({ dimensions: [] });
    expect(quantityAt("either.value")).toEqual({ dimensions: ["duration", "molarity"] });
    expect(quantityAt("results.inner.value")).toEqual({ dimensions: ["molarity"] });
    expect(quantityAt("key")).toBeUndefined();
    expect(model?.leaves.get("metadata.key")?.kind).toBe("inchikey");
  });

  it("has a leaf of its own for what is told by a text beside it", () => {
    const named = "metadata.results.@kd";
    const leaf = { path: `${named}=`, type: "number", weight: "rest", elementPath: "metadata.results" };
    expect(model?.quantities).toEqual([
      {
        name: "kd",
        path: "metadata.results",
        where: new Map([["type", "KD"]]),
        value: "value",
        leaf: { ...leaf, quantity: { dimensions: ["molarity"], named } },
      },
    ]);
    expect(model?.fields.get("kd")).toEqual({ name: "kd", path: `${named}=`, dimensions: ["molarity"] });
  });

  it("has one name for several places", () => {
    expect(model?.fields.get("both")).toEqual({
      name: "both",
      path: "metadata.amount",
      morePaths: ["metadata.free.mean"],
      dimensions: ["molarity", "duration"],
    });
  });

  it.each([
    [
      "a dimension that is none",
      KD.replace("molarity", "mood"),
      'there is no dimension "mood"; known are molarity, duration',
    ],
    [
      "a list that is none",
      KD.replace("metadata.results", "metadata.amount"),
      '"metadata.amount" is no list of objects',
    ],
    [
      "a text that the objects lack",
      KD.replace("type: KD", "kind: KD"),
      'the objects of "metadata.results" have no "kind"',
    ],
    [
      "a number that is none",
      KD.replace("quantity", "value: type, quantity"),
      'the schema has no number "metadata.results.type"',
    ],
    ["where with a weight", KD.replace("quantity", "weight: heavy, quantity"), '"where" does not go with a weight'],
    [
      "where with several paths",
      KD.replace("metadata.results", "[metadata.results, metadata.amount]"),
      '"where" goes with one path',
    ],
    ["where without a quantity", KD.replace(", quantity: molarity", ""), '"where" goes with a "quantity"'],
    [
      "a quantity without numbers",
      "k: { path: metadata.key, quantity: molarity }",
      'there is no number beside a "unit" at "metadata.key" or right below it',
    ],
    [
      "a path that is none among several",
      "k: { path: [metadata.amount, metadata.no] }",
      'the schema has no "metadata.no"',
    ],
    ["a text that is no text", KD.replace("type: KD", "type: 7"), '"fields.kd.where.type" must be text'],
  ])("notes %s", (_, field, reason) => {
    expect(compile(`  ${field}\n`).problems[0]).toBe(`model.yaml:6: ${reason}`);
  });

  it("notes a kind of text that is none", () => {
    const { problems: found } = compile("  {}\n", { properties: { key: { type: "string", "x-kind": "isbn" } } });
    expect(found).toEqual(['metadata.schema.json:5: "x-kind" must be one of inchikey, project_number']);
  });
});

it("notes kinds that a vocabulary cannot have", () => {
  const problems = new Problems();
  const text = `name: v
title: V
description: V
id_pattern: "v:[0-9]+"
id_kind: isbn
props:
  size: { title: Size, type: number, kind: inchikey }
`;
  const declaration = parseYamlDeclaration("vocabulary.yaml", text, problems);
  const units = compileUnits([], problems);
  if (declaration !== undefined) compileVocabulary(declaration, "v", units, problems);
  expect(problems.list.map(({ line, reason }) => `${line}: ${reason}`)).toEqual([
    "7: only a text or a list has a kind",
    '5: unknown kind "isbn"; known are inchikey, project_number',
  ]);
});
