import { fail } from "../../core/errors.js";
import { explainState, type LifeAction } from "../../core/lifecycle.js";
import { requireStanding, standingOf, type User } from "../../core/may.js";
import type { StoredRecord } from "../../core/record.js";
import { parseRecordId } from "../../core/record-id.js";
import type { RecordReader, ShareReader } from "../../ports/store.js";
import type { Conditions } from "../api/conditions.js";
import type { RecordAddress } from "../api/record-services.js";
import { checkRevision } from "../context/check-revision.js";
import { explainModel } from "./find-record.js";

/** What is read to find a record and to decide about it: a store, or a transaction. */
export interface Reach {
  readonly records: RecordReader;
  readonly shares: ShareReader;
}

/**
 * The draft, for a user who may do this with it.
 * @throws DRAFT_NOT_FOUND, also where the user may not read it; ACCESS_DENIED, REVISION_STALE
 */
export async function findDraft(
  { records, shares }: Reach,
  user: User,
  action: LifeAction,
  address: RecordAddress,
  revision?: Conditions["revision"],
): Promise<StoredRecord> {
  const id = parseRecordId(address.id);
  const draft = id === undefined ? undefined : await records.get(id, "draft");
  const shared = id === undefined ? undefined : await shares.permissionOf(id, user.user);
  const standing = draft === undefined ? "stranger" : standingOf(user, draft, shared);
  // What the user may not read does not exist for them. Both take the same path: a 403, or less time, confirms the id.
  if (draft === undefined || standing === "stranger") {
    const hint = id === undefined ? undefined : await hintOf(records, user, id, address.model);
    throw fail("DRAFT_NOT_FOUND", { id: address.id, ...(hint === undefined ? {} : { hint }) });
  }
  if (draft.model !== address.model) {
    throw fail("DRAFT_NOT_FOUND", { id: address.id, hint: explainModel(draft, "/draft") });
  }
  requireStanding(standing, action);
  checkRevision(draft, revision);
  return draft;
}

/** What there is instead of a draft. Strangers hear the same whether there is one or not. */
async function hintOf(records: RecordReader, user: User, id: string, model: string): Promise<string | undefined> {
  const published = await records.get(id, "published");
  const tombstone = published === undefined ? await records.tombstoneOf(id) : undefined;
  const found = published ?? (tombstone && { id: tombstone.body.id, model: tombstone.body.model, ...tombstone });
  if (found === undefined || found.id !== id || found.model !== model) return undefined;
  const standing = standingOf(user, found);
  if (standing === "stranger") return undefined;
  return explainState(published === undefined ? "retracted" : "published", standing);
}
