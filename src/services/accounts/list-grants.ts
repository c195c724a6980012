import { requireScopeOf, requireUser } from "../../core/may.js";
import type { Share } from "../../ports/store.js";
import type { Grant, RecordServices } from "../api/record-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { findDraft } from "../records/find-draft.js";

/** With whom a draft is shared, by name. */
export function makeListGrants({ store, catalog }: Deps): RecordServices["listGrants"] {
  return async (actor, address) => {
    const user = requireUser(actor);
    findModel(catalog, address.model);
    requireScopeOf(user, "listGrants");
    const draft = await findDraft(store, user, "listGrants", address);
    return (await store.shares.list(draft.id)).map(grantOf);
  };
}

export function grantOf({ user, permission, created }: Share): Grant {
  return { user: user.name, permission, created };
}
