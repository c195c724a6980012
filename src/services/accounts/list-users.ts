import type { AccountOperatorServices } from "../api/account-services.js";
import type { Deps } from "../context/deps.js";

/** All users, by name. */
export function makeListUsers({ store }: Deps): AccountOperatorServices["listUsers"] {
  return () => store.users.listUsers();
}
