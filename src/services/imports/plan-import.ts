import type { Model } from "../../core/catalog/types.js";
import { headOf, type RawJson, type RecordBody, type StoredRecord } from "../../core/record.js";
import type { ImportReader } from "../../ports/imports.js";
import type { Random } from "../../ports/random.js";
import type { PreparedIndex, RecordReader, TermReader, VersionRow } from "../../ports/store.js";
import type { Identity } from "../api/import-services.js";
import type { Deps } from "../context/deps.js";
import type { Current } from "../metadata/prepare-record.js";
import { describeIssues } from "../metadata/read-document.js";
import { editDraftOf, freshId, newDraft, publishedOf, withMetadata } from "../records/record-body.js";
import type { ImportDocument } from "./import-document.js";

/** How the documents of a file become records. */
export interface ImportOrder {
  readonly model: Model;
  /** Id of the user who owns them. */
  readonly owner: string;
  readonly publish: boolean;
  /** Is a record that differs from its document to become what the document says? */
  readonly update: boolean;
  /** With `publish`: is a document with problems kept as a draft? */
  readonly keepDrafts: boolean;
}

/** What is to become of a document. */
export type ImportPlan =
  | { readonly kind: "unchanged"; readonly id: string }
  | { readonly kind: "refused"; readonly reason: string; readonly id?: string; readonly isRetracted?: true }
  | {
      readonly kind: "created" | "updated";
      readonly body: RecordBody<RawJson>;
      readonly index: PreparedIndex;
      readonly identity: Identity;
      /** Why it is not all that was wanted. */
      readonly reason?: string;
    };

/** What is read to plan: a store, or a transaction. */
export interface ImportReach {
  readonly records: RecordReader;
  readonly terms: TermReader;
  readonly imports: ImportReader;
}

/**
 * Decides what is to become of a document, and writes nothing. A document that was imported before, or that names an
 * id, is that record: unchanged where it says the same, changed where the order says so, else refused.
 *
 * @param now the record's own instant
 */
export async function planImport(
  { random }: Pick<Deps, "random">,
  reach: ImportReach,
  order: ImportOrder,
  document: ImportDocument,
  now: string,
): Promise<ImportPlan> {
  const { identity } = document;
  const { records, terms } = reach;
  const before = await reach.imports.find({ model: order.model.name, owner: order.owner, key: identity.key });
  const id = identity.id ?? before?.id;
  const there = id === undefined ? undefined : await findThere(records, id);
  if (there !== undefined) return planKnown(reach, order, there, document, { before, now });
  if (id !== undefined && (await records.tombstoneOf(id)) !== undefined) {
    return { kind: "refused", id, reason: "the record was retracted", isRetracted: true };
  }
  return planNew(random, records, order, { identity, ready: (await document.fill(terms)).ready, now });
}

interface There {
  readonly draft?: StoredRecord;
  readonly published?: StoredRecord;
}

async function findThere(records: RecordReader, id: string): Promise<There | undefined> {
  const [draft, published] = [await records.get(id, "draft"), await records.get(id, "published")];
  if (draft === undefined && published === undefined) return undefined;
  return { ...(draft === undefined ? {} : { draft }), ...(published === undefined ? {} : { published }) };
}

interface Known {
  /** What the document was when it was imported. */
  readonly before: { readonly digest: string } | undefined;
  readonly now: string;
}

