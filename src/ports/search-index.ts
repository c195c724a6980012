import type { StoredRecord } from "../core/record.js";
import type { StoredTerm } from "../core/term.js";
import type { Clause } from "../query/index-model/clause.js";
import type { ListedBuckets, ListedKeys } from "../query/index-model/list-buckets.js";
import type { SortKey } from "../query/ranking/sort-keys.js";
import type { Matched } from "../query/ranking/what-matched.js";
import type { RecordReader, TermFinder } from "./store.js";

/** Which records a caller may find. The engine applies it inside the query, never afterwards. */
export type RecordScope =
  /** The latest published version of each record; with `allVersions` each published one. */
  | { readonly kind: "public"; readonly models: readonly string[]; readonly allVersions?: boolean }
  /** What the user owns: each draft, and each latest (`allVersions`: each) published record that has none. */
  | ({ readonly kind: "owner"; readonly owner: string; readonly allVersions?: boolean } & OwnScope)
  /** Drafts that are shared with the user. */
  | ({ readonly kind: "shared"; readonly user: string } & OwnScope)
  /** The drafts of everybody: for curators. */
  | ({ readonly kind: "drafts" } & OwnScope)
  | ReadableScope;

/**
 * What somebody may read: published records as in `public`, and drafts beside them, so that an edited record is there
 * twice. `user`: the drafts that the user owns, and those that are shared with the user; absent: those of everybody.
 */
export interface ReadableScope {
  readonly kind: "readable";
  readonly models: readonly string[];
  readonly user?: string;
  readonly allVersions?: boolean;
}

interface OwnScope {
  readonly models: readonly string[];
  /** Only of ids that have a published record (true), or only of those that have none. */
  readonly isPublished?: boolean;
}

/** A window of hits (`offset + limit` at most `LIMITS.pageWindowMax`), or the hits after a key (null: the first). */
export type Page =
  | { readonly offset: number; readonly limit: number }
  | { readonly after: SortKey | null; readonly limit: number };

/** Values of one facet that are asked for: OR among them, AND between facets. */
export interface FacetRequest {
  /** As the models of the scope, or the vocabulary, declare it: over all of their paths of this name. */
  readonly name: string;
  /** Buckets wanted at most; 0 where the facet only filters. */
  readonly size: number;
  /** Keys that filter, or ranges; empty: no filter. What they mean, texts excepted, says `facetClause`. */
  readonly selected: readonly string[];
  /** Of a histogram: as many equal steps instead of the declared ones. All of them are listed, whatever `size` says. */
  readonly steps?: number;
  /** Lists other buckets than the largest and the selected ones. Of terms and trees. */
  readonly listed?: ListedKeys;
}

/**
 * A hit counts once in each of its buckets. `listTop` says which are listed, of a tree `listTree`, of equal steps
 * `listSteps`; selected ranges are added to them (`withRanges`). `listed` names others: see `ListedKeys`.
 */
export interface FacetCounts extends ListedBuckets {
  readonly name: string;
  /** Of a histogram: the smallest and the largest number that was counted; absent where there was none. */
  readonly min?: number;
  readonly max?: number;
}

/** The query's words where it is nothing but words: for the steps of `bestmatch` that look at whole titles and ids. */
export type PlainWords = readonly string[];

/**
 * By the smallest (or the largest) number or date that a record has at one of the paths; then the newest first. Records
 * without one are the last.
 */
export interface ValueSort {
  readonly by: readonly string[];
  readonly first: "smallest" | "largest";
}

/** A search of an index that may be behind its store. */
interface MayBeBehind {
  /** Is an answer that lacks the last changes better than none? Absent: it is exact, or refused. */
  readonly mayBeBehind?: boolean;
}

/** What a search that may be behind answers with. */
interface HowFarBehind {
  /**
   * So many changes the answer lacks: hits, total and facets are those of the index as it is, except that nothing is
   * among the hits that the caller may not find any more. Absent: it is exact.
   */
  readonly behind?: number;
}

