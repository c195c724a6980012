import { isDeepStrictEqual } from "node:util";
import type { Model } from "../../core/catalog/types.js";
import type { RecordBody } from "../../core/record.js";
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
  const published = rows.filter(({ state }) => state === "published");
  const latest = published.at(-1);
  const newest = rows.at(-1);
  for (const { id, version, isLatest } of published) {
    // Only the latest, and the one that was it before, have flags that change.
    if (id === but || !(isLatest || id === latest?.id)) continue;
    await setFlags(tx, model, id, { is_latest: id === latest?.id, is_latest_draft: version === newest?.version });
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
