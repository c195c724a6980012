import { requireScopeOf, requireUser } from "../core/may.js";
import type { Share } from "../ports/store.js";
import type { Deps } from "./deps.js";
import { findDraft } from "./find-draft.js";
import { findModel } from "./find-model.js";
import type { Grant, ReadServices } from "./services.js";

/** With whom a draft is shared, by name. */
export function makeListGrants({ store, catalog }: Deps): ReadServices["listGrants"] {
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
