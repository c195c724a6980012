import type { DeclaredKind } from "./declared-kind.js";

/** Facet that counts each text. */
export interface TermsValues {
  readonly kind: "terms";
  /** Vocabulary whose titles label the keys; absent: the key is its own label. */
  readonly vocabulary?: string;
}

export const TERMS: DeclaredKind<TermsValues> = {
  leafType: "keyword",
  noun: "a facet of terms",
  counted: "texts",
  description: "each value is a key",
  options: [],
  hasSteps: false,
  isNested: false,
  isDefault: (vocabulary) => vocabulary?.hierarchy !== true,
  compile: (_, { vocabulary }) => ({
    kind: "terms",
    ...(vocabulary === undefined ? {} : { vocabulary: vocabulary.name }),
  }),
  // Vocabularies of facets of one name may differ.
  describe: () => "of terms",
};
