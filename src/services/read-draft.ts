import { requireScopeOf, requireUser } from "../core/may.js";
import type { Deps } from "./deps.js";
import { findDraft } from "./find-draft.js";
import { findModel } from "./find-model.js";
import type { ReadServices } from "./services.js";

/** A draft of the caller's, one that is shared with them, or any for those who keep the repository. */
export function makeReadDraft({ store, catalog }: Deps): ReadServices["readDraft"] {
  return async (actor, address) => {
    const user = requireUser(actor);
    findModel(catalog, address.model);
    requireScopeOf(user, "read");
    return findDraft(store, user, "read", address);
  };
}
