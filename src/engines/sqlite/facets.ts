import type { FacetCounts, FacetRequest } from "../../ports/search-index.js";
import { bucketEnds, bucketKey, type RangeBuckets } from "../../query/buckets.js";
import { listTop, listTree } from "../../query/list-buckets.js";
import { type Column, EVERY_NUMBER, keyColumn, numberColumn, ownersBetween, placeOf } from "./columns.js";
import { countKeys } from "./count-keys.js";
import { allOrMissing, type Looking, Missing, type Thing } from "./looking.js";
import { rangesOf } from "./record-level.js";
import { both, countRows, either, idsOf, type Rows } from "./rows.js";
import { makeTally, type Tally, type TallyContext } from "./tally.js";

export interface FacetContext extends TallyContext {
  readonly looking: Looking;
  /** Id of a path, undefined where no record holds it. */
  idOf(path: string): number | undefined;
}

/** Hits whose values are looked for one by one where no column is kept. */
const FEW_HITS = 200;

/** Counts one facet over the hits, each record once per bucket. */
export function countFacet(request: FacetRequest, hits: Rows, context: FacetContext): FacetCounts | Missing {
  const { name, buckets, size, selected } = request;
  const paths = request.paths.map(context.idOf).filter((path) => path !== undefined);
  const isKeyed = buckets.kind === "terms" || buckets.kind === "tree";
  const make = isKeyed ? keyColumn : numberColumn;
  const columns = allOrMissing(paths.map((path) => columnOf(make, path, hits, context.looking)));
  if (columns instanceof Missing) return columns;

  if (buckets.kind === "terms" || buckets.kind === "tree") {
    const tally = makeTally(buckets, paths, context);
    const counts = countKeys(columns, hits, tally);
    if (buckets.kind === "tree") {
      const there = named(counts, tally, selected);
      const parentOf = withSelected(tally, buckets.vocabulary, selected, context);
      return { name, ...listTree(there, (id) => nearestCounted(id, parentOf, there), size, selected) };
    }
    const shown = largest(counts, tally, size, selected);
    const { other, ...listed } = listTop(shown.counts, size, selected);
    return { name, ...listed, other: other + shown.rest };
  }
  return { name, ...listTop(countNumbers(columns, hits, buckets), size, selected) };
}

/** Parents of what is counted, and of what is selected: nothing need cite it, or anything below it. */
function withSelected(
  { parentOf }: Tally,
  vocabulary: string,
  selected: readonly string[],
  { lineage }: TallyContext,
): Tally["parentOf"] {
  if (selected.length === 0) return parentOf;
  const parents = new Map<string, string>();
  for (const [id, ancestors] of lineage.ancestorsOf(vocabulary, selected)) {
    for (const [i, ancestor] of ancestors.entries()) parents.set(i === 0 ? id : ancestors[i - 1]!, ancestor);
  }
  return (id) => parentOf(id) ?? parents.get(id);
}

function columnOf(
  make: (path: number, owners: "records") => Thing<Column>,
  path: number,
  hits: Rows,
  looking: Looking,
): Column | Missing {
  const thing = make(path, "records");
  return countRows(hits) <= FEW_HITS ? looking.among(thing, rangesOf(idsOf(hits))) : looking.get(thing);
}

function countNumbers(columns: readonly Column[], hits: Rows, buckets: RangeBuckets): Map<string, number> {
  const keys = new Set(columns.flatMap((column) => keysIn(column, buckets)));
  const count = (key: string): number => {
    const { from, to } = bucketEnds(buckets, key) ?? {};
    const range = { ...EVERY_NUMBER, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    const having = columns.map((column) => ownersBetween(column, { ...range, takesTo: to === undefined }));
    return countRows(both(hits, having.reduce(either)));
  };
  return new Map([...keys].map((key) => [key, count(key)]));
}

/** Counts by item; of items without a bucket of their own only those that are selected. */
function named(counts: Uint32Array, { keyOf, aliasOf }: Tally, selected: readonly string[]): Map<string, number> {
  const there = new Map<string, number>();
  for (const [bucket, count] of counts.entries()) if (count > 0) there.set(keyOf(bucket), count);
  for (const id of selected) there.set(id, there.get(aliasOf(id) ?? id) ?? 0);
  return there;
}

function nearestCounted(
  id: string,
  parentOf: Tally["parentOf"],
  counts: ReadonlyMap<string, number>,
): string | undefined {
  const passed = new Set<string>();
  let at = parentOf(id);
  while (at !== undefined && !counts.has(at) && !passed.has(at)) {
    passed.add(at);
    at = parentOf(at);
  }
  return at === undefined || passed.has(at) ? undefined : at;
}

/** Keys of the buckets that a column has values for. */
function keysIn({ values, late }: Column, buckets: RangeBuckets): readonly string[] {
  const keys = late.values.map((value) => bucketKey(buckets, value));
  for (let at = 0; at < values.length; ) {
    const key = bucketKey(buckets, values[at]!);
    keys.push(key);
    const { to } = bucketEnds(buckets, key) ?? {};
    at = to === undefined ? values.length : Math.max(placeOf(values, to), at + 1);
  }
  return keys;
}

/** The buckets that can be shown, with what all others have. */
function largest(
  counts: Uint32Array,
  { keyOf }: Tally,
  size: number,
  selected: readonly string[],
): { readonly counts: Map<string, number>; readonly rest: number } {
  const sizes = counts.filter((count) => count > 0).sort();
  // Only what can be shown gets a name: a facet may have tens of thousands of keys.
  const least = size === 0 ? Number.POSITIVE_INFINITY : (sizes[sizes.length - size] ?? 1);
  const wanted = new Set(selected);
  const shown = new Map<string, number>();
  let rest = 0;
  for (const [bucket, count] of counts.entries()) {
    if (count >= least || (count > 0 && wanted.size > 0 && wanted.has(keyOf(bucket)))) shown.set(keyOf(bucket), count);
    else rest += count;
  }
  return { counts: shown, rest };
}
