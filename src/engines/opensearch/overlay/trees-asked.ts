import type { RecordSearch } from "../../../ports/search-index.js";
import type { Clause } from "../../../query/index-model/clause.js";
import type { CountedFacet } from "../../../query/index-model/declared-facets.js";

/** Vocabularies of which a search has to know what stands above the items that records cite. */
export function treesAsked(
  { clause }: Pick<RecordSearch, "clause">,
  facets: readonly CountedFacet[],
): ReadonlySet<string> {
  const counted = facets.flatMap(({ buckets }) => (buckets.kind === "tree" ? [buckets.vocabulary] : []));
  return new Set([...counted, ...treesIn(clause)]);
}

function treesIn(clause: Clause): readonly string[] {
  switch (clause.kind) {
    case "all":
    case "any":
      return clause.of.flatMap(treesIn);
    case "not":
    case "element":
      return treesIn(clause.of);
    case "cites":
      return clause.within ? clause.vocabularies : [];
    default:
      return [];
  }
}
