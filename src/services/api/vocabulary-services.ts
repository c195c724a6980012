import type { Actor } from "../../core/actor.js";
import type { LiveAuthorityName } from "../../core/background.js";
import type { Warning } from "../../core/issue.js";
import type { StoredTerm, TermContent } from "../../core/term.js";
import type { EditedField } from "../../core/terms/edited-fields.js";
import type { ExcelDialect } from "../../formats/csv.js";
import type { Ancestor } from "../../ports/store.js";
import { TERM_ACTIONS, type TermHistoryEntry } from "../../ports/term-history.js";
import type { Conditions, ValidationResult } from "./record-services.js";
import type { SearchAnswer, TermHit } from "./search-services.js";

export { TERM_ACTIONS };

/** Numbers of terms directly below a term, and at all levels below it. */
export interface TermsBelow {
  readonly children: number;
  readonly all: number;
}

/** A term, or its new id. Unknown and deleted terms are errors. */
export type TermAnswer =
  | ({ readonly kind: "found"; readonly hasChildren: boolean } & WrittenTerm)
  | { readonly kind: "moved"; readonly to: string };

/** The picture of a term's structure in SVG, with the revision of the term, or the term's new id. */
type StructureAnswer =
  | { readonly kind: "drawn"; readonly svg: string; readonly revision: number }
  | { readonly kind: "moved"; readonly to: string };

export interface VocabularyHit {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly authority?: string;
  readonly count: number;
  /** Number of published records with an older version of one of its terms; absent if the index is unavailable. */
  readonly stale?: number;
  readonly id_pattern: string;
  readonly extensible: boolean;
  /** The authority that is queried for terms that are not loaded; absent: none. */
  readonly lookup?: string;
  /** Dumps of authorities that were loaded into it, by authority; absent if there are none. */
  readonly sources?: readonly VocabularySource[];
}

/** The last loaded dump of an authority. */
export interface VocabularySource {
  readonly authority: string;
  readonly title: string;
  readonly url: string;
  readonly licence: string;
  readonly release?: string;
  readonly file: string;
  /** Digest of the file, in hex. */
  readonly sha256: string;
  /** ISO 8601 UTC. */
  readonly loaded: string;
}

/** The address of a term. */
export interface TermAddress {
  readonly vocabulary: string;
  readonly id: string;
}

/** A single term, possibly just written. */
export interface WrittenTerm {
  readonly term: StoredTerm;
  readonly ancestors: readonly Ancestor[];
  /** Fields that people have changed since the last load of its source. */
  readonly edited: readonly EditedField[];
}

/** A page of the history of a term, newest first. */
export interface TermHistoryAnswer {
  readonly entries: readonly TermHistoryEntry[];
  readonly total: number;
  /** Number of entries per page. */
  readonly size: number;
}

