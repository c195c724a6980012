import { isDeepStrictEqual } from "node:util";
import type { Model } from "../../core/catalog/types.js";
import type { RecordBody } from "../../core/record.js";
import { flagsOf } from "../../core/records/version-flags.js";
import type { WriteTransaction } from "../../ports/store.js";
import { citedTerms } from "../metadata/cited-terms.js";

/**
 * Gives the versions under a parent the flags that they have by now: `is_latest` the newest published one,
 * `is_latest_draft` what no other version, draft or published, is newer than. What changes by it takes the next
 * revision, in the published record and in its open draft alike.
 * @param but the id that was just written: it has its flags
 */
export async function updateVersionFlags(
  tx: WriteTransaction,
  model: Model,
  parent: string,
  but?: string,
): Promise<void> {
  const rows = await tx.records.versionsOf(parent);
  for (const row of rows) {
    if (row.state !== "published" || row.id === but) continue;
    const { is_latest, is_latest_draft } = flagsOf(row, rows);
    // Only the latest, and the one that was it before, have flags that change.
    if (row.isLatest || is_latest) await setFlags(tx, model, row.id, { is_latest, is_latest_draft });
  }
}

type Flags = Omit<RecordBody["versions"], "index">;

async function setFlags({ records, terms, now }: WriteTransaction, model: Model, id: string, flags: Flags) {
  const stored = [await records.get(id, "published"), await records.get(id, "draft")];
  const bodies = stored.flatMap((row) => (row === undefined ? [] : [JSON.parse(row.json) as RecordBody]));
  const settled = bodies.map((body) => ({ ...body, versions: { ...body.versions, ...flags } }));
  if (isDeepStrictEqual(settled, bodies)) return;
  const revision_id = (await records.lastRevision(id)) + 1;
  for (const body of settled) {
    await records.put({ ...body, updated: now, revision_id }, await citedTerms(terms, model, body.metadata));
  }
}
