import type { SourceView } from "../../../ports/index-source.js";
import type {
  RecordPage,
  RecordSearch,
  SuggestPage,
  TermPage,
  TermSearch,
  TermSuggest,
} from "../../../ports/search-index.js";
import type { RecordOverlay } from "../overlay/record-overlay.js";
import type { TermOverlay } from "../overlay/term-overlay.js";

/** Sends queries to the index of a state, within the time limit of the search. */
export type AskIndex<Answer> = (queries: readonly object[]) => Promise<readonly Answer[]>;

/** The index of one state. */
interface SearchedIndexState<Answer> {
  readonly ask: AskIndex<Answer>;
  /** See `SearchedState`. */
  askedAll(): void;
}

/** One state of the store, with the index and the overlay that answer for its records. */
export interface SearchedRecords<Answer> extends SearchedIndexState<Answer> {
  readonly view: Pick<SourceView, "bodiesOf" | "recordsOf" | "trees">;
  readonly overlay: RecordOverlay;
  /** Number of changes that neither the index nor the overlay has; undefined: none. */
  readonly behind?: number;
}

/** One state of the store, with the index and the overlay that answer for the terms of a vocabulary. */
export interface SearchedVocabulary<Answer> extends SearchedIndexState<Answer> {
  readonly view: Pick<SourceView, "termsOf" | "shownTerms" | "trees">;
  readonly overlay: TermOverlay;
}

/**
 * Searches of an index in the language of its engine. Every query excludes the ids of the overlay, and the answer adds
 * what the overlay finds in memory (`RecordOverlay.judge`, `makeDocumentFilter`): totals, pages and facets are exact. A
 * search calls `askedAll` when it has sent its last query and its last read of the view.
 *
 * @throws BinderyError QUERY_TOO_COSTLY, CURSOR_INVALID, ANSWER_TOO_LARGE
 */
export interface IndexSearches<Answer> {
  searchRecords(search: RecordSearch, state: SearchedRecords<Answer>): Promise<RecordPage>;
  /** Returns words of records within two edits, regardless of who may see these; see `SearchIndex.nearestWords`. */
  nearestRecordWords(
    word: string,
    limit: number,
    state: Pick<SearchedRecords<Answer>, "ask" | "overlay">,
  ): Promise<readonly string[]>;
  searchTerms(search: TermSearch, state: SearchedVocabulary<Answer>): Promise<TermPage>;
  suggestTerms(suggest: TermSuggest, state: SearchedVocabulary<Answer>): Promise<SuggestPage>;
  nearestTermWords(
    vocabulary: string,
    word: string,
    limit: number,
    state: SearchedVocabulary<Answer>,
  ): Promise<readonly string[]>;
}
