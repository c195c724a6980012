import type { BackgroundReporter } from "../../core/background.js";
import type { Catalog } from "../../core/catalog/types.js";
import type { IndexSource, SearchedIndex, SearchSubject, SourceView } from "../../ports/index-source.js";
import type { SearchIndex, StoreSnapshot } from "../../ports/search-index.js";
import type { Store } from "../../ports/store.js";
import type { OnProgress, Reindexed, StoreAdmin } from "../../ports/store-admin.js";
import { type ReindexOptions, reindex, withIndexAdmin } from "./admin/index-admin.js";
import type { PinnedIndex } from "./admin/verify-index.js";
import type { SearchEngine } from "./driver/index-driver.js";
import { recordsIndexOf, termsIndexOf } from "./driver/index-driver.js";
import { makeGenerationBuilder } from "./relay/build-index.js";
import { type IndexRelay, startIndexRelay } from "./relay/index-relay.js";
import { ExactSearch } from "./search/exact-search.js";
import { makeKnownIndexes, makeStateSearches, type OverlaySize, type StateSearches } from "./search/state-searches.js";

/** Options of a separate index. */
export interface SeparateIndexOptions {
  readonly source: IndexSource;
  readonly catalog: Catalog;
  /** Prefix of the names of all indexes, so that services can share one search engine. */
  readonly prefix: string;
  /** Maximum number of changed records, or terms of a vocabulary, that a search judges apart from the index. */
  readonly overlayMax: number;
  readonly searchTimeoutMs: number;
  /** Number of terms below a term above which it is large, see `TermSubtree`. The default suits most vocabularies. */
  readonly largeAbove?: number;
  /** Number of shards of a new index. */
  readonly shards: number;
  /** Minimum time of a step of the relay while there is work. The default suits most services. */
  readonly stepMs?: number;
  /** Time for which an unused index is kept. Default: longer than any search takes. */
  readonly retireMs?: number;
}

/** The index of a store in a separate search engine. */
export interface SeparateIndex {
  readonly index: SearchIndex;
  /** Starts the relay, which feeds the index; only one node at a time runs it. */
  startRelay(background: BackgroundReporter): IndexRelay;
  /** Makes a new index next to the existing one and makes it current, see `reindex`. */
  reindex(options: ReindexRequest, onProgress: OnProgress, signal?: AbortSignal): Promise<Reindexed>;
  /** Adds the administration of the index to that of the store. @param admin of the store alone */
  adminOf(admin: StoreAdmin, store: Store): StoreAdmin;
  /** Returns statistics of searches for metrics. */
  stats(): SearchStats;
  close(): Promise<void>;
}

/** Options of a new index. Defaults: those of the engine. */
type ReindexRequest = Partial<Pick<ReindexOptions, "shards" | "retireMs" | "stepMs">>;

/** Statistics of searches. */
export interface SearchStats {
  /** Number of searches that were repeated because the index changed. */
  readonly repeats: number;
  /** Size of the overlay in the last search of records, and of each vocabulary. */
  readonly overlay: OverlaySize;
}

/**
 * Number of terms below a term above which it is a large one, see `TermSubtree`. With fewer large terms a search names
 * fewer ids, but it names large terms, and moving a term that is not large rewrites at most about this many documents.
 */
const LARGE_ABOVE = 5_000;

/** Makes the index. Nothing is opened: a missing search engine is noticed by the first request. */
export function openSeparateIndex<Answer>(
  engine: SearchEngine<Answer>,
  { largeAbove = LARGE_ABOVE, ...options }: SeparateIndexOptions,
): SeparateIndex {
  const { source, catalog, overlayMax } = options;
  const { driver, format } = engine;
  const built = { ...options, driver, format, largeAbove };
  const knownIndexes = makeKnownIndexes(format, (made) => engine.makeSearches(made));
  const exact = new ExactSearch({
    source,
    driver,
    overlayMax,
    isUsable: async (view) => (await knownIndexes(view)).isUsable,
  });
  source.onLoads(makeGenerationBuilder({ ...built, itemsMin: overlayMax }));
  const searches = makeStateSearches(engine, options, knownIndexes);
  return {
    index: makeIndex(exact, searches, catalog, () => driver.close()),
    startRelay: (background) => startIndexRelay({ ...built, background }),
    reindex: (request, onProgress, signal) => reindex({ ...built, ...request }, onProgress, signal),
    adminOf: (admin, store) =>
      withIndexAdmin(admin, store, {
        source,
        driver,
        format,
        catalog,
        overlayMax,
        largeAbove,
        prefix: options.prefix,
        pinIndex: makeIndexPinner(exact),
        openView: () => exact.views.open(),
        openAny: () => exact.views.openAny(),
      }),
    stats: () => ({ repeats: exact.repeats, overlay: searches.overlaySize() }),
    close: () => driver.close(),
  };
}

