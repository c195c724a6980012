/**
 * The interface through which a separate index reads changes of the store, in snapshots. The store has the
 * authoritative data, and records up to which change each index is complete. Documents and hierarchies are in
 * `index-documents`.
 */
import type { Json } from "../core/json.js";
import type { StoredRecord } from "../core/record.js";
import type { StoredTerm } from "../core/term.js";
import type { Leadership } from "./engine.js";
import type { GenerationBuilder, IndexFailure, SourceRecord, SourceTerm, TermTrees } from "./index-documents.js";
import type { RecordReader, TermFinder, TermReference } from "./store.js";

/** Up to which change an index is complete. */
export interface IndexMarks {
  /** Every search, of any copy of the index, shows all changes up to this one. */
  readonly applied: number;
  /** No search, of any copy of the index, shows a change after this one. */
  readonly begun: number;
}

/** The state of an index according to the store. */
export interface IndexState extends IndexMarks {
  /** Prefix of the names of everything that belongs to it. */
  readonly name: string;
  /** Unique for every index ever made, because names can be reused. "" for an index that an older version made. */
  readonly epoch: string;
  /** The parameters of its build, in the form of its engine: numbers of paths, version of the analysis, mapping. */
  readonly made: Json;
  /** Digest of the parameters; different parameters have different digests. */
  readonly digest: string;
  /** Whether it is the index that searches use. */
  readonly isCurrent: boolean;
  /** During the build: the row of the last indexed record. Absent: the build is complete. */
  readonly scanned?: number | undefined;
}

/** The index that searches use. */
export type SearchedIndex = Pick<IndexState, "name" | "epoch" | "digest" | "begun" | "applied">;

/**
 * The state of an index according to the index itself. Its `begun` is normally not above that of the store, which is
 * written first: if it is, the store was restored to an older state. It is normally not below `applied`, which the
 * store writes last: if it is, the index was restored or has lost writes.
 */
export type IndexMark = Pick<IndexState, "epoch" | "begun">;

/** The initial state of a new index. */
export interface NewIndex extends Omit<IndexState, "digest" | "isCurrent"> {
  /** The large terms of vocabularies with which its documents are built, see `TermSubtree`. */
  readonly large: ReadonlyMap<string, readonly string[]>;
}

/** A record (all states of an id) or term that an index may not show correctly, and its last change. */
export interface ChangedRecord {
  readonly id: string;
  readonly seq: number;
}

/** A term that an index may not show correctly, and its last change. */
export interface ChangedTerm extends TermReference {
  readonly seq: number;
}

/** An import with very many terms, which are read in parts. */
export interface LargeImport {
  readonly vocabulary: string;
  readonly number: number;
}

/** A term of an import, with its position. */
export interface ImportedTerm {
  readonly n: number;
  readonly id: string;
}

/** The records and terms that changed in a range of changes. */
export interface ChangesSince {
  /** The last change of the range. An import is contained with all of its terms. */
  readonly upTo: number;
  /** Each record once, with its last change. */
  readonly records: readonly ChangedRecord[];
  readonly terms: readonly ChangedTerm[];
  /** Set if the last change is this import, whose terms are not in `terms`. */
  readonly large?: LargeImport | undefined;
}

/** The subject of a search: records, or the terms of a vocabulary. */
export type SearchSubject = { readonly kind: "record" } | { readonly kind: "term"; readonly vocabulary: string };

/** Maximum size of a batch: number of records, and bytes of their bodies. A single record may be larger. */
export interface ReadExtent {
  readonly records: number;
  readonly bytes: number;
}

