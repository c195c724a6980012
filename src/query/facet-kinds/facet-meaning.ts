import type { Scale } from "../../core/catalog/facet-kinds/histogram.js";
import type { Units } from "../../core/units/units.js";
import type { Clause } from "../index-model/clause.js";
import type { RangeEnds } from "./range-keys.js";

/** The key in canonical form, as in the index and in links; or a description of the values that the parameter takes. */
export type ParsedKey = { readonly key: string } | { readonly takes: string };

/** Label of a key, and the bounds of its bucket if it has any: numbers, days or instants. */
export interface KeyLabel {
  readonly label: string;
  readonly from?: number | string | undefined;
  readonly to?: number | string | undefined;
}

/** Properties of a counted facet besides its buckets. */
export interface CountedProperties {
  readonly unit?: string | undefined;
  readonly scale?: Scale;
  readonly min?: number | null;
  readonly max?: number | null;
}

/**
 * Meaning of a kind of facet, the same in all engines: which bucket a value is in, what a key selects, how a parameter
 * is read and how a key is labelled.
 *
 * @typeParam Values the compiled declaration
 * @typeParam Buckets the buckets, with the name of the kind as `kind`
 */
interface FacetMeaning<Values, Buckets> {
  /** Whether keys are values that a query may contain, as in `year:2024`. */
  readonly isQueryValue: boolean;
  /** Returns the buckets. @param steps number of equal steps that a request chose */
  makeBuckets(values: Values, steps: number | undefined): Buckets;
  /**
   * Returns a clause that matches what a key selects at one of the paths. An invalid key matches nothing.
   * @returns undefined if keys are exact texts: no clause can select one, because clauses compare folded text
   */
  clauseOf(buckets: Buckets, paths: readonly string[], key: string): Clause | undefined;
  /** Parses a value of the parameter of the facet. */
  readKey(values: Values, text: string, units: Units): ParsedKey;
  /** Labels a key. Undefined if the label is the title of a term, or the key itself. */
  labelOf(values: Values, key: string): KeyLabel | undefined;
  /** Returns the properties of a counted facet. @param extremes of its values; absent if there are none */
  describeCounts(values: Values, extremes: { readonly min?: number; readonly max?: number }): CountedProperties;
}

/** Meaning of a kind whose keys are texts of the index. */
export interface TextMeaning<Values, Buckets> extends FacetMeaning<Values, Buckets> {
  readonly ranges: undefined;
}

/** Meaning of a kind whose buckets are ranges of numbers, or of dates. Requests may select any other range. */
export interface RangeMeaning<Values, Buckets, Keyed> extends FacetMeaning<Values, Buckets> {
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
