import type { Catalog } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { askTogether } from "../../ports/ask-together.js";
import type { SourceView } from "../../ports/index-source.js";
import type {
  RecordPage,
  RecordSearch,
  SuggestPage,
  TermPage,
  TermSearch,
  TermSuggest,
  WordPlace,
} from "../../ports/search-index.js";
import { SearchRefusal } from "./connection/map-error.js";
import { type AskIndex, type SearchAnswer, searchAll } from "./connection/multi-search.js";
import type { SearchClient } from "./connection/search-client.js";
import { numberPaths } from "./documents/path-numbers.js";
import type { Overlay, SearchedState } from "./exact-search.js";
import { makeRecordOverlays, NOT_OVERLAID, type RecordOverlay } from "./overlay/record-overlay.js";
import { makeTermOverlays } from "./overlay/term-overlay.js";
import { nearWordsSearch, rankNearWords } from "./query/count-near-words.js";
import { hasToken, notOf } from "./query/dsl.js";
import { type IndexDefinitionOfCatalog, isUsable, recordsIndexOf, termsIndexOf } from "./relay/index-set.js";
import { makeRecordSearch, type RecordState, type SearchRecords } from "./search/make-record-search.js";
import { makeTermSearches, type SearchedVocabulary } from "./vocabulary/term-searches.js";

/** Searches of one state of the store. */
export interface StateSearches {
  searchRecords(search: RecordSearch, state: SearchedState): Promise<RecordPage>;
  searchTerms(search: TermSearch, state: SearchedState): Promise<TermPage>;
  suggestTerms(suggest: TermSuggest, state: SearchedState): Promise<SuggestPage>;
  nearestWords(where: WordPlace, word: string, limit: number, state: SearchedState): Promise<readonly string[]>;
  /** Returns the size of the overlay in the last search of records, and of each vocabulary. */
  overlaySize(): OverlaySize;
}

export interface OverlaySize {
  readonly records: number;
  readonly terms: number;
}

interface SearchesOptions {
  readonly catalog: Catalog;
  readonly searchTimeoutMs: number;
  /** Maximum number of changed records, or terms of a vocabulary, that a search judges apart from the index. */
  readonly overlayMax: number;
  /** Maximum number of ids below a term that a search of a vocabulary names. Default: that of `LIMITS`. */
  readonly belowMax?: number;
}

/** Maximum mean size of the bodies of records that are judged apart from the index. */
const OVERLAID_BYTES = 32 * 1024;

export function makeStateSearches(
  client: SearchClient,
  { catalog, searchTimeoutMs, overlayMax, belowMax = LIMITS.termsBelowMax }: SearchesOptions,
  getKnownIndex: KnownIndexes,
): StateSearches {
  const recordOverlays = makeRecordOverlays(catalog, overlayMax * OVERLAID_BYTES);
  const termOverlays = makeTermOverlays(catalog);
  const terms = makeTermSearches(catalog, belowMax);
  const makeAsk = makeAskFactory(client, searchTimeoutMs);
  const openVocabulary = async (
    { vocabulary, mayBeBehind }: Pick<TermSearch, "vocabulary" | "mayBeBehind">,
    state: SearchedState,
  ): Promise<SearchedVocabulary & Completeness> => {
    if (!catalog.vocabularies.has(vocabulary)) throw unknownVocabulary(catalog, vocabulary);
    const { view, index } = state;
    const asked = termsIndexOf(index.name, vocabulary, view.generationOf(index.name, vocabulary));
    const { terms: changed, ...completeness } = await state.overlayOf({ kind: "term", vocabulary }, mayBeBehind);
    return {
      ask: makeAsk(state, asked),
      overlay: await termOverlays.overlayOf(view, { vocabulary, index: asked }, changed),
      view,
      askedAll: state.askedAll,
      ...pickBehind(completeness),
    };
  };
  const openRecords = async (state: SearchedState, mayBeBehind = false): Promise<RecordState> => {
    const { view, index } = state;
    const { records, ...completeness } = await state.overlayOf({ kind: "record" }, mayBeBehind);
    const overlay = await recordOverlays.overlayOf(view, records);
    const ask = makeAsk<SearchAnswer>(state, recordsIndexOf(index.name));
    const asked = { view, ask, askedAll: state.askedAll };
    if (overlay !== undefined) return { ...asked, overlay, ...pickBehind(completeness) };
    return { ...asked, overlay: NOT_OVERLAID, ...pickBehind(await state.without(mayBeBehind)) };
  };
  return {
    searchRecords: async (search, state) => {
      const { searchRecords } = await getKnownIndex(state.view);
      return searchRecords(search, await openRecords(state, search.mayBeBehind));
    },
    searchTerms: async (search, state) => {
      const searched = await openVocabulary(search, state);
      return { ...(await terms.searchTerms(search, searched)), ...pickBehind(searched) };
    },
    suggestTerms: async (suggest, state) => {
      const where = await openVocabulary(suggest, state);
      return { ...(await terms.suggestTerms(suggest, where)), ...pickBehind(where) };
    },
    nearestWords: async (where, word, limit, state) => {
      if (where.in === "records") return nearestRecordWords(word, limit, await openRecords(state, true));
      const { vocabulary } = where;
      return terms.nearestWords(
        vocabulary,
        word,
        limit,
        await openVocabulary({ vocabulary, mayBeBehind: true }, state),
      );
    },
    overlaySize: () => ({ records: recordOverlays.size(), terms: termOverlays.size() }),
  };
}

