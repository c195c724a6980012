import { createHash } from "node:crypto";
import type { Cache } from "../../core/caches.js";
import type { Catalog, Model } from "../../core/catalog/types.js";
import { BinderyError, type ErrorCode, fail } from "../../core/errors.js";
import type { Issue, Warning } from "../../core/issue.js";
import type { JsonObject } from "../../core/json.js";
import { LIMITS, TEXT_LIMITS_DEFAULT } from "../../core/limits.js";
import { messagesIn } from "../../core/messages/en.js";
import { RawJson, type RecordBody, type StoredRecord } from "../../core/record.js";
import type { CitedTerm } from "../../core/term.js";
import type { Citation, TermReader, TermReference } from "../../ports/store.js";
import {
  type AssumedTerm,
  countCutLetters,
  countWords,
  type LeafValue,
  type RecordLeaves,
} from "../../query/index-model/leaves.js";
import { type KeepText, metadataLeaves } from "../../query/index-model/record-leaves.js";
import type {
  AuthorityAnswer,
  PreparedRecord,
  PrepareJob,
  PrepareResult,
  PrepareServices,
} from "../api/preparation.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { IssueList, makeIssue } from "../input/issues.js";
import { checkFilled, checkTexts } from "./check-texts.js";
import { danglingIssues } from "./dangling-references.js";
import { type Dereferenced, dereference, referencesOf } from "./dereference.js";
import { fillReferences, repeatedIdIssues } from "./fill-references.js";
import { readBody, type SentRecord, unsupportedIssues } from "./read-body.js";

/** Dependencies of the preparation of records. */
export type PrepareDeps = MetadataDeps & Pick<Deps, "catalog" | "store">;

/** Makes the function that prepares records without look-ups at authorities. */
export function makePrepareRecord(deps: PrepareDeps): PrepareServices["prepareRecord"] {
  return (job) => tryPrepare(deps, deps.store.terms, job);
}

/** A job with a body that is already parsed. It cannot pass between threads. */
export interface ParsedJob extends Pick<PrepareJob, "model" | "lookups"> {
  readonly kind: "read";
  readonly sent: SentRecord;
}

/** Prepares a body with the terms of `terms`. Errors of the client are returned. */
export async function tryPrepare(
  deps: PrepareDeps,
  terms: TermReader,
  job: PrepareJob | ParsedJob,
): Promise<PrepareResult> {
  try {
    return await prepareJob(deps, terms, job, job.lookups);
  } catch (error) {
    if (!(error instanceof BinderyError) || error.status >= 500) throw error;
    return { kind: "failed", code: error.code, params: error.params };
  }
}

/** A prepared record that can be written: its terms are current. `raw` is the text of its metadata. */
export type WritableRecord = PreparedRecord & { readonly raw: RawJson };

/**
 * Returns the prepared record if its cited terms are unchanged in the transaction. Otherwise prepares it again there.
 * @throws the error with which the preparation failed
 */
export async function refreshPrepared(
  deps: PrepareDeps,
  terms: TermReader,
  job: PrepareJob | ParsedJob,
  prepared: PrepareResult | undefined,
): Promise<WritableRecord> {
  if (prepared?.kind === "failed") {
    throw (fail as (code: ErrorCode, params: unknown) => BinderyError)(prepared.code, prepared.params);
  }
  const isSame =
    prepared !== undefined &&
    (prepared.termsVersion === (await terms.version()) ||
      citationsDigest(await cite(terms, prepared.references)) === prepared.citationsDigest);
  const ready = isSame ? prepared : await prepareJob(deps, terms, job, prepared?.lookups ?? job.lookups);
  return { ...ready, raw: new RawJson(ready.metadata) };
}

async function prepareJob(
  deps: PrepareDeps,
  terms: TermReader,
  job: PrepareJob | ParsedJob,
  lookups: readonly AuthorityAnswer[] = [],
): Promise<PreparedRecord> {
  const model = findModel(deps.catalog, job.model);
  const termsVersion = await terms.version();
  return { ...(await prepareContent(deps, terms, model, job, lookups)), termsVersion, lookups };
}

type PreparedContent = Omit<PreparedRecord, "termsVersion" | "lookups">;

