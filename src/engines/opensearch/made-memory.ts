import type { Catalog } from "../../core/catalog/types.js";
import type { SourceView } from "../../ports/index-source.js";
import { numberPaths } from "./documents/path-numbers.js";
import { isUsable, type Made } from "./relay/index-set.js";
import { makeRecordSearch, type SearchRecords } from "./search/make-record-search.js";

/** What follows from what an index was made with. */
interface KnownIndex {
  /** Is it one that this catalog makes? */
  readonly isUsable: boolean;
  readonly searchRecords: SearchRecords;
}

/** Says what follows from what the index of a view was made with: read, and made, once for each. */
export type MadeMemory = (view: SourceView) => Promise<KnownIndex>;

export function makeMadeMemory(catalog: Catalog): MadeMemory {
  let known: { readonly digest: string; readonly index: KnownIndex } | undefined;
  return async (view) => {
    const { digest } = view.index!;
    if (known?.digest === digest) return known.index;
    const made = (await view.made()) as unknown as Made;
    const index = {
      isUsable: isUsable(made, catalog),
      searchRecords: makeRecordSearch(catalog, numberPaths(catalog, made.paths)),
    };
    known = { digest, index };
    return index;
  };
}
