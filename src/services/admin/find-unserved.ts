import type { AdminOperatorServices } from "../api/admin-services.js";
import type { Deps } from "../context/deps.js";

/** What is stored and cannot be served, as the catalog does not have its model or vocabulary. */
export function makeFindUnserved({ admin }: Deps): AdminOperatorServices["findUnserved"] {
  return () => admin.findUnserved();
}
