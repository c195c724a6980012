import type { Deps } from "./deps.js";
import type { OperatorServices } from "./services.js";

/** Proves that store, index, change table and counters agree, or says where they do not. */
export function makeVerifyStore({ upkeep }: Deps): OperatorServices["verifyStore"] {
  return (onProgress) => upkeep.verify(onProgress);
}
