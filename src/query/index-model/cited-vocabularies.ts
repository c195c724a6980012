import type { Catalog } from "../../core/catalog/types.js";

/** What a compiler of clauses has to know of the vocabularies that records cite. */
export interface CitedVocabularies {
  /** Has the vocabulary a hierarchy? Then ids of its items are kept as those of facets are. */
  isHierarchical(vocabulary: string): boolean;
  /** Paths where items of the vocabulary are cited, in any model. */
  sitesOf(vocabulary: string): readonly string[];
}

export function makeCitedVocabularies({ models, vocabularies }: Catalog): CitedVocabularies {
  const sites = [...models.values()].flatMap((model) => model.termSites);
  return {
    isHierarchical: (vocabulary) => vocabularies.get(vocabulary)?.hierarchy ?? false,
    sitesOf: (vocabulary) => [
      ...new Set(sites.filter((site) => site.vocabulary === vocabulary).map(({ path }) => path)),
    ],
  };
}
