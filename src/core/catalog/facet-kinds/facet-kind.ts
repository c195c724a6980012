import type { DeclaredObject } from "../../declarations/declared.js";
import type { Units } from "../../units/units.js";

/** The counted leaf, as far as kinds of facet depend on it. */
interface CountedLeaf {
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

/** Ends of a range. `from` is inclusive, `to` exclusive; an absent end is open. */
export interface RangeEnds {
  readonly from?: number;
  readonly to?: number;
}

/** Values that a key selects. `query/facets` makes a clause of it. */
export type KeySelection =
  /** Values that are exactly the text of the key. */
  | { readonly kind: "text" }
  /** Values in a range: numbers, dates in microseconds since 1970 UTC, or folded texts. `to` is excluded. */
  | {
      readonly kind: "range";
      readonly type: "number" | "date" | "keyword";
      readonly from?: number | string | undefined;
      readonly to?: number | string | undefined;
    }
  /** The cited term whose id is the key, and its descendants. */
  | { readonly kind: "subtree"; readonly vocabulary: string }
  /** No value, because the key is invalid. */
  | { readonly kind: "nothing" };

/** The key in canonical form, as in the index and in links; or a description of the values that the parameter takes. */
export type ParsedKey = { readonly key: string } | { readonly takes: string };

/** Label of a key, and the bounds of its bucket if it has any: numbers, days or instants. */
export interface KeyLabel {
  readonly label: string;
  readonly from?: number | string | undefined;
  readonly to?: number | string | undefined;
}

/** Scale of the steps and the axis of a histogram. */
export type Scale = "linear" | "log";

/** Properties of a counted facet besides its buckets. */
interface CountedProperties {
  readonly unit?: string | undefined;
  readonly scale?: Scale;
  readonly min?: number | null;
  readonly max?: number | null;
}

/**
 * A kind of facet: which leaf it counts, its options and how they are compiled; and what its buckets and keys mean, the
 * same in all engines. Each engine has a counter for it, and `web/views/facet-view` shows it.
 *
 * @typeParam Values the compiled declaration, with the name of the kind as `kind`
 * @typeParam Buckets the buckets, with the name of the kind as `kind`
 */
interface FacetKind<Values, Buckets> {
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
  /** Whether keys are values that a query may contain, as in `year:2024`. */
  readonly isQueryValue: boolean;
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
  /** Returns the buckets. @param steps number of equal steps that a request chose */
  makeBuckets(values: Values, steps: number | undefined): Buckets;
  /** Returns the values that a key selects. */
  select(buckets: Buckets, key: string): KeySelection;
  /** Parses a value of the parameter of the facet. */
  readKey(values: Values, text: string, units: Units): ParsedKey;
  /** Labels a key. Undefined if the label is the title of a term, or the key itself. */
  labelOf(values: Values, key: string): KeyLabel | undefined;
  /** Returns the properties of a counted facet. @param extremes of its values; absent if there are none */
  describeCounts(values: Values, extremes: { readonly min?: number; readonly max?: number }): CountedProperties;
}

/** A kind whose buckets contain texts of the index. */
export interface TextKind<Values, Buckets> extends FacetKind<Values, Buckets> {
  readonly leafType: "keyword";
  readonly ranges: undefined;
  /** Returns the key of the bucket of a text. Of cited terms, ancestors have buckets too. */
  keyOf(text: string): string;
}

/** A kind whose buckets are ranges of numbers, or of dates. Requests may select any other range. */
export interface RangeKind<Values, Buckets, Keyed> extends FacetKind<Values, Buckets> {
  readonly leafType: "number" | "date";
  readonly ranges: BucketRanges<Keyed>;
}

/**
 * Ranges of numbers, or of dates as microseconds since 1970 UTC.
 * @typeParam Keyed buckets that do not depend on the counted values
 */
export interface BucketRanges<Keyed> {
  /** Returns the key of the bucket of a value. Every value is in a bucket. */
  keyOf(buckets: Keyed, value: number): string;
  /** Returns the ends of the bucket of a key, or of a range written like a key. Undefined for any other text. */
  endsOf(key: string): RangeEnds | undefined;
  /** Returns whether a key is the key of a bucket. */
  isBucket(buckets: Keyed, key: string): boolean;
}
