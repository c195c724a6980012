import { requireUser } from "../core/may.js";
import type { Deps } from "./deps.js";
import type { ReadServices } from "./services.js";

/** One page of the caller's tokens, newest first; revoked and expired ones too. */
export function makeListOwnTokens({ store }: Deps): ReadServices["listOwnTokens"] {
  return async (actor, { page, size }) =>
    store.users.pageTokens(requireUser(actor).user, { offset: (page - 1) * size, limit: size });
}
