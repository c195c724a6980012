import type { Deps } from "./deps.js";
import { withOutdated } from "./find-outdated.js";
import type { OperatorServices } from "./services.js";

/** Proves that store, index, change table and counters agree, or says where they do not. */
export function makeVerifyStore(deps: Deps): OperatorServices["verifyStore"] {
  return async (onProgress) => withOutdated(deps, await deps.upkeep.verify(onProgress), onProgress);
}
