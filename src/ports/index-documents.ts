/** The content of the documents of a separate index, as one snapshot of the store has it. */
import type { StoredRecord } from "../core/record.js";
import type { TermContent } from "../core/term.js";
import type { AssumedTerm } from "../query/index-model/leaves.js";

/** A record in the form that an index stores. */
export interface SourceRecord {
  readonly record: StoredRecord;
  /** Its position in the order in which records were first committed. */
  readonly row: number;
  /** The last change of the record itself. */
  readonly seq: number;
  readonly isLatest: boolean;
  /** Does the id also have a row in the other state? */
  readonly hasTwin: boolean;
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

/** A term with its region in an index, see `Below`; absent: it is in no region. */
export interface PlacedTerm extends SourceTerm {
  readonly region?: string;
}

/** A document that the index rejects. Searches evaluate it outside of the index from then on. */
export interface IndexFailure {
  readonly kind: "record" | "term";
  /** The vocabulary of a term. */
  readonly place?: string;
  readonly id: string;
  readonly reason: string;
}
