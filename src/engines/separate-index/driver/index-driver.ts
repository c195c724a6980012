/**
 * The interface between a separate index and the search engine that stores it. A driver for another search engine
 * implements `SearchEngine`: requests to the server (`IndexDriver`), the form of documents (`IndexFormat`) and searches
 * (`IndexSearches`). The driver decides nothing about exactness. This folder decides which documents are written when,
 * what searches may show, and when an index is made or dropped.
 *
 * The proof in `search/exact-search.ts` needs the following from the search engine:
 *
 * - After a refresh, every copy that answers searches shows all earlier writes. Showing them earlier is allowed.
 * - A write never replaces a document with a greater version. The version of a removed document counts too, at least
 * for an hour, in which a repeated write of an older version may arrive.
 * - A point in time shows the same documents until it is closed.
 * - Reading the mark of an index returns what was written last, without a refresh.
 */

import { createHash } from "node:crypto";
import type { Vocabulary } from "../../../core/catalog/types.js";
import type { Json } from "../../../core/json.js";
import type { PlacedTerm, SourceRecord, TermLineage } from "../../../ports/index-documents.js";
import type { IndexMark, SourceView } from "../../../ports/index-source.js";
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

/** A search engine with the indexes of one catalog. `Answer`: its answer to one query in its own language. */
export interface SearchEngine<Answer = unknown> {
  readonly driver: IndexDriver<Answer>;
  readonly format: IndexFormat;
  /** Makes the searches of an index with this definition, see `IndexFormat.define`. */
  makeSearches(made: Json): IndexSearches<Answer>;
}

/**
 * Requests to the search engine. All of them throw BinderyError SEARCH_UNAVAILABLE for failures that pass or that an
 * operator can mend. `recordsIndexOf` and `termsIndexOf` name indexes; a pattern is a name, or a prefix and `*`.
 */
export interface IndexDriver<Answer = unknown> {
  /** Name of the search engine in messages. */
  readonly engineName: string;

  /**
   * Sends queries to one target and returns the answers in their order.
   * @param timeoutMs remaining time of the search; if it is not positive, or ends meanwhile, the search fails as too
   * costly
   */
  search(target: SearchTarget, queries: readonly object[], timeoutMs: number): Promise<readonly Answer[]>;
  /** Opens a point in time of one index. An incomplete one is an error. */
  openPoint(index: string): Promise<PointInTime>;
  /** Returns the digests of all documents of records in a range of rows, in any order. */
  recordSums(target: SearchTarget, rows: KeyRange<number>): Promise<readonly RecordSum[]>;
  /** Returns the digests and regions of all documents of terms in a range of ids, in any order. */
  termSums(target: SearchTarget, ids: KeyRange<string>): Promise<readonly TermSum[]>;

  /**
   * Writes and removes documents, which are made one after the other while they are sent.
   * @returns the documents that the index will always refuse. Every other failure to write a document is thrown.
   */
  write(writes: Iterable<DocumentWrite>): Promise<readonly RefusedDocument[]>;
  /** Makes all earlier writes visible to searches. @throws BinderyError SEARCH_UNAVAILABLE if a copy lacks them */
  refresh(pattern: string): Promise<void>;

  /** Creates the mark of an index, which `drop` removes with all other parts. @throws if it exists */
  createMark(name: string, mark: IndexMark): Promise<void>;
  /** Reads the last written mark; undefined if there is none. */
  readMark(name: string): Promise<StoredMark | undefined>;

  /** Creates an empty index of records; an existing one stays. @param made see `IndexFormat.define` */
  createRecordIndex(index: string, shards: number, made: Json): Promise<void>;
  /** Creates an empty index of a vocabulary; an existing one stays. */
  createTermIndex(index: string, shards: number, vocabulary: Vocabulary): Promise<void>;
  /** Adds to an index of records what an extended definition has and it lacks, see `IndexFormat.extend`. */
  extendRecordIndex(index: string, made: Json): Promise<void>;
  /** Returns the names of existing indexes with a prefix. */
  list(prefix: string): Promise<readonly string[]>;
  /** Returns the names of indexes with a prefix that this driver created, not those that a late write created. */
  listOwn(prefix: string): Promise<readonly string[]>;
  /** Returns the number of shards of an index; undefined if there is no such index. */
  countShards(index: string): Promise<number | undefined>;
  /** Drops indexes; missing ones are not an error. */
  drop(pattern: string): Promise<void>;

  close(): Promise<void>;
}

/** Target of a search: an index as it is, or a point in time of one. */
export type SearchTarget = { readonly index: string } | { readonly point: string };

/** A snapshot of an index. */
export interface PointInTime {
  readonly index: string;
  readonly target: SearchTarget;
  /** Never fails: a point that is not closed expires. */
  close(): Promise<void>;
}

