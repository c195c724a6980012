/** Facets whose buckets are not the texts themselves: what the key of a value is, and what a key means. */
import type { Scale } from "../../core/catalog/types.js";
import type { Bound, Clause } from "./clause.js";
import { dateRange, numberRange, type RangeEnds, rangeKey } from "./range-keys.js";

/** How the values of a facet become buckets. */
export type FacetBuckets =
  /** Each text is a key of its own. */
  | { readonly kind: "terms" }
  /** Ids of a hierarchical vocabulary, cited at the paths (each the `id` of a TermSite): a hit counts once for each
   * id that it cites and once for each ancestor of these. Which of them are listed: `listTree`. */
  | { readonly kind: "tree"; readonly vocabulary: string; readonly unlisted?: readonly string[] }
  /** Dates by their year in UTC: `2024`. */
  | { readonly kind: "year" }
  /** Numbers between ascending edges, the lower one included: `1..10`; below the first `..1`, from the last `100..`. */
  | { readonly kind: "bins"; readonly edges: readonly number[]; readonly keys: readonly string[] }
  /** Numbers in so many equal steps between the smallest and the largest one that is counted: `stepEdges`. */
  | { readonly kind: "steps"; readonly count: number; readonly scale: Scale };

/** Buckets of numbers, or of dates as microseconds since 1970 UTC. */
export type RangeBuckets = Extract<FacetBuckets, { kind: "year" | "bins" | "steps" }>;

/** Those that are the same whatever is counted, so that values have keys. */
export type KeyedBuckets = Exclude<FacetBuckets, { kind: "steps" }>;

export type KeyedRanges = Exclude<RangeBuckets, { kind: "steps" }>;

/** The key of the bucket that a number or date lies in; every number lies in one. */
export function bucketKey(buckets: KeyedRanges, value: number): string {
  if (buckets.kind === "year") return yearKey(new Date(Math.floor(value / 1000)).getUTCFullYear());
  const { edges, keys } = buckets;
  return keys[edges.filter((edge) => edge <= value).length]!;
}

export function binsOf(edges: readonly number[]): FacetBuckets & { readonly kind: "bins" } {
  return { kind: "bins", edges, keys: binKeys(edges) };
}

/** All keys of bins, ascending. */
export function binKeys(edges: readonly number[]): readonly string[] {
  return [...edges, undefined].map((to, bin) => binKey(edges[bin - 1], to, edges));
}

function binKey(from: number | undefined, to: number | undefined, edges: readonly number[]): string {
  return rangeKey({ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }, edges);
}

/** What lies in the bucket of a key, or in a range that is written as one is; undefined for any other text. */
export function bucketEnds({ kind }: RangeBuckets, key: string): RangeEnds | undefined {
  return kind === "year" ? (yearEnds(key) ?? dateRange(key)) : numberRange(key);
}

/** The selected keys that are no buckets, but ranges of whoever asked. */
export function selectedRanges(buckets: FacetBuckets, selected: readonly string[]): readonly string[] {
  if (buckets.kind === "terms" || buckets.kind === "tree") return [];
  return [...new Set(selected)].filter((key) => !isBucket(buckets, key));
}

function isBucket(buckets: RangeBuckets, key: string): boolean {
  if (buckets.kind === "year") return yearEnds(key) !== undefined;
  return buckets.kind === "bins" && buckets.keys.includes(key);
}

/**
 * What the selected keys of a facet mean: a hit has one of them at one of the paths. A key that is none finds nothing.
 * Texts (`terms`) have no such clause: their keys are exact, and a range of keywords compares what is folded.
 *
 * @returns undefined where no key is selected
 */
export function facetClause(
  buckets: Exclude<FacetBuckets, { kind: "terms" }>,
  paths: readonly string[],
  selected: readonly string[],
): Clause | undefined {
  if (selected.length === 0) return undefined;
  const of = [...new Set(selected)].map((key) =>
    buckets.kind === "tree" ? citesWithin(buckets.vocabulary, paths, key) : liesIn(buckets, paths, key),
  );
  return of.length === 1 ? of[0] : { kind: "any", of };
}

/** The places where a facet's ids are cited: its paths without their `.id`. */
export function sitesOf(paths: readonly string[]): readonly string[] {
  return paths.map((path) => path.replace(/\.id$/u, ""));
}

function citesWithin(vocabulary: string, paths: readonly string[], id: string): Clause {
  return { kind: "cites", vocabularies: [vocabulary], id, sites: sitesOf(paths), within: true };
}

function liesIn(buckets: RangeBuckets, paths: readonly string[], key: string): Clause {
  const ends = bucketEnds(buckets, key);
  if (ends === undefined) return { kind: "nothing" };
  const bound = (value: number | undefined, side: "from" | "to"): { readonly [side in "from" | "to"]?: Bound } =>
    value === undefined ? {} : { [side]: { value, inclusive: side === "from" } };
  const type = buckets.kind === "year" ? "date" : "number";
  return { kind: "range", paths, type, ...bound(ends.from, "from"), ...bound(ends.to, "to") };
}

/** Four digits at least; a year before 0000 (an offset may lead there) with a sign. */
function yearKey(year: number): string {
  return `${year < 0 ? "-" : ""}${String(Math.abs(year)).padStart(4, "0")}`;
}

function yearEnds(key: string): RangeEnds | undefined {
  if (!/^-?\d{4,6}$/u.test(key)) return undefined;
  const year = Number(key);
  const [from, to] = [startOf(year), startOf(year + 1)];
  return yearKey(year) === key && Number.isFinite(from) && Number.isFinite(to) ? { from, to } : undefined;
}

/** Microseconds. `Date.UTC` would read the years 0 to 99 as 1900 to 1999. */
function startOf(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1) * 1000;
}
