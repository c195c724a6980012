import { requireScopeOf, requireUser } from "../../core/may.js";
import type { RecordServices } from "../api/record-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { findDraft } from "./find-draft.js";

/** A draft of the caller's, one that is shared with them, or any for those who keep the repository. */
export function makeReadDraft({ store, catalog }: Deps): RecordServices["readDraft"] {
  return async (actor, address) => {
    const user = requireUser(actor);
    findModel(catalog, address.model);
    requireScopeOf(user, "read");
    return findDraft(store, user, "read", address);
  };
}
