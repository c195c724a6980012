import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { realRecord } from "../../../test/support/real-data.js";
import type { Model } from "../../core/catalog/types.js";
import type { Json, JsonObject } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { makeValidator, type Verdict } from "./validator.js";

const { models } = builtInCatalog();
const validateMst = makeValidator(models.get("mst")!);

const MODEL = { ...models.get("mst")!, name: "demo" };
const withSchema = (schema: JsonObject): Model => ({ ...MODEL, schema });
const check = (schema: JsonObject, metadata: Json): Verdict => makeValidator(withSchema(schema))(metadata);
const field = (a: JsonObject, value: Json): Verdict =>
  check({ type: "object", properties: { a: { title: "Salt", ...a } } }, { a: value });

describe("metadata as a whole", () => {
  it("that is missing is one problem", () => {
    expect(validateMst(undefined).issues).toEqual([
      { field: "metadata", pointer: "/metadata", code: "REQUIRED", messages: ["Metadata: required, but missing."] },
    ]);
  });

  it.each<[Json, string]>([
    [null, "empty (null)"],
    [[1], "a list"],
    ["x", "text"],
    [5, "a number"],
  ])("that is %j is one problem", (metadata, kind) => {
    const { issues, warnings } = validateMst(metadata);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({
      code: "WRONG_TYPE",
      messages: [`Metadata must be an object, not ${kind}.`],
    });
    expect(warnings).toEqual([]);
  });

  it("that is empty lacks its two parts and nothing below them", () => {
    expect(validateMst({}).issues.map((issue) => [issue.code, issue.field])).toEqual([
      ["REQUIRED", "metadata.general_parameters"],
      ["REQUIRED", "metadata.method_specific_parameters"],
    ]);
  });
});

describe("a problem has a code, a place, the bad value and plain words", () => {
  it.each<[string, JsonObject, Json, string, string]>([
    ["WRONG_TYPE", { type: "string" }, 5, "Salt must be text, not a number.", "5"],
    ["WRONG_TYPE", { type: ["number", "boolean"] }, "x", "Salt must be a number or true or false, not text.", '"x"'],
    ["WRONG_TYPE", { type: "integer" }, 1.5, "Salt must be a whole number, not a number.", "1.5"],
    ["WRONG_TYPE", { type: "object" }, [], "Salt must be an object, not a list.", "[]"],
    ["WRONG_TYPE", { type: "string", enum: ["a"] }, 7, "Salt must be text, not a number.", "7"],
    [
      "NOT_ALLOWED",
      { enum: ["open", "shut"] },
      "opn",
      'Salt: "opn" is not an allowed value; did you mean "open"?',
      '"opn"',
    ],
    ["NOT_ALLOWED", { enum: ["a", "b"] }, 7, 'Salt: 7 is not an allowed value; allowed values: "a", "b".', "7"],
    ["NOT_ALLOWED", { const: "x" }, "yyy", 'Salt: "yyy" is not an allowed value; allowed values: "x".', '"yyy"'],
    [
      "NOT_ALLOWED",
      { enum: ["a"], format: "uri", minLength: 1 },
      "",
      'Salt: "" is not an allowed value; allowed values: "a".',
      '""',
    ],
    ["TOO_SMALL", { minimum: -1 }, -2, "Salt must be at least -1.", "-2"],
    ["TOO_SMALL", { minimum: -1, allOf: [{ minimum: 3 }, { minimum: 2 }] }, -2, "Salt must be at least 3.", "-2"],
    ["TOO_SMALL", { exclusiveMinimum: 0 }, 0, "Salt must be greater than 0.", "0"],
    ["TOO_LARGE", { maximum: 100 }, 101, "Salt must be at most 100.", "101"],
    ["TOO_LARGE", { exclusiveMaximum: 14 }, 14, "Salt must be less than 14.", "14"],
    ["NOT_A_MULTIPLE", { multipleOf: 2 }, 3, "Salt must be a multiple of 2.", "3"],
    ["TOO_SHORT", { minLength: 1 }, "", "Salt must not be empty.", '""'],
    ["TOO_SHORT", { minLength: 2, pattern: "^..$" }, "a", "Salt must have at least 2 characters.", '"a"'],
    ["TOO_LONG", { maxLength: 2 }, "abc", "Salt must have at most 2 characters.", '"abc"'],
    [
      "TOO_FEW_ITEMS",
      { minItems: 1 },
      [],
      "Salt must have at least one entry; leave out the field if there are none.",
      "[]",
    ],
    ["TOO_MANY_ITEMS", { maxItems: 1 }, [1, 2], "Salt must have at most one entry.", ""],
    ["REPEATED_ITEM", { uniqueItems: true }, ["a", "a"], "Salt: entries 1 and 2 are equal; remove one of them.", ""],
    ["BAD_FORMAT", { format: "date" }, "2022-13-01", "Salt must be a date such as 2026-11-21, not", '"2022-13-01"'],
    ["BAD_PATTERN", { pattern: "^a$" }, "b", 'Salt must match the pattern ^a$; "b" does not.', '"b"'],
    ["NO_ALTERNATIVE", { anyOf: [{ type: "string" }, { minimum: 3 }] }, 2, "Salt must match exactly one of", "2"],
    ["INVALID", { minProperties: 1 }, {}, "Salt: at least one field must be given.", "{}"],
  ])("%s for %j", (code, schema, value, message, shown) => {
    const { issues } = field(schema, value);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({ field: "metadata.a", pointer: "/metadata/a", code });
    expect(issues[0]?.messages[0]).toContain(message);
    expect(JSON.stringify(issues[0]?.value) ?? "").toBe(shown);
  });

  it("names what is allowed and what is near", () => {
    const [issue] = field({ enum: ["open", "embargoed", "restricted"] }, "restrict").issues;
    expect(issue).toMatchObject({ allowed: ["open", "embargoed", "restricted"], nearest: ["restricted"] });
  });

  it("points into arrays, and at names with slashes and tildes", () => {
    const inner = { type: "object", required: ["a/b~c"] };
    const { issues } = field({ type: "array", items: inner }, [{ "a/b~c": 1 }, {}]);
    expect(issues).toMatchObject([{ field: "metadata.a.1.a/b~c", pointer: "/metadata/a/1/a~1b~0c", code: "REQUIRED" }]);
  });

  it("is said once, however many alternatives share the field", () => {
    const part = { properties: { a: { type: "string" } } };
    expect(check({ allOf: [part, part], properties: { a: { type: "string" } } }, { a: 1 }).issues).toHaveLength(1);
  });

  it("leaves out a value that is too long to repeat", () => {
    expect(field({ type: "number" }, "x".repeat(2_000)).issues[0]).not.toHaveProperty("value");
  });

  it("counts what is beyond the longest list", () => {
    const { issues, moreIssues } = field(
      { type: "array", items: { type: "string" } },
      Array.from({ length: 1_500 }, (_, i) => i),
    );
    expect([issues.length, moreIssues]).toEqual([LIMITS.issuesMax, 500]);
  });
});