/** A snapshot of the store. It occupies a connection until it is closed. */
export interface SourceView {
  /** The last change in the snapshot. */
  readonly head: number;
  /** Changes with each start of the database, and if the database or its records of indexes were restored. */
  readonly run: string;
  /**
   * The index that searches use, or if it is unusable, the newest complete one. It lacks the parameters of its build.
   * Undefined: there is no index yet.
   */
  readonly index: SearchedIndex | undefined;
  /** Returns the parameters of the build of `index`. */
  made(): Promise<Json>;
  readonly records: RecordReader;
  readonly terms: TermFinder;
  readonly trees: TermTrees;
  /**
   * Returns what changed after a change, and the rejected documents. A record also changes with its cited terms.
   * @param limit maximum number of changes; fewer are read if imports among them have many terms
   * @param index absent: the index that searches use
   */
  changesSince(after: number, limit: number, index?: string): Promise<ChangesSince>;
  /** Returns terms of an import in the order of their positions, after `n`. */
  importedAfter(number: number, n: number, limit: number): Promise<readonly ImportedTerm[]>;
  /** Counts the public changes after a change. */
  countPublic(after: number): Promise<number>;
  /** Returns `changesSince` for records, or for the terms of a vocabulary; undefined if there are more than `limit`. */
  overlaySince(
    after: number,
    of: SearchSubject,
    limit: number,
  ): Promise<Pick<ChangesSince, "records" | "terms"> | undefined>;
  /** Returns the size of the bodies of records, for all states of an id together. Missing records are left out. */
  bodyBytes(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Returns all states of records, in the order of their ids. Missing records are left out. */
  readRecords(ids: readonly string[]): Promise<readonly SourceRecord[]>;
  /** Returns records in the order of their rows, after `row`; none if there are no more. */
  recordsAfter(row: number, extent: ReadExtent): Promise<readonly SourceRecord[]>;
  /** Returns records by id and state, in the given order; undefined for missing ones. */
  readBodies(keys: readonly Pick<StoredRecord, "id" | "state">[]): Promise<readonly (StoredRecord | undefined)[]>;
  /** Returns terms with exactly these ids, in the order of their ids. Missing terms are left out. */
  readTerms(vocabulary: string, ids: readonly string[]): Promise<readonly SourceTerm[]>;
  /** Returns terms in the order of their ids, after an id. */
  termsAfter(vocabulary: string, id: string, limit: number): Promise<readonly SourceTerm[]>;
  /** Returns terms as clients see them, in the given order; undefined for missing ones. */
  shownTerms(vocabulary: string, ids: readonly string[]): Promise<readonly (StoredTerm | undefined)[]>;
  close(): Promise<void>;
  /**
   * Closes the snapshot, and then returns the marks of an index; undefined if the store no longer has the index. It
   * uses the same connection, because with a second one several snapshots could wait for each other. Calls of one
   * statement (`readBodies`, `shownTerms`, `TermTrees.lineageOf`) may still be running: their answers belong to this
   * snapshot.
   */
  closeAndLook(index: string): Promise<IndexMarks | undefined>;
}

/** Access of a separate index to its store. */
export interface IndexSource {
  readonly leadership: Leadership;
  /** Sets the builder that indexes large loads before they become visible. Without it they are like other changes. */
  onLoads(builder: GenerationBuilder): void;
  /**
   * Opens a snapshot of the current state, which contains all acknowledged writes.
   * @param others digests of the parameters of unusable indexes: those of other catalogs
   */
  openView(others?: readonly string[]): Promise<SourceView>;
  /**
   * Returns whether there is a change that an index may not show yet. Fast, because it is polled.
   * @param others ignores these indexes
   */
  isBehind(others?: readonly string[]): Promise<boolean>;
  /** Returns all indexes of the store. */
  states(): Promise<readonly IndexState[]>;
  /** Records a new index without the changes after `state.applied`, which searches do not use yet. */
  addIndex(state: NewIndex): Promise<void>;
  /** Records new parameters of an index that was extended. */
  noteMade(index: string, made: Json): Promise<void>;
  /** Records the progress of a build; without `row`: the build is complete. */
  noteScanned(index: string, row?: number): Promise<void>;
  /** Makes searches use this index. */
  makeCurrent(index: string): Promise<void>;
  /** Deletes the record of an index that searches do not use. */
  dropIndex(index: string): Promise<void>;
  /**
   * Deletes the record of an index, even of the current one, unless it was built from this state of the store or an
   * older one.
   * @param mark undefined if the index has no mark, or is incomplete
   * @returns whether it was deleted
   */
  disown(index: string, mark: IndexMark | undefined): Promise<boolean>;
  /**
   * Records that searches may show changes up to this one from now on. Marks never decrease.
   * @returns false, without recording it, if the mark is of another state of the store, or the index is unknown
   */
  noteBegun(index: string, upTo: number, mark: IndexMark): Promise<boolean>;
  /** Records that searches show all changes up to this one. Does nothing for another index with the same name. */
  noteApplied(index: Pick<IndexState, "name" | "epoch">, upTo: number): Promise<void>;
  /** Records documents that the index rejects. */
  setAside(index: string, failures: readonly IndexFailure[], seq: number): Promise<void>;
  /** Removes rejections up to a change, whose documents are now in the index. A late call keeps later rejections. */
  takeBack(index: string, items: readonly Pick<IndexFailure, "kind" | "place" | "id">[], upTo: number): Promise<void>;
  /** Lists the rejected documents. */
  failures(index: string): Promise<readonly IndexFailure[]>;
  /**
   * Marks records as changed whose cited terms have changed, and terms whose ancestors have moved, if a write left this
   * for later.
   * @returns false if nothing is left
   */
  followSome(): Promise<boolean>;
}
