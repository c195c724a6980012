import { requireScopeOf, requireUser } from "../../core/may.js";
import type { RecordBody } from "../../core/record.js";
import type { RecordServices } from "../api/record-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { citedTerms } from "../metadata/cited-terms.js";
import { findRecord } from "./find-record.js";
import { editDraftOf, targetOf } from "./record-body.js";

/** Opens a draft that is a copy of a published record; where one is open, gives that. */
export function makeEditRecord({ runWrite, catalog }: Deps): RecordServices["editRecord"] {
  return async (actor, address, { revision, once } = {}) => {
    const user = requireUser(actor);
    const model = findModel(catalog, address.model);
    requireScopeOf(user, "edit");
    return runWrite({ actor, ...(once === undefined ? {} : { once }) }, async (tx, note) => {
      const published = await findRecord(tx, user, "edit", address, revision);
      const open = await tx.records.get(published.id, "draft");
      if (open !== undefined) return { record: open, warnings: [], isNew: false };

      const body = JSON.parse(published.json) as RecordBody;
      const draft = editDraftOf(body, tx.now, (await tx.records.lastRevision(body.id)) + 1);
      const stored = await tx.records.put(draft, await citedTerms(tx.terms, model, draft.metadata));
      await note({ action: "record.edit", ...targetOf(draft) });
      return { record: stored, warnings: [], isNew: true };
    });
  };
}
