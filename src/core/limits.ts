/** All limits that a client can meet. docs/limits.md is generated from this table. Units end the names. */
export const LIMITS = {
  /** Size of a request body, in bytes. */
  bodyBytesMax: 10 * 1024 * 1024,
  /** Size of a body without metadata (publish, edit, new version, share, delete, retract, token), in bytes. */
  shortBodyBytesMax: 64 * 1024,
  /** Nesting depth of a body. */
  bodyDepthMax: 64,
  /** Total number of values in a body. */
  bodyLeavesMax: 150_000,
  /** Elements in any single array of a body. */
  bodyArrayItemsMax: 10_000,
  /** Length of a key in a body, in UTF-16 code units. */
  keyLengthMax: 1_000,
  /** Length of a record's title, in code points; a draft with a longer one cannot be published. */
  titleCodePointsMax: 1_000,
  /** Size of the URL and headers of a request together, in bytes. */
  urlBytesMax: 64 * 1024,
  /** How long a request waits for its thread, in milliseconds, plus twice `BINDERY_SEARCH_TIMEOUT_MS`. */
  callMsMax: 120_000,
  /** How long a write waits for its thread, in milliseconds; it may be done later even if this time is over. */
  writeMsMax: 300_000,
  /** How long a silent thread or process is kept, in milliseconds, plus `BINDERY_SEARCH_TIMEOUT_MS`. */
  threadSilentMsMax: 60_000,
  /** How long a query waits for data that must be loaded into memory first, in milliseconds. */
  loadMsMax: 30_000,
  /** Size of a body that is a term, and of a term in a file, in bytes. */
  termBodyBytesMax: 256 * 1024,
  /** Length of a title of a term, in UTF-16 code units. */
  termTitleLengthMax: 10_000,
  /** Words of a term in its index, also of one in a file; long words count once per 32 letters. */
  termWordsMax: 10_000,
  /** Words of a record in its index, with the synonyms of cited terms; long words count once per 32 letters. */
  recordWordsMax: 300_000,
  /** Length of a query, in code points. */
  queryCodePointsMax: 4_096,
  /** Length of the value of any other parameter, in UTF-16 code units. */
  parameterLengthMax: 4_096,
  /** Clauses in a query. */
  queryLeavesMax: 256,
  /** Nesting depth of a query. */
  queryDepthMax: 16,
  /** Searches that one user, or one address without a token, may run at once; further searches wait. */
  searchesRunningPerCallerMax: 4,
  /** Searches that one user, or one address without a token, may have waiting. */
  searchesWaitingPerCallerMax: 200,
  /** Total size of the bodies that one caller has waiting for validation, in UTF-16 code units. */
  searchesWaitingTextMax: 20 * 1024 * 1024,
  /** How long a search waits to run, in milliseconds. */
  searchWaitMsMax: 30_000,
  /** How long a search may count as running for its caller, in milliseconds. */
  searchTurnMsMax: 600_000,
  /** `Retry-After` for a caller with too many searches at once, in seconds. */
  searchRetrySeconds: 2,
  /** Streamed results (NDJSON, CSV, citations) that one user, or one address without a token, may read at once. */
  streamsPerCallerMax: 2,
  /** Streamed results that one process sends at once. */
  streamsMax: 16,
  /** How long one streamed result may take, in milliseconds; then its connection is closed. */
  streamMsMax: 15 * 60_000,
  /** Size of the database's log, in bytes, above which streamed results that keep it from being emptied are ended. */
  streamLogBytesMax: 1024 * 1024 * 1024,
  /** How long the headers of a request may take to arrive after its connection opened, in milliseconds. */
  headersMsMax: 20_000,
  /** How long a whole request may take to arrive, in milliseconds. */
  requestMsMax: 120_000,
  /** How long a connection stays open between two requests, in milliseconds. */
  keepAliveMs: 72_000,
  /** How long a client may stop reading a response before its connection is closed, in milliseconds. */
  answerStallMsMax: 30_000,
  /** How often these timeouts are checked, in milliseconds; a slow client may be closed this much later. */
  connectionCheckMs: 5_000,
  /** Largest value of `page` times `size`; use the cursor to go further. */
  pageWindowMax: 10_000,
  /** Hits on one page of records. */
  recordPageSizeMax: 1_000,
  /** Length of all records of one answer together, in UTF-16 code units; streamed results have no such limit. */
  answerTextLengthMax: 128 * 1024 * 1024,
  /** Hits on one page of terms; a larger `size` is reduced to this value, with a warning. */
  termPageSizeMax: 10_000,
  /** Descendants of the term of `ancestor`, if they became so many after its index in OpenSearch was built. */
  termsBelowMax: 50_000,
  /** Records, the newest first, from which the page of a molecule reads names, partners and results. */
  moleculeRecordsMax: 1_000,
  /** Hits on a page when `size` is not given. */
  pageSizeDefault: 10,
  /** Values, lists and objects of a record that its page shows. Lists of a larger record have shorter pages. */
  pageValuesMax: 4_000,
  /** Length of a text that the page of a record shows, in UTF-16 code units; of a longer one, its beginning. */
  pageTextLengthMax: 10_000,
  /** Length of a text that lists and comparisons on pages show, in UTF-16 code units. */
  listTextLengthMax: 1_000,
  /** Values, lists and objects of a record that lists on pages read; of a larger one, the beginning of long lists. */
  listValuesMax: 1_000,
  /** Values, lists and objects of all records together that a comparison reads; of larger records, their beginnings. */
  comparedValuesMax: 24_000,
  /** Rows that differ, and equal rows, that the page of a comparison shows. */
  comparedRowsMax: 1_000,
  /** Hits on one page for people; a larger `size` is reduced to this value, with a warning. */
  pageHitsMax: 100,
  /** Large pages, exports and bodies of one user, or of one address without a token, that are processed at once. */
  largeWorksPerCallerMax: 1,
  /** Total size of the large bodies that one caller has waiting, in UTF-16 code units. */
  largeBodiesWaitingTextMax: 64 * 1024 * 1024,
  /** Values of `ids` in one request. */
  idsMax: 200,
  /** Values by which one search filters, of all facets together; each is in every link of its page. */
  filterValuesMax: 100,
  /** Buckets of one facet when `facet_size` is not given. */
  facetBucketsDefault: 20,
  /** Buckets of one facet. */
  facetBucketsMax: 1_000,
  /** Equal steps of one histogram (`facet_bins`). */
  facetStepsMax: 200,
  /** Terms of a vocabulary, best first, among which `facet_text` finds buckets. */
  facetTextTermsMax: 500,
  /** Length of a text in which a search marks its matches, in UTF-16 code units; longer ones are not marked. */
  markedTextLengthMax: 200_000,
  /** Length of the JSON of a record in which a search marks its matches, in UTF-16 code units. */
  markedRecordLengthMax: 4 * 1024 * 1024,
  /** Letters of a word for which similar words are searched; longer words are sequences. */
  typoLettersMax: 50,
  /** Nearest terms or names that an error suggests. */
  nearestMax: 5,
  /** Length of an unknown id, after its prefix, for which similar ids are looked up: 80 look-ups per letter. */
  nearestIdLengthMax: 64,
  /** Different unknown ids in one body for which the nearest terms are looked up. */
  nearestLookupsMax: 5,
  /** Errors, and warnings, that one response lists for a body. */
  issuesMax: 1_000,
  /** Changes on one page of the change feed. */
  changePageSizeMax: 1_000,
  /** Changes on a page of the change feed when `size` is not given. */
  changePageSizeDefault: 100,
  /** How long a request may wait for a change, in seconds. */
  changeWaitSecondsMax: 60,
  /** Requests that may wait for a change in one process; further ones get an immediate response with a warning. */
  changeWaitersMax: 1_000,
  /** Requests of one user, or of one address without a token, that may wait for a change. */
  changeWaitersPerCallerMax: 100,
  /** `Retry-After` for a request that was not allowed to wait for a change, in seconds. */
  changeWaitRetrySeconds: 5,
  /** Webhooks of a service. */
  webhooksMax: 100,
  /** Length of a webhook's URL, in characters. */
  webhookUrlLengthMax: 2_000,
  /** Deliveries that are sent to one webhook at once. */
  webhookInFlightMax: 8,
  /** Deliveries that are queued for one webhook; further changes wait in the change feed. */
  webhookPendingMax: 10_000,
  /** Dead letters that are kept for one webhook; the oldest are deleted first. */
  webhookDeadMax: 10_000,
  /** How long a delivery may take, in milliseconds. */
  webhookTimeoutMs: 10_000,
  /** Attempts of one delivery, over about 24 hours; then it becomes a dead letter. */
  webhookAttemptsMax: 36,
  /** Pause after the first failed attempt of a delivery, in milliseconds; it doubles with each further failure. */
  webhookRetryFirstMs: 1_000,
  /** Longest pause between two attempts of a delivery, in milliseconds. */
  webhookRetryLastMs: 3_600_000,
  /** Bytes of a receiver's response that are read and discarded. */
  webhookAnswerBytesMax: 65_536,
  /** Active tokens of one user: neither revoked nor expired. */
  tokensPerUserMax: 100,
  /** Length of a word in the text analysis, in UTF-16 code units. */
  wordLengthMax: 256,
  /** Length of the id of a term, in characters. */
  termIdLengthMax: 512,
  /** Atoms of a structure that is drawn; hydrogens count only where they are written. */
  structureAtomsMax: 200,
  /** Length of the SMILES of a structure that is drawn, in UTF-16 code units. */
  structureLengthMax: 4_000,
  /** Rings that a structure that is drawn, or a part of it, may have more than it has atoms. */
  structureExtraRingsMax: 16,
  /** How long the drawing of one structure may take, in milliseconds. */
  structureMsMax: 2_000,
  /** Memory that the thread that draws structures may hold, in MiB. */
  structureMemoryMiBMax: 128,
  /** Structures that may wait to be drawn in one process; further requests are answered 503. */
  structuresWaitingMax: 400,
  /** Structures that one user, or one address without a token, may have waiting to be drawn. */
  structuresWaitingPerCallerMax: 50,
  /** How long a structure waits to be drawn, in milliseconds. */
  structureWaitMsMax: 10_000,
  /** How long the service remembers that a structure could not be drawn, in minutes. */
  structureRetryMinutes: 60,
  /** Length of the reason for a retraction, in code points. */
  removalReasonCodePointsMax: 1_000,
  /** Length of an `Idempotency-Key`, in characters. */
  idempotencyKeyLengthMax: 255,
  /** How long the response to a request with an `Idempotency-Key` is kept, in hours. */
  idempotencyHours: 24,
  /** Inconsistencies, and invalid records, that `bindery verify` lists; further ones are only counted. */
  findingsMax: 1_000,
  /** Audit log lines about refused requests per process and second; further refusals are counted by code. */
  refusalsPerSecondMax: 100,
  /** Lines about refused requests that the audit log keeps; the oldest are deleted. Other lines are kept forever. */
  refusalsKeptMax: 200_000,
  /** Changed terms up to which an import is a single transaction. */
  importTransactionItemsMax: 1_000,
  /** Citing records up to which a PUT or POST of a term updates their index in the same transaction. */
  reindexAtOnceMax: 50,
  /** Size of a file that an operator has read (an import, a dump of an authority), unpacked, in bytes. */
  fileBytesMax: 64 * 1024 * 1024 * 1024,
  /** Maximum ratio of the unpacked to the packed size of such a file; checked from 8 MiB. */
  filePackingRatioMax: 200,
  /** Length of one document of such a file (a line, a record, a term, a row of CSV), in UTF-16 code units. */
  documentLengthMax: 16 * 1024 * 1024,
  /** Line ends and signs such as `,`, `:` and `[` in one YAML document of a file: memory grows with them. */
  yamlSignsMax: 500_000,
  /** Aliases (`*name`) in one YAML document of a file. */
  yamlAliasesMax: 100,
  /** Cells in one row of a CSV file. */
  csvCellsMax: 10_000,
  /** Length of blank lines, or of one endless line, after which reading of a file stops, in UTF-16 code units. */
  fileGapLengthMax: 32 * 1024 * 1024,
  /** Consecutive unreadable documents after which reading of a file stops. */
  fileUnreadableMax: 10_000,
  /** Length of a line of a store's dump (`bindery load`), in UTF-16 code units. */
  storeDumpLineLengthMax: 128 * 1024 * 1024,
  /** Length of a line in a table of an authority's dump, in UTF-16 code units. */
  dumpLineLengthMax: 1024 * 1024,
  /** Largest number of a taxon in a dump of the NCBI taxonomy: memory grows with it, by 14 bytes each. */
  dumpTaxonMax: 20_000_000,
  /** Children of a term up to which it can be merged into another one, which becomes their parent. */
  mergeChildrenMax: 1_000,
  /** Different ids in one body that authorities are asked for, if live look-ups are on; the others are not checked. */
  lookupIdsMax: 20,
  /** Terms on a page of a live look-up. */
  lookupPageSize: 20,
  /** Length of the text of a live look-up, in code points. */
  lookupCodePointsMax: 256,
  /** Size of one answer of an authority, in bytes. */
  lookupAnswerBytesMax: 2 * 1024 * 1024,
  /** How long the service remembers that an authority does not have an id, in seconds. */
  lookupMissingSeconds: 3_600,
  /** How long other answers of an authority are cached, in seconds. */
  lookupFoundSeconds: 600,
  /** Names of sources from which the terms of one vocabulary may have come. */
  termSourcesMax: 30,
  /** Characters of an affiliation that `bindery match affiliations` reads. */
  affiliationLengthMax: 2_000,
  /** Changed terms that an import of a vocabulary shows field by field. */
  importExamplesMax: 20,
} as const;

