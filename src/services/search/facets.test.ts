import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenServices, openServices } from "../../../test/support/open-services.js";
import { tinyCatalog, tinyModel } from "../../../test/support/tiny-catalog.js";
import type { Facet } from "../../core/catalog/types.js";
import type { FacetCounts } from "../../ports/search-index.js";
import { uniteFacets } from "../../query/facets/declared-facets.js";
import { facetRequests, makeAggregations, makeRecordFacets, type SearchedFacet } from "./facets.js";

const TREE: Facet = { name: "organism", label: "Organism", path: "a.id", kind: "tree", vocabulary: "organisms" };
const YEAR: Facet = { name: "year", label: "Year", path: "created", kind: "year" };
const KD: Facet = {
  name: "kd",
  label: "KD",
  path: "r.@kd",
  kind: "histogram",
  edges: [1e-12, 1e-9],
  scale: "log",
  unit: "M",
};
const TOOL: Facet = { name: "tool", label: "Tool", path: "t.id", kind: "terms", vocabulary: "instruments" };
const STATE: Facet = { name: "state", label: "State", path: "state", kind: "terms" };

describe("facets of several models", () => {
  it("are one by name, at all of their paths, labelled by all of their vocabularies", () => {
    const other: Facet = { ...TOOL, path: "u.id", label: "Other", vocabulary: "chemicals" };
    const [tool, ...more] = uniteFacets([TOOL, other, TOOL]);
    expect(more).toEqual([]);
    expect(tool).toMatchObject({
      label: "Tool",
      kind: "terms",
      paths: ["t.id", "u.id"],
      vocabularies: ["instruments", "chemicals"],
    });
  });

  it("have the state in user scopes only", () => {
    const one = tinyModel("one", { facets: [YEAR, STATE] });
    const two = tinyModel("two", { facets: [TREE, YEAR, STATE] });
    const catalog = tinyCatalog({ models: new Map([one, two].map((model) => [model.name, model])) });
    const names = (model: string | undefined, own: boolean) =>
      makeRecordFacets(catalog)(model, own).map(({ name }) => name);
    expect(names(undefined, true)).toEqual(["year", "state", "organism"]);
    expect(names(undefined, false)).toEqual(["year", "organism"]);
    expect(names("one", true)).toEqual(["year", "state"]);
    expect(names("one", false)).toEqual(["year"]);
  });
});

describe("what the index is asked", () => {
  const facets = uniteFacets([TREE, YEAR, KD, TOOL]);

  it("names each facet, and each selected key once", () => {
    const requests = facetRequests(facets, { filters: { year: ["2024", "2024"] }, facetSize: 5 });
    expect(requests.map(({ name, size, selected }) => [name, size, selected])).toEqual([
      ["organism", 5, []],
      ["year", 5, ["2024"]],
      ["kd", 5, []],
      ["tool", 5, []],
    ]);
  });

  it("leaves out what is counted on request, but where it is named or filters", () => {
    const some = uniteFacets([KD, { ...TOOL, onRequest: true }]);
    const asked = (request: Partial<Parameters<typeof facetRequests>[1]>) =>
      facetRequests(some, { filters: {}, facetSize: 5, ...request }).map(({ name, size }) => [name, size]);
    expect(asked({})).toEqual([["kd", 5]]);
    expect(asked({ filters: { tool: ["ins:2"] } })).toEqual([
      ["kd", 5],
      ["tool", 5],
    ]);
    expect(asked({ counting: { names: ["tool"] } })).toEqual([["tool", 5]]);
    expect(asked({ counting: { steps: { tool: 3 } } }).map(([name]) => name)).toEqual(["kd", "tool"]);
    expect(asked({ counting: { names: ["kd"] }, filters: { tool: ["ins:2"] } })).toEqual([
      ["kd", 5],
      ["tool", 0],
    ]);
  });

  it("is only what filters where no counts are wanted", () => {
    const requests = facetRequests(facets, { filters: { tool: ["ins:2"] }, facetSize: 0 });
    expect(requests.map(({ name, size }) => [name, size])).toEqual([["tool", 0]]);
  });
});

describe("the answer", () => {
  let bindery: OpenServices;
  beforeAll(async () => {
    bindery = await openServices();
  });
  afterAll(() => bindery.dispose());

  const answer = async (facet: Facet, buckets: FacetCounts["buckets"], ...selected: string[]) => {
    const facets: readonly SearchedFacet[] = uniteFacets([facet]);
    const request = { filters: { [facet.name]: selected }, facetSize: 20, lang: "en" };
    const counts = [{ name: facet.name, buckets, other: 3 }];
    const aggregations = await makeAggregations(bindery.store.terms, facets, counts, request);
    return aggregations![facet.name]!;
  };

  it("labels items by their titles, and says what stands above them", async () => {
    const buckets = [
      { key: "taxid:9606", count: 2, parent: "taxid:404" },
      { key: "taxid:404", count: 1 },
    ];
    expect(await answer(TREE, buckets, "taxid:404")).toEqual({
      label: "Organism",
      type: "tree",
      buckets: [
        { key: "taxid:9606", label: "Homo sapiens", doc_count: 2, is_selected: false, parent: "taxid:404" },
        { key: "taxid:404", label: "taxid:404", doc_count: 1, is_selected: true },
      ],
      other: 3,
    });
  });

  it("takes a title from whichever vocabulary has one", async () => {
    const facets = uniteFacets([TOOL, { ...TOOL, vocabulary: "organisms" }]);
    const counts = [{ name: "tool", buckets: ["ins:2", "taxid:562", "x"].map((key) => ({ key, count: 1 })), other: 0 }];
    const request = { filters: {}, facetSize: 20, lang: "en" };
    const { tool } = (await makeAggregations(bindery.store.terms, facets, counts, request))!;
    expect(tool!.buckets.map(({ label }) => label)).toEqual(["Monolith NT.115 RED", "Escherichia coli", "x"]);
  });

  it("says where years begin and end", async () => {
    const { type, buckets } = await answer(YEAR, [
      { key: "2024", count: 7 },
      { key: "no year", count: 0 },
    ]);
    expect(type).toBe("year");
    expect(buckets).toMatchObject([{ label: "2024", from: "2024-01-01", to: "2025-01-01" }, { label: "no year" }]);
  });

  it("says ranges in people's units, and their ends in the one that is indexed", async () => {
    const keys = ["..1e-12", "1e-12..1e-9", "1e-9..", "1"];
    const { type, buckets } = await answer(
      KD,
      keys.map((key) => ({ key, count: 1 })),
    );
    expect(type).toBe("histogram");
    expect(buckets.map(({ label, from, to }) => [label, from, to])).toEqual([
      ["< 1 pM", undefined, 1e-12],
      ["1 pM – 1 nM", 1e-12, 1e-9],
      ["≥ 1 nM", 1e-9, undefined],
      ["1", undefined, undefined],
    ]);
  });
});
