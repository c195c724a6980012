import type { Catalog } from "../../../core/catalog/types.js";
import { fail } from "../../../core/errors.js";
import type { Json } from "../../../core/json.js";
import { askTogether } from "../../../ports/ask-together.js";
import type { SourceView } from "../../../ports/index-source.js";
import type {
  RecordPage,
  RecordSearch,
  SuggestPage,
  TermPage,
  TermSearch,
  TermSuggest,
  WordScope,
} from "../../../ports/search-index.js";
import type {
  AskIndex,
  IndexDriver,
  IndexFormat,
  IndexSearches,
  SearchEngine,
  SearchedRecords,
  SearchedVocabulary,
} from "../driver/index-driver.js";
import { recordsIndexOf, termsIndexOf } from "../driver/index-driver.js";
import { makeRecordOverlays, NOT_OVERLAID } from "../overlay/record-overlay.js";
import { makeTermOverlays } from "../overlay/term-overlay.js";
import type { Overlay, SearchedState } from "./exact-search.js";

/** Searches of one state of the store. */
export interface StateSearches {
  searchRecords(searches: readonly RecordSearch[], state: SearchedState): Promise<readonly RecordPage[]>;
  /** @param searches of one vocabulary */
  searchTerms(searches: readonly TermSearch[], state: SearchedState): Promise<readonly TermPage[]>;
  suggestTerms(suggest: TermSuggest, state: SearchedState): Promise<SuggestPage>;
  nearestWords(where: WordScope, word: string, limit: number, state: SearchedState): Promise<readonly string[]>;
  /** Returns the size of the overlay in the last search of records, and of each vocabulary. */
  overlaySize(): OverlaySize;
}

/** Numbers of changed records and terms in an overlay. */
export interface OverlaySize {
  readonly records: number;
  readonly terms: number;
}

interface SearchesOptions {
  readonly catalog: Catalog;
  readonly searchTimeoutMs: number;
  /** Maximum number of changed records, or terms of a vocabulary, that a search judges apart from the index. */
  readonly overlayMax: number;
}

/** Maximum mean size of the bodies of records that are judged apart from the index. */
const OVERLAID_BYTES = 32 * 1024;

/** Makes the searches of a state with those of its index, to which it adds the overlays and the time limit. */
export function makeStateSearches<Answer>(
  { driver }: Pick<SearchEngine<Answer>, "driver">,
  { catalog, searchTimeoutMs, overlayMax }: SearchesOptions,
  getKnownIndex: KnownIndexes<Answer>,
): StateSearches {
  const recordOverlays = makeRecordOverlays(catalog, overlayMax * OVERLAID_BYTES);
  const termOverlays = makeTermOverlays(catalog);
  const makeAsk = makeAskFactory(driver, searchTimeoutMs);
  const openVocabulary = async (
    { vocabulary, mayBeBehind }: Pick<TermSearch, "vocabulary" | "mayBeBehind">,
    state: SearchedState,
  ): Promise<SearchedVocabulary<Answer> & Completeness> => {
    if (!catalog.vocabularies.has(vocabulary)) throw unknownVocabulary(catalog, vocabulary);
    const { view, index } = state;
    const asked = termsIndexOf(index.name, vocabulary, view.trees.generationOf(index.name, vocabulary));
    const { terms: changed, ...completeness } = await state.getOverlay({ kind: "term", vocabulary }, mayBeBehind);
    return {
      ask: makeAsk(state, asked),
      overlay: await termOverlays.makeOverlay(view, { vocabulary, index: asked }, changed),
      view,
      askedAll: state.askedAll,
      ...pickBehind(completeness),
    };
  };
  const openRecords = async (state: SearchedState, mayBeBehind = false): Promise<SearchedRecords<Answer>> => {
    const { view, index } = state;
    const { records, ...completeness } = await state.getOverlay({ kind: "record" }, mayBeBehind);
    const overlay = await recordOverlays.makeOverlay(view, records);
    const ask = makeAsk(state, recordsIndexOf(index.name));
    const asked = { view, ask, askedAll: state.askedAll };
    if (overlay !== undefined) return { ...asked, overlay, ...pickBehind(completeness) };
    return { ...asked, overlay: NOT_OVERLAID, ...pickBehind(await state.without(mayBeBehind)) };
  };
  return {
    searchRecords: async (all, state) => {
      const { searches } = await getKnownIndex(state.view);
      const searched = await openRecords(sharedState(state, all.length), all[0]?.mayBeBehind);
      return Promise.all(all.map((search) => searches.searchRecords(search, searched)));
    },
    searchTerms: async (all, state) => {
      const [first] = all;
      if (first === undefined) return [];
      const { searches } = await getKnownIndex(state.view);
      const searched = await openVocabulary(first, sharedState(state, all.length));
      const pages = await Promise.all(all.map((search) => searches.searchTerms(search, searched)));
      return pages.map((page) => ({ ...page, ...pickBehind(searched) }));
    },
    suggestTerms: async (suggest, state) => {
      const { searches } = await getKnownIndex(state.view);
      const searched = await openVocabulary(suggest, state);
      return { ...(await searches.suggestTerms(suggest, searched)), ...pickBehind(searched) };
    },
    nearestWords: async (where, word, limit, state) => {
      const { searches } = await getKnownIndex(state.view);
      if (where.in === "records") return searches.nearestRecordWords(word, limit, await openRecords(state, true));
      const { vocabulary } = where;
      const searched = await openVocabulary({ vocabulary, mayBeBehind: true }, state);
      return searches.nearestTermWords(vocabulary, word, limit, searched);
    },
    overlaySize: () => ({ records: recordOverlays.size(), terms: termOverlays.size() }),
  };
}

/** Returns a state for several searches, each of which signals that it has sent its reads. */
function sharedState(state: SearchedState, searches: number): SearchedState {
  let remaining = searches;
  const askedAll = (): void => {
    remaining -= 1;
    if (remaining === 0) state.askedAll();
  };
  return { ...state, askedAll };
}

/** Returns a maker of functions that send queries, all of which together share the time limit of the search. */
function makeAskFactory<Answer>(driver: Pick<IndexDriver<Answer>, "search">, searchTimeoutMs: number) {
  return (state: SearchedState, name: string): AskIndex<Answer> => {
    const until = performance.now() + searchTimeoutMs;
    return askTogether<readonly object[], readonly Answer[]>(async (queries) => {
      const remainingMs = Math.ceil(until - performance.now());
      const answers = await driver.search(state.target(name), queries.flat(), remainingMs);
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

/** Data derived from the definition of an index. */
interface KnownIndex<Answer> {
  /** Whether this catalog makes such an index. */
  readonly isUsable: boolean;
  readonly searches: IndexSearches<Answer>;
}

/** Returns the data derived from the definition of a view's index. It is read and computed once per definition. */
type KnownIndexes<Answer> = (view: SourceView) => Promise<KnownIndex<Answer>>;

/** Makes the look-up of an index by its definition. It keeps the last one. */
export function makeKnownIndexes<Answer>(
  format: Pick<IndexFormat, "isUsable">,
  makeSearches: (made: Json) => IndexSearches<Answer>,
): KnownIndexes<Answer> {
  let cached: { readonly digest: string; readonly index: KnownIndex<Answer> } | undefined;
  return async (view) => {
    const { digest } = view.index!;
    if (cached?.digest === digest) return cached.index;
    const made = await view.made();
    const index = { isUsable: format.isUsable(made), searches: makeSearches(made) };
    cached = { digest, index };
    return index;
  };
}
