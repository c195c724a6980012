import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import type { Issue } from "../../core/issue.js";
import type { Json, JsonObject } from "../../core/json.js";
import { compileSchema, makeValidator } from "./validator.js";

const TEXT = { type: "string" };
const SCHEMA: JsonObject = {
  properties: {
    refs: { type: "array", minItems: 2, uniqueItems: true, items: { $ref: "#/$defs/Part" } },
    nested: { items: { items: { items: { type: "integer", minimum: 0 } } } },
    pair: { prefixItems: [TEXT, { type: "number" }], items: false },
    rest: { prefixItems: [TEXT], items: { $ref: "#/$defs/Part" } },
    either: { anyOf: [TEXT, { type: "array", items: { $ref: "#/$defs/Part" } }] },
    anything: { type: "array", items: true },
    "a/b~c d%": { type: "array", items: { const: 1 } },
  },
  $defs: {
    Part: { type: "object", required: ["id"], properties: { id: TEXT, parts: { items: { $ref: "#/$defs/Leaf" } } } },
    Leaf: { type: "object", required: ["name"], properties: { name: { type: "string", minLength: 1 } } },
  },
};

const PARTS: Json = [{ id: 1 }, { id: "a", parts: [{ name: "" }, {}, 7] }, { id: "b", parts: "none" }, null];

/** Without the path of the keyword, which nobody reads: it begins where a part of the schema is compiled. */
const shown = ({ schemaPath: _, ...error }: ErrorObject) => error;

describe("a compiled schema", () => {
  const check = compileSchema(SCHEMA);
  const ajv = new Ajv2020({ allErrors: true, verbose: true, ownProperties: true, strict: false });
  const plain = ajv.compile(SCHEMA);

  it.each<[string, JsonObject, number]>([
    ["elements that a reference describes", { refs: PARTS }, 5],
    ["what is wrong with the list itself", { refs: [{ id: "a" }, 5, { id: "a" }] }, 2],
    ["lists in lists", { nested: [[[1, -1], ["x"]], 3, [[2.5]]] }, 3],
    ["elements that are too many", { pair: ["a", 1, 2, 3] }, 1],
    ["elements after those with a place", { rest: [1, ...PARTS] }, 6],
    ["alternatives", { either: PARTS }, 7],
    ["a name that a pointer has to escape", { "a/b~c d%": [1, 2] }, 1],
    ["several lists", { refs: PARTS, rest: ["a", 1], anything: [1, "a"] }, 6],
  ])("reports of %s what Ajv alone reports, in its order", (_, data, count) => {
    expect(plain(data)).toBe(false);
    const errors = check(data);
    expect(errors.map(shown)).toEqual(plain.errors!.map(shown));
    expect(errors).toHaveLength(count);
  });

  it("reports nothing of what fits", () => {
    const data = {
      refs: [{ id: "a" }, { id: "b", parts: [{ name: "x" }] }],
      pair: ["a", 1],
      either: [],
      nested: [[[0]]],
    };
    expect([plain(data), check(data)]).toEqual([true, []]);
  });
});

it("takes time in proportion to the number of bad elements", () => {
  const check = compileSchema(SCHEMA);
  check({ rest: ["", ...PARTS] });
  const before = process.cpuUsage();
  const errors = check({ rest: ["", ...Array.from({ length: 100_000 }, () => ({ id: 1, parts: [{}] }))] });
  // About 1 s; Ajv's own keyword takes 14 s, and four times as long for twice as many.
  expect(process.cpuUsage(before).user).toBeLessThan(6_000_000);
  expect(errors).toHaveLength(200_000);
});

it("compares an element of a list of unique elements only with equal ones", () => {
  const check = compileSchema({ properties: { list: { type: "array", uniqueItems: true } } });
  // Ajv's own keyword compares 5,000,000,000 pairs of these, which takes minutes.
  const list = Array.from({ length: 100_000 }, (_, i) => ({ name: "element", number: i }));
  expect(check({ list })).toEqual([]);
  const repeated = [...list, { number: 7, name: "element" }, { number: 3, name: "element" }];
  expect(check({ list: repeated })).toMatchObject([{ keyword: "uniqueItems", params: { i: 100_001, j: 3 } }]);
});

