import { fail } from "../core/errors.js";
import { mayShareDraft, type User } from "../core/may.js";
import type { StoredRecord } from "../core/record.js";
import { parseRecordId } from "../core/record-id.js";
import type { RecordReader, ShareReader } from "../ports/store.js";
import type { RecordAddress } from "./services.js";

/**
 * The draft, for a user who may share it.
 * @throws DRAFT_NOT_FOUND for those who may not read it, ACCESS_DENIED for those who may
 */
export async function findDraftToShare(
  { records, shares }: { readonly records: RecordReader; readonly shares: ShareReader },
  user: User,
  address: RecordAddress,
): Promise<StoredRecord> {
  const id = parseRecordId(address.id);
  const draft = id === undefined ? undefined : await records.get(id, "draft");
  if (draft === undefined || draft.model !== address.model) throw fail("DRAFT_NOT_FOUND", { id: address.id });
  if (mayShareDraft(user, draft)) return draft;
  const mayRead = user.role === "curator" || (await shares.permissionOf(draft.id, user.user)) !== undefined;
  if (!mayRead) throw fail("DRAFT_NOT_FOUND", { id: address.id });
  throw fail("ACCESS_DENIED", { action: "share this draft" });
}
