import { requireScopeOf, requireUser } from "../../core/may.js";
import { headOf } from "../../core/record.js";
import type { RecordServices } from "../api/record-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { ifRefused } from "../context/if-refused.js";
import { requireDraftRoom } from "../context/quotas.js";
import { prepareStored } from "../metadata/prepare-stored.js";
import { findRecord } from "./find-record.js";
import { editDraftOf, targetOf } from "./record-body.js";

/** Opens a draft that is a copy of a published record; where one is open, gives that. */
export function makeEditRecord(deps: Deps): RecordServices["editRecord"] {
  const { store, runWrite, catalog } = deps;
  return async (actor, address, { revision, once } = {}) => {
    const user = requireUser(actor);
    findModel(catalog, address.model);
    requireScopeOf(user, "edit");
    const seen = await findRecord(store, user, "edit", address, revision).catch(ifRefused);
    const isOpen = seen !== undefined && (await store.records.get(seen.id, "draft")) !== undefined;
    const copyOf = await prepareStored(deps, "copy", isOpen ? undefined : seen);
    const replay = { action: "edit", id: address.id } as const;
    const cause = { actor, length: seen?.json.length ?? 0, replay, ...(once === undefined ? {} : { once }) };
    return runWrite(cause, async (tx, note) => {
      const published = await findRecord(tx, user, "edit", address, revision);
      const open = await tx.records.get(published.id, "draft");
      if (open !== undefined) return { record: open, warnings: [], isNew: false };

      const { raw, index } = await copyOf(tx.terms, published);
      const next = { now: tx.now, revision: (await tx.records.lastRevision(published.id)) + 1 };
      const draft = editDraftOf(headOf(published), raw, next);
      await requireDraftRoom(deps.quotas, tx.records, draft);
      const stored = await tx.records.put(draft, index);
      await note({ action: "record.edit", ...targetOf(draft) });
      return { record: stored, warnings: [], isNew: true };
    });
  };
}
