import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { requireTermWrite } from "../../core/may.js";
import type { VocabularyServices } from "../api/vocabulary-services.js";
import type { Deps } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import { recordPageSize } from "../input/search-window.js";

/** How an item changed, newest first; also of one that was removed since. It names users, so it is for curators. */
export function makeReadTermHistory({ store, catalog }: Deps): VocabularyServices["readTermHistory"] {
  return async (actor, { vocabulary: name, id }, { page = 1, size: asked = LIMITS.pageSizeDefault }) => {
    const vocabulary = findVocabulary(catalog, name);
    requireTermWrite(actor, vocabulary, "read the history of");
    const size = recordPageSize(asked);
    const { entries, total } = await store.history.list(name, id, { offset: (page - 1) * size, limit: size });
    const isKnown = total > 0 || (await store.terms.getExact(name, id)) !== undefined;
    if (!isKnown) {
      const isGone = (await store.terms.get(name, id))?.kind === "gone";
      throw isGone ? fail("TERM_GONE", { vocabulary: name, id }) : fail("TERM_NOT_FOUND", { vocabulary: name, id });
    }
    return { entries, total, size };
  };
}