it("tests a pattern in time proportional to the text", () => {
  const check = compileSchema({
    properties: { code: { pattern: "^(a|aa)+$" } },
    patternProperties: { "^(b|bb)+$": {} },
  });
  // The regular expressions of JavaScript take longer than the universe is old.
  const text = "a".repeat(100_000);
  expect(check({ code: text, [`${"b".repeat(100_000)}!`]: 1 })).toEqual([]);
  expect(check({ code: `${text}!` })).toMatchObject([{ keyword: "pattern", instancePath: "/code" }]);
});

it("refuses a schema that is none", () => {
  expect(() => compileSchema({ required: "id" })).toThrow(/schema is invalid/);
});

const kind = (type: string, properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: "object",
  required: ["type", ...required],
  properties: { type: { const: type }, ...properties },
});

const TEXT_SCHEMA = { type: "string", minLength: 1 };
const ROOT: JsonObject = {
  properties: { substances: { type: "array", title: "Substances", items: { $ref: "#/$defs/Substance" } } },
  $defs: {
    Substance: {
      type: "object",
      title: "Substance",
      allOf: [{ $ref: "#/$defs/Kind" }],
      required: ["name"],
      properties: { name: { ...TEXT_SCHEMA, title: "Name" } },
    },
    Kind: {
      required: ["type"],
      properties: { type: { type: "string", title: "Kind" } },
      discriminator: { propertyName: "type" },
      oneOf: [
        { $ref: "#/$defs/Polymer" },
        kind("Chemical", { formula: { ...TEXT_SCHEMA, title: "Formula" } }, ["formula"]),
        {
          $ref: "#/$defs/Mixture",
        },
      ],
    },
    Polymer: kind("Polymer", {
      sequence: { ...TEXT_SCHEMA, title: "Sequence" },
      length: { type: "integer", minimum: 1 },
    }),
    Mixture: {
      type: "object",
      required: ["type", "from"],
      properties: { type: { const: "Mixture" }, from: { type: "string", title: "Made from" } },
      discriminator: { propertyName: "from" },
      oneOf: ["blood", "soil"].map((from) => ({
        required: ["from", from],
        properties: { from: { const: from }, [from]: TEXT_SCHEMA },
      })),
    },
  },
};

const { models } = builtInCatalog();
const validate = makeValidator({ ...models.get("mst")!, name: "demo", schema: ROOT });
const check = (...substances: readonly Json[]) => validate({ substances });
const briefly = ({ code, field }: Issue): string => `${code} ${field.replace("metadata.substances.", "")}`;

describe("alternatives that a field chooses", () => {
  it.each<[string, Json, readonly string[]]>([
    ["a right one", { type: "Polymer", name: "a", sequence: "M" }, []],
    ["a right one within one", { type: "Mixture", from: "soil", soil: "clay", name: "a" }, []],
    ["what the chosen one lacks", { type: "Chemical", name: "a" }, ["REQUIRED 0.formula"]],
    ["what is wrong in the chosen one", { type: "Polymer", name: "a", length: 0 }, ["TOO_SMALL 0.length"]],
    ["no choice, and nothing of what it would ask for", { name: "a" }, ["REQUIRED 0.type"]],
    ["a choice of nothing", { type: "Polymr", name: "a", length: 0 }, ["NOT_ALLOWED 0.type"]],
    ["a choice that is no text", { type: 5, name: "a" }, ["WRONG_TYPE 0.type"]],
    ["a choice that is null", { type: null, name: "a" }, ["WRONG_TYPE 0.type"]],
    ["a choice that is a list", { type: ["Polymer"], name: "a" }, ["WRONG_TYPE 0.type"]],
    ["no choice within the chosen one", { type: "Mixture", name: "a" }, ["REQUIRED 0.from"]],
    ["a choice of nothing within it", { type: "Mixture", from: "sol", name: "a" }, ["NOT_ALLOWED 0.from"]],
    ["the rest of the object, too", { type: "Chemical" }, ["REQUIRED 0.formula", "REQUIRED 0.name"]],
    ["something else in place of the object", "Polymer", ["WRONG_TYPE 0"]],
  ])("report %s", (_, substance, expected) => {
    expect(check(substance).issues.map(briefly)).toEqual(expected);
  });

  it("say which there are, and which is nearest", () => {
    const { issues } = check({ type: "Polymr", name: "a" }, { type: 5, name: "b" });
    expect(issues).toEqual([
      {
        field: "metadata.substances.0.type",
        pointer: "/metadata/substances/0/type",
        code: "NOT_ALLOWED",
        messages: ['Kind (Substance 1): "Polymr" is not an allowed value; did you mean "Polymer"?'],
        value: "Polymr",
        allowed: ["Polymer", "Chemical", "Mixture"],
        nearest: ["Polymer"],
      },
      {
        field: "metadata.substances.1.type",
        pointer: "/metadata/substances/1/type",
        code: "WRONG_TYPE",
        messages: ["Kind (Substance 2) must be text, not a number."],
        value: 5,
        allowed: ["Polymer", "Chemical", "Mixture"],
      },
    ]);
  });
});