/** A range of keys. An absent end is open. */
export interface KeyRange<Key> {
  readonly after: Key;
  readonly upTo: Key | undefined;
}

/** A stored document of a record. An absent member is "". */
export interface RecordSum {
  readonly id: string;
  readonly state: string;
  /** See `IndexDocument`. */
  readonly sum: string;
}

/** A stored document of a term, with its region. */
export interface TermSum {
  readonly id: string;
  readonly sum: string;
  readonly region: string | undefined;
}

/** A document to write or remove. An existing document with a greater `version` stays unchanged. */
export type DocumentWrite = DocumentPlace & ({ readonly document: string } | { readonly removed: true });

/** The index and the key of a document. */
export interface DocumentPlace {
  readonly index: string;
  /** See `recordDocumentKey` and `termDocumentKey`. */
  readonly id: string;
  readonly version: number;
}

/** A document that the index always refuses. */
export interface RefusedDocument {
  readonly index: string;
  readonly id: string;
  readonly reason: string;
}

/** The mark of an index as it was read. */
export interface StoredMark extends IndexMark {
  /** Replaces it. @returns false, without a change, if the mark was replaced since it was read */
  replace(mark: IndexMark): Promise<boolean>;
}

/** A document as sent, with the digest of its content. */
export interface IndexDocument {
  readonly json: string;
  /** The document contains it, so that two documents can be compared by it. */
  readonly sum: string;
}

/** Makes the document of a record, as a function of one view of the store. */
export type MakeRecordDocument = (source: SourceRecord, lineage: TermLineage) => IndexDocument;

/**
 * The form of the documents of a catalog. Pure. A *definition* says what the documents of an index depend on besides
 * the data; the store keeps it as `IndexState.made`, and only the format reads it.
 */
export interface IndexFormat {
  /**
   * Returns the definition of an index of this catalog.
   * @param previous definition of an existing index: what that has numbered keeps its numbers
   */
  define(previous?: Json): Json;
  /** Returns whether the documents of an index would be the same today, except for declarations that it lacks. */
  isUsable(made: Json): boolean;
  /** Returns the definition of a usable index with the declarations that it lacks; undefined if it lacks none. */
  extend(made: Json): Json | undefined;
  /** Returns the vocabularies that an index has. */
  vocabulariesOf(made: Json): readonly string[];
  /** Returns the maker of the documents of records for an index. */
  recordDocuments(made: Json): MakeRecordDocument;
  /** Returns the document of a term. The digest does not cover its region, which may be outdated. */
  termDocument(term: PlacedTerm, vocabulary: Vocabulary): IndexDocument;
}

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
  readonly view: Pick<SourceView, "readBodies" | "readRecords" | "trees">;
  readonly overlay: RecordOverlay;
  /** Number of changes that neither the index nor the overlay has; undefined: none. */
  readonly behind?: number;
}

/** One state of the store, with the index and the overlay that answer for the terms of a vocabulary. */
export interface SearchedVocabulary<Answer> extends SearchedIndexState<Answer> {
  readonly view: Pick<SourceView, "readTerms" | "shownTerms" | "trees">;
  readonly overlay: TermOverlay;
}

/**
 * Searches of an index in the language of its engine. Every query excludes the ids of the overlay, and the answer adds
 * what the overlay finds in memory (`RecordOverlay.judge`, `TermTest`): totals, pages and facets are exact. A
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

/** Returns the name of the index of records. */
export const recordsIndexOf = (name: string): string => `${name}-records`;

/** Returns the name of the index of a vocabulary. @param generation see `TermTrees.generationOf` */
export const termsIndexOf = (name: string, vocabulary: string, generation: number): string =>
  `${name}-terms-${vocabulary}${generation === 0 ? "" : `-${generation}`}`;

/** Returns the pattern of everything that belongs to an index. */
export const allPartsOf = (name: string): string => `${name}-*`;

/** Separates the id of a record from its state in the key of a document; no id contains it. */
const STATE_SEPARATOR = "~";

/** Returns the key of the document of a record. */
export const recordDocumentKey = ({ id, state }: { readonly id: string; readonly state: string }): string =>
  `${id}${STATE_SEPARATOR}${state}`;

/** Parses the result of `recordDocumentKey`. */
export function readRecordDocumentKey(key: string): { readonly id: string; readonly state: string } {
  const end = key.lastIndexOf(STATE_SEPARATOR);
  return { id: key.slice(0, end), state: key.slice(end + STATE_SEPARATOR.length) };
}

/** Maximum size of the key of a document, which search engines limit. */
const KEY_BYTES_MAX = 512;

/** Returns the key of the document of a term. Long ids are hashed. */
export function termDocumentKey(id: string): string {
  if (Buffer.byteLength(id) <= KEY_BYTES_MAX) return id;
  return `sha256:${createHash("sha256").update(id).digest("hex")}`;
}
