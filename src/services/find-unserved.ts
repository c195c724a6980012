import type { Deps } from "./deps.js";
import type { OperatorServices } from "./services.js";

/** What is stored and cannot be served, as the catalog does not have its model or vocabulary. */
export function makeFindUnserved({ upkeep }: Deps): OperatorServices["findUnserved"] {
  return () => upkeep.findUnserved();
}
