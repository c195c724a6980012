import type { TextKind } from "./facet-kind.js";

/** Facet that counts each cited term and each of its ancestors. Its path ends in `.id`. */
interface TreeValues {
  readonly kind: "tree";
  /** Vocabulary with a hierarchy. */
  readonly vocabulary: string;
  readonly unlisted?: readonly string[];
}

/**
 * Ids of a hierarchical vocabulary, cited at the paths (each the `id` of a TermSite). A hit counts once for each cited
 * id and once for each of their ancestors. `listTree` selects those to list.
 */
export interface TreeBuckets {
  readonly kind: "tree";
  readonly vocabulary: string;
  readonly unlisted?: readonly string[] | undefined;
}

/** Kind of facet that counts cited terms and their ancestors. */
export const TREE: TextKind<TreeValues, TreeBuckets> = {
  leafType: "keyword",
  noun: "a tree",
  counted: "cited terms",
  description: "each cited term and its ancestors in the vocabulary (a key also selects all descendants)",
  options: [],
  hasSteps: false,
  isNested: true,
  isQueryValue: true,
  ranges: undefined,
  isDefault: (vocabulary) => vocabulary?.hierarchy === true,
  compile(facet, { path, vocabulary }) {
    if (vocabulary?.hierarchy) {
      const { name, unlisted } = vocabulary;
      return { kind: "tree", vocabulary: name, ...(unlisted === undefined ? {} : { unlisted }) };
    }
    const cited = vocabulary === undefined ? `no term is cited at ${path}` : `${vocabulary.name} has no hierarchy`;
    facet?.note("kind", `a tree needs terms of a hierarchical vocabulary, but ${cited}; there the kind is terms`);
    return undefined;
  },
  describe: ({ vocabulary }) => `a tree of ${vocabulary}`,
  makeBuckets: ({ vocabulary, unlisted }) => ({ kind: "tree", vocabulary, unlisted }),
  keyOf: (id) => id,
  select: ({ vocabulary }) => ({ kind: "subtree", vocabulary }),
  readKey: (_, key) => ({ key }),
  labelOf: () => undefined,
  describeCounts: () => ({}),
};

/** Returns the term sites of a facet: its paths without `.id`. */
export function citationSites(paths: readonly string[]): readonly string[] {
  return paths.map((path) => path.replace(/\.id$/u, ""));
}
