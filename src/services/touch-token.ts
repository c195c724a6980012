import type { Deps } from "./deps.js";
import type { WriteServices } from "./services.js";

/** Notes the day of a token's last use. */
export function makeTouchToken({ store }: Deps): WriteServices["touchToken"] {
  return (token, day) => store.transaction((tx) => tx.users.touchToken(token, day));
}
