/** All kinds of facet: which values they count, their buckets, and what keys mean. */
import type { Units } from "../../units/units.js";
import type { BucketRanges, KeySelection, ParsedKey, RangeEnds, RangeKind, TextKind } from "./facet-kind.js";
import { HISTOGRAM, type HistogramBuckets, type StepBuckets } from "./histogram.js";
import { TERMS } from "./terms.js";
import { TREE, type TreeBuckets } from "./tree.js";
import { YEAR } from "./year.js";

/** By the names of the kinds, in the order in which messages list them. */
const FACET_KINDS = { terms: TERMS, tree: TREE, year: YEAR, histogram: HISTOGRAM };

type FacetKinds = typeof FACET_KINDS;

/** Name of a kind of facet. Every table of kinds has an entry for each of them. */
export type FacetKindName = keyof FacetKinds;

/** The values that a facet of this kind counts: a compiled declaration. */
type ValuesOfKind<Kind extends FacetKindName> = NonNullable<ReturnType<FacetKinds[Kind]["compile"]>>;

/** The values that a facet counts: a compiled declaration of any kind. */
export type FacetValues = ValuesOfKind<FacetKindName>;

/** The buckets of one kind. */
export type BucketsOfKind<Kind extends FacetKindName> = ReturnType<FacetKinds[Kind]["makeBuckets"]>;

/** Division of the values of a facet into buckets. */
export type FacetBuckets = BucketsOfKind<FacetKindName>;

type RangeKindName = {
  [Kind in FacetKindName]: FacetKinds[Kind] extends { readonly ranges: undefined } ? never : Kind;
}[FacetKindName];

/** Buckets of numbers, or of dates as microseconds since 1970 UTC. */
export type RangeBuckets = BucketsOfKind<RangeKindName>;

/** Buckets that do not depend on the counted values, so that each value has a key. */
export type KeyedBuckets = Exclude<FacetBuckets, StepBuckets>;

/** Buckets of numbers or dates that do not depend on the counted values. */
export type KeyedRanges = Exclude<RangeBuckets, StepBuckets>;

type AnyKind = TextKind<FacetValues, FacetBuckets> | RangeKind<FacetValues, FacetBuckets, KeyedRanges>;

/** Names of all kinds of facet. */
export const FACET_KIND_NAMES = Object.keys(FACET_KINDS) as readonly FacetKindName[];

/** Returns the kind of facet with a name. */
export const facetKind = (name: FacetKindName): AnyKind => FACET_KINDS[name];

/** Returns the names of the kinds with some property. */
export const kindsWhere = (has: (kind: AnyKind) => boolean): readonly FacetKindName[] =>
  FACET_KIND_NAMES.filter((name) => has(facetKind(name)));

/** Returns whether a kind counts numbers, which may have a unit. */
export const countsNumbers = (name: FacetKindName): boolean => facetKind(name).leafType === "number";

/** Returns the vocabulary whose hierarchy a facet counts; undefined if it counts none. */
export const hierarchyOf = (facet: FacetValues): string | undefined =>
  facetKind(facet.kind).isNested && "vocabulary" in facet ? facet.vocabulary : undefined;

/** Returns the buckets of a facet. @param steps number of steps of a histogram, in place of its declared edges */
export const facetBuckets = (facet: FacetValues, steps?: number): FacetBuckets =>
  facetKind(facet.kind).makeBuckets(facet, steps);

const rangesOf = (kind: RangeKindName): BucketRanges<KeyedRanges> => FACET_KINDS[kind].ranges;

/**
 * Returns whether the keys of the buckets are ranges of numbers or dates, so that requests may select any other range.
 */
export const hasRanges = (buckets: FacetBuckets): buckets is RangeBuckets =>
  facetKind(buckets.kind).ranges !== undefined;

/** Returns whether the edges of the buckets depend on the counted numbers. */
export const isStepped = (buckets: FacetBuckets): buckets is StepBuckets =>
  "form" in buckets && buckets.form === "steps";

/** Returns whether the buckets are those of numbers, whose extremes are counted too. */
export const hasNumberBuckets = (buckets: FacetBuckets): buckets is HistogramBuckets => countsNumbers(buckets.kind);

/** Returns whether the buckets are cited terms and their ancestors. */
export const isNested = (buckets: FacetBuckets): buckets is TreeBuckets => facetKind(buckets.kind).isNested;

/** Returns the key of the bucket of a number or date. Every number is in a bucket. */
export const bucketKey = (buckets: KeyedRanges, value: number): string => rangesOf(buckets.kind).keyOf(buckets, value);

/** Returns the key of the bucket of a text. */
export const textKey = ({ kind }: Exclude<FacetBuckets, RangeBuckets>, text: string): string =>
  FACET_KINDS[kind].keyOf(text);

/** Returns the key of the bucket of an indexed value; undefined if the kind counts values of another type. */
export function leafKey(
  buckets: KeyedBuckets,
  { number, keyword }: { readonly number?: number | undefined; readonly keyword?: string | undefined },
): string | undefined {
  if (hasRanges(buckets)) return number === undefined ? undefined : bucketKey(buckets, number);
  return keyword === undefined ? undefined : textKey(buckets, keyword);
}

/** Returns the ends of the bucket of a key, or of a range that is written like a key. Undefined for any other text. */
export const bucketEnds = ({ kind }: RangeBuckets, key: string): RangeEnds | undefined => rangesOf(kind).endsOf(key);

/** Returns the values that a key selects. */
export const selectKey = (buckets: FacetBuckets, key: string): KeySelection =>
  facetKind(buckets.kind).select(buckets, key);

/** Returns the selected keys that are not buckets, but ranges that the caller chose. */
export function selectedRanges(buckets: FacetBuckets, selected: readonly string[]): readonly string[] {
  if (!hasRanges(buckets)) return [];
  const keys = [...new Set(selected)];
  return isStepped(buckets) ? keys : keys.filter((key) => !rangesOf(buckets.kind).isBucket(buckets, key));
}

/**
 * Parses a value of a facet's parameter. Each text or id is a valid key, even if no record has it. Years and histograms
 * also take ranges, histograms in any unit of their dimension: `0.3nM..20nM` is `3e-10..2e-8`.
 */
export function readFacetKey(facet: FacetValues, text: string, units: Units): ParsedKey {
  const { ranges, readKey } = facetKind(facet.kind);
  // Keyboards of phones replace two dots with an ellipsis.
  return readKey(facet, ranges === undefined ? text : text.replace(/[…‥]/u, ".."), units);
}
