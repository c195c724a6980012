import { requireScopeOf, requireUser } from "../core/may.js";
import type { RecordBody, StoredRecord } from "../core/record.js";
import type { RecordReader } from "../ports/store.js";
import { citedTerms } from "./cited-terms.js";
import type { Deps } from "./deps.js";
import { findModel } from "./find-model.js";
import { findRecord } from "./find-record.js";
import { freshId, newDraft, storedOf, targetOf } from "./record-body.js";
import type { WriteServices } from "./services.js";
import { settleVersions } from "./settle-versions.js";

/** Makes the draft of a new version, a copy of the latest published one; where there is one already, gives that. */
export function makeCreateVersion({ runWrite, catalog, random }: Deps): WriteServices["createVersion"] {
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
      await tx.records.put(draft, await citedTerms(tx.terms, model, metadata));
      await settleVersions(tx, model, parent);
      await note({ action: "record.version", ...targetOf(draft) });
      return { record: storedOf(draft), warnings: [], isNew: true };
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
