import type { Bound } from "../../../../query/index-model/clause.js";
import { compareKeywords } from "../../../../query/text/analyse.js";

/** Does a folded keyword lie within the bounds? An absent end is open. */
export function inBounds(folded: string, { from, to }: { readonly from?: Bound; readonly to?: Bound }): boolean {
  if (from !== undefined) {
    const order = compareKeywords(folded, String(from.value));
    if (order < 0 || (order === 0 && !from.inclusive)) return false;
  }
  if (to === undefined) return true;
  const order = compareKeywords(folded, String(to.value));
  return order < 0 || (order === 0 && to.inclusive);
}
