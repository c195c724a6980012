import { describe, expect, it } from "vitest";
import type { CountedFacet } from "../../../query/facets/declared-facets.js";
import type { Clause } from "../../../query/index-model/clause.js";
import { neededTrees } from "./record-overlay.js";

const cites = (vocabulary: string, within: boolean): Clause => ({
  kind: "cites",
  vocabularies: [vocabulary],
  id: "taxid:2",
  within,
});

const facet = (buckets: CountedFacet["buckets"]): CountedFacet => ({
  name: "some",
  buckets,
  paths: [],
  selected: [],
  size: 10,
});

describe("the trees that a search looks at", () => {
  it("are those of what is cited with all below it, wherever that stands in the clause", () => {
    const clause: Clause = {
      kind: "all",
      of: [
        { kind: "not", of: cites("organisms", true) },
        {
          kind: "any",
          of: [{ kind: "element", path: "parts", of: cites("methods", true) }, cites("chemicals", false)],
        },
      ],
    };
    expect([...neededTrees({ clause }, [])]).toEqual(["organisms", "methods"]);
  });

  it("are those of facets that count trees", () => {
    const facets = [facet({ kind: "tree", vocabulary: "organisms", unlisted: [] }), facet({ kind: "terms" })];
    expect([...neededTrees({ clause: { kind: "everything" } }, facets)]).toEqual(["organisms"]);
  });
});