const recordsIndexNames = ({ name }: SearchedIndex): readonly string[] => [recordsIndexOf(name)];
const termsIndexNames =
  (vocabulary: string) =>
  ({ name }: SearchedIndex, view: SourceView): readonly string[] => [
    termsIndexOf(name, vocabulary, view.trees.generationOf(name, vocabulary)),
  ];

function makeIndex(
  exact: ExactSearch,
  searches: StateSearches,
  { vocabularies }: Catalog,
  close: () => Promise<void>,
): SearchIndex {
  const together: NonNullable<SearchIndex["together"]> = {
    searchRecords: async (all) =>
      all.length === 0 ? [] : exact.run(recordsIndexNames, (state) => searches.searchRecords(all, state)),
    searchTerms: async (all) =>
      all.length === 0
        ? []
        : exact.run(termsIndexNames(all[0]!.vocabulary), (state) => searches.searchTerms(all, state)),
  };
  return {
    searchRecords: async (search) => (await together.searchRecords([search]))[0]!,
    searchTerms: async (search) => (await together.searchTerms([search]))[0]!,
    together,
    suggestTerms: (suggest) =>
      exact.run(termsIndexNames(suggest.vocabulary), (state) => searches.suggestTerms(suggest, state)),
    nearestWords: (where, word, limit) =>
      exact.run(where.in === "records" ? recordsIndexNames : termsIndexNames(where.vocabulary), (state) =>
        searches.nearestWords(where, word, limit, state),
      ),
    openSnapshot: async () => {
      const pinned = await exact.pin((index, view) => [
        ...recordsIndexNames(index),
        ...[...vocabularies.keys()].flatMap((name) => termsIndexNames(name)(index, view)),
      ]);
      return makeSnapshot(pinned.state, searches, pinned.close);
    },
    close,
  };
}

/** Pages of a snapshot must all be of one state of the store. */
const EXACT = { mayBeBehind: false } as const;

/** Makes a function that pins one of the indexes for a verification. */
function makeIndexPinner(exact: ExactSearch): (of: SearchSubject) => Promise<PinnedIndex> {
  return async (of) => {
    const indexesOf = of.kind === "record" ? recordsIndexNames : termsIndexNames(of.vocabulary);
    const { state, close } = await exact.pin(indexesOf);
    try {
      const [name = ""] = indexesOf(state.index, state.view);
      const { records, terms } = await state.getOverlay(of);
      const changed = new Set((of.kind === "record" ? records : terms).map(({ id }) => id));
      return { view: state.view, changed, target: state.target(name), close };
    } catch (error) {
      await close();
      throw error;
    }
  };
}

function makeSnapshot(
  state: Parameters<StateSearches["searchRecords"]>[1],
  searches: StateSearches,
  close: () => Promise<void>,
): StoreSnapshot {
  return {
    index: {
      searchRecords: async (search) => (await searches.searchRecords([{ ...search, ...EXACT }], state))[0]!,
      searchTerms: async (search) => (await searches.searchTerms([{ ...search, ...EXACT }], state))[0]!,
      suggestTerms: (suggest) => searches.suggestTerms({ ...suggest, ...EXACT }, state),
      nearestWords: (where, word, limit) => searches.nearestWords(where, word, limit, state),
    },
    records: state.view.records,
    terms: state.view.terms,
    // PostgreSQL keeps old row versions in its tables, so no log grows.
    heldBytes: () => 0,
    close: () => void close(),
  };
}
