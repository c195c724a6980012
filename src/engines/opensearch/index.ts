import type { BackgroundReporter } from "../../core/background.js";
import type { Catalog } from "../../core/catalog/types.js";
import type { IndexSource, Overlaid, SearchedIndex, SourceView } from "../../ports/index-source.js";
import type { SearchIndex, StoreSnapshot } from "../../ports/search-index.js";
import type { Store } from "../../ports/store.js";
import type { OnProgress, Reindexed, StoreAdmin } from "../../ports/store-admin.js";
import { type ReindexOptions, reindex } from "./admin/reindex.js";
import type { HeldIndex } from "./admin/verify-index.js";
import { withIndexAdmin } from "./admin/with-index-admin.js";
import { searchAll } from "./connection/multi-search.js";
import { openSearchClient, type SearchClient, type SearchClientOptions } from "./connection/search-client.js";
import { LARGE_ABOVE } from "./documents/term-mapping.js";
import { ExactSearch } from "./exact-search.js";
import { makeMadeMemory } from "./made-memory.js";
import { makeGenerationBuilder } from "./relay/build-generation.js";
import { type IndexRelay, startIndexRelay } from "./relay/index-relay.js";
import { recordsIndexOf, termsIndexOf } from "./relay/index-set.js";
import { makeStateSearches, type OverlaySize, type StateSearches } from "./state-searches.js";

interface OpenSearchOptions extends SearchClientOptions {
  readonly source: IndexSource;
  readonly catalog: Catalog;
  /** Begins the names of all indexes: services can share one OpenSearch. */
  readonly prefix: string;
  /** Changed records, or terms of a vocabulary, that a search judges beside the index at most. */
  readonly overlayMax: number;
  readonly searchTimeoutMs: number;
  /** Ids that a search of a vocabulary names at most of what stands below one; absent: as `LIMITS` say. */
  readonly belowMax?: number;
  /** A term with more items below it is a large one, see `Below`; absent: as is good for most. */
  readonly largeAbove?: number;
  /** Of an index that is made. */
  readonly shards: number;
  /** At least so long a step of the relay takes while there is work; absent: as is good for most. */
  readonly stepMs?: number;
  /** How long an index stays that searches do not ask any more; absent: longer than any search takes. */
  readonly retireMs?: number;
}

/** The index of a store, in OpenSearch. */
export interface OpenSearchEngine {
  readonly index: SearchIndex;
  /** Feeds the index; of all nodes one at a time. */
  startRelay(background: BackgroundReporter): IndexRelay;
  /** Makes a new index beside the one that is there, and has searches ask it, see `reindex`. */
  reindex(options: ReindexRequest, onProgress: OnProgress, signal?: AbortSignal): Promise<Reindexed>;
  /** What is done to the store as a whole, and to the index with it. @param admin of the store alone */
  adminOf(admin: StoreAdmin, store: Store): StoreAdmin;
  /** For metrics: what searches have met. */
  stats(): SearchStats;
  close(): Promise<void>;
}

/** How an index is made; absent: as the options of the engine say, and as is good for most. */
type ReindexRequest = Partial<Pick<ReindexOptions, "shards" | "retireMs" | "stepMs">>;

export interface SearchStats {
  /** Searches that were begun again, because the index moved on meanwhile. */
  readonly repeats: number;
  /** What is judged beside the index, as of the last search of records, and of each vocabulary. */
  readonly overlay: OverlaySize;
}

