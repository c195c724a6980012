/** What an index that lies beside the store reads of it. The store is the truth, and knows how far each index is. */
import type { Json } from "../core/json.js";
import type { StoredRecord } from "../core/record.js";
import type { StoredTerm, TermContent } from "../core/term.js";
import type { AssumedTerm } from "../query/index-model/leaves.js";
import type { Leadership } from "./leadership.js";
import type { RecordReader, TermFinder, TermReference } from "./store.js";

/** How far an index is, as numbers of changes. */
export interface IndexMarks {
  /** A search of any copy shows every change up to this one. */
  readonly applied: number;
  /** No search of any copy shows a change after this one. */
  readonly begun: number;
}

/** An index as the store knows it. */
export interface IndexState extends IndexMarks {
  /** Begins the names of everything that belongs to it. */
  readonly name: string;
  /** Another one for each index that was ever made: names may be given again. Of one that older versions made: "". */
  readonly epoch: string;
  /** What it was made with, as its engine says it: numbers of paths, version of the analysis, mapping. */
  readonly made: Json;
  /** Another one for all that is `made` otherwise. */
  readonly digest: string;
  /** Do searches ask it? */
  readonly isCurrent: boolean;
  /** While it is made: the row of the last record that is in it. Absent: all were. */
  readonly scanned?: number;
}

/** The index that searches ask. */
export type SearchedIndex = Pick<IndexState, "name" | "epoch" | "digest" | "begun" | "applied">;

/**
 * What an index says of itself, beside what the store says of it. `begun` is never above that of the store, which is
 * noted first: if it is, the store was put back to an older state than the index was made of. It is never below
 * `applied`, which the store notes last: if it is, the index was put back, or has lost what was written.
 */
export type IndexMark = Pick<IndexState, "epoch" | "begun">;

/** What a new index begins with. */
export interface NewIndex extends Omit<IndexState, "digest" | "isCurrent"> {
  /** The large terms of each vocabulary that its documents are made with, see `Below`; others have none. */
  readonly large: ReadonlyMap<string, readonly string[]>;
}

/** A record as an index takes it. */
export interface SourceRecord {
  readonly record: StoredRecord;
  /** Its place in the order in which records were first committed. */
  readonly row: number;
  /** The last change of the record itself. */
  readonly seq: number;
  readonly isLatest: boolean;
  /** Has the id the other state too? */
  readonly hasTwin: boolean;
  /** Ids of the users that a draft is shared with. */
  readonly sharedWith: readonly string[];
  /** The terms that it cites, as they are now. */
  readonly terms: readonly AssumedTerm[];
}

/** A term as an index takes it. */
export interface SourceTerm {
  readonly content: TermContent;
  readonly revision: number;
  /** Microseconds since 1970 UTC. */
  readonly created: number;
  /** Its static rank, see `RankKey`. */
  readonly status: number;
  readonly prior: number;
  readonly length: number;
  /** How many latest published records cite it, or an id that it replaced. */
  readonly citedBy: number;
}

/** A term with the region of an index that it stands in, see `Below`; absent: in none. */
export interface PlacedTerm extends SourceTerm {
  readonly region?: string;
}

/**
 * What stands below an id, as an index finds it: items with some ids, and those in some regions but for a few. A region
 * is all that stands below a large term, and below no other one between. Which terms these are does not change as long
 * as the documents of a vocabulary are not made anew, and each of them has the region of its item; though not always
 * the one of now.
 */
export interface Below {
  readonly ids: readonly string[];
  /** Large terms: all items for which the index says one of them are below too, ... */
  readonly regions: readonly string[];
  /** ... but for these, and the id itself. */
  readonly elsewhere: readonly string[];
}

export interface BelowRequest {
  readonly vocabulary: string;
  /** It need not be there. */
  readonly id: string;
  /** Most ids that each part of the answer may have. */
  readonly limit: number;
  /** Items that the index may have otherwise, as they are: of these those below are among `ids`. */
  readonly changed: readonly { readonly id: string; readonly parent?: string }[];
}

/** A record, in whatever state, or a term that an index may have otherwise than the store; `seq`: since that change. */
export interface ChangedRecord {
  readonly id: string;
  readonly seq: number;
}

export interface ChangedTerm extends TermReference {
  readonly seq: number;
}

/** An import of very many terms, which are read in parts. */
export interface LargeImport {
  readonly vocabulary: string;
  readonly number: number;
}

