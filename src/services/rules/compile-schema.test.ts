import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../core/json.js";
import { compileSchema } from "./compile-schema.js";

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
