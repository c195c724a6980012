/** Buckets of facets: the key of a value, and the clause of a key. */
import type { Scale } from "../../core/catalog/facet-kinds/histogram.js";
import { parseDate } from "../text/dates.js";
import type { Bound, Clause } from "./clause.js";

/** Division of the values of a facet into buckets. */
export type FacetBuckets =
  /** Each text is its own key. */
  | { readonly kind: "terms" }
  /** Ids of a hierarchical vocabulary, cited at the paths (each the `id` of a TermSite). A hit counts once for each
   * cited id and once for each of their ancestors. `listTree` selects those to list. */
  | { readonly kind: "tree"; readonly vocabulary: string; readonly unlisted?: readonly string[] }
  /** Dates by their year in UTC: `2024`. */
  | { readonly kind: "year" }
  /** Numbers between ascending edges, the lower one included: `1..10`; below the first `..1`, from the last `100..`. */
  | { readonly kind: "bins"; readonly edges: readonly number[]; readonly keys: readonly string[] }
  /** Numbers in `count` equal steps between the smallest and the largest counted number: `stepEdges`. */
  | { readonly kind: "steps"; readonly count: number; readonly scale: Scale };

/** Buckets of numbers, or of dates as microseconds since 1970 UTC. */
export type RangeBuckets = Extract<FacetBuckets, { kind: "year" | "bins" | "steps" }>;

/** Buckets that do not depend on the counted values, so that each value has a key. */
export type KeyedBuckets = Exclude<FacetBuckets, { kind: "steps" }>;

export type KeyedRanges = Exclude<RangeBuckets, { kind: "steps" }>;

/** Returns the key of the bucket of a number or date. Every number is in a bucket. */
export function bucketKey(buckets: KeyedRanges, value: number): string {
  if (buckets.kind === "year") return yearKey(new Date(Math.floor(value / 1000)).getUTCFullYear());
  const { edges, keys } = buckets;
  return keys[edges.filter((edge) => edge <= value).length]!;
}

export function makeBins(edges: readonly number[]): FacetBuckets & { readonly kind: "bins" } {
  return { kind: "bins", edges, keys: binKeys(edges) };
}

/** Returns all keys of bins, ascending. */
export function binKeys(edges: readonly number[]): readonly string[] {
  return [...edges, undefined].map((to, bin) => binKey(edges[bin - 1], to, edges));
}

function binKey(from: number | undefined, to: number | undefined, edges: readonly number[]): string {
  return rangeKey(makeEnds(from, to), edges);
}

/** Returns the ends of the bucket of a key, or of a range that is written like a key. Undefined for any other text. */
export function bucketEnds({ kind }: RangeBuckets, key: string): RangeEnds | undefined {
  return kind === "year" ? (yearEnds(key) ?? dateRange(key)) : numberRange(key);
}

/** Returns the selected keys that are not buckets, but ranges that the caller chose. */
export function selectedRanges(buckets: FacetBuckets, selected: readonly string[]): readonly string[] {
  if (buckets.kind === "terms" || buckets.kind === "tree") return [];
  return [...new Set(selected)].filter((key) => !isBucket(buckets, key));
}

function isBucket(buckets: RangeBuckets, key: string): boolean {
  if (buckets.kind === "year") return yearEnds(key) !== undefined;
  return buckets.kind === "bins" && buckets.keys.includes(key);
}

/**
 * Returns a clause that matches if one of the selected keys of a facet is at one of the paths. An invalid key matches
 * nothing. Texts (`terms`) have no such clause: their keys are exact, but ranges of keywords compare folded text.
 *
 * @returns undefined if no key is selected
 */
export function facetClause(
  buckets: Exclude<FacetBuckets, { kind: "terms" }>,
  paths: readonly string[],
  selected: readonly string[],
): Clause | undefined {
  if (selected.length === 0) return undefined;
  const of = [...new Set(selected)].map((key) =>
    buckets.kind === "tree" ? citesWithin(buckets.vocabulary, paths, key) : isInRange(buckets, paths, key),
  );
  return of.length === 1 ? of[0] : { kind: "any", of };
}

/** Returns the term sites of a facet: its paths without `.id`. */
export function citationSites(paths: readonly string[]): readonly string[] {
  return paths.map((path) => path.replace(/\.id$/u, ""));
}

