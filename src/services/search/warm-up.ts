import { canonicalPath } from "../../core/catalog/places.js";
import type { Model, Vocabulary } from "../../core/catalog/types.js";
import { BinderyError } from "../../core/errors.js";
import type { Preloading, RecordSearch, SearchIndex, TermSearch } from "../../ports/search-index.js";
import type { Clause } from "../../query/index-model/clause.js";
import type { Deps } from "../context/deps.js";
import { facetRequests, makeRecordFacets, makeTermFacets, type SearchedFacet } from "./facets.js";

/** Vocabularies with fewer items than this are read when they are first asked for: nobody notices. */
const ITEMS_MIN = 50_000;

/**
 * Loads what the catalog declares will be searched for into the cache of the index: facets and quantities of the models
 * that have records, facets and words of large vocabularies. It ends where the index has no room for more; of one that
 * caches nothing it asks nothing. What cannot be loaded keeps the rest from nothing.
 *
 * @param pause awaited before each load, so that requests come in between; a rejection ends it
 * @throws the first error of a load, once all others are done
 */
export async function warmUp(
  { index, store, catalog }: Pick<Deps, "index" | "store" | "catalog">,
  pause: () => Promise<void>,
): Promise<void> {
  const { preloading } = index;
  if (preloading === undefined) return;
  const failures: unknown[] = [];
  for await (const load of loads({ index, store, catalog }, preloading)) {
    await pause();
    if (!preloading.hasRoom()) break;
    // Whoever searches for the same hears of it too, and the others can do without.
    await whenRead(load, pause).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/** What takes longer to read than a search waits is read on, and kept for whoever asks again soon. */
async function whenRead(load: () => Promise<unknown>, pause: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await load();
      return;
    } catch (error) {
      if (!(error instanceof BinderyError && error.code === "INDEX_LOADING")) throw error;
      await pause();
    }
  }
}

/** What is to be loaded, one after the other. */
async function* loads(
  { index, store, catalog }: Pick<Deps, "index" | "store" | "catalog">,
  { loadWords }: Preloading,
): AsyncGenerator<() => Promise<unknown>> {
  const models = [...catalog.models.values()];
  const recordFacets = makeRecordFacets(catalog);
  const termFacets = makeTermFacets(catalog);
  if (await hasRecords(index, models)) {
    yield () => index.searchRecords(facetSearch(models, recordFacets(undefined, false)));
    for (const model of models) {
      if (!(await hasRecords(index, [model]))) continue;
      yield () => index.searchRecords(facetSearch([model], recordFacets(model.name, false)));
      const clause = quantitiesOf(model);
      if (clause !== undefined) yield () => index.searchRecords({ ...everything([model]), clause });
    }
    yield () => loadWords({ in: "records" });
  }
  for (const vocabulary of catalog.vocabularies.values()) {
    if ((await store.terms.count(vocabulary.name)) < ITEMS_MIN) continue;
    yield () => index.searchTerms(termSearch(vocabulary, termFacets(vocabulary.name)));
    yield () => loadWords({ in: "terms", vocabulary: vocabulary.name });
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

function facetSearch(models: readonly Model[], facets: readonly SearchedFacet[]): RecordSearch {
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

function termSearch(vocabulary: Vocabulary, facets: readonly SearchedFacet[]): TermSearch {
  return {
    vocabulary: vocabulary.name,
    clause: { kind: "everything" },
    facets: facetRequests(facets, { filters: {}, facetSize: 1 }),
    sort: "title",
    lang: vocabulary.languages[0]!,
    page: { offset: 0, limit: 1 },
  };
}
