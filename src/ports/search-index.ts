import type { StoredRecord } from "../core/record.js";
import type { StoredTerm } from "../core/term.js";
import type { Clause } from "../query/index-model/clause.js";
import type { ListedBuckets, ListedKeys } from "../query/index-model/list-buckets.js";
import type { MatchingValue } from "../query/ranking/matching-value.js";
import type { SortKey } from "../query/ranking/sort-keys.js";
import type { RecordReader, TermFinder } from "./store.js";

/** The records that a caller may find. The engine applies the scope inside the query, never afterwards. */
export type RecordScope =
  /** The latest published version of each record; with `allVersions` each published one. */
  | { readonly kind: "public"; readonly models: readonly string[]; readonly allVersions?: boolean | undefined }
  /** The user's own records: each draft, and each latest (`allVersions`: each) published record without a draft. */
  | ({ readonly kind: "owner"; readonly owner: string; readonly allVersions?: boolean | undefined } & OwnScope)
  /** Drafts that are shared with the user. */
  | ({ readonly kind: "shared"; readonly user: string } & OwnScope)
  /** The drafts of all users, for curators. */
  | ({ readonly kind: "drafts" } & OwnScope)
  | ReadableScope;

/**
 * All records that a caller may read: published records as in `public`, and drafts, so that an edited record occurs
 * twice. `user`: drafts that the user owns or that are shared with the user; absent: drafts of all users.
 */
export interface ReadableScope {
  readonly kind: "readable";
  readonly models: readonly string[];
  readonly user?: string;
  readonly allVersions?: boolean;
}

interface OwnScope {
  readonly models: readonly string[];
  /** Only drafts of published records (true), or only drafts of records that were never published (false). */
  readonly isPublished?: boolean | undefined;
}

/** A window of hits (`offset + limit` at most `LIMITS.pageWindowMax`), or the hits after a key (null: the first). */
export type PageWindow =
  | { readonly offset: number; readonly limit: number }
  | { readonly after: SortKey | null; readonly limit: number };

/** A requested facet. Its selected values are combined by OR, several facets by AND. */
export interface FacetRequest {
  /** Name in the models of the scope or in the vocabulary; the facet covers all paths of this name. */
  readonly name: string;
  /** Maximum number of buckets; 0 if the facet only filters. */
  readonly size: number;
  /** Keys or ranges that filter; empty: no filter. `facetClause` defines their meaning, except for texts. */
  readonly selected: readonly string[];
  /** Histograms: number of equal steps instead of the declared ones. All of them are listed, regardless of `size`. */
  readonly steps?: number;
  /** Terms and trees: lists other buckets than the largest and the selected ones. */
  readonly listed?: ListedKeys | undefined;
}

/**
 * The counts of a facet. A hit counts once in each of its buckets. `listTop` selects the listed buckets, `listTree`
 * those of a tree, `listSteps` those of equal steps; `withRanges` adds the selected ranges. `ListedKeys` selects
 * others.
 */
export interface FacetCounts extends ListedBuckets {
  readonly name: string;
  /** Histograms: the minimum and maximum of the counted numbers; absent if there are none. */
  readonly min?: number;
  readonly max?: number;
}

/** The words of a query without syntax, for the ranking steps of `bestmatch` that compare whole titles and ids. */
export type PlainWords = readonly string[];

/**
 * Sorts by the smallest (or largest) number or date of a record at one of the paths, then by the newest record. Records
 * without a value come last.
 */
export interface ValueSort {
  readonly by: readonly string[];
  readonly first: "smallest" | "largest";
}

/** A search of an index that may lack recent changes of its store. */
interface MayBeBehind {
  /** Whether the answer may lack the last changes. Absent: the answer is exact, or the search fails. */
  readonly mayBeBehind?: boolean;
}

/** The part of an answer that says whether it lacks changes. */
interface HowFarBehind {
  /**
   * Number of changes missing from the answer: hits, total and facets are those of the index, except that hits which
   * the caller may no longer find are removed. Absent: the answer is exact.
   */
  readonly behind?: number | undefined;
}

/** A search for records. */
export interface RecordSearch extends MayBeBehind {
  readonly clause: Clause;
  readonly plain?: PlainWords | undefined;
  readonly scope: RecordScope;
  readonly facets: readonly FacetRequest[];
  /** `newest`, `oldest`: by `created`, which never changes. */
  readonly sort: "newest" | "oldest" | "bestmatch" | ValueSort;
  readonly page: PageWindow;
}