function citesWithin(vocabulary: string, paths: readonly string[], id: string): Clause {
  return { kind: "cites", vocabularies: [vocabulary], id, sites: citationSites(paths), within: true };
}

function isInRange(buckets: RangeBuckets, paths: readonly string[], key: string): Clause {
  const ends = bucketEnds(buckets, key);
  if (ends === undefined) return { kind: "nothing" };
  const bound = (value: number | undefined, side: "from" | "to"): { readonly [side in "from" | "to"]?: Bound } =>
    value === undefined ? {} : { [side]: { value, inclusive: side === "from" } };
  const type = buckets.kind === "year" ? "date" : "number";
  return { kind: "range", paths, type, ...bound(ends.from, "from"), ...bound(ends.to, "to") };
}

/** Returns the key of a year, with at least four digits. A year before 0000, which an offset may cause, has a sign. */
function yearKey(year: number): string {
  return `${year < 0 ? "-" : ""}${String(Math.abs(year)).padStart(4, "0")}`;
}

function yearEnds(key: string): RangeEnds | undefined {
  if (!/^-?\d{4,6}$/u.test(key)) return undefined;
  const year = Number(key);
  const [from, to] = [yearStart(year), yearStart(year + 1)];
  return yearKey(year) === key && Number.isFinite(from) && Number.isFinite(to) ? { from, to } : undefined;
}

/** Returns the start of a year in microseconds. `Date.UTC` would read the years 0 to 99 as 1900 to 1999. */
function yearStart(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1) * 1000;
}

// Ranges as texts, in which parameters contain them: `3e-10..2e-8`, `..2e-8`, `2020-05..`.

/** Ends of a range. `from` is inclusive, `to` exclusive; an absent end is open. */
export interface RangeEnds {
  readonly from?: number;
  readonly to?: number;
}

/** A number as JSON and `rangeKey` write it. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu;

/** Returns the texts of both ends of a range, "" for an open one. Undefined if the text is not a range. */
export function splitRange(text: string): { readonly from: string; readonly to: string } | undefined {
  const [, from, to] = /^(.*?)\.\.(.*)$/u.exec(text) ?? [];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** Returns a range, or undefined if it is empty or both ends are open. */
export function orderedEnds(from: number | undefined, to: number | undefined): RangeEnds | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (from !== undefined && to !== undefined && from >= to) return undefined;
  return makeEnds(from, to);
}

/** Makes a RangeEnds without undefined members, because answers contain it. */
function makeEnds(from: number | undefined, to: number | undefined): RangeEnds {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** Parses a range of plain numbers. Undefined for any other text. */
export function numberRange(key: string): RangeEnds | undefined {
  return readEnds(key, (text) => (NUMBER.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined));
}

/**
 * Parses a range of years, months, days or times, in microseconds since 1970 UTC. It begins and ends at the first
 * instants of the two dates. Undefined for any other text.
 */
function dateRange(key: string): RangeEnds | undefined {
  return readEnds(key, (text) => (text === text.trim() ? parseDate(text)?.from : undefined));
}

function readEnds(key: string, read: (text: string) => number | undefined): RangeEnds | undefined {
  const texts = splitRange(key);
  if (texts === undefined) return undefined;
  const [from, to] = [texts.from, texts.to].map((text) => (text === "" ? undefined : read(text)));
  const isRead = (text: string, end: number | undefined): boolean => text === "" || end !== undefined;
  return isRead(texts.from, from) && isRead(texts.to, to) ? orderedEnds(from, to) : undefined;
}

/**
 * Prints a range as the shortest text that parses to the same numbers: `7..8`. JavaScript prints 1e-6 as 0.000001 and
 * 1e-7 as 1e-7; if one of the numbers needs an exponent, all of them get one: `1e-7..1e-6`, `1e-2..`.
 *
 * @param relatedNumbers further numbers that are printed in the same style
 */
export function rangeKey({ from, to }: RangeEnds, relatedNumbers: readonly number[] = []): string {
  const hasExponents = [from, to, ...relatedNumbers].some((end) => end !== undefined && String(end).includes("e"));
  const print = (end: number | undefined): string => {
    if (end === undefined) return "";
    return hasExponents && end !== 0 ? end.toExponential().replace("e+", "e") : String(end);
  };
  return `${print(from)}..${print(to)}`;
}
