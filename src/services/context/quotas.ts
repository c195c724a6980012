/** Quotas of one user: drafts, their bytes, and terms that nothing cites. */
import type { Actor } from "../../core/actor.js";
import { fail } from "../../core/errors.js";
import type { Quotas } from "../../core/limits.js";
import { type RawJson, type RecordBody, recordText, type StoredRecord } from "../../core/record.js";
import type { DraftUsage, WriteTransaction } from "../../ports/store.js";

/**
 * Number of concurrent writes of one user, over all nodes, that cannot exceed a quota together. If an owner has less
 * room than this number of writes needs, the check takes a lock.
 */
const WRITES_AT_ONCE = 64;
/** Remaining part of a quota below which the check takes a lock, even for a small write. */
const NEAR = 1 / 8;

/**
 * Refuses a draft if its owner has no room for it. A draft that becomes smaller always fits.
 *
 * @param body the body as it will be stored
 * @param before the draft that it replaces; absent: it is a new one
 * @throws QUOTA_EXCEEDED
 */
export async function requireDraftRoom(
  { draftsMax, draftBytesMax }: Quotas,
  records: WriteTransaction["records"],
  body: RecordBody<RawJson>,
  before?: StoredRecord,
): Promise<void> {
  const added: DraftUsage = {
    drafts: before === undefined ? 1 : 0,
    bytes: Buffer.byteLength(recordText(body)) - (before === undefined ? 0 : Buffer.byteLength(before.json)),
  };
  const bounds = [
    { key: "drafts", max: draftsMax, setting: "BINDERY_DRAFTS_PER_USER" },
    { key: "bytes", max: draftBytesMax, setting: "BINDERY_DRAFT_MB_PER_USER" },
  ] as const;
  const set = bounds.filter(({ key, max }) => max > 0 && added[key] > 0);
  if (set.length === 0) return;
  const owner = body.parent.owner.user;
  let usage = await records.draftUsage(owner);
  const isNear = set.some(({ key, max }) => max - usage[key] < Math.max(added[key] * WRITES_AT_ONCE, max * NEAR));
  if (isNear) usage = await records.draftUsage(owner, { isExact: true });
  for (const { key, max, setting } of set) {
    if (usage[key] + added[key] <= max) continue;
    const used =
      key === "drafts"
        ? `The owner of this draft has ${usage.drafts} open drafts`
        : `The drafts of the owner have ${usage.bytes} bytes together, and this request adds ${added.bytes}`;
    throw fail("QUOTA_EXCEEDED", { used, max, cure: "Publish or delete drafts", setting });
  }
}

/** Refuses a further term if nothing cites too many of the user's terms. @throws QUOTA_EXCEEDED */
export async function requireTermRoom(
  { uncitedTermsMax: max }: Quotas,
  history: WriteTransaction["history"],
  actor: Actor,
): Promise<void> {
  if (actor.kind !== "user" || max === 0) return;
  const used = await history.countUncited(actor.user, max);
  if (used < max) return;
  const setting = "BINDERY_UNCITED_TERMS_PER_USER";
  const cure = "Cite them in records, or delete those that are not needed";
  throw fail("QUOTA_EXCEEDED", { used: `You created ${used} terms that no record cites`, max, cure, setting });
}
