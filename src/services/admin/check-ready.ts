import type { AdminServices } from "../api/admin-services.js";
import type { Deps } from "../context/deps.js";

/** Does the store answer? */
export function makeCheckReady({ store }: Deps): AdminServices["checkReady"] {
  return () => store.check();
}
