/** An organisation that an affiliation may name. */
export interface AffiliationMatch {
  readonly id: string;
  /** In the first language of the vocabulary. */
  readonly title: string;
  /** How likely it is that this one is meant, from 0 to 1: docs/matching.md says how that was measured. */
  readonly confidence: number;
}

interface MatchFileRequest {
  /** CSV with a header, packed by gzip or not. */
  readonly file: string;
  /** The column with the affiliations; absent: the only one, or the one that is called `affiliation`. */
  readonly column?: string;
  /** From 0 to 1: a less likely organisation is no match, only an alternative. */
  readonly minConfidence: number;
  /** Absent: `affiliations`. */
  readonly vocabulary?: string;
  /** Called with the CSV, a line at a time: the columns of the file, and those that are added. */
  readonly onText: (csv: string) => void;
  readonly onProgress?: (bytesRead: number) => void;
}

/** What came of the rows of a file. */
interface MatchSummary {
  readonly rows: number;
  readonly matched: number;
  /** Affiliations of more than `LIMITS.affiliationLengthMax` characters: only their beginning was read. */
  readonly cut: number;
}

/** Matching texts with the terms of a vocabulary, for the command line. */
export interface MatchOperatorServices {
  /**
   * Finds the organisations that the affiliations of a file name. Nothing is written to the store.
   * @throws VOCABULARY_NOT_FOUND; PARAMETER_INVALID where the file cannot be opened, is no CSV, or lacks the column
   */
  matchAffiliations(request: MatchFileRequest): Promise<MatchSummary>;
}
