import { fail } from "../core/errors.js";
import { mayUseDraft, type User } from "../core/may.js";
import type { StoredRecord } from "../core/record.js";
import { parseRecordId } from "../core/record-id.js";
import type { RecordReader } from "../ports/store.js";
import { checkRevision } from "./check-revision.js";
import type { Conditions, RecordAddress } from "./services.js";

/** The draft, for a user who may read and change it. @throws DRAFT_NOT_FOUND, REVISION_STALE */
export async function findDraft(
  records: RecordReader,
  user: User,
  address: RecordAddress,
  revision?: Conditions["revision"],
): Promise<StoredRecord> {
  const id = parseRecordId(address.id);
  const draft = id === undefined ? undefined : await records.get(id, "draft");
  // What the user may not read does not exist for them: a 403 would confirm the id.
  if (draft === undefined || draft.model !== address.model || !mayUseDraft(user, draft)) {
    throw fail("DRAFT_NOT_FOUND", { id: address.id });
  }
  checkRevision(draft, revision);
  return draft;
}
