import { WARNING_REPORTER } from "../../core/background.js";
import { canonicalPath } from "../../core/catalog/quantities.js";
import type { Model, Vocabulary } from "../../core/catalog/types.js";
import type { RecordSearch, SearchIndex, TermSearch } from "../../ports/search-index.js";
import type { Clause } from "../../query/index-model/clause.js";
import type { Deps } from "../context/deps.js";
import { facetRequests, recordFacets, termFacets } from "./facets.js";

/** Vocabularies with fewer items than this are read when they are first asked for: nobody notices. */
const ITEMS_MIN = 50_000;

/** No word is near to it, nor begins so. */
const NO_WORD = "qxzjqxzjqxzj";

/**
 * Asks the index once for what the catalog declares will be asked: facets and quantities of the models that have
 * records, facets and words of large vocabularies. What it reads for that it keeps, and whoever asks next need not
 * wait. It ends where the index has no room for more, or keeps nothing.
 *
 * @param pause awaited before each question, so that requests come in between
 */
export async function warmUp(
  deps: Pick<Deps, "index" | "store" | "catalog"> & Partial<Pick<Deps, "background">>,
  pause: () => Promise<void>,
): Promise<void> {
  const { index, background = WARNING_REPORTER } = deps;
  let hasFailed = false;
  for await (const ask of questions(deps)) {
    await pause();
    if (index.hasRoom?.() !== true) break;
    // Whoever asks the same hears of it too, and the others can do without.
    await ask().catch((error: unknown) => {
      hasFailed = true;
      background.onBackgroundError("warm-up", error);
    });
  }
  if (!hasFailed) background.onBackgroundSuccess("warm-up");
}

/** What is to be asked, one load each. */
async function* questions({
  index,
  store,
  catalog,
}: Pick<Deps, "index" | "store" | "catalog">): AsyncGenerator<() => Promise<unknown>> {
  const models = [...catalog.models.values()];
  if (await hasRecords(index, models)) {
    yield () => index.searchRecords(facetSearch(models, recordFacets(catalog, undefined, false)));
    for (const model of models) {
      if (!(await hasRecords(index, [model]))) continue;
      yield () => index.searchRecords(facetSearch([model], recordFacets(catalog, model.name, false)));
      const clause = quantitiesOf(model);
      if (clause !== undefined) yield () => index.searchRecords({ ...everything([model]), clause });
    }
    yield () => index.nearestWords({ in: "records" }, NO_WORD, 1);
  }
  for (const vocabulary of catalog.vocabularies.values()) {
    if ((await store.terms.count(vocabulary.name)) < ITEMS_MIN) continue;
    yield () => index.searchTerms(termSearch(vocabulary));
    yield () => index.nearestWords({ in: "terms", vocabulary: vocabulary.name }, NO_WORD, 1);
  }
}

async function hasRecords(index: SearchIndex, models: readonly Model[]): Promise<boolean> {
  return (await index.searchRecords(everything(models))).total > 0;
}

function everything(models: readonly Model[]): RecordSearch {
  return {
    clause: { kind: "everything" },
    scope: { kind: "public", models: models.map(({ name }) => name) },
    facets: [],
    sort: "newest",
    page: { offset: 0, limit: 1 },
  };
}

function facetSearch(models: readonly Model[], facets: ReturnType<typeof recordFacets>): RecordSearch {
  return { ...everything(models), facets: facetRequests(facets, { filters: {}, facetSize: 1 }) };
}

/** Any number of any declared quantity: their columns are read together. */
function quantitiesOf({ quantities }: Model): Clause | undefined {
  const paths = quantities.flatMap(({ leaf }) =>
    leaf.quantity.dimensions.slice(0, 1).map((dimension) => canonicalPath(leaf, dimension)),
  );
  if (paths.length === 0) return undefined;
  const from = { value: 0, inclusive: true };
  return { kind: "range", paths, type: "number", from };
}

function termSearch(vocabulary: Vocabulary): TermSearch {
  return {
    vocabulary: vocabulary.name,
    clause: { kind: "everything" },
    facets: facetRequests(termFacets(vocabulary), { filters: {}, facetSize: 1 }),
    sort: "title",
    lang: vocabulary.languages[0]!,
    page: { offset: 0, limit: 1 },
  };
}
