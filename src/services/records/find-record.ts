import type { Catalog } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import { explainState, type LifeAction } from "../../core/lifecycle.js";
import { requireStanding, standingOf, type User } from "../../core/may.js";
import type { StoredRecord } from "../../core/record.js";
import { parseRecordId } from "../../core/record-id.js";
import type { Conditions } from "../api/conditions.js";
import type { RecordAddress } from "../api/record-services.js";
import { checkRevision } from "../context/check-revision.js";
import type { Reach } from "./find-draft.js";

/**
 * What everybody may read: a published record; of a parent the latest version under it, whose own id is another.
 * @throws RECORD_NOT_FOUND; RECORD_GONE, of a parent where all versions were retracted
 */
export async function findPublished(
  { records }: Pick<Reach, "records">,
  catalog: Catalog,
  address: { readonly model?: string; readonly id: string },
): Promise<StoredRecord> {
  const id = parseRecordId(address.id);
  if (id === undefined) throw fail("RECORD_NOT_FOUND", { id: address.id });
  // A model may have left the catalog while its records stay.
  const isServed = (model: string): boolean => catalog.models.has(model) && model === (address.model ?? model);
  const record = (await records.get(id, "published")) ?? (await records.latestOf(id));
  if (record !== undefined && isServed(record.model)) return record;
  const tombstone = record === undefined ? await records.tombstoneOf(id) : undefined;
  if (tombstone !== undefined && isServed(tombstone.body.model))
    throw fail("RECORD_GONE", { tombstone: tombstone.body });
  const isElsewhere = record !== undefined && catalog.models.has(record.model);
  throw fail("RECORD_NOT_FOUND", { id: address.id, ...(isElsewhere ? { hint: explainModel(record) } : {}) });
}

/** Where a record is that was looked for under another model. Only for those who may read it there. */
export function explainModel({ model, id }: Pick<StoredRecord, "model" | "id">, part: "" | "/draft" = ""): string {
  return `It belongs to the model "${model}": /api/records/${model}/${id}${part}.`;
}

/**
 * The published record, for a user who may do this with it.
 * @throws RECORD_NOT_FOUND, RECORD_GONE, ACCESS_DENIED, REVISION_STALE
 */
export async function findRecord(
  reach: Reach,
  user: User,
  action: LifeAction,
  address: RecordAddress,
  revision?: Conditions["revision"],
): Promise<StoredRecord> {
  const id = parseRecordId(address.id);
  const record = id === undefined ? undefined : await reach.records.get(id, "published");
  if (record !== undefined && record.model !== address.model) {
    throw fail("RECORD_NOT_FOUND", { id: address.id, hint: explainModel(record) });
  }
  if (record === undefined) throw await missingRecord(reach, user, address, id);
  requireStanding(standingOf(user, record), action);
  checkRevision(record, revision);
  return record;
}

async function missingRecord(
  { records, shares }: Reach,
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
  const latest = await records.latestOf(id);
  if (latest?.model === model) {
    return fail("RECORD_NOT_FOUND", {
      id: sent,
      hint: `It is the parent id of several versions; the latest version is "${latest.id}".`,
    });
  }
  const tombstone = latest === undefined ? await records.tombstoneOf(id) : undefined;
  return tombstone?.body.model === model
    ? fail("RECORD_GONE", { tombstone: tombstone.body })
    : fail("RECORD_NOT_FOUND", { id: sent });
}