async function prepareContent(
  deps: PrepareDeps,
  terms: TermReader,
  model: Model,
  job: PrepareJob | ParsedJob,
  lookups: readonly AuthorityAnswer[],
): Promise<PreparedContent> {
  if (job.kind === "read") return prepareSent(deps, terms, model, job.sent, lookups);
  if (job.kind === "sent") return prepareSent(deps, terms, model, readBody(job.text, model), lookups);
  const { metadata, errors } = JSON.parse(job.text) as RecordBody;
  if (job.kind === "copy") return prepareCopy(deps, terms, model, metadata);
  return prepareSent(deps, terms, model, { metadata, notOffered: unsupportedIssues(errors), isStored: true }, lookups);
}

/** Builds only the index. The metadata stay as they are, even if they exceed limits that are newer than the record. */
async function prepareCopy(
  { store, sitesOf }: PrepareDeps,
  terms: TermReader,
  model: Model,
  metadata: JsonObject,
): Promise<PreparedContent> {
  const cited = await terms.citedNow(referencesOf(metadata, sitesOf(model).terms));
  const assumed = assumedLeaves(model, metadata, cited);
  return {
    kind: "ready",
    metadata: JSON.stringify(metadata),
    index: store.prepareIndex(assumed.leaves, assumed.terms),
    issues: [],
    warnings: [],
    // The writer of the index itself compares the terms with which it was built.
    references: [],
    citationsDigest: citationsDigest([]),
    unknownTerms: [],
  };
}

/**
 * Prepares metadata: fills in cited terms, validates, and builds the index.
 * @param lookups answers of authorities about unknown terms
 * @throws BODY_INVALID, DRAFT_INVALID, RECORD_TOO_LARGE, RECORD_TOO_LONG
 */
export async function prepareSent(
  deps: PrepareDeps,
  terms: TermReader,
  model: Model,
  sent: Pick<SentRecord, "metadata"> & Partial<SentRecord>,
  lookups: readonly AuthorityAnswer[] = [],
): Promise<PreparedContent> {
  let citations: readonly Citation[] = [];
  let references: readonly TermReference[] = [];
  const recordingTerms: TermReader = {
    ...terms,
    cite: async (cited) => {
      references = cited;
      citations = await terms.cite(cited);
      return citations;
    },
  };
  const prepared = await prepareMetadata(deps, recordingTerms, model, sent, lookups);
  const { metadata, cited, unknownTerms, issues, warnings } = prepared;
  const { leaves, terms: assumed } = checkedLeaves(model, metadata, cited);
  const index = deps.store.prepareIndex(leaves, assumed);
  return {
    kind: "ready",
    metadata: JSON.stringify(metadata),
    index,
    issues,
    warnings,
    references,
    citationsDigest: citationsDigest(citations),
    unknownTerms,
  };
}

interface AssumedLeaves {
  readonly leaves: RecordLeaves;
  /** The terms with which the leaves were made. */
  readonly terms: readonly AssumedTerm[];
}

/** Returns the leaves of metadata that the index stores, and checks their number of words. @throws RECORD_TOO_LONG */
export function checkedLeaves(model: Model, metadata: JsonObject, cited: readonly CitedTerm[]): AssumedLeaves {
  const known = cited.map(({ vocabulary, id, version, title, names }) => {
    return { vocabulary, id, term: { id, successors: [], version, titles: [title], names } };
  });
  const cutLetters = new Map<LeafValue, number>();
  const assumed = assumedLeaves(model, metadata, known, (leaf, text) => {
    const count = countCutLetters(text);
    if (count > 0) cutLetters.set(leaf, count);
  });
  checkWords(assumed.leaves.leaves, cutLetters);
  return assumed;
}

function assumedLeaves(
  model: Model,
  metadata: JsonObject,
  cited: readonly AssumedTerm[],
  keepText?: KeepText,
): AssumedLeaves {
  const known = new Map(cited.map((assumed) => [`${assumed.vocabulary} ${assumed.id}`, assumed]));
  const terms = new Map<string, AssumedTerm>();
  const findCitedTerm = (vocabulary: string, id: string): AssumedTerm["term"] => {
    const key = `${vocabulary} ${id}`;
    const assumed = known.get(key) ?? { vocabulary, id };
    terms.set(key, assumed);
    return assumed.term;
  };
  const leaves = metadataLeaves(metadata, model, findCitedTerm, keepText);
  return { leaves, terms: [...terms.values()] };
}

