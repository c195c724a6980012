import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json.js";
import { applicableShapes, fieldsAlong, fieldTree } from "./field-tree.js";

const text = (title: string): JsonObject => ({ type: "string", title });
const kind = (name: string, properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  required: ["type", ...Object.keys(properties)],
  properties: { type: { const: name }, ...properties },
  ...more,
});

const SCHEMA: JsonObject = {
  type: "object",
  title: "A model",
  required: ["things"],
  properties: {
    things: { type: "array", minItems: 1, title: "Things", items: { $ref: "#/$defs/Thing" } },
    warmth: { $ref: "#/$defs/Temperature", title: "Warmth of the cell" },
    sample_name: { type: "string", minLength: 1 },
    place: { "x-vocabulary": { name: "places", fields: ["country"] }, type: "object", properties: { id: {} } },
    thing: { "x-reference": { to: "metadata.things", fields: ["name"] }, type: "object", properties: { id: {} } },
  },
  $defs: {
    Temperature: {
      type: "object",
      title: "Temperature",
      description: "How warm it is.",
      required: ["value", "unit"],
      properties: { value: { type: "number", "x-not-known": -1 }, unit: { type: "string", enum: ["K", "°C"] } },
      allOf: [
        {
          if: { properties: { unit: { const: "°C" } } },
          else: { properties: { value: { minimum: 0 }, kelvin: text("Only of kelvins") } },
        },
      ],
    },
    Thing: {
      type: "object",
      title: "Thing",
      allOf: [{ $ref: "#/$defs/Kinds" }],
      required: ["name"],
      properties: { name: text("Name") },
    },
    Kinds: {
      required: ["type"],
      properties: { type: text("Kind") },
      discriminator: { propertyName: "type" },
      oneOf: [{ $ref: "#/$defs/Small" }, { $ref: "#/$defs/Large" }],
    },
    Small: kind("small", { size: { type: "number", maximum: 1 } }),
    Large: kind(
      "large",
      {},
      {
        properties: { type: { const: "large" }, of: text("Of") },
        required: ["type", "of"],
        discriminator: { propertyName: "of" },
        oneOf: [
          { required: ["of"], properties: { of: { enum: ["wood", "bark"] }, tree: text("Tree") } },
          { required: ["of"], properties: { of: { const: "stone" }, colour: text("Colour") } },
        ],
      },
    ),
  },
};

const tree = fieldTree(SCHEMA);
const things = tree.shape!.fields.get("things")!;
const thing = things.items!.shape!;

it("has titles and help as they stand at the place, then where it refers to, then the name in words", () => {
  expect(tree.title).toBe("A model");
  expect(tree.shape?.fields.get("warmth")).toMatchObject({ title: "Warmth of the cell", help: "How warm it is." });
  expect(tree.shape?.fields.get("sample_name")).toMatchObject({ title: "Sample name" });
});

it("has types, bounds, allowed values, and what is required", () => {
  expect(things).toMatchObject({ isRequired: true, types: ["array"], bounds: { minItems: 1 } });
  expect(tree.shape?.fields.get("sample_name")).toMatchObject({ isRequired: false, bounds: { minLength: 1 } });
  const warmth = tree.shape?.fields.get("warmth")?.shape?.fields;
  expect(warmth?.get("unit")).toMatchObject({ isRequired: true, allowed: ["K", "°C"] });
  expect(warmth?.get("value")).toMatchObject({ types: ["number"], notKnown: -1 });
});

it("sets no bound that holds for some values only, and has the fields that some values only have", () => {
  const warmth = tree.shape?.fields.get("warmth")?.shape?.fields;
  expect(warmth?.get("value")?.bounds).toEqual({});
  expect(warmth?.get("kelvin")).toMatchObject({ title: "Only of kelvins", types: ["string"], isRequired: false });
});

it("has where terms are cited and what refers to another part", () => {
  expect(tree.shape?.fields.get("place")?.term).toEqual({ vocabulary: "places", fields: ["country"] });
  expect(tree.shape?.fields.get("thing")?.reference).toEqual({ to: "metadata.things", fields: ["name"] });
});

describe("alternatives", () => {
  it("stand apart from what every object has, and their choosing field takes their names", () => {
    expect([...thing.fields.keys()]).toEqual(["name", "type"]);
    expect(thing.fields.get("type")).toMatchObject({ title: "Kind", isRequired: true, allowed: ["small", "large"] });
    const [{ by, alternatives }] = thing.choices as [(typeof thing.choices)[0]];
    expect(by).toBe("type");
    expect(alternatives.map(({ values, shape }) => [values, [...shape.fields.keys()]])).toEqual([
      [["small"], ["size"]],
      [["large"], ["of"]],
    ]);
    expect(alternatives[1]?.shape.fields.get("of")?.allowed).toEqual(["wood", "bark", "stone"]);
  });

  it.each<[JsonObject, string[]]>([
    [{ type: "small" }, ["name", "type", "size"]],
    [{ type: "large", of: "bark" }, ["name", "type", "of", "tree"]],
    [{ type: "large" }, ["name", "type", "of", "tree", "colour"]],
    [{}, ["name", "type", "size", "of", "tree", "colour"]],
    [{ type: "hasOwnProperty" }, ["name", "type", "size", "of", "tree", "colour"]],
  ])("that %j may hold", (value, names) => {
    expect(applicableShapes(thing, value).flatMap(({ fields }) => [...fields.keys()])).toEqual(names);
  });
});

it("leads to a place of a record by what the record holds there", () => {
  const metadata = { things: [{ type: "large", of: "stone" }, { type: "small" }] };
  const titles = (...place: (string | number)[]): string[] =>
    fieldsAlong(tree, metadata, place).map(({ title }) => title);
  expect(titles("things", 0, "colour")).toEqual(["A model", "Things", "Thing", "Colour"]);
  expect(titles("things", 1, "size")).toEqual(["A model", "Things", "Thing", "Size"]);
  expect(titles("things", 1, "colour")).toEqual(["A model", "Things", "Thing"]);
  expect(titles("warmth", "value")).toEqual(["A model", "Warmth of the cell"]);
});
