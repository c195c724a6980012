import { requireUser } from "../core/may.js";
import type { Deps } from "./deps.js";
import type { ReadServices } from "./services.js";

/** One page of the caller's tokens, newest first; revoked and expired ones too. */
export function makeListOwnTokens({ store }: Deps): ReadServices["listOwnTokens"] {
  return async (actor, { page, size }) => {
    const tokens = await store.users.listTokens(requireUser(actor).user);
    return { tokens: tokens.slice((page - 1) * size, page * size), total: tokens.length };
  };
}
