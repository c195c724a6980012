import { describe, expect, it } from "vitest";
import { tinyModel } from "../../../test/support/tiny-catalog.js";
import { fieldTree } from "../../core/catalog/field-tree.js";
import type { JsonObject } from "../../core/json.js";
import { messagesIn } from "../../core/messages/en.js";
import { modelSites } from "../input/walk-sites.js";
import { fillReferences } from "./fill-references.js";

const model = tinyModel();
const sites = modelSites(model);
const wording = { fields: fieldTree(model.schema), say: messagesIn() };
const fill = (metadata: JsonObject) => fillReferences(sites, metadata, wording);
const samples = [{ id: "s1", name: "Serum", ph: 7 }, { id: "s2" }, { id: "s1", name: "second" }, "no object"];

describe("a reference inside a record", () => {
  it("becomes its id and the fields of the first part with this id", () => {
    const { metadata, dangling, warnings } = fill({
      samples,
      results: [{ sample: { id: "s1" } }, { sample: { id: "s2" } }],
    });
    expect(metadata).toEqual({ samples, results: [{ sample: { id: "s1", name: "Serum" } }, { sample: { id: "s2" } }] });
    expect([...dangling, ...warnings.entries]).toEqual([]);
  });

  it("warns of what it replaces or drops, with the value, and not of what was equal", () => {
    const sample = { name: "Blood", id: "s1", note: [1] };
    const { metadata, warnings } = fill({ samples, results: [{ sample }, { sample: { id: "s1", name: "Serum" } }] });
    expect(metadata.results).toEqual(Array(2).fill({ sample: { id: "s1", name: "Serum" } }));
    expect(warnings.entries).toMatchObject([
      { code: "REFERENCE_FIELD_REPLACED", field: "metadata.results.0.sample.name", value: "Blood" },
      { code: "REFERENCE_FIELD_REPLACED", field: "metadata.results.0.sample.note", value: [1] },
    ]);
  });

  it("to nothing stays as sent; one without a text for an id is the schema's business", () => {
    const results = [{ sample: { id: "s9", name: "x" } }, { sample: { id: 4 } }, { sample: "s1" }];
    const { metadata, dangling } = fill({ samples, results });
    expect(metadata).toEqual({ samples, results });
    expect(dangling).toEqual([{ place: ["metadata", "results", 0, "sample"], id: "s9", to: "metadata.samples" }]);
  });

  it("finds its part by any id, such as __proto__", () => {
    const { dangling } = fill({ results: [{ sample: { id: "__proto__" } }] });
    expect(dangling).toHaveLength(1);
    expect(fill({ samples: [{ id: "__proto__" }], results: [{ sample: { id: "__proto__" } }] }).dangling).toEqual([]);
  });
});
