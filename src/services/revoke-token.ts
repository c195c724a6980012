import type { Deps } from "./deps.js";
import { badParameter } from "./issues.js";
import type { OperatorServices } from "./services.js";

/** Makes a token useless from now on. Again changes nothing. */
export function makeRevokeToken({ store }: Deps): OperatorServices["revokeToken"] {
  return async (id) => {
    const isKnown = await store.transaction((tx) => tx.users.revokeToken(id));
    if (!isKnown) throw badParameter("id", `There is no token with the id ${id}; \`token list\` shows the ids.`, id);
  };
}
