import { requireUser } from "../../core/may.js";
import type { AccountServices } from "../api/account-services.js";
import type { Deps } from "../context/deps.js";

/** One page of the caller's tokens, newest first; revoked and expired ones too. */
export function makeListOwnTokens({ store }: Deps): AccountServices["listOwnTokens"] {
  return async (actor, { page, size }) =>
    store.users.pageTokens(requireUser(actor).user, { offset: (page - 1) * size, limit: size });
}