/** A term of an import, and its place there. */
export interface ImportedTerm {
  readonly n: number;
  readonly id: string;
}

/** What changed after one change, up to another one. */
export interface ChangesSince {
  /** The last change that was looked at; of an import all of its terms. */
  readonly upTo: number;
  /** Each once, with its last change. */
  readonly records: readonly ChangedRecord[];
  readonly terms: readonly ChangedTerm[];
  /** The last change is this import, whose terms are not among these. */
  readonly large?: LargeImport;
}

/** Where items of hierarchies stand. */
export interface Lineage {
  /** The id above, which its vocabulary need not have; undefined: none, or none was asked for. */
  parentOf(vocabulary: string, id: string): string | undefined;
}

/** What a search is about: records, or the terms of a vocabulary. */
export type Overlaid = { readonly kind: "record" } | { readonly kind: "term"; readonly vocabulary: string };

/** A document that the index refuses for itself. It is judged beside the index for ever. */
export interface IndexFailure {
  readonly kind: "record" | "term";
  /** The vocabulary of a term. */
  readonly place?: string;
  readonly id: string;
  readonly reason: string;
}

/** Items of a vocabulary, in the order of their ids, as a load leaves them. */
export interface LoadedItems {
  after(id: string, limit: number): Promise<readonly PlacedTerm[]>;
}

/** What an index has of a vocabulary, made anew beside what searches ask. */
export interface BuiltGeneration {
  /** Writes items that were cited meanwhile again, and lets searches see all. @returns what the index refuses */
  finish(again: readonly PlacedTerm[]): Promise<readonly IndexFailure[]>;
}

/** Makes generations of a vocabulary for loads: these and their items can be seen together, or not yet. */
export interface GenerationBuilder {
  /** A load that changes fewer items is a change like any other. */
  readonly itemsMin: number;
  /** Are the documents of an index that was made with this the ones that would be made now? */
  takes(made: Json): boolean;
  /** A term with more items below it is a large one, see `Below`. */
  readonly largeAbove: number;
  /** @throws BinderyError SEARCH_UNAVAILABLE: the load fails */
  build(index: string, vocabulary: string, generation: number, items: LoadedItems): Promise<BuiltGeneration>;
}

/** How much is read at once: so many records, of which the bodies have so many bytes; a single one may have more. */
export interface ReadExtent {
  readonly records: number;
  readonly bytes: number;
}

/** One state of the store, which stays the same while others write. It holds a connection until it is closed. */
export interface SourceView {
  /** The last change that it shows. */
  readonly head: number;
  /** Another one after each start of the database, and where it, or what it says of indexes, was made anew. */
  readonly run: string;
  /**
   * The index that searches ask now, or if that one cannot be asked, the newest one that has all records; without what
   * it was made with. Undefined: there is none yet.
   */
  readonly index: SearchedIndex | undefined;
  /** Of what an index has of a vocabulary: 0 is what it was made with, and large loads make the next ones. */
  generationOf(index: string, vocabulary: string): number;
  /** What it was made with. */
  made(): Promise<Json>;
  readonly records: RecordReader;
  readonly terms: TermFinder;
  /**
   * What changed after a change, and what the index has refused. Records change with the terms that they cite too.
   * @param limit of changes that are looked at, and less where imports among them have many terms
   * @param index absent: the one that searches ask
   */
  changesSince(after: number, limit: number, index?: string): Promise<ChangesSince>;
  /** Terms of an import in the order of their places, beyond `n`. */
  importedAfter(number: number, n: number, limit: number): Promise<readonly ImportedTerm[]>;
  /** Returns how many public changes there are after a change. */
  countPublic(after: number): Promise<number>;
  /** The same as `changesSince` of records, or of the terms of a vocabulary; undefined: they are more than `limit`. */
  overlaySince(
    after: number,
    of: Overlaid,
    limit: number,
  ): Promise<Pick<ChangesSince, "records" | "terms"> | undefined>;
  /** How many bytes the bodies of records have, all states of an id together; those that are not there are left out. */
  bytesOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** All states of records, in the order of their ids; those that are not there are left out. */
  recordsOf(ids: readonly string[]): Promise<readonly SourceRecord[]>;
  /** Records in the order of their rows, beyond `row`; none: there are no more. */
  recordsAfter(row: number, extent: ReadExtent): Promise<readonly SourceRecord[]>;
  /** Bodies by id and state, in the order asked; those that are not there are undefined. */
  bodiesOf(keys: readonly Pick<StoredRecord, "id" | "state">[]): Promise<readonly (StoredRecord | undefined)[]>;
  /** Items with exactly these ids, in the order of their ids; those that are not there are left out. */
  termsOf(vocabulary: string, ids: readonly string[]): Promise<readonly SourceTerm[]>;
  /** All items in the order of their ids, beyond one. */
  termsAfter(vocabulary: string, id: string, limit: number): Promise<readonly SourceTerm[]>;
  /** The same as clients see them, in the order asked. */
  shownTerms(vocabulary: string, ids: readonly string[]): Promise<readonly (StoredTerm | undefined)[]>;
  /** Ids with more items below them than `above`, for an index that is made: they need not be there. */
  findLargeTerms(vocabulary: string, above: number): Promise<readonly string[]>;
  /** Items of this view with their regions. @param index absent: the one that searches ask */
  placed(vocabulary: string, terms: readonly SourceTerm[], index?: string): Promise<readonly PlacedTerm[]>;
  /** All items below one, for searches of the index that they ask; undefined: these cannot be named by so few ids. */
  below(request: BelowRequest): Promise<Below | undefined>;
  /** Items for which the index that searches ask may say the region in which they stood before. */
  belowMoved(vocabulary: string): Promise<ReadonlySet<string>>;
  /** Where these stand, and all above them. */
  lineageOf(terms: readonly TermReference[]): Promise<Lineage>;
  close(): Promise<void>;
  /**
   * Closes it, and says how far an index is after that; undefined: it is none of the store's any more. It takes no
   * connection more, for which others with a view would wait as well. What one statement reads (`bodiesOf`,
   * `shownTerms`, `lineageOf`) may have been asked for before, and not be answered yet: it is of this state.
   */
  closeAndLook(index: string): Promise<IndexMarks | undefined>;
}

