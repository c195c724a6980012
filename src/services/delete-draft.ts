import { requireScope, requireUser } from "../core/may.js";
import type { Deps } from "./deps.js";
import { findDraft } from "./find-draft.js";
import { findModel } from "./find-model.js";
import type { WriteServices } from "./services.js";

/** Removes a draft for good; a published record of the same id stays. */
export function makeDeleteDraft({ runWrite, catalog }: Deps): WriteServices["deleteDraft"] {
  return async (actor, address, { revision } = {}) => {
    const user = requireUser(actor);
    findModel(catalog, address.model);
    requireScope(user, "records:write");
    await runWrite({ actor }, async (tx, note) => {
      const draft = await findDraft(tx.records, user, address, revision);
      await tx.records.delete(draft.id, "draft");
      await note({
        action: "draft.delete",
        kind: "record",
        place: draft.model,
        id: draft.id,
        revision: draft.revision,
      });
    });
  };
}
