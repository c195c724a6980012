/** Buckets of a facet by what somebody types of their names. */
import { LIMITS } from "../../core/limits.js";
import type { FacetRequest, SearchIndex } from "../../ports/search-index.js";
import type { SearchedFacet } from "../../query/index-model/declared-facets.js";
import { analyse } from "../../query/text/analyse.js";
import { prefixWords } from "../../query/text/pattern.js";
import type { Aggregation, SearchRequest } from "../api/search-services.js";

/** Has it words, so that it asks for something? */
export const isTyped = (text: string | undefined): text is string => text !== undefined && analyse(text).length > 0;

/**
 * Which buckets of the one facet that is counted are asked for. Terms are found as `suggest` finds them, best first;
 * of facets whose keys are their own names all are counted, and `fittingBuckets` chooses.
 */
export async function textListing(
  index: Pick<SearchIndex, "suggestTerms">,
  facets: readonly SearchedFacet[],
  { facetSize, counting = {}, lang }: Pick<SearchRequest, "facetSize" | "counting" | "lang">,
): Promise<Partial<FacetRequest>> {
  const { names = [], text } = counting;
  const facet = facets.find(({ name }) => name === names[0]);
  if (facetSize === 0 || facet === undefined || !isTyped(text)) return {};
  if (facet.vocabularies.length === 0) return { size: Number.MAX_SAFE_INTEGER };
  const page = { offset: 0, limit: LIMITS.facetTextTermsMax };
  const found = await Promise.all(
    facet.vocabularies.map((vocabulary) => index.suggestTerms({ vocabulary, text, facets: [], lang, page })),
  );
  return { listed: { keys: [...new Set(found.flatMap(({ hits }) => hits.map(({ id }) => id)))] } };
}

/** The buckets whose label or key has all words of the text, the last of them as a beginning. */
export function fittingBuckets(aggregation: Aggregation, text: string, size: number): Aggregation {
  const typed = prefixWords(text);
  const fits = (name: string): boolean => {
    const words = analyse(name);
    return typed.every((word, i) =>
      words.some((each) => (i === typed.length - 1 ? each.startsWith(word) : each === word)),
    );
  };
  const fitting = aggregation.buckets.filter(({ key, label }) => fits(label) || fits(key));
  const other = fitting.slice(size).reduce((sum, { doc_count }) => sum + doc_count, 0);
  return { ...aggregation, buckets: fitting.slice(0, size), other };
}
