import { expect, it } from "vitest";
import { FACET_KIND_NAMES, type FacetValues, facetBuckets } from "../../../core/catalog/facet-kinds/facet-kinds.js";
import { counterOf } from "./counters.js";

/** A facet of each kind; of trees, two with different content. */
const FACETS: readonly FacetValues[] = [
  { kind: "terms" },
  { kind: "tree", vocabulary: "species" },
  { kind: "tree", vocabulary: "methods" },
  { kind: "year" },
  { kind: "histogram", scale: "linear" },
];

it("has a field of its own for each kind of content at the same paths", () => {
  expect(new Set(FACETS.map(({ kind }) => kind))).toEqual(new Set(FACET_KIND_NAMES));
  const prefixes = FACETS.map((facet) => counterOf(facetBuckets(facet)).fieldPrefix(facetBuckets(facet)));
  expect(prefixes).toEqual(["t", "a_species", "a_methods", "y", "n"]);
});
