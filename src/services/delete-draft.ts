import { requireScopeOf, requireUser } from "../core/may.js";
import type { Deps } from "./deps.js";
import { findDraft } from "./find-draft.js";
import { findModel } from "./find-model.js";
import type { WriteServices } from "./services.js";
import { settleVersions } from "./settle-versions.js";

/** Removes a draft for good; a published record of the same id stays. */
export function makeDeleteDraft({ runWrite, catalog }: Deps): WriteServices["deleteDraft"] {
  return async (actor, address, { revision } = {}) => {
    const user = requireUser(actor);
    const model = findModel(catalog, address.model);
    requireScopeOf(user, "deleteDraft");
    await runWrite({ actor }, async (tx, note) => {
      const draft = await findDraft(tx, user, "deleteDraft", address, revision);
      await tx.records.delete(draft.id, "draft");
      if (!draft.isPublished) await settleVersions(tx, model, draft.parent);
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
