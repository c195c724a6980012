import type { Catalog } from "../../core/catalog/types.js";
import { LIMITS } from "../../core/limits.js";
import type { SearchEngine } from "../separate-index/driver/index-driver.js";
import { openSeparateIndex, type SeparateIndex, type SeparateIndexOptions } from "../separate-index/index.js";
import type { IndexAnswer } from "./connection/multi-search.js";
import { openSearchClient, type SearchClient, type SearchClientOptions } from "./connection/search-client.js";
import { numberPaths } from "./documents/index-fields.js";
import { makeIndexFormat, readDefinition } from "./documents/index-format.js";
import { makeDriver } from "./driver/make-driver.js";
import { makeRecordSearches } from "./search/make-record-search.js";
import { makeTermSearches } from "./vocabulary/term-searches.js";
import type { VocabularyState } from "./vocabulary/vocabulary-state.js";

interface OpenSearchOptions extends SearchClientOptions, SeparateIndexOptions, Partial<SearchLimits> {}

/** Limits of the searches of vocabularies. The defaults suit services. */
type SearchLimits = Pick<VocabularyState, "belowMax" | "visitedMax">;

/** Visiting so many terms takes about as long as a search for each step of a ranking. */
const VISITED_MAX = 10_000;

/** Makes the index of a store in OpenSearch. Nothing is opened: the first request notices a missing OpenSearch. */
export function openOpenSearch(options: OpenSearchOptions): SeparateIndex {
  return openSeparateIndex(makeSearchEngine(openSearchClient(options), options), options);
}

/** Makes the driver of OpenSearch for a separate index, with its documents and searches. */
export function makeSearchEngine(
  client: SearchClient,
  {
    catalog,
    belowMax = LIMITS.termsBelowMax,
    visitedMax = VISITED_MAX,
  }: { readonly catalog: Catalog } & Partial<SearchLimits>,
): SearchEngine<IndexAnswer> {
  const termSearches = makeTermSearches(catalog, { belowMax, visitedMax });
  return {
    driver: makeDriver(client, catalog),
    format: makeIndexFormat(catalog),
    makeSearches: (made) => ({
      ...makeRecordSearches(catalog, numberPaths(catalog, readDefinition(made).paths)),
      ...termSearches,
    }),
  };
}
