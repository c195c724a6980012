/** Every limit that a client can meet, once. docs/limits.md is made from this table; units end the names. */
export const LIMITS = {
  /** A request's body. */
  bodyBytesMax: 10 * 1024 * 1024,
  /** The body of a request that sends no metadata: publish, edit, new version, share, delete, retract. */
  shortBodyBytesMax: 64 * 1024,
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
  /** Searches of one user, or of one address without a token, that run at once; others wait for their turn. */
  searchesRunningPerCallerMax: 4,
  /** Searches of one user, or of one address without a token, that wait for their turn. */
  searchesWaitingPerCallerMax: 200,
  /** Bodies to be judged that wait for their turn, of one caller together, in UTF-16 units. */
  searchesWaitingTextMax: 20 * 1024 * 1024,
  /** How long a search waits for its turn, in milliseconds. */
  searchWaitMsMax: 30_000,
  /** When a caller with too many searches at once may go on, in seconds. */
  searchRetrySeconds: 2,
  /** How long the headers of a request may take from the opening of its connection, in milliseconds. */
  headersMsMax: 20_000,
  /** How long a whole request may take to arrive, in milliseconds. */
  requestMsMax: 120_000,
  /** How long a connection stays open between two requests, in milliseconds. */
  keepAliveMs: 72_000,
  /** How long a client may take nothing of an answer that is ready, in milliseconds. */
  answerStallMsMax: 30_000,
  /** How often the times of requests are looked at, in milliseconds: so much later a slow client is noticed. */
  connectionCheckMs: 5_000,
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
  /** Different unknown ids of one body for which the nearest terms are looked up. */
  nearestLookupsMax: 5,
  /** Problems, and warnings, of one body that an answer lists. */
  issuesMax: 1_000,
  /** Changes of one page of the change feed. */
  changePageSizeMax: 1_000,
  /** Changes of a page of the change feed where no size is asked for. */
  changePageSizeDefault: 100,
  /** How long a request waits for a change, in seconds. */
  changeWaitSecondsMax: 60,
  /** Requests that wait for a change in one process; any more are answered at once, and say so. */
  changeWaitersMax: 1_000,
  /** Requests that wait for a change, of one user or of one address without a token. */
  changeWaitersPerCallerMax: 100,
  /** When one may ask again that was not let wait for a change, in seconds. */
  changeWaitRetrySeconds: 5,
  /** Webhooks, in all. */
  webhooksMax: 100,
  /** The URL of a webhook, in characters. */
  webhookUrlLengthMax: 2_000,
  /** Deliveries that one webhook gets at once. */
  webhookInFlightMax: 8,
  /** Deliveries that are queued for one webhook; further changes wait in the change feed. */
  webhookPendingMax: 10_000,
  /** Deliveries to one webhook that were given up and are kept; the oldest go first. */
  webhookDeadMax: 10_000,
  /** How long a delivery may take, in milliseconds. */
  webhookTimeoutMs: 10_000,
  /** Tries of one delivery, some 24 hours in all; then it is given up. */
  webhookAttemptsMax: 36,
  /** Pause after the first failure of a delivery, in milliseconds; it doubles with each further one. */
  webhookRetryFirstMs: 1_000,
  /** The longest pause between two tries of a delivery, in milliseconds. */
  webhookRetryLastMs: 3_600_000,
  /** Bytes of a webhook's answer that are read, and thrown away. */
  webhookAnswerBytesMax: 65_536,
  /** Tokens of one user that work: neither revoked nor expired. */
  tokensPerUserMax: 100,
  /** A word of the text analysis, in UTF-16 units. */
  wordLengthMax: 256,
  /** An id of a vocabulary item. */
  termIdLengthMax: 512,
  /** The reason of a retraction, in code points. */
  removalReasonCodePointsMax: 1_000,
  /** An Idempotency-Key, in characters. */
  idempotencyKeyLengthMax: 255,
  /** How long the answer to a request with an Idempotency-Key is kept, in hours. */
  idempotencyHours: 24,
  /** Disagreements that `bindery verify` lists, and records that no longer pass their model; the others are counted. */
  findingsMax: 1_000,
  /** Lines about refused requests that a process adds to the audit log per second; more are counted by their code. */
  refusalsPerSecondMax: 100,
  /** Lines about refused requests that the audit log keeps; the oldest make room. What was done is kept for ever. */
  refusalsKeptMax: 200_000,
  /** Changed items of one import that are still one transaction. */
  importTransactionItemsMax: 1_000,
  /** Changed items that an import of a vocabulary shows field by field. */
  importExamplesMax: 20,
} as const;
