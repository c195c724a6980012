import type { AdminOperatorServices } from "../api/admin-services.js";
import type { Deps } from "../context/deps.js";
import { withOutdated } from "./find-outdated.js";

/** Proves that store, index, change table and counters agree, or says where they do not. */
export function makeVerifyStore(deps: Deps): AdminOperatorServices["verifyStore"] {
  return async (onProgress) => withOutdated(deps, await deps.admin.verify(onProgress), onProgress);
}
