import { fail } from "../../core/errors.js";
import { requireScopeOf, requireUser } from "../../core/may.js";
import type { RecordServices } from "../api/record-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { forgetAnswers } from "../context/run-write.js";
import { findDraft } from "./find-draft.js";
import { updateVersionFlags } from "./update-version-flags.js";

/** Removes a draft for good; a published record of the same id stays. */
export function makeDeleteDraft({ runWrite, catalog }: Deps): RecordServices["deleteDraft"] {
  return async (actor, address, { revision } = {}) => {
    const user = requireUser(actor);
    findModel(catalog, address.model);
    requireScopeOf(user, "deleteDraft");
    await runWrite({ actor }, async (tx, note) => {
      const draft = await findDraft(tx, user, "deleteDraft", address, revision);
      await tx.records.delete(draft.id, "draft");
      await forgetAnswers(tx, { id: draft.id, state: "draft" }, fail("DRAFT_NOT_FOUND", { id: draft.id }));
      if (!draft.isPublished) await updateVersionFlags(tx, draft.parent);
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