/** Opens nothing yet: whether OpenSearch answers is seen when it is asked. */
export function openOpenSearch(options: OpenSearchOptions): OpenSearchEngine {
  const { source, catalog, overlayMax, largeAbove = LARGE_ABOVE } = options;
  const client = openSearchClient(options);
  const made = makeMadeMemory(catalog);
  const exact = new ExactSearch({ source, client, overlayMax, isUsable: async (view) => (await made(view)).isUsable });
  source.onLoads(makeGenerationBuilder({ client, catalog, itemsMin: overlayMax, largeAbove }));
  const searches = makeStateSearches(client, options, made);
  return {
    index: makeIndex(exact, searches, catalog, () => client.close()),
    startRelay: (background) => startIndexRelay({ ...options, client, largeAbove, background }),
    reindex: (asked, onProgress, signal) => reindex({ ...options, client, largeAbove, ...asked }, onProgress, signal),
    adminOf: (admin, store) =>
      withIndexAdmin(admin, store, {
        ...{ source, client, catalog, overlayMax, largeAbove },
        prefix: options.prefix,
        ...{ hold: holdFor(exact, client), openView: () => exact.views.open(), openAny: () => exact.views.openAny() },
      }),
    stats: () => ({ repeats: exact.repeats, overlay: searches.overlaySize() }),
    close: () => client.close(),
  };
}

const recordsOf = ({ name }: SearchedIndex): readonly string[] => [recordsIndexOf(name)];
const termsOf =
  (vocabulary: string) =>
  ({ name }: SearchedIndex, view: SourceView): readonly string[] => [
    termsIndexOf(name, vocabulary, view.generationOf(name, vocabulary)),
  ];

function makeIndex(
  exact: ExactSearch,
  searches: StateSearches,
  { vocabularies }: Catalog,
  close: () => Promise<void>,
): SearchIndex {
  return {
    searchRecords: (search) => exact.run(recordsOf, (state) => searches.searchRecords(search, state)),
    searchTerms: (search) => exact.run(termsOf(search.vocabulary), (state) => searches.searchTerms(search, state)),
    suggestTerms: (suggest) => exact.run(termsOf(suggest.vocabulary), (state) => searches.suggestTerms(suggest, state)),
    nearestWords: (where, word, limit) =>
      exact.run(where.in === "records" ? recordsOf : termsOf(where.vocabulary), (state) =>
        searches.nearestWords(where, word, limit, state),
      ),
    openSnapshot: async () => {
      const held = await exact.hold((index, view) => [
        ...recordsOf(index),
        ...[...vocabularies.keys()].flatMap((name) => termsOf(name)(index, view)),
      ]);
      return snapshotOf(held.state, searches, held.close);
    },
    close,
  };
}

/** Pages of a snapshot belong together: either all of them are of one state of the store, or there are none. */
const EXACT = { mayBeBehind: false } as const;

/** As long as one search of a verification may take. */
const VERIFY_MS = 60_000;

/** Holds one of the indexes for a verification. */
function holdFor(exact: ExactSearch, client: SearchClient): (of: Overlaid) => Promise<HeldIndex> {
  return async (of) => {
    const indexesOf = of.kind === "record" ? recordsOf : termsOf(of.vocabulary);
    const { state, close } = await exact.hold(indexesOf);
    try {
      const [name = ""] = indexesOf(state.index, state.view);
      const { records, terms } = await state.overlayOf(of);
      const changed = new Set((of.kind === "record" ? records : terms).map(({ id }) => id));
      const target = state.target(name);
      return { view: state.view, changed, ask: (searches) => searchAll(client, target, searches, VERIFY_MS), close };
    } catch (error) {
      await close();
      throw error;
    }
  };
}

function snapshotOf(
  state: Parameters<StateSearches["searchRecords"]>[1],
  searches: StateSearches,
  close: () => Promise<void>,
): StoreSnapshot {
  return {
    index: {
      searchRecords: (search) => searches.searchRecords({ ...search, ...EXACT }, state),
      searchTerms: (search) => searches.searchTerms({ ...search, ...EXACT }, state),
      suggestTerms: (suggest) => searches.suggestTerms({ ...suggest, ...EXACT }, state),
      nearestWords: (where, word, limit) => searches.nearestWords(where, word, limit, state),
    },
    records: state.view.records,
    terms: state.view.terms,
    // Old rows are kept by the database, which has room of its own.
    heldBytes: () => 0,
    close: () => void close(),
  };
}
