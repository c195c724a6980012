import { isDeepStrictEqual } from "node:util";
import type { Model } from "../../core/catalog/types.js";
import type { Json, JsonObject } from "../../core/json.js";
import type { RecordBody } from "../../core/record.js";
import type { CitedTerm } from "../../core/term.js";
import type { RecordReader, VersionRow, WriteTransaction } from "../../ports/store.js";
import type { Deps } from "../context/deps.js";
import type { Dereferenced } from "../metadata/dereference.js";
import { prepareMetadata } from "../metadata/prepare-metadata.js";
import { checkedLeaves } from "../metadata/prepare-record.js";
import type { SentRecord } from "../metadata/read-body.js";
import { describeIssues } from "../metadata/read-document.js";
import { editDraftOf, freshId, newDraft, publishedOf } from "../records/record-body.js";
import { type Identity, identityOf } from "./import-identity.js";

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
      readonly body: RecordBody;
      readonly cited: readonly CitedTerm[];
      readonly identity: Identity;
      /** Why it is not all that was wanted. */
      readonly reason?: string;
    };

type Prepared = Pick<Dereferenced, "metadata" | "issues" | "cited">;

/**
 * Decides what is to become of a document, and writes nothing. A document that was imported before, or that names an
 * id, is that record: unchanged where it says the same, changed where the order says so, else refused.
 *
 * @param now the record's own instant
 */
export async function planImport(
  deps: Deps,
  tx: WriteTransaction,
  order: ImportOrder,
  { document, sent, now }: { readonly document: Json; readonly sent: SentRecord; readonly now: string },
): Promise<ImportPlan> {
  const identity = identityOf(order.model, document, sent.metadata);
  if ("reason" in identity) return { kind: "refused", reason: identity.reason };
  const before = await tx.imports.find({ model: order.model.name, owner: order.owner, key: identity.key });
  const id = identity.id ?? before?.id;
  const there = id === undefined ? undefined : await findThere(tx.records, id);
  if (id !== undefined && there === undefined && (await tx.records.tombstoneOf(id)) !== undefined) {
    return { kind: "refused", id, reason: "the record was retracted", isRetracted: true };
  }
  const prepare = async (): Promise<Prepared> => {
    const prepared = await prepareMetadata(deps, tx.terms, order.model, sent);
    checkedLeaves(order.model, prepared.metadata, prepared.cited);
    return prepared;
  };
  if (there === undefined) return planNew(deps, tx.records, order, { identity, prepared: await prepare(), now });
  return planKnown(tx, order, there, { identity, isSame: before?.digest === identity.digest, sent, prepare, now });
}

interface There {
  readonly draft?: RecordBody;
  readonly published?: RecordBody;
}

async function findThere(records: RecordReader, id: string): Promise<There | undefined> {
  const [draft, published] = [await records.get(id, "draft"), await records.get(id, "published")];
  if (draft === undefined && published === undefined) return undefined;
  return {
    ...(draft === undefined ? {} : { draft: JSON.parse(draft.json) as RecordBody }),
    ...(published === undefined ? {} : { published: JSON.parse(published.json) as RecordBody }),
  };
}

interface Known {
  readonly identity: Identity;
  /** Does the document say what it said when it was imported? */
  readonly isSame: boolean;
  readonly sent: SentRecord;
  readonly prepare: () => Promise<Prepared>;
  readonly now: string;
}

async function planKnown(
  { records }: WriteTransaction,
  { model, owner, publish, update, keepDrafts }: ImportOrder,
  { draft, published }: There,
  { identity, isSame, sent, prepare, now }: Known,
): Promise<ImportPlan> {
  const stored = (draft ?? published)!;
  const { id } = stored;
  const refuse = (reason: string): ImportPlan => ({ kind: "refused", id, reason });
  if (stored.model !== model.name) return refuse(`the id belongs to a record of the model ${stored.model}`);
  if (stored.parent.owner.user !== owner) return refuse("the record belongs to another user");
  const says = (body: RecordBody | undefined, metadata: JsonObject): boolean =>
    body !== undefined && isDeepStrictEqual(JSON.parse(JSON.stringify(metadata)), body.metadata);

  // Who edited the record since keeps the edit: the document says nothing new.
  const isPublished = published !== undefined;
  const isDone = !publish || (isPublished && draft === undefined);
  if (says(published, sent.metadata) || (isSame && isDone)) return { kind: "unchanged", id };
  const prepared = await prepare();
  if (says(published, prepared.metadata)) return { kind: "unchanged", id };
  const isAsDraft = says(draft, sent.metadata) || says(draft, prepared.metadata);
  if (isAsDraft ? !publish : isSame && isPublished) return { kind: "unchanged", id };
  if (!isAsDraft && !update) return refuse("it differs from the stored record; --update writes it");

  const reason = prepared.issues.length > 0 && publish ? describeIssues(prepared.issues) : undefined;
  if (reason !== undefined && (!keepDrafts || isAsDraft)) return refuse(reason);
  const revision = (await records.lastRevision(id)) + 1;
  const base = draft ?? editDraftOf(stored, stored.metadata, { now, revision });
  const changed = withMetadata({ ...base, updated: now, revision_id: revision }, prepared);
  const { cited } = prepared;
  if (!publish || reason !== undefined) {
    return { kind: "updated", body: changed, cited, identity, ...(reason === undefined ? {} : { reason }) };
  }
  const before = published === undefined ? {} : { published: published.created };
  const body = publishedOf(changed, prepared.metadata, { now, revision, ...before });
  const rows = await records.versionsOf(body.parent.id);
  return { kind: "updated", body: withFlags(body, rows), cited, identity };
}

async function planNew(
  deps: Deps,
  records: RecordReader,
  { model, owner, publish, keepDrafts }: ImportOrder,
  { identity, prepared, now }: { readonly identity: Identity; readonly prepared: Prepared; readonly now: string },
): Promise<ImportPlan> {
  const { metadata, issues, cited } = prepared;
  const reason = publish && issues.length > 0 ? describeIssues(issues) : undefined;
  if (reason !== undefined && !keepDrafts) return { kind: "refused", reason };
  const place = await placeOf(deps, records, { model, owner, isDraft: !publish || reason !== undefined }, identity);
  if ("reason" in place) return { kind: "refused", reason: place.reason };
  const { rows, ...ids } = place;
  const draft = newDraft({ ...ids, owner, model: model.name, now, metadata, issues });
  const isDraft = !publish || reason !== undefined;
  const body = isDraft ? draft : publishedOf(draft, metadata, { now, revision: 1 });
  const said = reason === undefined ? {} : { reason };
  return { kind: "created", body: withFlags(body, rows), cited, identity, ...said };
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
  { random }: Deps,
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

function withMetadata(draft: RecordBody, { metadata, issues }: Pick<Prepared, "metadata" | "issues">): RecordBody {
  const { errors: _, ...kept } = draft;
  return { ...kept, metadata, ...(issues.length > 0 ? { errors: issues } : {}) };
}

/** The flags of a version among the others under its parent: a file may have the newest first. */
function withFlags(body: RecordBody, rows: readonly VersionRow[]): RecordBody {
  const { index } = body.versions;
  const newer = rows.filter(({ id, version }) => id !== body.id && version > index);
  const isLatest = body.state === "published" && !newer.some(({ state }) => state === "published");
  return { ...body, versions: { index, is_latest: isLatest, is_latest_draft: newer.length === 0 } };
}