/** Terms of vocabularies. A write is one transaction; `body` is the text of the request. */
export interface VocabularyServices {
  readTerm(vocabulary: string, id: string): Promise<TermAnswer>;
  /** @returns undefined if the vocabulary is flat or the index is unavailable */
  countBelow(vocabulary: string, id: string): Promise<TermsBelow | undefined>;
  /**
   * Returns terms by id, in the requested order, without repeats. Follows replaced ids; `warnings` has unknown ones.
   */
  fetchTerms(vocabulary: string, ids: readonly string[]): Promise<SearchAnswer<TermHit>>;
  /** @param caller who requests the drawing: callers take turns. @throws STRUCTURE_NOT_FOUND */
  drawStructure(vocabulary: string, id: string, caller?: string): Promise<StructureAnswer>;
  listVocabularies(): Promise<readonly VocabularyHit[]>;
  /** Validates a term like a new one; stores nothing. Needs the right to add terms. */
  validateTerm(actor: Actor, vocabulary: string, body: string): Promise<Omit<ValidationResult, "metadata">>;
  /** Creates a term; `warnings` lists similar terms. @throws TERM_EXISTS */
  createTerm(
    actor: Actor,
    vocabulary: string,
    body: string,
    conditions?: Conditions,
  ): Promise<WrittenTerm & Pick<ValidationResult, "warnings">>;
  replaceTerm(actor: Actor, address: TermAddress, body: string, conditions?: Conditions): Promise<WrittenTerm>;
  /** @param body a JSON merge patch (RFC 7396) of the term */
  patchTerm(actor: Actor, address: TermAddress, body: string, conditions?: Conditions): Promise<WrittenTerm>;
  /** @param body `{"into": <id>}`: the term that replaces this one. @throws TERM_HAS_CHILDREN */
  mergeTerm(actor: Actor, address: TermAddress, body: string, conditions?: Conditions): Promise<WrittenTerm>;
  /** Confirms a term that a depositor added; for curators. */
  confirmTerm(actor: Actor, address: TermAddress, conditions?: Conditions): Promise<WrittenTerm>;
  /** Returns the history of a term; for curators, because it contains names of users. */
  readTermHistory(
    actor: Actor,
    address: TermAddress,
    page: { readonly page?: number; readonly size?: number },
  ): Promise<TermHistoryAnswer>;
  /** @throws TERM_CITED, TERM_HAS_CHILDREN */
  deleteTerm(actor: Actor, address: TermAddress, conditions?: Conditions): Promise<void>;
}

/** A hit of an authority: the stored term if it is loaded, else the content from the authority. */
export type LookupHit =
  | { readonly isLoaded: true; readonly term: StoredTerm }
  | { readonly isLoaded: false; readonly content: TermContent };

/** A page of hits of an authority. */
export interface LookupAnswer {
  readonly authority: LiveAuthorityName;
  /** In the order of the authority. */
  readonly hits: readonly LookupHit[];
  /** Number of hits on all pages, according to the authority. */
  readonly total: number;
  readonly warnings: readonly Warning[];
}

/** Searches at authorities, only for users, because they use the service's quota at the authority. */
export interface AuthoritySearchServices {
  /**
   * @param request `q`: text that the authority reads by its own rules; `page`: from 1, with `LIMITS.lookupPageSize`
   *   terms
   * @throws LOOKUP_NOT_FOUND, LOOKUP_UNAVAILABLE, PARAMETER_INVALID
   */
  searchAuthority(
    actor: Actor,
    vocabulary: string,
    request: { readonly q: string; readonly page: number },
  ): Promise<LookupAnswer>;
}

/** An organisation that an affiliation may name. */
export interface AffiliationMatch {
  readonly id: string;
  /** In the first language of the vocabulary. */
  readonly title: string;
  /** Probability that this organisation is meant, from 0 to 1; docs/matching.md describes its accuracy. */
  readonly confidence: number;
}

export interface MatchFileRequest {
  /** A CSV file with a header, gzipped or not. */
  readonly file: string;
  /** The column with the affiliations; absent: `affiliation`, or the only column. */
  readonly column?: string;
  /** From 0 to 1: a less likely organisation is only an alternative, not a match. */
  readonly minConfidence: number;
  /** Absent: `affiliations`. */
  readonly vocabulary?: string;
  /** The separator of CSV for Excel; absent: CSV for programs. */
  readonly excel?: ExcelDialect;
  /** Called with each line of the resulting CSV: the columns of the file, and the added ones. */
  readonly onText: (csv: string) => void;
  readonly onProgress?: (bytesRead: number) => void;
}

/** Numbers of rows of a file. */
interface MatchSummary {
  readonly rows: number;
  readonly matched: number;
  /** Affiliations that were truncated to `LIMITS.affiliationLengthMax` characters. */
  readonly cut: number;
}

/** Matching of texts with the terms of a vocabulary, for the command line. */
export interface MatchOperatorServices {
  /**
   * Finds the organisations that the affiliations of a file name. Nothing is written to the store.
   * @throws VOCABULARY_NOT_FOUND; PARAMETER_INVALID if the file cannot be opened, is not CSV, or lacks the column
   */
  matchAffiliations(request: MatchFileRequest): Promise<MatchSummary>;
}
