import { requireScopeOf, requireUser } from "../../core/may.js";
import type { RecordBody, StoredRecord } from "../../core/record.js";
import type { RecordReader } from "../../ports/store.js";
import type { RecordServices } from "../api/record-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { citedTerms } from "../metadata/cited-terms.js";
import { findRecord } from "../records/find-record.js";
import { freshId, newDraft, targetOf } from "../records/record-body.js";
import { updateVersionFlags } from "../records/update-version-flags.js";

/** Makes the draft of a new version, a copy of the latest published one; where there is one already, gives that. */
export function makeCreateVersion({ runWrite, catalog, random }: Deps): RecordServices["createVersion"] {
  return async (actor, address, { revision, once } = {}) => {
    const user = requireUser(actor);
    const model = findModel(catalog, address.model);
    requireScopeOf(user, "newVersion");
    return runWrite({ actor, ...(once === undefined ? {} : { once }) }, async (tx, note) => {
      const published = await findRecord(tx, user, "newVersion", address, revision);
      const { parent, owner } = published;
      const { open, next } = await surveyVersions(tx.records, parent);
      if (open !== undefined) return { record: open, warnings: [], isNew: false };

      const latest = (await tx.records.latestOf(parent)) ?? published;
      const { metadata } = JSON.parse(latest.json) as RecordBody;
      const id = await freshId(tx.records, random);
      const made = { id, parent, owner, model: model.name, index: next, now: tx.now };
      const draft = newDraft({ ...made, metadata, issues: [] });
      const stored = await tx.records.put(draft, await citedTerms(tx.terms, model, metadata));
      await updateVersionFlags(tx, parent);
      await note({ action: "record.version", ...targetOf(draft) });
      return { record: stored, warnings: [], isNew: true };
    });
  };
}

/** The open draft of a new version, and the index of the next one: retracted versions keep theirs. */
async function surveyVersions(
  records: RecordReader,
  parent: string,
): Promise<{ readonly open?: StoredRecord; readonly next: number }> {
  const rows = await records.versionsOf(parent);
  const published = new Set(rows.filter(({ state }) => state === "published").map(({ id }) => id));
  const draft = rows.find(({ id }) => !published.has(id));
  const open = draft && (await records.get(draft.id, "draft"));
  const retracted = (await records.tombstoneOf(parent))?.version ?? 0;
  const next = Math.max(retracted, rows.at(-1)?.version ?? 0) + 1;
  return { next, ...(open === undefined ? {} : { open }) };
}
