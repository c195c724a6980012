import { headOf, type RecordHead } from "../../core/record.js";
import { flagsOf } from "../../core/records/version-flags.js";
import type { WriteTransaction } from "../../ports/store.js";

/**
 * Gives the versions under a parent the flags that they have by now: `is_latest` the newest published one,
 * `is_latest_draft` what no other version, draft or published, is newer than. What changes by it takes the next
 * revision, in the published record and in its open draft alike.
 * @param but the id that was just written: it has its flags
 */
export async function updateVersionFlags(tx: WriteTransaction, parent: string, but?: string): Promise<void> {
  const rows = await tx.records.versionsOf(parent);
  for (const row of rows) {
    if (row.state !== "published" || row.id === but) continue;
    const { is_latest, is_latest_draft } = flagsOf(row, rows);
    // Only the latest, and the one that was it before, have flags that change.
    if (row.isLatest || is_latest) await setFlags(tx, row.id, { is_latest, is_latest_draft });
  }
}

type Flags = Omit<RecordHead["versions"], "index">;

async function setFlags({ records, now }: WriteTransaction, id: string, flags: Flags): Promise<void> {
  const found = [await records.get(id, "published"), await records.get(id, "draft")];
  const stored = found.flatMap((record) => (record === undefined ? [] : [{ record, head: headOf(record) }]));
  const { is_latest, is_latest_draft } = flags;
  const isSet = ({ head: { versions } }: (typeof stored)[number]): boolean =>
    versions.is_latest === is_latest && versions.is_latest_draft === is_latest_draft;
  if (stored.every(isSet)) return;
  const revision_id = (await records.lastRevision(id)) + 1;
  for (const { record, head } of stored) {
    const versions = { ...head.versions, ...flags };
    await records.putHead(record, { ...head, updated: now, revision_id, versions });
  }
}
