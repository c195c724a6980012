import { digestOf, isToken } from "../../core/access-token.js";
import { ANONYMOUS } from "../../core/actor.js";
import { fail } from "../../core/errors.js";
import { parseInstant } from "../../core/time.js";
import type { AccountServices } from "../api/account-services.js";
import type { Deps } from "../context/deps.js";

/** Who shows this token. A bad token is an error everywhere, also where none is needed. */
export function makeAuthenticate({ store, clock }: Deps): AccountServices["authenticate"] {
  return async (text) => {
    if (text === undefined) return ANONYMOUS;
    const found = isToken(text) ? await store.users.findToken(digestOf(text)) : undefined;
    if (found === undefined) throw fail("TOKEN_INVALID", {});
    const { token, user } = found;
    const actor = {
      kind: "user",
      user: user.id,
      name: user.name,
      role: user.role,
      token: token.id,
      scopes: token.scopes,
    } as const;
    if (token.revoked !== undefined) throw fail("TOKEN_REVOKED", { actor });
    if (token.expires !== undefined && parseInstant(token.expires) <= clock.nowMicros()) {
      throw fail("TOKEN_EXPIRED", { expired: token.expires, actor });
    }
    if (user.disabled !== undefined) throw fail("USER_DISABLED", { actor });
    return actor;
  };
}
