import { expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { recordFields } from "../../query/fields/field-lookup.js";
import { parseQuery } from "../../query/parse/parse.js";
import { resolveQuery } from "../../query/resolve/resolve.js";
import { listFields } from "./list-fields.js";

const { models, vocabularies } = builtInCatalog();
const model = (name: string) => models.get(name)!;
const field = (name: string) => listFields([model("mst")]).find(({ id }) => id === name)!;

it("says what each name means", () => {
  expect(field("kd")).toMatchObject({
    label: "KD",
    type: "quantity",
    facet: "histogram",
    dimensions: ["molarity", "molarity_squared"],
    element: "metadata.general_parameters.results",
    aliases: ["affinity"],
    example: "kd:>0M",
  });
  expect(field("organism")).toMatchObject({
    label: "Organism",
    type: "term",
    vocabulary: "organisms",
    facet: "tree",
    aliases: ["species"],
    element: "metadata.general_parameters.entities_of_interest",
  });
  expect(field("title")).toMatchObject({ type: "text", label: "Title", description: expect.any(String) });
  expect(field("title")?.element).toBeUndefined();
  expect(field("deposited")).toMatchObject({ type: "date" });
  expect(field("ph")).toMatchObject({ type: "number", label: "pH" });
  expect(field("depositors")).toMatchObject({ type: "object" });
  expect(field("access_rights").values).toEqual(["open", "embargoed", "restricted"]);
  expect(field("id")).toMatchObject({ type: "keyword" });
});

it("names the models of a field that not all have", () => {
  const all = listFields([...models.values()]);
  expect(all.find(({ id }) => id === "kd")).not.toHaveProperty("models");
  expect(all.find(({ id }) => id === "cell_volume")?.models).toEqual(["itc"]);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
});

it.each([...models.keys()])("gives examples that are read as they stand: %s", (name) => {
  const lookup = recordFields([model(name)], vocabularies.values());
  for (const { id, example } of listFields([model(name)])) {
    const { tree, warnings, fallback } = parseQuery(example, lookup);
    const resolved = resolveQuery(tree, lookup, Date.UTC(2026, 10, 22) * 1000);
    expect([id, warnings, fallback, resolved.warnings, resolved.fallback]).toEqual([id, [], false, [], false]);
  }
});
