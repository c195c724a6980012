import type { Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import type { VocabularyServices } from "../api/vocabulary-services.js";
import type { Deps } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import { badParameter } from "../input/issues.js";

/** Several items by id, in the order asked. */
export function makeFetchTerms({ store, catalog }: Deps): VocabularyServices["fetchTerms"] {
  return async (vocabulary, ids) => {
    findVocabulary(catalog, vocabulary);
    if (ids.length > LIMITS.idsMax) {
      throw badParameter("ids", `At most ${LIMITS.idsMax} ids can be fetched at once, not ${ids.length}.`, ids.length);
    }
    const found = await store.terms.getMany(vocabulary, ids);
    const resolvedIds = new Set(found.map(({ id }) => id));
    const warnings: Warning[] = [];
    for (const id of new Set(ids)) {
      if (resolvedIds.has(id)) continue;
      // Two ids of one item give it once: the second of them is no unknown one.
      const lookup = await store.terms.get(vocabulary, id);
      if (lookup !== undefined && lookup.kind !== "gone") continue;
      const message = `The vocabulary ${vocabulary} has no term "${id}".`;
      warnings.push({ code: "UNKNOWN_ID", message, parameter: "ids", value: id });
    }
    const hits = found.map(({ term }) => term);
    const query = { parsed: "", fallback: false };
    return { hits, total: hits.length, size: LIMITS.idsMax, sortBy: "ids", query, warnings };
  };
}
