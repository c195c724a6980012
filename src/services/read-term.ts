import { fail } from "../core/errors.js";
import type { Deps } from "./deps.js";
import { findVocabulary } from "./find-model.js";
import type { ReadServices } from "./services.js";

/** One item with its lineage, or where it lives now. */
export function makeReadTerm({ store, catalog }: Deps): ReadServices["readTerm"] {
  return async (name, id) => {
    findVocabulary(catalog, name);
    const found = await store.terms.get(name, id);
    if (found === undefined) throw fail("TERM_NOT_FOUND", { vocabulary: name, id });
    if (found.kind === "gone") throw fail("TERM_GONE", { vocabulary: name, id });
    return found;
  };
}