describe("a field of another alternative", () => {
  const warningsOf = (substance: JsonObject): readonly string[] =>
    check(substance).warnings.map(({ message }) => message);

  it("is kept, with a warning that says what it belongs to", () => {
    expect(check({ type: "Chemical", name: "a", formula: "B", sequence: 5 })).toMatchObject({
      issues: [],
      warnings: [
        {
          code: "UNKNOWN_FIELD",
          field: "metadata.substances.0.sequence",
          message: '"sequence" belongs to Polymer, not to Chemical; it is stored, and its text can be found.',
        },
      ],
    });
    expect(warningsOf({ type: "Polymer", name: "a", soil: "clay" })[0]).toContain("belongs to Mixture, not to Polymer");
    expect(warningsOf({ type: "Mixture", from: "soil", soil: "x", blood: "y" })).toEqual([
      expect.stringContaining("belongs to blood, not to soil"),
    ]);
  });

  it("is known as long as nothing is chosen", () => {
    expect(warningsOf({ sequence: "M", formula: "B", soil: "clay" })).toEqual([]);
    expect(warningsOf({ type: "Polymr", sequence: "M", formula: "B" })).toEqual([]);
    expect(warningsOf({ type: "constructor", sequence: "M" })).toEqual([]);
  });

  it("is not told from one that no alternative has, which is warned of with the names near to it", () => {
    expect(check({ type: "Polymer", name: "a", seqence: "M" }).warnings).toMatchObject([
      { field: "metadata.substances.0.seqence", nearest: ["sequence"] },
    ]);
  });
});

describe("alternatives that nothing chooses", () => {
  const of = (schema: JsonObject, value: Json) =>
    makeValidator({ ...models.get("mst")!, name: "demo", schema: { properties: { a: schema }, $defs: ROOT.$defs! } })({
      a: value,
    }).issues.map(briefly);

  it("are one problem where none fits, be they written here or elsewhere", () => {
    const inner = { type: "object", required: ["x"], properties: { x: TEXT_SCHEMA } };
    expect(of({ anyOf: [inner, { $ref: "#/$defs/Polymer" }] }, { x: 5 })).toEqual(["NO_ALTERNATIVE metadata.a"]);
    expect(of({ oneOf: [{ $ref: "#/$defs/Polymer" }, { $ref: "#/$defs/Kind" }] }, {})).toEqual([
      "NO_ALTERNATIVE metadata.a",
    ]);
  });

  it("hide nothing of what is asked for beside them", () => {
    const schema = { anyOf: [{ $ref: "#/$defs/Polymer" }], required: ["b"], properties: { c: TEXT_SCHEMA } };
    expect(of(schema, { c: "" })).toEqual([
      "NO_ALTERNATIVE metadata.a",
      "REQUIRED metadata.a.b",
      "TOO_SHORT metadata.a.c",
    ]);
  });
});
