import type { AccountServices } from "../api/account-services.js";
import type { Deps } from "../context/deps.js";

/** Notes the day of a token's last use. */
export function makeTouchToken({ store }: Deps): AccountServices["touchToken"] {
  return (token, day) => store.transaction((tx) => tx.users.touchToken(token, day));
}
