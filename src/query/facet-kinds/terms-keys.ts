import type { TermsValues } from "../../core/catalog/facet-kinds/terms.js";
import type { TextMeaning } from "./facet-meaning.js";

/** Buckets of texts: each text is its own key. */
export interface TermsBuckets {
  readonly kind: "terms";
}

export const TERMS: TextMeaning<TermsValues, TermsBuckets> = {
  ranges: undefined,
  isQueryValue: true,
  makeBuckets: () => ({ kind: "terms" }),
  clauseOf: () => undefined,
  readKey: (_, key) => ({ key }),
  labelOf: () => undefined,
  describeCounts: () => ({}),
};
