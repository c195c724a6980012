import type { Catalog } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import { explainState, type LifeAction } from "../../core/lifecycle.js";
import { requireStanding, standingOf, type User } from "../../core/may.js";
import { parseRecordId, type StoredRecord } from "../../core/record.js";
import type { RecordReader, ShareReader } from "../../ports/store.js";
import type { Conditions, RecordAddress } from "../api/records.js";
import { checkRevision } from "../context/run-write.js";

/**
 * Returns a published record, which everybody may read. For the id of a parent, returns its latest version.
 * @throws RECORD_NOT_FOUND; RECORD_GONE, also for a parent if all its versions were retracted
 */
export async function findPublished(
  { records }: Pick<RecordSource, "records">,
  catalog: Catalog,
  address: { readonly model?: string | undefined; readonly id: string },
): Promise<StoredRecord> {
  const id = parseRecordId(address.id);
  if (id === undefined) throw fail("RECORD_NOT_FOUND", { id: address.id });
  // A model may have left the catalog while its records stay.
  const isServed = (model: string): boolean => catalog.models.has(model) && model === (address.model ?? model);
  const record = (await records.get(id, "published")) ?? (await records.getLatest(id));
  if (record !== undefined && isServed(record.model)) return record;
  const tombstone = record === undefined ? await records.getTombstone(id) : undefined;
  if (tombstone !== undefined && isServed(tombstone.body.model))
    throw fail("RECORD_GONE", { tombstone: tombstone.body });
  const hasOtherModel = record !== undefined && catalog.models.has(record.model);
  throw fail("RECORD_NOT_FOUND", { id: address.id, ...(hasOtherModel ? { hint: explainModel(record) } : {}) });
}

/** Says which model a record has, for a request that names another model and a user who may read the record. */
function explainModel({ model, id }: Pick<StoredRecord, "model" | "id">, part: "" | "/draft" = ""): string {
  return `It belongs to the model "${model}": /api/records/${model}/${id}${part}.`;
}

/**
 * Returns a published record if the user may do this action with it.
 * @throws RECORD_NOT_FOUND, RECORD_GONE, ACCESS_DENIED, REVISION_STALE
 */
export async function findRecord(
  source: RecordSource,
  user: User,
  action: LifeAction,
  address: RecordAddress,
  revision?: Conditions["revision"],
): Promise<StoredRecord> {
  const id = parseRecordId(address.id);
  const record = id === undefined ? undefined : await source.records.get(id, "published");
  if (record !== undefined && record.model !== address.model) {
    throw fail("RECORD_NOT_FOUND", { id: address.id, hint: explainModel(record) });
  }
  if (record === undefined) throw await missingRecord(source, user, address, id);
  requireStanding(standingOf(user, record), action);
  checkRevision(record, revision);
  return record;
}

async function missingRecord(
  { records, shares }: RecordSource,
  user: User,
  { model, id: sent }: RecordAddress,
  id: string | undefined,
): Promise<Error> {
  if (id === undefined) return fail("RECORD_NOT_FOUND", { id: sent });
  const draft = await records.get(id, "draft");
  const standing = draft && standingOf(user, draft, await shares.permissionOf(draft.id, user.user));
  if (draft?.model === model && standing !== undefined && standing !== "stranger") {
    return fail("RECORD_NOT_FOUND", { id: sent, hint: explainState(draft.isPublished ? "edited" : "draft", standing) });
  }
  const latest = await records.getLatest(id);
  if (latest?.model === model) {
    return fail("RECORD_NOT_FOUND", {
      id: sent,
      hint: `It is the parent id of several versions; the latest version is "${latest.id}".`,
    });
  }
  const tombstone = latest === undefined ? await records.getTombstone(id) : undefined;
  return tombstone?.body.model === model
    ? fail("RECORD_GONE", { tombstone: tombstone.body })
    : fail("RECORD_NOT_FOUND", { id: sent });
}

/** The part of a store or transaction that is read to find a record and to check rights. */
interface RecordSource {
  readonly records: RecordReader;
  readonly shares: ShareReader;
}

/**
 * Returns a draft if the user may do this action with it.
 * @throws DRAFT_NOT_FOUND, also if the user may not read it; ACCESS_DENIED, REVISION_STALE
 */
export async function findDraft(
  { records, shares }: RecordSource,
  user: User,
  action: LifeAction,
  address: RecordAddress,
  revision?: Conditions["revision"],
): Promise<StoredRecord> {
  const id = parseRecordId(address.id);
  const draft = id === undefined ? undefined : await records.get(id, "draft");
  const shared = id === undefined ? undefined : await shares.permissionOf(id, user.user);
  const standing = draft === undefined ? "stranger" : standingOf(user, draft, shared);
  // A draft that the user may not read is answered like a missing one, by the same path: a 403, or another response
  // time, would confirm that the id exists.
  if (draft === undefined || standing === "stranger") {
    const hint = id === undefined ? undefined : await explainMissingDraft(records, user, id, address.model);
    throw fail("DRAFT_NOT_FOUND", { id: address.id, ...(hint === undefined ? {} : { hint }) });
  }
  if (draft.model !== address.model) {
    throw fail("DRAFT_NOT_FOUND", { id: address.id, hint: explainModel(draft, "/draft") });
  }
  requireStanding(standing, action);
  checkRevision(draft, revision);
  return draft;
}

/** Says what exists instead of a draft. Returns undefined for strangers, whether a draft exists or not. */
async function explainMissingDraft(
  records: RecordReader,
  user: User,
  id: string,
  model: string,
): Promise<string | undefined> {
  const published = await records.get(id, "published");
  const tombstone = published === undefined ? await records.getTombstone(id) : undefined;
  const existing = published ?? (tombstone && { id: tombstone.body.id, model: tombstone.body.model, ...tombstone });
  if (existing === undefined || existing.id !== id || existing.model !== model) return undefined;
  const standing = standingOf(user, existing);
  if (standing === "stranger") return undefined;
  return explainState(published === undefined ? "retracted" : "published", standing);
}
