import { describe, expect, it } from "vitest";
import { fieldTree } from "../../core/catalog/field-tree.js";
import type { JsonObject } from "../../core/json.js";
import { messagesIn } from "../../core/messages/en.js";
import { type BodyPath, makeIssue } from "../input/issues.js";
import { type DanglingReference, danglingIssues } from "./dangling-references.js";

const sample = { title: "Sample", "x-reference": { to: "metadata.samples", fields: ["name"] } };
const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    samples: { type: "array", title: "Samples", items: { properties: { id: { type: "string" } } } },
    results: { type: "array", title: "Results", items: { title: "Result", properties: { sample, other: sample } } },
    choice: {
      properties: { type: { type: "string" } },
      discriminator: { propertyName: "type" },
      oneOf: [{ properties: { type: { const: "a" }, sample } }, { properties: { type: { const: "b" } } }],
    },
  },
};
const wording = { fields: fieldTree(SCHEMA), say: messagesIn() };
const to = "metadata.samples";
const dangling = (id: string, ...place: BodyPath): DanglingReference => ({ id, to, place: ["metadata", ...place] });
const inResults = (...ids: readonly string[]): DanglingReference[] =>
  ids.map((id, i) => dangling(id, "results", i, "sample"));

/** Ids that are told, of references to `samples` as they are. */
function told(
  samples: JsonObject,
  references: readonly DanglingReference[],
  ...validated: readonly BodyPath[]
): readonly unknown[] {
  const results = references.map(({ id }) => ({ sample: { id } }));
  const issues = validated.map((place) => makeIssue(["metadata", ...place], "REQUIRED", ["It is missing."]));
  return danglingIssues(references, { ...samples, results }, issues, wording).entries.map(({ value }) => value);
}

describe("a reference to nothing", () => {
  it("is told where it stands, with the nearest ids of the list", () => {
    const metadata = { samples: [{ id: "serum" }, { id: "blood" }], results: [{ sample: { id: "serun" } }] };
    expect(danglingIssues(inResults("serun"), metadata, [], wording).entries).toEqual([
      {
        field: "metadata.results.0.sample.id",
        pointer: "/metadata/results/0/sample/id",
        code: "REFERENCE_DANGLING",
        value: "serun",
        nearest: ["serum"],
        messages: ['Sample (Result 1): no entry of Samples has the id "serun"; did you mean "serum"?'],
      },
    ]);
  });

  it.each([
    ["Blood serum", "s-1"],
    ["blood  SERUM", "s-1"],
    ["Urine", "s-2"],
    ["s-3", "s-1"],
  ])("names the element that has the id %j as its name, then those with similar ids", (id, nearest) => {
    const samples = [
      { id: "s-1", name: "Blood serum" },
      { id: "s-2", name: "Urine" },
    ];
    const [issue] = danglingIssues(inResults(id), { samples, results: [{ sample: { id } }] }, [], wording).entries;
    expect(issue!.nearest?.[0]).toBe(nearest);
  });

  it("is told at each place", () => {
    expect(told({ samples: [{ id: "a" }] }, inResults("x", "y", "x"))).toEqual(["x", "y", "x"]);
  });

  it("is not told within an alternative that was not chosen", () => {
    const metadata = (type: string): JsonObject => ({ samples: [{ id: "a" }], choice: { type, sample: { id: "x" } } });
    const there = [dangling("x", "choice", "sample")];
    expect(danglingIssues(there, metadata("a"), [], wording).entries).toHaveLength(1);
    expect(danglingIssues(there, metadata("b"), [], wording).entries).toEqual([]);
  });
});

describe("a list with nothing in it", () => {
  const empty: readonly JsonObject[] = [{}, { samples: [] }, { samples: "x" }, { samples: { id: "a" } }];

  it.each(empty)("is told instead of the references to it, where the schema asks for it: %j", (samples) => {
    expect(told(samples, inResults("x", "y"), ["samples"])).toEqual([]);
    expect(told(samples, inResults("x", "y"), [])).toEqual([]);
  });

  it.each(empty)("is no excuse where the schema has nothing against it: %j", (samples) => {
    expect(told(samples, inResults("x", "y"))).toEqual(["x", "y"]);
    expect(told(samples, inResults("x", "y"), ["samples", 0, "name"], ["samples_more"])).toEqual(["x", "y"]);
  });
});

describe("an element that nothing can refer to", () => {
  it.each([{}, { id: 5 }, { id: "" }, { id: null }, "no object", null])("excuses one id: %j", (element) => {
    expect(told({ samples: [{ id: "a" }, element] }, inResults("x", "x", "x"))).toEqual([]);
    expect(told({ samples: [{ id: "a" }, element] }, inResults("y", "x", "x"))).toEqual(["y"]);
  });

  it("excuses as many different ids as there are such elements", () => {
    expect(told({ samples: [{}, {}] }, inResults("x", "y", "z", "z"))).toEqual(["y"]);
  });
});
