import type { AdminOperatorServices } from "../api/admin-services.js";
import type { Deps } from "../context/deps.js";
import { withOutdated } from "./find-outdated.js";

/** Proves that store, index, change table and counters agree, or says where they do not. */
export function makeVerifyStore(deps: Deps): AdminOperatorServices["verifyStore"] {
  return async (onProgress) => withOutdated(deps, await deps.admin.verify(onProgress), onProgress);
}

/** Repairs what does not agree and can be made again. The audit log gets a line for each kind of repair. */
export function makeRepairStore(deps: Deps): AdminOperatorServices["repairStore"] {
  return async (onProgress) => {
    const repair = await deps.admin.repair(onProgress);
    return { ...repair, after: await withOutdated(deps, repair.after, onProgress) };
  };
}
