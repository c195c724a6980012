/** All kinds of facet: their buckets, and what keys mean. */
import {
  countsNumbers,
  declaredKind,
  type FacetKindName,
  type FacetValues,
  type ValuesOfKind,
} from "../../core/catalog/facet-kinds/facet-kinds.js";
import type { Units } from "../../core/units/units.js";
import type { Clause } from "../index-model/clause.js";
import type { BucketRanges, ParsedKey, RangeMeaning, TextMeaning } from "./facet-meaning.js";
import { HISTOGRAM, type HistogramBuckets, type StepBuckets } from "./histogram-buckets.js";
import type { RangeEnds } from "./range-keys.js";
import { TERMS, type TermsBuckets, TREE, type TreeBuckets } from "./text-keys.js";
import { YEAR, type YearBuckets } from "./year-keys.js";

/** Buckets whose keys are texts of the index. */
type TextBuckets = TermsBuckets | TreeBuckets;

/** Buckets of numbers, or of dates as microseconds since 1970 UTC. */
export type RangeBuckets = YearBuckets | HistogramBuckets;

/** Division of the values of a facet into buckets. */
export type FacetBuckets = TextBuckets | RangeBuckets;

/** Buckets that do not depend on the counted values, so that each value has a key. */
export type KeyedBuckets = Exclude<FacetBuckets, StepBuckets>;

export type KeyedRanges = Exclude<RangeBuckets, StepBuckets>;

/** The buckets of one kind. */
export type BucketsOfKind<Kind extends FacetKindName> = Extract<FacetBuckets, { readonly kind: Kind }>;

type MeaningOfKind<Kind extends FacetKindName> = Kind extends RangeBuckets["kind"]
  ? RangeMeaning<ValuesOfKind<Kind>, BucketsOfKind<Kind>, Extract<KeyedBuckets, { readonly kind: Kind }>>
  : TextMeaning<ValuesOfKind<Kind>, BucketsOfKind<Kind>>;

type AnyMeaning = TextMeaning<FacetValues, FacetBuckets> | RangeMeaning<FacetValues, FacetBuckets, KeyedRanges>;

const FACET_KINDS: { readonly [Kind in FacetKindName]: MeaningOfKind<Kind> } = {
  terms: TERMS,
  tree: TREE,
  year: YEAR,
  histogram: HISTOGRAM,
};

/** Returns the meaning of a kind. */
export const facetMeaning = (kind: FacetKindName): AnyMeaning => FACET_KINDS[kind];

const rangesOf = (kind: RangeBuckets["kind"]): BucketRanges<KeyedRanges> => FACET_KINDS[kind].ranges;

export const hasRanges = (buckets: FacetBuckets): buckets is RangeBuckets =>
  FACET_KINDS[buckets.kind].ranges !== undefined;

/** Returns whether the edges of the buckets depend on the counted numbers. */
export const isStepped = (buckets: FacetBuckets): buckets is StepBuckets =>
  "form" in buckets && buckets.form === "steps";

/** Returns whether the buckets are those of numbers, whose extremes are counted too. */
export const isNumeric = (buckets: FacetBuckets): buckets is HistogramBuckets => countsNumbers(buckets.kind);

/** Returns whether the buckets are cited terms and their ancestors. */
export const isNested = (buckets: FacetBuckets): buckets is TreeBuckets => declaredKind(buckets.kind).isNested;

/** Returns the key of the bucket of a number or date. Every number is in a bucket. */
export const bucketKey = (buckets: KeyedRanges, value: number): string => rangesOf(buckets.kind).keyOf(buckets, value);

/** Returns the ends of the bucket of a key, or of a range that is written like a key. Undefined for any other text. */
export const bucketEnds = ({ kind }: RangeBuckets, key: string): RangeEnds | undefined => rangesOf(kind).endsOf(key);

/** Returns the selected keys that are not buckets, but ranges that the caller chose. */
export function selectedRanges(buckets: FacetBuckets, selected: readonly string[]): readonly string[] {
  if (!hasRanges(buckets)) return [];
  const keys = [...new Set(selected)];
  return isStepped(buckets) ? keys : keys.filter((key) => !rangesOf(buckets.kind).isBucket(buckets, key));
}

/**
 * Returns a clause that matches if one of the selected keys of a facet is at one of the paths. An invalid key matches
 * nothing.
 *
 * @returns undefined if no key is selected, or if keys are exact texts, which have no clause
 */
export function facetClause(
  buckets: FacetBuckets,
  paths: readonly string[],
  selected: readonly string[],
): Clause | undefined {
  const { clauseOf } = facetMeaning(buckets.kind);
  const of = [...new Set(selected)].flatMap((key) => clauseOf(buckets, paths, key) ?? []);
  return of.length > 1 ? { kind: "any", of } : of[0];
}

/**
 * Parses a value of a facet's parameter. Each text or id is a valid key, even if no record has it. Years and histograms
 * also take ranges, histograms in any unit of their dimension: `0.3nM..20nM` is `3e-10..2e-8`.
 */
export function readFacetKey(facet: FacetValues, text: string, units: Units): ParsedKey {
  const { ranges, readKey } = facetMeaning(facet.kind);
  // Keyboards of phones replace two dots with an ellipsis.
  return readKey(facet, ranges === undefined ? text : text.replace(/[…‥]/u, ".."), units);
}
