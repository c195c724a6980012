import type { Deps } from "./deps.js";
import type { OperatorServices } from "./services.js";

/** All users, by name. */
export function makeListUsers({ store }: Deps): OperatorServices["listUsers"] {
  return () => store.users.listUsers();
}
