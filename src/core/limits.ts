/** Every limit that a client can meet, once. docs/limits.md is made from this table; units end the names. */
export const LIMITS = {
  /** A request's body. */
  bodyBytesMax: 10 * 1024 * 1024,
  bodyDepthMax: 64,
  bodyLeavesMax: 20_000,
  bodyArrayItemsMax: 10_000,
  /** A request's URL, and its headers together. */
  urlBytesMax: 64 * 1024,
  /** A query's text, in code points; its tree. */
  queryCodePointsMax: 4_096,
  queryLeavesMax: 256,
  queryDepthMax: 16,
  /** `p * s` of a page; beyond it the cursor goes on. */
  pageWindowMax: 10_000,
  recordPageSizeMax: 1_000,
  termPageSizeMax: 10_000,
  pageSizeDefault: 10,
  /** `ids=` of one request. */
  idsMax: 200,
  facetBucketsDefault: 20,
  facetBucketsMax: 1_000,
  /** Nearest terms or names that an error names. */
  nearestMax: 5,
  /** A word of the text analysis, in UTF-16 units. */
  wordLengthMax: 256,
  /** An id of a vocabulary item. */
  termIdLengthMax: 512,
  /** Changed items of one import that are still one transaction. */
  importTransactionItemsMax: 1_000,
} as const;
