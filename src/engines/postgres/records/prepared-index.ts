import { LIMITS } from "../../../core/limits.js";
import type { Citations } from "../../../core/records/record-change.js";
import type { Store } from "../../../ports/store.js";
import { citedIn } from "../../../query/index-model/record-document.js";

/** What this store keeps of a record beside its body: the terms that it cites. */
export interface Prepared {
  readonly uses: Citations;
}

/**
 * Every term that leaves were made with is one that the metadata cites, and every one that it cites is among them, also
 * where its vocabulary does not have it. That depends on the metadata alone: whatever becomes of a term until it is
 * written, nothing has to be made again. Which terms replaced it is known where citations are counted.
 */
export const prepareIndex: Store["prepareIndex"] = (_leaves, terms): Prepared => ({ uses: countedCitations(terms) });

/** Those of the terms that metadata cites that are counted, each once. */
export const countedCitations = (cites: Parameters<typeof citedIn>[0]): Citations =>
  citedIn(cites.filter(({ id }) => canBeTerm(id)));

/** No term has these in its id. */
const UNSTORABLE = /\0|\p{Surrogate}/u;

/** A draft may hold any text where a term is cited. What no term can have as its id is counted by nobody. */
const canBeTerm = (id: string): boolean => id.length <= LIMITS.termIdLengthMax && !UNSTORABLE.test(id);
