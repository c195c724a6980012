import { canonicalPath, quantityLeavesOf } from "../../core/catalog/places.js";
import type { Model, Vocabulary } from "../../core/catalog/types.js";
import { BinderyError } from "../../core/errors.js";
import type { Preloading, RecordSearch, SearchIndex, TermSearch } from "../../ports/search-index.js";
import type { Clause } from "../../query/index-model/clause.js";
import type { Deps } from "../context/deps.js";
import { facetRequests, makeRecordFacets, makeTermFacets, type SearchedFacet } from "./facets.js";

/** Vocabularies with fewer terms than this are not loaded in advance: the first search loads them quickly. */
const TERMS_MIN = 50_000;

/**
 * Loads data that searches will need into the cache of the index: facets and quantities of the models that have
 * records, facets and words of large vocabularies. It ends when the cache is full, and does nothing if the index has no
 * cache. If a load fails, the others continue.
 *
 * @param pause awaited before each load, so that requests can run in between; a rejection ends the loading
 * @throws the first error of a load, after all others are done
 */
export async function warmUp(
  { index, store, catalog }: Pick<Deps, "index" | "store" | "catalog">,
  pause: () => Promise<void>,
): Promise<void> {
  const { preloading } = index;
  if (preloading === undefined) return;
  const failures: unknown[] = [];
  for await (const load of listLoads({ index, store, catalog }, preloading)) {
    await pause();
    if (!preloading.hasRoom()) break;
    // A search that needs the same data reports the error too; other searches do not need them.
    await loadCompletely(load, pause).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/** Repeats a load that takes longer than a search waits. The index reads on, and keeps the result for a while. */
async function loadCompletely(load: () => Promise<unknown>, pause: () => Promise<void>): Promise<void> {
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

/** Yields the loads, one after the other. */
async function* listLoads(
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
    if ((await store.terms.count(vocabulary.name)) < TERMS_MIN) continue;
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

/** Returns a clause that any number of any declared quantity matches, so that their columns are read together. */
function quantitiesOf(model: Model): Clause | undefined {
  const paths = quantityLeavesOf(model).flatMap((leaf) =>
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
