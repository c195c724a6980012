import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { fieldTree } from "../../core/catalog/field-tree.js";
import type { JsonObject } from "../../core/json.js";
import { messagesIn } from "../../core/messages/en.js";
import { makeValidator } from "../rules/validator.js";
import type { BodyPath } from "./issues.js";
import { nameField, titleOfPath } from "./name-field.js";

const quantity = {
  title: "Quantity",
  type: "object",
  properties: { value: { type: "number" }, unit: { type: "string" } },
};
const SCHEMA: JsonObject = {
  properties: {
    warmth: { ...quantity, title: "Warmth" },
    author: { title: "Author", properties: { name: { title: "Name" } } },
    place: { title: "Place", "x-vocabulary": { name: "places" }, properties: { id: { title: "Identifier" } } },
    runs: {
      title: "Runs",
      items: {
        title: "Run",
        properties: {
          notes: { title: "Notes", items: { type: "string" } },
          length: { ...quantity, title: "Length" },
          steps: { title: "Steps", items: { ...quantity, title: "Step" } },
        },
      },
    },
  },
};
const fields = fieldTree(SCHEMA);
const METADATA: JsonObject = {
  warmth: { value: 5, unit: "°C" },
  author: {},
  place: {},
  runs: [{}, { notes: ["a", "b"], length: { unit: "min" }, steps: [{ value: 1, unit: "s" }] }],
};
const nameOf = (...place: BodyPath) => nameField({ fields, say: messagesIn() }, METADATA, place);

describe("a field is called", () => {
  it.each<[string, BodyPath]>([
    ["Metadata", []],
    ["Author", ["author"]],
    ["Name", ["author", "name"]],
    ["Run 2", ["runs", 1]],
    ["Notes (Run 2)", ["runs", 1, "notes"]],
    ["Notes, item 2 (Run 2)", ["runs", 1, "notes", 1]],
    ["Identifier of Place", ["place", "id"]],
    ["Unit of Warmth", ["warmth", "unit"]],
    ["Unit of Length (Run 2)", ["runs", 1, "length", "unit"]],
    ["Unit of Step 1 (Run 2)", ["runs", 1, "steps", 0, "unit"]],
    ['"nothing of ours"', ["nothing of ours"]],
  ])("%s at %j", (label, place) => {
    expect(nameOf(...place)).toMatchObject({ label });
  });

  it("by what it is the value of, with its unit, where it stands beside one", () => {
    expect(nameOf("warmth", "value")).toMatchObject({ label: "Warmth", unit: "°C" });
    expect(nameOf("runs", 1, "steps", 0, "value")).toMatchObject({ label: "Step 1 (Run 2)", unit: "s" });
  });

  it("by its own name where the value is what is missing", () => {
    expect(nameOf("runs", 1, "length", "value")).toMatchObject({ label: "Value of Length (Run 2)" });
  });
});

it("finds the title of a field at a path, within lists and alternatives", () => {
  expect(titleOfPath(fields, "metadata.runs.steps")).toBe("Steps");
  expect(titleOfPath(fields, "metadata.nowhere")).toBe("metadata.nowhere");
});

describe("with the models", () => {
  const { models } = builtInCatalog();
  const mst = models.get("mst")!;
  const messagesOf = (change: JsonObject): readonly string[] => {
    const { general_parameters: general, method_specific_parameters: method } = mst.example!.metadata as {
      readonly [part: string]: JsonObject;
    };
    const metadata = { general_parameters: general!, method_specific_parameters: { ...method, ...change } };
    return makeValidator(mst)(metadata).issues.flatMap(({ messages }) => messages);
  };

  it("messages say what a scientist would say", () => {
    expect(messagesOf({ temperature: { value: -300, unit: "°C" } })).toEqual([
      "Temperature must be at least -273.15 °C.",
    ]);
    expect(messagesOf({ temperature: { value: -1, unit: "K" } })).toEqual(["Temperature must be at least 0 K."]);
    expect(messagesOf({ excitation_led_power: 200 })).toEqual(["Excitation power must be at most 100."]);
    expect(messagesOf({ experiment_type: "Afinity" })).toEqual([
      'Kind of experiment: "Afinity" is not an allowed value; did you mean "Affinity"?',
    ]);
  });
});