/** A page of records. */
export interface RecordPage extends HowFarBehind {
  /** Best first, in a total order: the id breaks ties. */
  readonly hits: readonly StoredRecord[];
  /** Number of all matches; exact unless `behind` is set. */
  readonly total: number;
  readonly facets: readonly FacetCounts[];
  /** Key of the last hit; absent if no hit follows. */
  readonly next?: SortKey | undefined;
}

/** A search for the terms of a vocabulary. */
export interface TermSearch extends MayBeBehind {
  readonly vocabulary: string;
  readonly clause: Clause;
  readonly plain?: PlainWords | undefined;
  /** Last words of a URL in the query (`identifierTail`). They find the term whose identifier ends the URL. */
  readonly url?: readonly string[] | undefined;
  /** Only children of this term, or only descendants of this term. */
  readonly parent?: string;
  readonly ancestor?: string;
  readonly facets: readonly FacetRequest[];
  /** `mostcited`: by the number of published records that cite the term, then in the static order of `bestmatch`. */
  readonly sort: "newest" | "oldest" | "title" | "bestmatch" | "mostcited";
  /** Language of the title order. */
  readonly lang: string;
  readonly page: PageWindow;
}

/** A page of terms. */
export interface TermPage extends HowFarBehind {
  readonly hits: readonly StoredTerm[];
  readonly total: number;
  readonly facets: readonly FacetCounts[];
  readonly next?: SortKey | undefined;
}

/** A request for suggestions of terms. */
export interface TermSuggest extends MayBeBehind {
  readonly vocabulary: string;
  /** Raw text as typed; the last word is a prefix. Never empty after analysis. */
  readonly text: string;
  readonly parent?: string;
  readonly ancestor?: string;
  readonly facets: readonly FacetRequest[];
  readonly lang: string;
  readonly page: PageWindow;
}

/** A page of suggested terms. */
export interface SuggestPage extends HowFarBehind {
  readonly hits: readonly (StoredTerm & { readonly matched: MatchingValue })[];
  readonly total: number;
  readonly facets: readonly FacetCounts[];
  readonly next?: SortKey | undefined;
}

/** The source of words: all records, or the terms of a vocabulary. */
export type WordScope = { readonly in: "records" } | { readonly in: "terms"; readonly vocabulary: string };

/** Filling of an engine's cache in advance. */
export interface Preloading {
  /** Returns whether more can be cached without evicting anything. */
  hasRoom(): boolean;
  /** Caches the words that `nearestWords` searches. */
  loadWords(where: WordScope): Promise<void>;
}

/**
 * A snapshot of store and index. It takes disk space while it is open, because new writes cannot reuse the space of
 * data that it still shows.
 */
export interface StoreSnapshot {
  readonly index: Omit<SearchIndex, "openSnapshot" | "close">;
  readonly records: RecordReader;
  readonly terms: TermFinder;
  /** Returns the size of the log that cannot be written back because of this snapshot or another one, in bytes. */
  heldBytes(): number;
  close(): void;
}

/** Searches that share one state of the store, and requests. They are answered in their order. */
interface SearchesTogether {
  searchRecords(searches: readonly RecordSearch[]): Promise<readonly RecordPage[]>;
  /** @param searches of one vocabulary */
  searchTerms(searches: readonly TermSearch[]): Promise<readonly TermPage[]>;
}

/** A search index of records and terms. */
export interface SearchIndex {
  /** @throws BinderyError QUERY_TOO_COSTLY (over the time limit), SEARCH_UNAVAILABLE */
  searchRecords(search: RecordSearch): Promise<RecordPage>;
  searchTerms(search: TermSearch): Promise<TermPage>;
  suggestTerms(suggest: TermSuggest): Promise<SuggestPage>;
  /**
   * Returns at most `limit` words of the index within two edits of an unknown word, nearest first, then most frequent.
   * The words come from all records, including those that the caller may not read: search for a word before showing it.
   * An index that is far behind its store uses the words that it has.
   */
  nearestWords(where: WordScope, word: string, limit: number): Promise<readonly string[]>;
  /**
   * Returns those of the words that texts of the index have; it may return others too. Absent if the index cannot tell
   * faster than it searches.
   */
  readonly knownWords?: (where: WordScope, words: readonly string[]) => Promise<readonly string[]>;
  /** Absent if several searches together take as long as one after the other. */
  readonly together?: SearchesTogether;
  /** Opens a snapshot, which contains all acknowledged writes. Its searches are exact. */
  openSnapshot(): Promise<StoreSnapshot>;
  /** Absent if filling a cache in advance does not make searches faster. */
  readonly preloading?: Preloading;
  close(): Promise<void>;
}
