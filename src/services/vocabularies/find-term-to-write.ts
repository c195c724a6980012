import type { Vocabulary } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import type { JsonObject } from "../../core/json.js";
import type { StoredTerm, TermContent } from "../../core/term.js";
import { storedItem } from "../../core/terms/term-row.js";
import type { TermReader } from "../../ports/store.js";
import type { Conditions } from "../api/record-services.js";
import type { TermAddress } from "../api/vocabulary-services.js";
import { checkRevision } from "../context/before-transaction.js";
import { checkTermValue } from "./read-term-body.js";

/**
 * The item with exactly this id. One that another replaced is found too: whoever replaced it by mistake can undo that.
 * @throws TERM_NOT_FOUND, also for an alias; TERM_GONE, REVISION_STALE
 */
export async function findTermToWrite(
  terms: TermReader,
  { vocabulary, id }: TermAddress,
  seen: Conditions["revision"],
): Promise<StoredTerm> {
  const found = await terms.getExact(vocabulary, id);
  if (found === undefined) {
    const isGone = (await terms.get(vocabulary, id))?.kind === "gone";
    throw isGone ? fail("TERM_GONE", { vocabulary, id }) : fail("TERM_NOT_FOUND", { vocabulary, id });
  }
  checkRevision(found.term, seen);
  return found.term;
}

/** What curators and imports say of a stored item. */
export const contentOfTerm = (vocabulary: Vocabulary, term: StoredTerm): TermContent =>
  checkTermValue(vocabulary, storedItem<JsonObject>(term), term.id);
