/** Facets whose buckets are not the texts themselves: what the key of a value is, and what a key means. */
import type { Bound, Clause } from "./clause.js";

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
  | { readonly kind: "bins"; readonly edges: readonly number[] };

/** Buckets of numbers, or of dates as microseconds since 1970 UTC. */
export type RangeBuckets = Extract<FacetBuckets, { kind: "year" | "bins" }>;

/** The ends of a bucket: `from` lies in it, `to` no more; an absent end is open. */
export interface BucketEnds {
  readonly from?: number;
  readonly to?: number;
}

/** The key of the bucket that a number or date lies in; every number lies in one. */
export function bucketKey(buckets: RangeBuckets, value: number): string {
  if (buckets.kind === "year") return yearKey(new Date(Math.floor(value / 1000)).getUTCFullYear());
  const { edges } = buckets;
  return binKeys(edges)[edges.filter((edge) => edge <= value).length]!;
}

/** Keys that were printed once: each search asks for those of all its buckets. */
const printedKeys = new WeakMap<readonly number[], readonly string[]>();

/** All keys of bins, ascending. @param edges an array that stays as it is */
export function binKeys(edges: readonly number[]): readonly string[] {
  const keys = printedKeys.get(edges) ?? [...edges, undefined].map((_, bin) => binKey(edges, bin));
  printedKeys.set(edges, keys);
  return keys;
}

/** What lies in the bucket of a key; undefined for a text that is the key of none. */
export function bucketEnds(buckets: RangeBuckets, key: string): BucketEnds | undefined {
  if (buckets.kind === "year") return yearEnds(key);
  const { edges } = buckets;
  const bin = binKeys(edges).indexOf(key);
  if (bin < 0) return undefined;
  const [from, to] = [edges[bin - 1], edges[bin]];
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
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

/**
 * Both edges in the shortest text that reads as the same number: `7..8`. JavaScript prints 1e-6 as 0.000001 and 1e-7 as
 * 1e-7; where it needs an exponent for any edge, all of them have one: `1e-7..1e-6`, `1e-2..`.
 */
function binKey(edges: readonly number[], bin: number): string {
  const hasExponents = edges.some((edge) => String(edge).includes("e"));
  const print = (edge: number | undefined): string => {
    if (edge === undefined) return "";
    return hasExponents && edge !== 0 ? edge.toExponential().replace("e+", "e") : String(edge);
  };
  return `${print(edges[bin - 1])}..${print(edges[bin])}`;
}

/** Four digits at least; a year before 0000 (an offset may lead there) with a sign. */
function yearKey(year: number): string {
  return `${year < 0 ? "-" : ""}${String(Math.abs(year)).padStart(4, "0")}`;
}

function yearEnds(key: string): BucketEnds | undefined {
  if (!/^-?\d{4,6}$/u.test(key)) return undefined;
  const year = Number(key);
  const [from, to] = [startOf(year), startOf(year + 1)];
  return yearKey(year) === key && Number.isFinite(from) && Number.isFinite(to) ? { from, to } : undefined;
}

/** Microseconds. `Date.UTC` would read the years 0 to 99 as 1900 to 1999. */
function startOf(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1) * 1000;
}
