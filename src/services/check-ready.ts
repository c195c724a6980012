import type { Deps } from "./deps.js";
import type { ReadServices } from "./services.js";

/** Does the store answer? */
export function makeCheckReady({ store }: Deps): ReadServices["checkReady"] {
  return () => store.check();
}
