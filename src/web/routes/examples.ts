import { ANONYMOUS } from "../../core/actor.js";
import type { Catalog } from "../../core/catalog/types.js";
import type { Services } from "../../services/use-cases.js";
import type { Example } from "../pages/search-page.js";
import { address, searchPath } from "../views/page-addresses.js";

/** Maximum number of example searches on a page. */
const EXAMPLES_MAX = 6;

/** Example searches with hits. */
export interface ExampleSearches {
  readonly examples: readonly Example[];
  /** Whether the choice may change without a publication, because it depends on the clock or on an index update. */
  readonly isUnsettled: boolean;
}

/** Returns the first examples that have hits. @param model name of the searched model; undefined for all models */
export async function findExamples(services: Services, { models }: Catalog, model?: string): Promise<ExampleSearches> {
  const searchedModels = [...models.values()].filter(({ name }) => model === undefined || name === model);
  const byQuery = new Map(searchedModels.flatMap(({ page }) => page.examples).map((example) => [example.q, example]));
  const candidates = [...byQuery.values()];
  const window = { page: 1, size: 1 };
  const searches = await Promise.all(
    candidates.map(async ({ label, q }) => {
      const request = { q, window, filters: {}, facetSize: 0, lang: "en", own: false, model };
      const { total, behind } = await services.searchRecords(ANONYMOUS, { ...request, mayBeBehind: true });
      return {
        total,
        isUnsettled: /\bnow\b/.test(q) || behind !== undefined,
        example: { label, page: address(searchPath(model), [["q", q]]) },
      };
    }),
  );
  const withHits = searches.filter(({ total }) => total > 0).slice(0, EXAMPLES_MAX);
  // Candidates after the last example do not influence the choice.
  const decisive =
    withHits.length < EXAMPLES_MAX ? searches : searches.slice(0, searches.indexOf(withHits.at(-1)!) + 1);
  return { examples: withHits.map(({ example }) => example), isUnsettled: decisive.some((each) => each.isUnsettled) };
}
