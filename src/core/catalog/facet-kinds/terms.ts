import { moleculeId } from "../../pasted-identifiers.js";
import type { TextKind } from "./facet-kind.js";

/** Facet that counts each text. */
interface TermsValues {
  readonly kind: "terms";
  /** Vocabulary whose titles label the keys; absent: the key is its own label. */
  readonly vocabulary?: string;
  /** Path of the names of molecules, whose ids are the keys. The most used name is the label. */
  readonly namesPath?: string;
}

/** Buckets of texts: each text is its own key. */
interface TermsBuckets {
  readonly kind: "terms";
}

/** Kind of facet that counts each text, or each id of a cited term. */
export const TERMS: TextKind<TermsValues, TermsBuckets> = {
  leafType: "keyword",
  noun: "a facet of terms",
  counted: "texts",
  description: "each value is a key",
  options: [],
  hasSteps: false,
  isNested: false,
  isQueryValue: true,
  ranges: undefined,
  isDefault: (vocabulary) => vocabulary?.hierarchy !== true,
  compile: (_, { vocabulary }) => ({
    kind: "terms",
    ...(vocabulary === undefined ? {} : { vocabulary: vocabulary.name }),
  }),
  // Vocabularies of facets of one name may differ.
  describe: ({ namesPath }) => (namesPath === undefined ? "of terms" : "of molecules"),
  makeBuckets: () => ({ kind: "terms" }),
  keyOf: (text) => text,
  select: () => ({ kind: "text" }),
  readKey: ({ namesPath }, text) => ({ key: (namesPath === undefined ? undefined : moleculeId(text)) ?? text }),
  labelOf: () => undefined,
  describeCounts: () => ({}),
};
