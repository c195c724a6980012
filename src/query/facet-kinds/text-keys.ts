import type { TermsValues } from "../../core/catalog/facet-kinds/terms.js";
import type { TreeValues } from "../../core/catalog/facet-kinds/tree.js";
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

/**
 * Ids of a hierarchical vocabulary, cited at the paths (each the `id` of a TermSite). A hit counts once for each cited
 * id and once for each of their ancestors. `listTree` selects those to list.
 */
export interface TreeBuckets {
  readonly kind: "tree";
  readonly vocabulary: string;
  readonly unlisted?: readonly string[] | undefined;
}

export const TREE: TextMeaning<TreeValues, TreeBuckets> = {
  ranges: undefined,
  isQueryValue: true,
  makeBuckets: ({ vocabulary, unlisted }) => ({
    kind: "tree",
    vocabulary,
    unlisted,
  }),
  clauseOf: ({ vocabulary }, paths, id) => ({
    kind: "cites",
    vocabularies: [vocabulary],
    id,
    sites: citationSites(paths),
    within: true,
  }),
  readKey: (_, key) => ({ key }),
  labelOf: () => undefined,
  describeCounts: () => ({}),
};

/** Returns the term sites of a facet: its paths without `.id`. */
export function citationSites(paths: readonly string[]): readonly string[] {
  return paths.map((path) => path.replace(/\.id$/u, ""));
}
