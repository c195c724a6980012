import type { Deps } from "./deps.js";
import type { OperatorServices } from "./services.js";

/** Mends what does not agree and can be made again. The audit log gets a line for each kind of mending. */
export function makeRepairStore({ upkeep }: Deps): OperatorServices["repairStore"] {
  return (onProgress) => upkeep.repair(onProgress);
}
