import { isDeepStrictEqual } from "node:util";
import type { Model } from "../../core/catalog/types.js";
import type { Json } from "../../core/json.js";
import { parseHead, type RawJson, type RecordBody, type StoredRecord, storedBody } from "../../core/record.js";
import type { Random } from "../../ports/environment.js";
import type { ImportReader } from "../../ports/loads.js";
import type { PreparedIndex, RecordReader, TermReader, VersionRow } from "../../ports/store.js";
import type { DocumentIdentity, ParsedRecord } from "../api/imports.js";
import type { PrepareResult } from "../api/preparation.js";
import type { Deps } from "../context/deps.js";
import { type ParsedJob, type PrepareDeps, refreshPrepared, type WritableRecord } from "../metadata/prepare-record.js";
import { describeIssues, type SentRecord } from "../metadata/read-body.js";
import { editDraftOf, freshId, newDraft, publishedOf, withMetadata } from "../records/record-body.js";

/** The settings of an import of records. */
export interface ImportSettings {
  readonly model: Model;
  /** Id of the user who owns them. */
  readonly owner: string;
  readonly publish: boolean;
  /** Whether a record that differs from its document is updated. */
  readonly update: boolean;
  /** With `publish`: whether a document with problems is kept as a draft. */
  readonly keepDrafts: boolean;
}

/** The decision about a document. */
export type ImportPlan =
  | { readonly kind: "unchanged"; readonly id: string }
  | { readonly kind: "refused"; readonly reason: string; readonly id?: string; readonly isRetracted?: true }
  | {
      readonly kind: "created" | "updated";
      readonly body: RecordBody<RawJson>;
      readonly index: PreparedIndex;
      readonly identity: DocumentIdentity;
      /** Why a document became only a draft although the import publishes. */
      readonly reason?: string | undefined;
    };

/** The part of a store or transaction that planning reads. */
export interface ImportSourceReader {
  readonly records: RecordReader;
  readonly terms: TermReader;
  readonly imports: ImportReader;
}

/**
 * Decides about a document without writing. A document that was imported before, or that names an id, belongs to that
 * record: the record is unchanged if it has the same metadata, updated if the order says so, and refused otherwise.
 *
 * @param now the time of the record
 */
export async function planImport(
  { random }: Pick<Deps, "random">,
  reader: ImportSourceReader,
  order: ImportSettings,
  document: ImportDocument,
  now: string,
): Promise<ImportPlan> {
  const { identity } = document;
  const { records, terms } = reader;
  const earlier = await reader.imports.find({ model: order.model.name, owner: order.owner, key: identity.key });
  const id = identity.id ?? earlier?.id;
  const existing = id === undefined ? undefined : await findExisting(records, id);
  if (existing !== undefined) return planExisting(reader, order, existing, document, { earlier, now });
  if (id !== undefined && (await records.getTombstone(id)) !== undefined) {
    return { kind: "refused", id, reason: "the record was retracted", isRetracted: true };
  }
  return planNew(random, records, order, { identity, ready: (await document.fill(terms)).ready, now });
}

interface Existing {
  readonly draft: StoredRecord | undefined;
  readonly published: StoredRecord | undefined;
}

async function findExisting(records: RecordReader, id: string): Promise<Existing | undefined> {
  const [draft, published] = [await records.get(id, "draft"), await records.get(id, "published")];
  if (draft === undefined && published === undefined) return undefined;
  return { draft, published };
}

interface Circumstances {
  /** The earlier import of the document. */
  readonly earlier: { readonly digest: string } | undefined;
  readonly now: string;
}

async function planExisting(
  { records, terms }: ImportSourceReader,
  { model, owner, publish, update, keepDrafts }: ImportSettings,
  { draft, published }: Existing,
  document: ImportDocument,
  { earlier, now }: Circumstances,
): Promise<ImportPlan> {
  const stored = (draft ?? published)!;
  const { id } = stored;
  const { identity, sent } = document;
  const refuse = (reason: string): ImportPlan => ({ kind: "refused", id, reason });
  if (stored.model !== model.name) return refuse(`the id belongs to a record of the model ${stored.model}`);
  if (stored.owner !== owner) return refuse("the record belongs to another user");

  // An unchanged document does not overwrite later edits of the record.
  const isSame = earlier?.digest === identity.digest;
  const isPublished = published !== undefined;
  const isDone = !publish || (isPublished && draft === undefined);
  if ((isSame && isDone) || sent.isIn(published)) return { kind: "unchanged", id };
  const { ready, compared } = await document.fill(terms);
  if (compared.isIn(published)) return { kind: "unchanged", id };
  const equalsDraft = sent.isIn(draft) || compared.isIn(draft);
  if (equalsDraft ? !publish : isSame && isPublished) return { kind: "unchanged", id };
  if (!equalsDraft && !update) return refuse("it differs from the stored record; --update writes it");

  const { raw, index, issues } = ready;
  const reason = issues.length > 0 && publish ? describeIssues(issues) : undefined;
  if (reason !== undefined && (!keepDrafts || equalsDraft)) return refuse(reason);
  const revision = (await records.lastRevision(id)) + 1;
  const head = parseHead(stored);
  const base = draft === undefined ? editDraftOf(head, raw, { now, revision }) : { ...head, updated: now };
  const changed = withMetadata({ ...base, revision_id: revision }, raw, issues);
  if (!publish || reason !== undefined) {
    return { kind: "updated", body: changed, index, identity, reason };
  }
  const firstPublished = published === undefined ? undefined : parseHead(published).created;
  const body = publishedOf(changed, raw, { now, revision, published: firstPublished });
  const rows = await records.listVersions(body.parent.id);
  return { kind: "updated", body: withFlags(body, rows), index, identity };
}

