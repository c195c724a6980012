/**
 * The content of the documents of a separate index, as one snapshot of the store has it, the hierarchies of
 * vocabularies, and generations of vocabularies for loads.
 */
import type { Json } from "../core/json.js";
import type { StoredRecord } from "../core/record.js";
import type { TermContent } from "../core/term.js";
import type { AssumedTerm } from "../query/index-model/leaves.js";
import type { TermReference } from "./store.js";

/** A record in the form that an index stores. */
export interface SourceRecord {
  readonly record: StoredRecord;
  /** Its position in the order in which records were first committed. */
  readonly row: number;
  /** The last change of the record itself. */
  readonly seq: number;
  readonly isLatest: boolean;
  /** Whether the id also has a row in the other state. */
  readonly hasOtherState: boolean;
  /** Ids of the users with whom a draft is shared. */
  readonly sharedWith: readonly string[];
  /** The current state of the cited terms. */
  readonly terms: readonly AssumedTerm[];
}

/** A term in the form that an index stores. */
export interface SourceTerm {
  readonly content: TermContent;
  readonly revision: number;
  /** Microseconds since 1970 UTC. */
  readonly created: number;
  /** Its static rank, see `RankKey`. */
  readonly status: number;
  readonly prior: number;
  readonly length: number;
  /** Number of latest published records that cite it, or an id that it replaced. */
  readonly citedBy: number;
}

/** A term with its region in an index, see `TermSubtree`; absent: it is in no region. */
export interface PlacedTerm extends SourceTerm {
  readonly region?: string;
}

/** A document that the index rejects. Searches evaluate it outside of the index from then on. */
export interface IndexFailure {
  readonly kind: "record" | "term";
  /** The vocabulary of a term. */
  readonly place?: string | undefined;
  readonly id: string;
  readonly reason: string;
}

/**
 * The subtree of a term in a form that an index can search: single ids, and regions minus exceptions. A region is the
 * subtree of a large term minus the subtrees of large terms inside it. The large terms stay the same until the
 * documents of the vocabulary are rebuilt. Each document contains the region of its term, which may be outdated.
 */
export interface TermSubtree {
  readonly ids: readonly string[];
  /**
   * Large terms. All terms in their regions, according to the index, belong to the subtree, except those in
   * `elsewhere`.
   */
  readonly regions: readonly string[];
  /** Terms that the index has in one of these regions although they are not in the subtree, and the id of the root. */
  readonly elsewhere: readonly string[];
}

/** A request for the subtree of a term. */
export interface SubtreeRequest {
  readonly vocabulary: string;
  /** The root of the subtree, which need not exist. */
  readonly id: string;
  /** Maximum number of ids in each part of the answer. */
  readonly limit: number;
  /** Current state of terms that may be outdated in the index. Those in the subtree are in `ids`. */
  readonly changed: readonly { readonly id: string; readonly parent?: string | undefined }[];
}

/** The positions of terms in hierarchies. */
export interface TermLineage {
  /** Returns the id of the parent, which need not exist; undefined if there is none, or the term was not requested. */
  getParentId(vocabulary: string, id: string): string | undefined;
}

/** The hierarchies of vocabularies in a snapshot of the store, in forms that an index can search. */
export interface TermTrees {
  /** Returns the generation of a vocabulary in an index: 0 is the initial one, each large load creates another one. */
  generationOf(index: string, vocabulary: string): number;
  /** Returns the positions of terms and of all their ancestors. */
  lineageOf(terms: readonly TermReference[]): Promise<TermLineage>;
  /** Returns ids whose subtrees have more than `above` terms, for a new index. They need not exist themselves. */
  findLargeTerms(vocabulary: string, above: number): Promise<readonly string[]>;
  /** Adds the regions to terms of this snapshot. @param index absent: the index that searches use */
  placed(vocabulary: string, terms: readonly SourceTerm[], index?: string): Promise<readonly PlacedTerm[]>;
  /** Returns the subtree of a term for a search of the current index; undefined if that needs more ids than `limit`. */
  below(request: SubtreeRequest): Promise<TermSubtree | undefined>;
  /** Returns terms whose region in the current index may be outdated. */
  belowMoved(vocabulary: string): Promise<ReadonlySet<string>>;
}

/** The terms of a vocabulary after a load, in the order of their ids. */
export interface LoadedTerms {
  after(id: string, limit: number): Promise<readonly PlacedTerm[]>;
}

/** A rebuilt part of an index for one vocabulary, which searches do not use yet. */
export interface BuiltGeneration {
  /** Writes terms again that were cited meanwhile, and makes everything visible. @returns the rejected documents */
  finish(rewritten: readonly PlacedTerm[]): Promise<readonly IndexFailure[]>;
}

/** Builds generations of a vocabulary for loads. All terms of a generation become visible at once. */
export interface GenerationBuilder {
  /** A load that changes fewer terms is indexed like other changes. */
  readonly itemsMin: number;
  /** Returns whether the documents of an index with these parameters would be the same today. */
  takes(made: Json): boolean;
  /** A term is large if its subtree has more terms, see `TermSubtree`. */
  readonly largeAbove: number;
  /** @throws BinderyError SEARCH_UNAVAILABLE: the load fails */
  build(index: string, vocabulary: string, generation: number, items: LoadedTerms): Promise<BuiltGeneration>;
}
