import type { DeclaredObject } from "../../declarations/declared.js";

/** The counted leaf, as far as kinds of facet depend on it. */
export interface CountedLeaf {
  readonly path: string;
  /** Canonical unit of its numbers. */
  readonly unit: string | undefined;
  /** Vocabulary of the cited terms whose ids are counted. */
  readonly vocabulary: CountedVocabulary | undefined;
}

interface CountedVocabulary {
  readonly name: string;
  readonly hierarchy: boolean;
  /** Terms that are too general to be listed. */
  readonly unlisted?: readonly string[] | undefined;
}

/**
 * Declaration of a kind of facet: which leaf it counts, which options it has, how these are compiled.
 * `query/facet-kinds` defines what its keys mean, each engine has a counter, and `web/views/facet-parts` shows it.
 *
 * @typeParam Values the compiled declaration, with the name of the kind as `kind`
 */
export interface DeclaredKind<Values> {
  /** Type of the leaf whose values it counts. */
  readonly leafType: "number" | "date" | "keyword";
  /** Noun for messages: `a histogram`. */
  readonly noun: string;
  /** Noun of the counted values, for messages: `numbers`. */
  readonly counted: string;
  /** Description for the documentation of the API. */
  readonly description: string;
  /** Names of its options, besides those of every facet. */
  readonly options: readonly string[];
  /** Whether a request may choose the number of its buckets (`facet_bins`). */
  readonly hasSteps: boolean;
  /** Whether buckets have others below them, which a request may list (`facet_below`). */
  readonly isNested: boolean;
  /** Returns whether it is the default for leaves of its type, each with the vocabulary of the cited terms. */
  isDefault(vocabulary: CountedVocabulary | undefined): boolean;
  /**
   * Reads the options and notes mistakes.
   * @param facet undefined if only a label is declared
   * @returns undefined if the leaf cannot be counted in this way
   */
  compile(facet: DeclaredObject | undefined, leaf: CountedLeaf): Values | undefined;
  /** Describes everything that facets of one name must agree in: `a tree of organisms`. */
  describe(values: Values): string;
}
