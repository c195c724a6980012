import type { Catalog } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { askTogether } from "../../ports/ask-together.js";
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
import { type SearchAnswer, searchAll } from "./connection/multi-search.js";
import type { SearchClient } from "./connection/search-client.js";
import type { Overlay, SearchedState } from "./exact-search.js";
import type { MadeMemory } from "./made-memory.js";
import { makeRecordOverlays, NOT_OVERLAID } from "./overlay/record-overlay.js";
import { makeTermOverlays } from "./overlay/term-overlay.js";
import { recordsIndexOf, termsIndexOf } from "./relay/index-set.js";
import type { RecordState } from "./search/make-record-search.js";
import { nearestRecordWords } from "./search/nearest-record-words.js";
import { makeTermSearches, type SearchedVocabulary } from "./vocabulary/make-term-search.js";

/** Searches on one state of the store. */
export interface StateSearches {
  searchRecords(search: RecordSearch, state: SearchedState): Promise<RecordPage>;
  searchTerms(search: TermSearch, state: SearchedState): Promise<TermPage>;
  suggestTerms(suggest: TermSuggest, state: SearchedState): Promise<SuggestPage>;
  nearestWords(where: WordPlace, word: string, limit: number, state: SearchedState): Promise<readonly string[]>;
  /** What is judged beside the index, as of the last search of records, and of each vocabulary. */
  overlaySize(): OverlaySize;
}

export interface OverlaySize {
  readonly records: number;
  readonly terms: number;
}

interface SearchesOptions {
  readonly catalog: Catalog;
  readonly searchTimeoutMs: number;
  /** Changed records, or terms of a vocabulary, that a search judges beside the index at most. */
  readonly overlayMax: number;
  /** Ids that a search of a vocabulary names at most of what stands below one; absent: as `LIMITS` say. */
  readonly belowMax?: number;
}

/** Bytes that the body of a record has which is judged beside the index, in the mean of as many as may be, at most. */
const OVERLAID_BYTES = 32 * 1024;

export function makeStateSearches(
  client: SearchClient,
  { catalog, searchTimeoutMs, overlayMax, belowMax = LIMITS.termsBelowMax }: SearchesOptions,
  made: MadeMemory,
): StateSearches {
  const recordOverlays = makeRecordOverlays(catalog, overlayMax * OVERLAID_BYTES);
  const termOverlays = makeTermOverlays(catalog);
  const terms = makeTermSearches(catalog, belowMax);
  /** All questions of one search together may take so long. */
  const asking = <Answer>(state: SearchedState, name: string) => {
    const until = performance.now() + searchTimeoutMs;
    return askTogether<readonly object[], readonly Answer[]>(async (asked) => {
      const left = Math.ceil(until - performance.now());
      if (left <= 0) throw new SearchRefusal(503, "task_cancelled_exception", "the search took too long");
      const answers = await searchAll<Answer>(client, state.target(name), asked.flat(), left);
      let from = 0;
      return asked.map(({ length }) => {
        from += length;
        return answers.slice(from - length, from);
      });
    });
  };
  const inVocabulary = async (
    { vocabulary, mayBeBehind }: Pick<TermSearch, "vocabulary" | "mayBeBehind">,
    state: SearchedState,
  ): Promise<SearchedVocabulary & HowFar> => {
    if (!catalog.vocabularies.has(vocabulary)) throw unknownVocabulary(catalog, vocabulary);
    const { view, index } = state;
    const asked = termsIndexOf(index.name, vocabulary, view.generationOf(index.name, vocabulary));
    const { terms: changed, ...far } = await state.overlayOf({ kind: "term", vocabulary }, mayBeBehind);
    return {
      ask: asking(state, asked),
      overlay: await termOverlays.overlayOf(view, { vocabulary, index: asked }, changed),
      ...{ view, askedAll: state.askedAll },
      ...behindOf(far),
    };
  };
  const inRecords = async (state: SearchedState, mayBeBehind = false): Promise<RecordState> => {
    const { view, index } = state;
    const { records, ...far } = await state.overlayOf({ kind: "record" }, mayBeBehind);
    const overlay = await recordOverlays.overlayOf(view, records);
    const ask = asking<SearchAnswer>(state, recordsIndexOf(index.name));
    const asked = { view, ask, askedAll: state.askedAll };
    if (overlay !== undefined) return { ...asked, overlay, ...behindOf(far) };
    return { ...asked, overlay: NOT_OVERLAID, ...behindOf(await state.without(mayBeBehind)) };
  };
  return {
    searchRecords: async (search, state) => {
      const { searchRecords } = await made(state.view);
      return searchRecords(search, await inRecords(state, search.mayBeBehind));
    },
    searchTerms: async (search, state) => {
      const where = await inVocabulary(search, state);
      return { ...(await terms.searchTerms(search, where)), ...behindOf(where) };
    },
    suggestTerms: async (suggest, state) => {
      const where = await inVocabulary(suggest, state);
      return { ...(await terms.suggestTerms(suggest, where)), ...behindOf(where) };
    },
    nearestWords: async (where, word, limit, state) => {
      if (where.in === "records") return nearestRecordWords(word, limit, await inRecords(state, true));
      const { vocabulary } = where;
      return terms.nearestWords(vocabulary, word, limit, await inVocabulary({ vocabulary, mayBeBehind: true }, state));
    },
    overlaySize: () => ({ records: recordOverlays.size(), terms: termOverlays.size() }),
  };
}

type HowFar = Pick<Overlay, "behind">;

const behindOf = ({ behind }: HowFar): HowFar => (behind === undefined ? {} : { behind });

const unknownVocabulary = ({ vocabularies }: Catalog, vocabulary: string): Error =>
  fail("VOCABULARY_NOT_FOUND", { vocabulary, known: [...vocabularies.keys()] });
