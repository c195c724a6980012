import { createHash } from "node:crypto";
import type { Model } from "../../core/catalog/types.js";
import { BinderyError, type ErrorCode, fail } from "../../core/errors.js";
import type { JsonObject } from "../../core/json.js";
import { RawJson, type RecordBody } from "../../core/record.js";
import type { CitedTerm } from "../../core/term.js";
import type { Citation, TermReader, TermReference } from "../../ports/store.js";
import { countCutLetters } from "../../query/index-model/count-words.js";
import type { AssumedTerm, LeafValue, RecordLeaves } from "../../query/index-model/leaves.js";
import { type KeepText, metadataLeaves } from "../../query/index-model/record-leaves.js";
import type { LookedUp, Prepared, PrepareJob, PrepareServices, Ready } from "../api/prepare-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { notOfferedOf } from "../rules/not-offered.js";
import { checkWords } from "./check-words.js";
import { type MetadataDeps, prepareMetadata } from "./prepare-metadata.js";
import { readBody, type SentRecord } from "./read-body.js";
import { referencesOf } from "./term-references.js";

export type PrepareDeps = MetadataDeps & Pick<Deps, "catalog">;

export function makePrepareRecord(deps: PrepareDeps): PrepareServices["prepareRecord"] {
  return (job) => tryPrepare(deps, deps.store.terms, job);
}

/** A body that was read already; it does not pass between threads. */
export interface ReadJob extends Pick<PrepareJob, "model" | "lookedUp"> {
  readonly kind: "read";
  readonly sent: SentRecord;
}

/** Prepares with terms as `terms` has them; a client's fault is an answer. */
export async function tryPrepare(deps: PrepareDeps, terms: TermReader, job: PrepareJob | ReadJob): Promise<Prepared> {
  try {
    return await prepareJob(deps, terms, job, job.lookedUp);
  } catch (error) {
    if (!(error instanceof BinderyError) || error.status >= 500) throw error;
    return { kind: "failed", code: error.code, params: error.params };
  }
}

/** What was prepared, as it is to be written: `raw` is its metadata. */
export type Current = Ready & { readonly raw: RawJson };

/**
 * What was prepared, if the terms that it cites are still the same in the transaction; else it is done again there.
 * @throws why it could not be prepared
 */
export async function upToDate(
  deps: PrepareDeps,
  terms: TermReader,
  job: PrepareJob | ReadJob,
  prepared: Prepared | undefined,
): Promise<Current> {
  if (prepared?.kind === "failed") {
    throw (fail as (code: ErrorCode, params: unknown) => BinderyError)(prepared.code, prepared.params);
  }
  const isSame =
    prepared !== undefined &&
    (prepared.termsAt === (await terms.version()) || digestOf(await cite(terms, prepared.asked)) === prepared.found);
  const ready = isSame ? prepared : await prepareJob(deps, terms, job, prepared?.lookedUp ?? job.lookedUp);
  return { ...ready, raw: new RawJson(ready.metadata) };
}

async function prepareJob(
  deps: PrepareDeps,
  terms: TermReader,
  job: PrepareJob | ReadJob,
  lookedUp: readonly LookedUp[] = [],
): Promise<Ready> {
  const model = findModel(deps.catalog, job.model);
  const termsAt = await terms.version();
  return { ...(await prepareKind(deps, terms, model, job, lookedUp)), termsAt, lookedUp };
}

type Made = Omit<Ready, "termsAt" | "lookedUp">;

async function prepareKind(
  deps: PrepareDeps,
  terms: TermReader,
  model: Model,
  job: PrepareJob | ReadJob,
  lookedUp: readonly LookedUp[],
): Promise<Made> {
  if (job.kind === "read") return prepareSent(deps, terms, model, job.sent, lookedUp);
  if (job.kind === "sent") return prepareSent(deps, terms, model, readBody(job.text, model), lookedUp);
  const { metadata, errors } = JSON.parse(job.text) as RecordBody;
  if (job.kind === "copy") return prepareCopy(deps, terms, model, metadata);
  return prepareSent(deps, terms, model, { metadata, notOffered: notOfferedOf(errors), isStored: true }, lookedUp);
}

