import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import type { Issue } from "../../core/issue.js";
import type { Json, JsonObject } from "../../core/json.js";
import { makeValidator } from "./validator.js";

const kind = (type: string, properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: "object",
  required: ["type", ...required],
  properties: { type: { const: type }, ...properties },
});

const TEXT = { type: "string", minLength: 1 };
const SCHEMA: JsonObject = {
  properties: { substances: { type: "array", title: "Substances", items: { $ref: "#/$defs/Substance" } } },
  $defs: {
    Substance: {
      type: "object",
      title: "Substance",
      allOf: [{ $ref: "#/$defs/Kind" }],
      required: ["name"],
      properties: { name: { ...TEXT, title: "Name" } },
    },
    Kind: {
      required: ["type"],
      properties: { type: { type: "string", title: "Kind" } },
      discriminator: { propertyName: "type" },
      oneOf: [
        { $ref: "#/$defs/Polymer" },
        kind("Chemical", { formula: { ...TEXT, title: "Formula" } }, ["formula"]),
        {
          $ref: "#/$defs/Mixture",
        },
      ],
    },
    Polymer: kind("Polymer", { sequence: { ...TEXT, title: "Sequence" }, length: { type: "integer", minimum: 1 } }),
    Mixture: {
      type: "object",
      required: ["type", "from"],
      properties: { type: { const: "Mixture" }, from: { type: "string", title: "Made from" } },
      discriminator: { propertyName: "from" },
      oneOf: ["blood", "soil"].map((from) => ({
        required: ["from", from],
        properties: { from: { const: from }, [from]: TEXT },
      })),
    },
  },
};

const { models } = builtInCatalog();
const validate = makeValidator({ ...models.get("mst")!, name: "demo", schema: SCHEMA });
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
        ...{ field: "metadata.substances.0.type", pointer: "/metadata/substances/0/type", code: "NOT_ALLOWED" },
        messages: ['Kind (Substance 1): "Polymr" is not an allowed value; did you mean "Polymer"?'],
        ...{ value: "Polymr", allowed: ["Polymer", "Chemical", "Mixture"], nearest: ["Polymer"] },
      },
      {
        ...{ field: "metadata.substances.1.type", pointer: "/metadata/substances/1/type", code: "WRONG_TYPE" },
        messages: ["Kind (Substance 2) must be text, not a number."],
        ...{ value: 5, allowed: ["Polymer", "Chemical", "Mixture"] },
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
          ...{ code: "UNKNOWN_FIELD", field: "metadata.substances.0.sequence" },
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
    makeValidator({ ...models.get("mst")!, name: "demo", schema: { properties: { a: schema }, $defs: SCHEMA.$defs! } })(
      {
        a: value,
      },
    ).issues.map(briefly);

  it("are one problem where none fits, be they written here or elsewhere", () => {
    const inner = { type: "object", required: ["x"], properties: { x: TEXT } };
    expect(of({ anyOf: [inner, { $ref: "#/$defs/Polymer" }] }, { x: 5 })).toEqual(["NO_ALTERNATIVE metadata.a"]);
    expect(of({ oneOf: [{ $ref: "#/$defs/Polymer" }, { $ref: "#/$defs/Kind" }] }, {})).toEqual([
      "NO_ALTERNATIVE metadata.a",
    ]);
  });

  it("hide nothing of what is asked for beside them", () => {
    const schema = { anyOf: [{ $ref: "#/$defs/Polymer" }], required: ["b"], properties: { c: TEXT } };
    expect(of(schema, { c: "" })).toEqual([
      "NO_ALTERNATIVE metadata.a",
      "REQUIRED metadata.a.b",
      "TOO_SHORT metadata.a.c",
    ]);
  });
});