export interface IndexSource {
  readonly leadership: Leadership;
  /** Has large loads indexed before they can be seen; else they are changes like any other. */
  onLoads(builder: GenerationBuilder): void;
  /**
   * Opens the state of this moment: all that was acknowledged before is in it.
   * @param others digests of what indexes were made with that cannot be asked: those of other catalogs
   */
  openView(others?: readonly string[]): Promise<SourceView>;
  /** Is there a change that an index may not show yet? Quick: it is asked again and again. @param others not these */
  isBehind(others?: readonly string[]): Promise<boolean>;
  /** All indexes of the store. */
  states(): Promise<readonly IndexState[]>;
  /** Notes a new index, which has nothing yet that was changed after `state.applied`, and searches do not ask. */
  addIndex(state: NewIndex): Promise<void>;
  /** Notes that an index that was made with something can hold more now. */
  noteMade(index: string, made: Json): Promise<void>;
  /** Notes how far the making of an index is; without `row`: all records are in it. */
  noteScanned(index: string, row?: number): Promise<void>;
  /** Has searches ask this index from now on. */
  makeCurrent(index: string): Promise<void>;
  /** Forgets an index that searches do not ask. */
  dropIndex(index: string): Promise<void>;
  /**
   * Forgets an index, even one that searches ask, unless it was made of this state of the store, or of an older one.
   * @param mark undefined: there is none any more, or the index is not whole
   * @returns was it forgotten?
   */
  disown(index: string, mark: IndexMark | undefined): Promise<boolean>;
  /**
   * Notes that searches may show changes up to this one from now on. Marks only rise.
   * @returns false: the index has a mark of another state of the store, or the store does not know it. Nothing is noted
   */
  noteBegun(index: string, upTo: number, mark: IndexMark): Promise<boolean>;
  /** Notes that searches show all changes up to this one; of another index of that name nothing. */
  noteApplied(index: Pick<IndexState, "name" | "epoch">, upTo: number): Promise<void>;
  /** Sets documents aside that the index refuses. */
  setAside(index: string, failures: readonly IndexFailure[], seq: number): Promise<void>;
  /** What was set aside up to a change is in the index now: who writes late takes back nothing of a later one. */
  takeBack(index: string, items: readonly Pick<IndexFailure, "kind" | "place" | "id">[], upTo: number): Promise<void>;
  failures(index: string): Promise<readonly IndexFailure[]>;
  /**
   * Has records follow some terms that changed, and terms those above them that moved, where that was left for later.
   * @returns false: none is left
   */
  followSome(): Promise<boolean>;
}