/**
 * Length of a record or body above which it is large, in UTF-16 units. Large ones are processed on the page thread, in
 * turns of the callers.
 */
export const LARGE_RECORD_LENGTH = 128 * 1024;

/** Limits of the text in a record, in bytes of UTF-8: the settings BINDERY_TEXT_KB and BINDERY_RECORD_TEXT_KB. */
export interface TextLimits {
  readonly textBytesMax: number;
  readonly recordTextBytesMax: number;
}

/** Number of bytes of a kilobyte in the settings. */
const KILOBYTE = 1_000;

/** Default of BINDERY_TEXT_KB, in kilobytes. */
export const TEXT_KB_DEFAULT = 100;
/** Default of BINDERY_RECORD_TEXT_KB, in kilobytes. */
export const RECORD_TEXT_KB_DEFAULT = 3_000;

/** Returns the limits of text from the settings. */
export function textLimitsOf(settings: { readonly textKb: number; readonly recordTextKb: number }): TextLimits {
  const recordTextBytesMax = settings.recordTextKb * KILOBYTE;
  return { recordTextBytesMax, textBytesMax: Math.min(settings.textKb * KILOBYTE, recordTextBytesMax) };
}

/** Quotas of one user (BINDERY_DRAFTS_PER_USER and the related settings); 0: no quota. */
export interface Quotas {
  readonly draftsMax: number;
  /** Maximum size of the stored JSON of all drafts that a user owns, in bytes of UTF-8. */
  readonly draftBytesMax: number;
  readonly uncitedTermsMax: number;
}

/** Defaults of the settings of quotas. */
export const QUOTA_SETTINGS_DEFAULT = { draftsPerUser: 10_000, draftMbPerUser: 1_000, uncitedTermsPerUser: 10_000 };

/** Returns the quotas from the settings. */
export function quotasOf(settings: Readonly<typeof QUOTA_SETTINGS_DEFAULT>): Quotas {
  const { draftsPerUser, draftMbPerUser, uncitedTermsPerUser } = settings;
  const draftBytesMax = draftMbPerUser * KILOBYTE * KILOBYTE;
  return { draftsMax: draftsPerUser, draftBytesMax, uncitedTermsMax: uncitedTermsPerUser };
}

/** Quotas with the default settings. */
export const QUOTAS_DEFAULT = quotasOf(QUOTA_SETTINGS_DEFAULT);

/** Limits of text with the default settings. */
export const TEXT_LIMITS_DEFAULT = textLimitsOf({ textKb: TEXT_KB_DEFAULT, recordTextKb: RECORD_TEXT_KB_DEFAULT });
