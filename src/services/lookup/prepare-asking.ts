import type { PrepareServices } from "../api/prepare-services.js";
import type { Deps } from "../context/deps.js";
import { addFoundTerms } from "./add-found-terms.js";
import { askForTerms } from "./ask-for-terms.js";

/**
 * Prepares metadata as `deps.prepare` does; where they cite what is not loaded, authorities are asked, and what they
 * have is added before the metadata are prepared again. All of this is outside of the transaction that writes them.
 */
export function makePrepareAsking(deps: Deps): PrepareServices["prepareRecord"] {
  return async (job) => {
    const first = await deps.prepare(job);
    if (first.kind === "failed" || first.unknown.length === 0) return first;
    const { found, lookedUp } = await askForTerms(deps, first.unknown);
    if (lookedUp.length === 0) return first;
    if (found.length > 0) await addFoundTerms(deps, found);
    return deps.prepare({ ...job, lookedUp });
  };
}