async function planNew(
  random: Random,
  records: RecordReader,
  { model, owner, publish, keepDrafts }: ImportSettings,
  {
    identity,
    ready,
    now,
  }: { readonly identity: DocumentIdentity; readonly ready: WritableRecord; readonly now: string },
): Promise<ImportPlan> {
  const { raw, index, issues } = ready;
  const reason = publish && issues.length > 0 ? describeIssues(issues) : undefined;
  if (reason !== undefined && !keepDrafts) return { kind: "refused", reason };
  const isDraft = !publish || reason !== undefined;
  const place = await newPlace(random, records, { model, owner, isDraft }, identity);
  if ("reason" in place) return { kind: "refused", reason: place.reason };
  const { rows, ...ids } = place;
  const draft = newDraft({ ...ids, owner, model: model.name, now, metadata: raw, issues });
  const body = isDraft ? draft : publishedOf(draft, raw, { now, revision: 1 });
  const optionalReason = reason === undefined ? {} : { reason };
  return { kind: "created", body: withFlags(body, rows), index, identity, ...optionalReason };
}

interface NewPlace {
  readonly id: string;
  readonly parent: string;
  readonly index: number;
  /** Existing versions under the parent. */
  readonly rows: readonly VersionRow[];
}

/** Returns the ids of a new record: those in the document, if they are free, or new ones. */
async function newPlace(
  random: Random,
  records: RecordReader,
  { model, owner, isDraft }: { readonly model: Model; readonly owner: string; readonly isDraft: boolean },
  { id: sentId, parent: sentParent, version }: DocumentIdentity,
): Promise<NewPlace | { readonly reason: string }> {
  if (sentId !== undefined && (await records.isTaken(sentId))) {
    return { reason: `the id ${sentId} was used before, and ids are never used twice` };
  }
  const parent = sentParent ?? (await freshId(records, random, sentId ?? ""));
  const id = sentId ?? (await freshId(records, random, parent));
  const rows = await records.listVersions(parent);
  const [first] = rows;
  if (first === undefined) {
    const isTaken = await records.isTaken(parent);
    return isTaken ? { reason: `parent.id: ${parent} was used before` } : { id, parent, index: version ?? 1, rows };
  }
  const sibling = (await records.get(first.id, first.state))!;
  if (sibling.owner !== owner || sibling.model !== model.name) {
    return { reason: `parent.id: ${parent} belongs to a record of another user or model` };
  }
  const index = version ?? rows.at(-1)!.version + 1;
  if (rows.some((row) => row.version === index))
    return { reason: `versions.index: ${parent} already has a version ${index}` };
  const published = new Set(rows.filter(({ state }) => state === "published").map((row) => row.id));
  if (isDraft && rows.some((row) => !published.has(row.id))) {
    return {
      reason: `${parent} already has the draft of a new version; --publish publishes one version after the other`,
    };
  }
  return { id, parent, index, rows };
}

/** Sets the flags of a version among the versions under its parent. A file may have the newest version first. */
function withFlags(body: RecordBody<RawJson>, rows: readonly VersionRow[]): RecordBody<RawJson> {
  const { index } = body.versions;
  const newer = rows.filter(({ id, version }) => id !== body.id && version > index);
  const isLatest = body.state === "published" && !newer.some(({ state }) => state === "published");
  return { ...body, versions: { index, is_latest: isLatest, is_latest_draft: newer.length === 0 } };
}

/** Metadata of a document, for comparison with stored records. */
class ComparedMetadata {
  readonly #results = new Map<string, boolean>();

  constructor(readonly parse: () => Json) {}

  /** Returns whether the record has these metadata. Results are cached, so a revision is parsed only once. */
  isIn(record: StoredRecord | undefined): boolean {
    if (record === undefined) return false;
    const { id, state, revision } = record;
    const key = `${id} ${state} ${revision}`;
    const compare = (): boolean => isDeepStrictEqual(this.parse(), storedBody(record).metadata);
    const result = this.#results.get(key) ?? compare();
    this.#results.set(key, result);
    return result;
  }
}

/** Metadata as they will be written. */
interface Filled {
  readonly ready: WritableRecord;
  readonly compared: ComparedMetadata;
}

/**
 * A document that is read and prepared. It caches slow work (comparisons with stored records), so that planning it once
 * before its transaction makes planning inside the transaction fast.
 */
export class ImportDocument {
  readonly line: number;
  readonly identity: DocumentIdentity;
  /** The document as it was sent. */
  readonly sent: ComparedMetadata;
  readonly #deps: PrepareDeps;
  readonly #job: ParsedJob;
  #prepared: PrepareResult;
  #filled: Filled | undefined;

  constructor(deps: PrepareDeps, model: string, { line, identity, sent, prepared }: ParsedRecord) {
    const parse = (): SentRecord => JSON.parse(sent) as SentRecord;
    this.line = line;
    this.identity = identity;
    this.sent = new ComparedMetadata(() => parse().metadata);
    this.#deps = deps;
    this.#prepared = prepared;
    this.#job = {
      kind: "read",
      model,
      get sent() {
        return parse();
      },
    };
  }

  /** Length of the metadata to write, in UTF-16 units. */
  get length(): number {
    return this.#prepared.kind === "ready" ? this.#prepared.metadata.length : 0;
  }

  /** Returns the metadata with the current terms. Prepares them again only if a term has changed. */
  async fill(terms: TermReader): Promise<Filled> {
    const ready = await refreshPrepared(this.#deps, terms, this.#job, this.#prepared);
    this.#prepared = ready;
    if (this.#filled?.ready.metadata !== ready.metadata) {
      this.#filled = { ready, compared: new ComparedMetadata(() => JSON.parse(ready.metadata)) };
    }
    return { ...this.#filled, ready };
  }
}
