import type { LiveAuthorityName } from "../../core/background.js";
import type { Warning } from "../../core/issue.js";
import type { StoredTerm, TermContent } from "../../core/term.js";
import type { EditedField } from "../../core/terms/edited-fields.js";
import type { ExcelDialect } from "../../formats/csv.js";
import type { Ancestor } from "../../ports/store.js";
import type { TermHistoryEntry } from "../../ports/terms.js";

/** A term, or its new id. Unknown and deleted terms are errors. */
export type TermAnswer =
  | ({ readonly kind: "found"; readonly hasChildren: boolean } & TermDetails)
  | { readonly kind: "moved"; readonly to: string };

/** The picture of a term's structure in SVG, with the revision of the term, or the term's new id. */
export type StructureAnswer =
  | { readonly kind: "drawn"; readonly svg: string; readonly revision: number }
  | { readonly kind: "moved"; readonly to: string };

/** The address of a term. */
export interface TermAddress {
  readonly vocabulary: string;
  readonly id: string;
}

/** A single term with everything that an answer about it has. */
export interface TermDetails {
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

/** An organisation that an affiliation may name. */
export interface AffiliationMatch {
  readonly id: string;
  /** In the first language of the vocabulary. */
  readonly title: string;
  /** Probability that this organisation is meant, from 0 to 1; docs/matching.md describes its accuracy. */
  readonly confidence: number;
}

/** A request to match the affiliations of a file. */
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
export interface MatchSummary {
  readonly rows: number;
  readonly matched: number;
  /** Affiliations that were truncated to `LIMITS.affiliationLengthMax` characters. */
  readonly cut: number;
}
