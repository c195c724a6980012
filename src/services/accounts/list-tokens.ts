import type { AccountOperatorServices } from "../api/account-services.js";
import type { Deps } from "../context/deps.js";
import { userByName } from "../context/user-names.js";
import { badParameter } from "../input/issues.js";

/** The tokens of one user (by name) or of all, newest first, with the names of their users. */
export function makeListTokens({ store }: Deps): AccountOperatorServices["listTokens"] {
  return async (userName) => {
    const user = userName === undefined ? undefined : await userByName(store.users, userName);
    if (userName !== undefined && user === undefined) {
      throw badParameter("user", `There is no user ${userName}.`, userName);
    }
    const rows = await store.users.listTokens(user?.id);
    const names = new Map<string, string>();
    for (const id of new Set(rows.map((row) => row.user))) names.set(id, (await store.users.getUser(id))?.name ?? id);
    return rows.map((row) => ({ ...row, userName: names.get(row.user)! }));
  };
}