/** Nothing is filled in, and no limit holds that came after the record: only its index is made anew. */
async function prepareCopy(
  { store, sitesOf }: PrepareDeps,
  terms: TermReader,
  model: Model,
  metadata: JsonObject,
): Promise<Made> {
  const cited = await terms.citedNow(referencesOf(metadata, sitesOf(model).terms));
  const made = assumedLeaves(model, metadata, cited);
  // What the index was made with is compared where it is written.
  const nothing = { issues: [], warnings: [], asked: [], unknown: [], found: digestOf([]) };
  const index = store.prepareIndex(made.leaves, made.terms);
  return { kind: "ready", metadata: JSON.stringify(metadata), index, ...nothing };
}

/**
 * @param lookedUp what authorities said of terms that are not loaded
 * @throws BODY_INVALID, DRAFT_INVALID, RECORD_TOO_LARGE, RECORD_TOO_LONG
 */
export async function prepareSent(
  deps: PrepareDeps,
  terms: TermReader,
  model: Model,
  sent: Pick<SentRecord, "metadata"> & Partial<SentRecord>,
  lookedUp: readonly LookedUp[] = [],
): Promise<Made> {
  let citations: readonly Citation[] = [];
  let asked: readonly TermReference[] = [];
  const watched: TermReader = {
    ...terms,
    cite: async (references) => {
      asked = references;
      citations = await terms.cite(references);
      return citations;
    },
  };
  const prepared = await prepareMetadata(deps, watched, model, sent, lookedUp);
  const { metadata, cited, unknown, issues, warnings } = prepared;
  const { leaves, terms: assumed } = checkedLeaves(model, metadata, cited);
  const index = deps.store.prepareIndex(leaves, assumed);
  return {
    kind: "ready",
    metadata: JSON.stringify(metadata),
    index,
    issues,
    warnings,
    asked,
    found: digestOf(citations),
    unknown,
  };
}

interface AssumedLeaves {
  readonly leaves: RecordLeaves;
  /** The terms that they were made with. */
  readonly terms: readonly AssumedTerm[];
}

/** What the index takes of metadata that cites these terms. @throws RECORD_TOO_LONG */
export function checkedLeaves(model: Model, metadata: JsonObject, cited: readonly CitedTerm[]): AssumedLeaves {
  const known = cited.map(({ vocabulary, id, version, title, names }) => {
    return { vocabulary, id, term: { id, successors: [], version, titles: [title], names } };
  });
  const cutLetters = new Map<LeafValue, number>();
  const made = assumedLeaves(model, metadata, known, (leaf, text) => {
    const count = countCutLetters(text);
    if (count > 0) cutLetters.set(leaf, count);
  });
  checkWords(made.leaves.leaves, cutLetters);
  return made;
}

function assumedLeaves(
  model: Model,
  metadata: JsonObject,
  cited: readonly AssumedTerm[],
  keepText?: KeepText,
): AssumedLeaves {
  const known = new Map(cited.map((assumed) => [`${assumed.vocabulary} ${assumed.id}`, assumed]));
  const terms = new Map<string, AssumedTerm>();
  const termOf = (vocabulary: string, id: string): AssumedTerm["term"] => {
    const key = `${vocabulary} ${id}`;
    const assumed = known.get(key) ?? { vocabulary, id };
    terms.set(key, assumed);
    return assumed.term;
  };
  const leaves = metadataLeaves(metadata, model, termOf, keepText);
  return { leaves, terms: [...terms.values()] };
}

const cite = async (terms: TermReader, asked: readonly TermReference[]): Promise<readonly Citation[]> =>
  asked.length === 0 ? [] : terms.cite(asked);

const digestOf = (citations: readonly Citation[]): string =>
  createHash("sha256").update(JSON.stringify(citations)).digest("base64");
