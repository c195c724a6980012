import { mergeTerm } from "../../core/catalog/merge-term.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import type { JsonObject } from "../../core/json.js";
import type { TermContent } from "../../core/term.js";
import { checkPatch } from "../rules/check-patch.js";
import { declaredOnly } from "../rules/declared-only.js";

/**
 * What a load would make of an item that an authority answered with, if the vocabulary did not have it.
 * @returns the reason where it is no item of the vocabulary
 */
export function liveContent(vocabulary: Vocabulary, item: JsonObject): TermContent | { readonly reason: string } {
  const { patch, reasons } = checkPatch(vocabulary, declaredOnly(vocabulary, item));
  return patch === undefined ? { reason: reasons.join("; ") } : mergeTerm(vocabulary, undefined, patch);
}