const cite = async (terms: TermReader, asked: readonly TermReference[]): Promise<readonly Citation[]> =>
  asked.length === 0 ? [] : terms.cite(asked);

const citationsDigest = (citations: readonly Citation[]): string =>
  createHash("sha256").update(JSON.stringify(citations)).digest("base64");

/** Number of fields that the error names. */
const FIELDS_MAX = 3;

/**
 * Refuses records that would block the only writer for long: the time to index a record grows with its words.
 * @param cutLetters for values with truncated words: the number of words that the rest counts as
 * @throws RECORD_TOO_LONG
 */
function checkWords(leaves: readonly LeafValue[], cutLetters: ReadonlyMap<LeafValue, number>): void {
  const counts = new Map<string, number>();
  let total = 0;
  for (const leaf of leaves) {
    const { path } = leaf;
    const count = countWords(leaf.words) + (cutLetters.get(leaf) ?? 0);
    total += count;
    const field = path ?? "fields that the model does not know";
    counts.set(field, (counts.get(field) ?? 0) + count);
  }
  if (total <= LIMITS.recordWordsMax) return;
  const most = [...counts].sort(([, a], [, b]) => b - a).slice(0, FIELDS_MAX);
  const fields = most.filter(([, count]) => count > 0).map(([field, words]) => `${field} (${words})`);
  throw fail("RECORD_TOO_LONG", { words: total, max: LIMITS.recordWordsMax, fields });
}

/** Estimated bytes of a prepared record for each character of its metadata, which its index repeats as tokens. */
const BYTES_PER_CHARACTER = 8;

/**
 * Caches the preparation of a record that is being written. Most drafts are published, and some are edited, soon after
 * they were written, and to prepare a record takes a third of the time of a write.
 */
export function cachePrepared(
  { caches }: Pick<Deps, "caches">,
  { id }: { readonly id: string },
  ready: PreparedRecord,
): void {
  // Problems and warnings may be about the body that was sent, so each request finds its own.
  if (ready.issues.length > 0 || ready.warnings.length > 0) return;
  caches.open("prepared").set(id, ready, ready.metadata.length * BYTES_PER_CHARACTER);
}

/** Removes a record from the cache, because its draft is deleted. */
export const forgetPrepared = ({ caches }: Pick<Deps, "caches">, id: string): void =>
  caches.open("prepared").remove(id);

/** Returns the cached preparation of exactly these metadata. The terms that they cite may have changed since. */
function cachedPreparation(cache: Cache, { id, json }: StoredRecord): PreparedRecord | undefined {
  const ready = cache.get<PreparedRecord>(id);
  // The metadata of a record without errors are the last member of its text.
  return ready !== undefined && json.endsWith(`"metadata":${ready.metadata}}`) ? ready : undefined;
}

/**
 * Prepares a stored record before the transaction that writes it.
 * @param stored the record as it is now; undefined if it will probably not be written
 * @returns a function for the transaction that returns the prepared record. It prepares the record again if the record
 *          or its terms have changed.
 */
export async function prepareStored(
  deps: Deps,
  kind: Exclude<PrepareJob["kind"], "sent">,
  stored: StoredRecord | undefined,
): Promise<(terms: TermReader, record: StoredRecord) => Promise<WritableRecord>> {
  const jobOf = ({ model, json: text }: StoredRecord): PrepareJob => ({ kind, model, text });
  const cached = stored && cachedPreparation(deps.caches.open("prepared"), stored);
  const prepared = cached ?? (stored && (await deps.prepare(jobOf(stored))));
  const lookups = prepared?.kind === "ready" ? prepared.lookups : [];
  return (terms, record) => {
    const { id, state, revision } = record;
    const isSame = id === stored?.id && state === stored.state && revision === stored.revision;
    // Reuses the answers of authorities: another revision cites mostly the same terms, and a transaction must not wait.
    return refreshPrepared(deps, terms, { ...jobOf(record), lookups }, isSame ? prepared : undefined);
  };
}

/**
 * Prepares the example of each model like the body of a request. This warms up: the first body of a model takes some
 * hundred milliseconds longer than later ones, mainly because the validator of the model is compiled.
 *
 * @param pause awaited before each model, so that requests can run in between
 */
export async function prepareExamples(
  { prepareRecord }: PrepareServices,
  { models }: Pick<Catalog, "models">,
  pause: () => Promise<void>,
): Promise<void> {
  for (const { name: model, example } of models.values()) {
    if (example === undefined) continue;
    await pause();
    await prepareRecord({ kind: "sent", model, text: JSON.stringify(example) });
  }
}

