import { requireScopeOf, requireUser } from "../../core/may.js";
import type { StoredRecord } from "../../core/record.js";
import type { RecordReader } from "../../ports/store.js";
import type { RecordServices } from "../api/record-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { ifRefused } from "../context/if-refused.js";
import { requireDraftRoom } from "../context/quotas.js";
import { prepareStored } from "../metadata/prepare-stored.js";
import { findRecord } from "../records/find-record.js";
import { freshId, newDraft, targetOf } from "../records/record-body.js";
import { updateVersionFlags } from "../records/update-version-flags.js";

/** Makes the draft of a new version, a copy of the latest published one; where there is one already, gives that. */
export function makeCreateVersion(deps: Deps): RecordServices["createVersion"] {
  const { store, runWrite, catalog, random } = deps;
  return async (actor, address, { revision, once } = {}) => {
    const user = requireUser(actor);
    const model = findModel(catalog, address.model);
    requireScopeOf(user, "newVersion");
    const seen = await findRecord(store, user, "newVersion", address, revision).catch(ifRefused);
    const isOpen = seen !== undefined && (await surveyVersions(store.records, seen.parent)).open !== undefined;
    const copyOf = await prepareStored(
      deps,
      "copy",
      seen && !isOpen ? await latestBeside(store.records, seen) : undefined,
    );
    const replay = { action: "newVersion" } as const;
    const cause = { actor, length: seen?.json.length ?? 0, replay, ...(once === undefined ? {} : { once }) };
    return runWrite(cause, async (tx, note) => {
      const published = await findRecord(tx, user, "newVersion", address, revision);
      const { parent, owner } = published;
      const { open, next } = await surveyVersions(tx.records, parent);
      if (open !== undefined) return { record: open, warnings: [], isNew: false };

      const { raw, index } = await copyOf(tx.terms, await latestBeside(tx.records, published));
      const id = await freshId(tx.records, random);
      const made = { id, parent, owner, model: model.name, index: next, now: tx.now };
      const draft = newDraft({ ...made, metadata: raw, issues: [] });
      await requireDraftRoom(deps.quotas, tx.records, draft);
      const stored = await tx.records.put(draft, index);
      await updateVersionFlags(tx, parent);
      await note({ action: "record.version", ...targetOf(draft) });
      return { record: stored, warnings: [], isNew: true };
    });
  };
}

/** What a new version is a copy of. */
const latestBeside = async (records: RecordReader, published: StoredRecord): Promise<StoredRecord> =>
  (await records.latestOf(published.parent)) ?? published;

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