export interface RecordSearch extends MayBeBehind {
  readonly clause: Clause;
  readonly plain?: PlainWords;
  readonly scope: RecordScope;
  readonly facets: readonly FacetRequest[];
  /** `newest`, `oldest`: by `created`; nothing that happens to the record later moves it. */
  readonly sort: "newest" | "oldest" | "bestmatch" | ValueSort;
  readonly page: Page;
}

export interface RecordPage extends HowFarBehind {
  /** Best first, a total order: ties end with the id. */
  readonly hits: readonly StoredRecord[];
  /** All matches; exact, unless it is `behind`. */
  readonly total: number;
  readonly facets: readonly FacetCounts[];
  /** Key of the last hit; absent where no hit follows it. */
  readonly next?: SortKey;
}

export interface TermSearch extends MayBeBehind {
  readonly vocabulary: string;
  readonly clause: Clause;
  readonly plain?: PlainWords;
  /** Last words of a URL in the query (`identifierTail`). They find the term whose identifier ends the URL. */
  readonly url?: readonly string[];
  /** Only children of this item; only descendants of this item. */
  readonly parent?: string;
  readonly ancestor?: string;
  readonly facets: readonly FacetRequest[];
  readonly sort: "newest" | "oldest" | "title" | "bestmatch";
  /** Language of the title order. */
  readonly lang: string;
  readonly page: Page;
}

export interface TermPage extends HowFarBehind {
  readonly hits: readonly StoredTerm[];
  readonly total: number;
  readonly facets: readonly FacetCounts[];
  readonly next?: SortKey;
}

export interface TermSuggest extends MayBeBehind {
  readonly vocabulary: string;
  /** Raw text as typed; the last word is a prefix. Never empty after analysis. */
  readonly text: string;
  readonly parent?: string;
  readonly ancestor?: string;
  readonly facets: readonly FacetRequest[];
  readonly lang: string;
  readonly page: Page;
}

export interface SuggestPage extends HowFarBehind {
  readonly hits: readonly (StoredTerm & { readonly matched: Matched })[];
  readonly total: number;
  readonly facets: readonly FacetCounts[];
  readonly next?: SortKey;
}

/** Whose words: of all records, or of the items of a vocabulary. */
export type WordPlace = { readonly in: "records" } | { readonly in: "terms"; readonly vocabulary: string };

/** What an engine can read into its cache before it is asked for. */
export interface Preloading {
  /** Can more be cached without evicting anything? */
  hasRoom(): boolean;
  /** Caches the words that `nearestWords` looks through. */
  loadWords(where: WordPlace): Promise<void>;
}

/**
 * One state of store and index, which stays the same while others write. It costs room as long as it is open: what is
 * written meanwhile cannot take the place of anything that it still shows.
 */
export interface StoreSnapshot {
  readonly index: Omit<SearchIndex, "openSnapshot" | "close">;
  readonly records: RecordReader;
  readonly terms: TermFinder;
  /** Bytes that were written and cannot be put in their place, because of this snapshot or of another one. */
  heldBytes(): number;
  close(): void;
}

export interface SearchIndex {
  /** @throws BinderyError QUERY_TOO_COSTLY (over the time limit), SEARCH_UNAVAILABLE */
  searchRecords(search: RecordSearch): Promise<RecordPage>;
  searchTerms(search: TermSearch): Promise<TermPage>;
  suggestTerms(suggest: TermSuggest): Promise<SuggestPage>;
  /**
   * Words of the index within two edits of one that it does not have, nearest first, then the more frequent, at most
   * `limit`. Of records it knows the words of all, whoever may see them: what is shown must be searched for before. An
   * index that is far behind its store answers with the words that it has.
   */
  nearestWords(where: WordPlace, word: string, limit: number): Promise<readonly string[]>;
  /** The state of this moment: every write that was acknowledged before is in it. No search of it is behind. */
  openSnapshot(): Promise<StoreSnapshot>;
  /** Of an engine that caches: absent where nothing that is done before makes a search quicker. */
  readonly preloading?: Preloading;
  close(): Promise<void>;
}