/** Dependencies of the preparation of metadata. */
type MetadataDeps = Pick<Deps, "clock" | "findNearTerms" | "validatorOf" | "getFieldTree" | "sitesOf"> &
  Partial<Pick<Deps, "textLimits">>;

/** Metadata as they will be stored, with their citations and problems. */
interface PreparedMetadata extends Pick<Dereferenced, "metadata" | "cited" | "unknownTerms"> {
  /** At most LIMITS.issuesMax, and one entry that counts the others. */
  readonly issues: readonly Issue[];
  /** At most LIMITS.issuesMax, and one entry that counts the others. */
  readonly warnings: readonly Warning[];
}

/**
 * Prepares sent metadata for storage: fills in terms and references, and collects all problems. The terms must be
 * compared again in the transaction that stores the metadata, see `refreshPrepared`.
 *
 * @param sent if `missing` is set, the body has no metadata; this is its only problem, and nothing is validated
 * @param lookups answers of authorities about unknown terms
 * @throws BODY_INVALID, DRAFT_INVALID, RECORD_TOO_LARGE if there is too much text, sent or filled in
 */
export async function prepareMetadata(
  { clock, findNearTerms, validatorOf, getFieldTree, sitesOf, textLimits = TEXT_LIMITS_DEFAULT }: MetadataDeps,
  terms: TermReader,
  model: Model,
  sent: Pick<SentRecord, "metadata" | "missing"> & Partial<Pick<SentRecord, "notOffered" | "warnings" | "isStored">>,
  lookups: readonly AuthorityAnswer[] = [],
): Promise<PreparedMetadata> {
  const { notOffered = [], isStored = false } = sent;
  const warnings = new IssueList<Warning>();
  if (sent.warnings !== undefined) warnings.append(sent.warnings);
  if (sent.missing !== undefined) {
    const issues = [sent.missing, ...notOffered];
    const allWarnings = withCount(warnings, countWarnings);
    return { metadata: sent.metadata, cited: [], unknownTerms: [], issues, warnings: allWarnings };
  }
  const wording = { fields: getFieldTree(model), say: messagesIn() };
  const textIssues = checkTexts(sent.metadata, model, textLimits, wording, isStored);
  const sites = sitesOf(model);
  const dereferenced = await dereference(terms, findNearTerms, sites.terms, sent.metadata, wording, lookups);
  const { metadata, dangling, repeated, ...references } = fillReferences(sites, dereferenced.metadata, wording);
  checkFilled(metadata, sites, textLimits);
  const validated = validatorOf(model)(metadata, { say: wording.say, nowMicros: clock.nowMicros() });
  const issues = new IssueList<Issue>();
  issues.append({ entries: textIssues, more: 0 });
  issues.append(dereferenced.issues);
  issues.append(repeatedIdIssues(repeated, metadata, wording));
  issues.append(danglingIssues(dangling, metadata, validated.issues, wording));
  // Leaves out schema errors at places that have an issue already.
  const places = new Set(issues.entries.map(({ pointer }) => pointer));
  const schemaIssues = validated.issues.filter(({ pointer }) => !places.has(pointer));
  issues.append({ entries: schemaIssues, more: validated.moreIssues });
  warnings.append(dereferenced.warnings);
  warnings.append(references.warnings);
  warnings.append({ entries: validated.warnings, more: validated.moreWarnings });
  return {
    metadata,
    cited: dereferenced.cited,
    unknownTerms: dereferenced.unknownTerms,
    issues: [...notOffered, ...withCount(issues, countIssues)],
    warnings: withCount(warnings, countWarnings),
  };
}

/** Returns the entries of a list, and one entry that counts the others if there are any. */
function withCount<T>({ entries, more }: IssueList<T>, describeRest: (count: number) => T): readonly T[] {
  return more === 0 ? entries : [...entries, describeRest(more)];
}

const countIssues = (count: number): Issue =>
  makeIssue(["metadata"], "MORE_PROBLEMS", [messagesIn().MORE_PROBLEMS({ count })]);

const countWarnings = (count: number): Warning => {
  return { code: "MORE_WARNINGS", message: messagesIn().MORE_WARNINGS({ count }), field: "metadata" };
};
