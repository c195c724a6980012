import { fail } from "../../core/errors.js";
import { requireScopeOf, requireUser } from "../../core/may.js";
import type { RecordServices } from "../api/record-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { resolveUser } from "../context/user-names.js";
import { findDraft } from "../records/find-draft.js";

/** Ends the sharing of a draft with somebody. */
export function makeDeleteGrant({ runWrite, catalog }: Deps): RecordServices["deleteGrant"] {
  return async (actor, address, name) => {
    const user = requireUser(actor);
    const model = findModel(catalog, address.model);
    requireScopeOf(user, "share");
    await runWrite({ actor }, async (tx, note) => {
      const { id, revision } = await findDraft(tx, user, "share", address);
      const grantee = await resolveUser(tx.users, name);
      if (grantee === undefined || !(await tx.shares.delete(id, grantee.id))) {
        throw fail("GRANT_NOT_FOUND", { id, user: name });
      }
      await note({ action: "draft.unshare", kind: "record", place: model.name, id, revision, whom: grantee.id });
    });
  };
}