describe("a field that the model does not know", () => {
  it("is a warning with the nearest known names, never an error", () => {
    const { issues, warnings } = check(
      { properties: { title: {}, date: {} }, additionalProperties: false },
      { titel: 1 },
    );
    expect(issues).toEqual([]);
    expect(warnings).toEqual([
      {
        code: "UNKNOWN_FIELD",
        field: "metadata.titel",
        nearest: ["title"],
        message: '"titel" is not a field of this model; it is stored, and its text can be found. Did you mean "title"?',
      },
    ]);
  });

  it("may stand where the schema is open, where nothing is said, and beside a term", () => {
    const open = { type: "object", properties: { x: {} }, additionalProperties: true };
    const term = { type: "object", properties: { id: {} }, "x-vocabulary": { name: "grants" } };
    const schema = { properties: { open, term, free: { type: "object" } } };
    expect(check(schema, { open: { y: 1 }, term: { id: "a", title: {} }, free: { z: 1 } }).warnings).toEqual([]);
  });

  it("is found at any depth, and not again within itself", () => {
    const { warnings } = validateMst({ general_parameters: { results: [{ valu: { a: { b: 1 } } }] } });
    expect(warnings.map((warning) => warning.field)).toEqual(["metadata.general_parameters.results.0.valu"]);
    expect(warnings[0]?.nearest).toContain("value");
  });

  it("may be named like what every JavaScript object has", () => {
    const metadata = JSON.parse('{"__proto__": {"x": 1}, "constructor": 1, "toString": {}}') as Json;
    const { issues, warnings } = validateMst(metadata);
    expect(warnings.map((warning) => warning.field)).toEqual([
      "metadata.__proto__",
      "metadata.constructor",
      "metadata.toString",
    ]);
    expect(issues.map((issue) => issue.code)).toEqual(["REQUIRED", "REQUIRED"]);
  });
});

it("does not take what every JavaScript object has for a field that was sent", () => {
  const schema = {
    required: ["constructor"],
    properties: { constructor: { type: "string" }, toString: { type: "string" } },
  };
  expect(check(schema, {}).issues).toMatchObject([{ code: "REQUIRED", field: "metadata.constructor" }]);
});

describe("a huge body", () => {
  it("of 10,000 bad elements is validated within a second of a processor", () => {
    const results = Array.from({ length: 10_000 }, (_, i) => ({ id: i, titel: "x", unit: "nm" }));
    validateMst({});
    const before = process.cpuUsage();
    const { issues, warnings } = validateMst({ general_parameters: { results } });
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
    expect([issues.length, warnings.length]).toEqual([LIMITS.issuesMax, LIMITS.issuesMax]);
  });

  it("of 64 levels is validated", () => {
    let deep: Json = "x";
    for (let level = 0; level < 64; level++) deep = { components: [deep] };
    expect(validateMst({ general_parameters: { entities_of_interest: [deep] } }).issues.length).toBeGreaterThan(0);
  });
});

describe("MBDB's example", () => {
  it.each([
    ["itc", ["metadata.general_parameters.entities_of_interest.0.storage.temperature.controlled"]],
    ["mst", []],
  ])("%s has no problem, and no unknown field but what the model never had", (name, unknown) => {
    const { issues, warnings } = makeValidator(models.get(name)!)(realRecord(name).metadata);
    expect(issues).toEqual([]);
    expect(warnings.map((warning) => warning.field)).toEqual(unknown);
  });

  it("names each thing that is taken away from it", () => {
    const { general_parameters: general, ...rest } = realRecord("mst").metadata as Record<string, JsonObject>;
    const { technique: _, depositors: __, ...left } = general!;
    expect(validateMst({ ...rest, general_parameters: left }).issues.map((issue) => issue.field)).toEqual([
      "metadata.general_parameters.depositors",
      "metadata.general_parameters.technique",
    ]);
  });
});