async function planKnown(
  { records, terms }: ImportReach,
  { model, owner, publish, update, keepDrafts }: ImportOrder,
  { draft, published }: There,
  document: ImportDocument,
  { before, now }: Known,
): Promise<ImportPlan> {
  const stored = (draft ?? published)!;
  const { id } = stored;
  const { identity, sent } = document;
  const refuse = (reason: string): ImportPlan => ({ kind: "refused", id, reason });
  if (stored.model !== model.name) return refuse(`the id belongs to a record of the model ${stored.model}`);
  if (stored.owner !== owner) return refuse("the record belongs to another user");

  // Who edited the record since keeps the edit: the document says nothing new.
  const isSame = before?.digest === identity.digest;
  const isPublished = published !== undefined;
  const isDone = !publish || (isPublished && draft === undefined);
  if ((isSame && isDone) || sent.isIn(published)) return { kind: "unchanged", id };
  const { ready, compared } = await document.fill(terms);
  if (compared.isIn(published)) return { kind: "unchanged", id };
  const isAsDraft = sent.isIn(draft) || compared.isIn(draft);
  if (isAsDraft ? !publish : isSame && isPublished) return { kind: "unchanged", id };
  if (!isAsDraft && !update) return refuse("it differs from the stored record; --update writes it");

  const { raw, index, issues } = ready;
  const reason = issues.length > 0 && publish ? describeIssues(issues) : undefined;
  if (reason !== undefined && (!keepDrafts || isAsDraft)) return refuse(reason);
  const revision = (await records.lastRevision(id)) + 1;
  const head = headOf(stored);
  const base = draft === undefined ? editDraftOf(head, raw, { now, revision }) : { ...head, updated: now };
  const changed = withMetadata({ ...base, revision_id: revision }, raw, issues);
  if (!publish || reason !== undefined) {
    return { kind: "updated", body: changed, index, identity, ...(reason === undefined ? {} : { reason }) };
  }
  const first = published === undefined ? {} : { published: headOf(published).created };
  const body = publishedOf(changed, raw, { now, revision, ...first });
  const rows = await records.versionsOf(body.parent.id);
  return { kind: "updated", body: withFlags(body, rows), index, identity };
}

async function planNew(
  random: Random,
  records: RecordReader,
  { model, owner, publish, keepDrafts }: ImportOrder,
  { identity, ready, now }: { readonly identity: Identity; readonly ready: Current; readonly now: string },
): Promise<ImportPlan> {
  const { raw, index, issues } = ready;
  const reason = publish && issues.length > 0 ? describeIssues(issues) : undefined;
  if (reason !== undefined && !keepDrafts) return { kind: "refused", reason };
  const isDraft = !publish || reason !== undefined;
  const place = await placeOf(random, records, { model, owner, isDraft }, identity);
  if ("reason" in place) return { kind: "refused", reason: place.reason };
  const { rows, ...ids } = place;
  const draft = newDraft({ ...ids, owner, model: model.name, now, metadata: raw, issues });
  const body = isDraft ? draft : publishedOf(draft, raw, { now, revision: 1 });
  const said = reason === undefined ? {} : { reason };
  return { kind: "created", body: withFlags(body, rows), index, identity, ...said };
}

interface NewPlace {
  readonly id: string;
  readonly parent: string;
  readonly index: number;
  /** What is there under the parent. */
  readonly rows: readonly VersionRow[];
}

/** The ids that a new record gets: those that the document names, where they are free. */
async function placeOf(
  random: Random,
  records: RecordReader,
  { model, owner, isDraft }: { readonly model: Model; readonly owner: string; readonly isDraft: boolean },
  { id: wanted, parent: wantedParent, version }: Identity,
): Promise<NewPlace | { readonly reason: string }> {
  if (wanted !== undefined && (await records.isTaken(wanted))) {
    return { reason: `the id ${wanted} was used before, and ids are never used twice` };
  }
  const parent = wantedParent ?? (await freshId(records, random, wanted ?? ""));
  const id = wanted ?? (await freshId(records, random, parent));
  const rows = await records.versionsOf(parent);
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

/** The flags of a version among the others under its parent: a file may have the newest first. */
function withFlags(body: RecordBody<RawJson>, rows: readonly VersionRow[]): RecordBody<RawJson> {
  const { index } = body.versions;
  const newer = rows.filter(({ id, version }) => id !== body.id && version > index);
  const isLatest = body.state === "published" && !newer.some(({ state }) => state === "published");
  return { ...body, versions: { index, is_latest: isLatest, is_latest_draft: newer.length === 0 } };
}
