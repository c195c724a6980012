/** Every limit that a client can meet, once. docs/limits.md is made from this table; units end the names. */
export const LIMITS = {
  /** A request's body. */
  bodyBytesMax: 10 * 1024 * 1024,
  /** Levels of a body, one inside the other. */
  bodyDepthMax: 64,
  /** Values of a body, in all. */
  bodyLeavesMax: 20_000,
  /** Elements of any one array of a body. */
  bodyArrayItemsMax: 10_000,
  /** A request's URL, and its headers together. */
  urlBytesMax: 64 * 1024,
  /** What a query needs to have read once, in milliseconds; the query waits no longer for it. */
  loadMsMax: 30_000,
  /** A query's text, in code points. */
  queryCodePointsMax: 4_096,
  /** Clauses of a query. */
  queryLeavesMax: 256,
  /** Levels of a query, one inside the other. */
  queryDepthMax: 16,
  /** `p * s` of a page; beyond it the cursor goes on. */
  pageWindowMax: 10_000,
  /** Hits of one page of records. */
  recordPageSizeMax: 1_000,
  /** Hits of one page of vocabulary items; more is served as this many, with a warning. */
  termPageSizeMax: 10_000,
  /** Hits of a page where none are asked for. */
  pageSizeDefault: 10,
  /** `ids=` of one request. */
  idsMax: 200,
  /** Buckets of one facet where none are asked for. */
  facetBucketsDefault: 20,
  /** Buckets of one facet. */
  facetBucketsMax: 1_000,
  /** Nearest terms or names that an error names. */
  nearestMax: 5,
  /** Problems, and warnings, of one body that an answer lists. */
  issuesMax: 1_000,
  /** A word of the text analysis, in UTF-16 units. */
  wordLengthMax: 256,
  /** An id of a vocabulary item. */
  termIdLengthMax: 512,
  /** An Idempotency-Key, in characters. */
  idempotencyKeyLengthMax: 255,
  /** How long the answer to a request with an Idempotency-Key is kept, in hours. */
  idempotencyHours: 24,
  /** Lines about refused requests that one process adds to the audit log per second; more are summed up by their code. */
  refusalsPerSecondMax: 100,
  /** Lines about refused requests that the audit log keeps; the oldest make room. What was done is kept for ever. */
  refusalsKeptMax: 200_000,
  /** Changed items of one import that are still one transaction. */
  importTransactionItemsMax: 1_000,
} as const;
