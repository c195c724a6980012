import { fail } from "../core/errors.js";
import { requireScopeOf, requireUser } from "../core/may.js";
import type { Deps } from "./deps.js";
import { findDraft } from "./find-draft.js";
import { findModel } from "./find-model.js";
import { findNamed } from "./find-named.js";
import type { WriteServices } from "./services.js";

/** Ends the sharing of a draft with somebody. */
export function makeDeleteGrant({ runWrite, catalog }: Deps): WriteServices["deleteGrant"] {
  return async (actor, address, name) => {
    const user = requireUser(actor);
    const model = findModel(catalog, address.model);
    requireScopeOf(user, "share");
    await runWrite({ actor }, async (tx, note) => {
      const { id, revision } = await findDraft(tx, user, "share", address);
      const grantee = await findNamed(tx.users, name);
      if (grantee === undefined || !(await tx.shares.delete(id, grantee.id))) {
        throw fail("GRANT_NOT_FOUND", { id, user: name });
      }
      await note({ action: "draft.unshare", kind: "record", place: model.name, id, revision, whom: grantee.id });
    });
  };
}