/** Returns a maker of functions that send queries, all of which together share the time limit of the search. */
function makeAskFactory(client: SearchClient, searchTimeoutMs: number) {
  return <Answer>(state: SearchedState, name: string) => {
    const until = performance.now() + searchTimeoutMs;
    return askTogether<readonly object[], readonly Answer[]>(async (queries) => {
      const remainingMs = Math.ceil(until - performance.now());
      if (remainingMs <= 0) throw new SearchRefusal(503, "task_cancelled_exception", "the search took too long");
      const answers = await searchAll<Answer>(client, state.target(name), queries.flat(), remainingMs);
      let from = 0;
      return queries.map(({ length }) => {
        from += length;
        return answers.slice(from - length, from);
      });
    });
  };
}

type Completeness = Pick<Overlay, "behind">;

const pickBehind = ({ behind }: Completeness): Completeness => (behind === undefined ? {} : { behind });

const unknownVocabulary = ({ vocabularies }: Catalog, vocabulary: string): Error =>
  fail("VOCABULARY_NOT_FOUND", { vocabulary, known: [...vocabularies.keys()] });

interface RecordWords {
  readonly overlay: RecordOverlay;
  readonly ask: AskIndex;
}

/**
 * Returns words of records, regardless of who may see these, within two edits of one: see `SearchIndex.nearestWords`.
 */
async function nearestRecordWords(
  word: string,
  limit: number,
  { overlay, ask }: RecordWords,
): Promise<readonly string[]> {
  const among = notOf(hasToken("id", overlay.ids));
  // A record has hundreds of words: testing each of them takes longer than counting all words by their ordinals.
  const counted = { fields: ["t", "h", "r"], words: "w", among, hint: "global_ordinals" } as const;
  const [answer] = await ask([nearWordsSearch(word, counted)]);
  return rankNearWords(word, limit, answer, overlay.words());
}

/** Data derived from the definition of an index. */
interface KnownIndex {
  /** Whether this catalog makes such an index. */
  readonly isUsable: boolean;
  readonly searchRecords: SearchRecords;
}

/** Returns the data derived from the definition of a view's index. It is read and computed once per definition. */
type KnownIndexes = (view: SourceView) => Promise<KnownIndex>;

export function makeKnownIndexes(catalog: Catalog): KnownIndexes {
  let cached: { readonly digest: string; readonly index: KnownIndex } | undefined;
  return async (view) => {
    const { digest } = view.index!;
    if (cached?.digest === digest) return cached.index;
    const definition = (await view.made()) as unknown as IndexDefinitionOfCatalog;
    const index = {
      isUsable: isUsable(definition, catalog),
      searchRecords: makeRecordSearch(catalog, numberPaths(catalog, definition.paths)),
    };
    cached = { digest, index };
    return index;
  };
}
