import type { DeclaredKind } from "./declared-kind.js";

/** Facet that counts each cited term and each of its ancestors. Its path ends in `.id`. */
export interface TreeValues {
  readonly kind: "tree";
  /** Vocabulary with a hierarchy. */
  readonly vocabulary: string;
  readonly unlisted?: readonly string[];
}

export const TREE: DeclaredKind<TreeValues> = {
  leafType: "keyword",
  noun: "a tree",
  counted: "cited terms",
  description: "each cited term and its ancestors in the vocabulary (a key also selects all descendants)",
  options: [],
  hasSteps: false,
  isNested: true,
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
};
