import type { RangeEnds } from "../../../src/core/catalog/facet-kinds/facet-kind.js";
import {
  bucketEnds,
  bucketKey,
  type FacetBuckets,
  isStepped,
  type RangeBuckets,
} from "../../../src/core/catalog/facet-kinds/facet-kinds.js";
import { makeBins, type StepBuckets, stepEdges } from "../../../src/core/catalog/facet-kinds/histogram.js";
import { rangeKey } from "../../../src/core/catalog/facet-kinds/range-keys.js";
import { citationSites } from "../../../src/core/catalog/facet-kinds/tree.js";
import type { Catalog, Facet } from "../../../src/core/catalog/types.js";
import type { FacetCounts, FacetRequest } from "../../../src/ports/search-index.js";
import type { RecordLeaves } from "../../../src/query/index-model/leaves.js";
import type { ListedKeys } from "../../../src/query/index-model/list-buckets.js";
import { compareKeywords } from "../../../src/query/text/analyse.js";
import { isDescendant, type World } from "../reference-evaluator.js";

/** What is asked of a facet, and what it counts. */
export interface AskedFacet extends FacetRequest {
  readonly buckets: FacetBuckets;
  readonly paths: readonly string[];
}

/** As the models of a search declare it. */
export function findFacet({ models }: Catalog, searched: readonly string[], request: FacetRequest): AskedFacet {
  const facets = searched.flatMap((name) => models.get(name)!.facets);
  const named = facets.filter(({ name }) => `${name}.names` === request.name);
  if (named.length > 0) {
    const paths = named.flatMap((facet) => (facet.kind === "terms" ? (facet.namesPath ?? []) : []));
    return { ...request, buckets: { kind: "terms" }, paths };
  }
  const declared = facets.filter(({ name }) => name === request.name);
  return {
    ...request,
    buckets: bucketsOf(declared[0]!, request.steps),
    paths: declared.flatMap(({ path, morePaths = [] }) => [path, ...morePaths]),
  };
}

function bucketsOf(facet: Facet, steps: number | undefined): FacetBuckets {
  if (facet.kind === "histogram") {
    const { edges, scale } = facet;
    const equal: StepBuckets = { kind: "histogram", form: "steps", count: steps ?? 24, scale };
    return steps === undefined && edges ? makeBins(edges) : equal;
  }
  return facet.kind === "tree" ? { kind: "tree", vocabulary: facet.vocabulary } : { kind: facet.kind };
}

/** The keys of the buckets that a record counts in. */
function keysOf({ leaves, cites }: RecordLeaves, { buckets, paths }: AskedFacet, world: World): Set<string> {
  if (buckets.kind === "tree") {
    const sites = citationSites(paths);
    const cited = cites.filter((cite) => cite.vocabulary === buckets.vocabulary && sites.includes(cite.site));
    return new Set(cited.flatMap(({ id }) => [id, ...ancestorsOf(world, buckets.vocabulary, id)]));
  }
  const there = leaves.filter(({ path }) => path !== null && paths.includes(path));
  if (buckets.kind === "terms") return new Set(there.flatMap(({ keyword }) => keyword ?? []));
  const numbers = there.flatMap(({ number }) => number ?? []);
  return new Set(isStepped(buckets) ? [] : numbers.map((number) => bucketKey(buckets, number)));
}

function numbersOf({ leaves }: RecordLeaves, { paths }: AskedFacet): readonly number[] {
  return leaves.flatMap(({ path, number }) => (path !== null && paths.includes(path) ? (number ?? []) : []));
}

const isIn = (number: number, { from = -Infinity, to = Infinity }: RangeEnds): boolean => from <= number && number < to;

/** Returns whether the record has the key, or a number in the range that it says. */
function hasKey(record: RecordLeaves, facet: AskedFacet, key: string, world: World): boolean {
  const { buckets } = facet;
  if (buckets.kind === "terms" || buckets.kind === "tree") return keysOf(record, facet, world).has(key);
  const ends = bucketEnds(buckets, key);
  return ends !== undefined && numbersOf(record, facet).some((number) => isIn(number, ends));
}

/** Nearest first. */
function ancestorsOf(world: World, vocabulary: string, id: string): string[] {
  const above = new Set<string>();
  for (let at = world.parentOf(vocabulary, id); at !== undefined && !above.has(at); ) {
    above.add(at);
    at = world.parentOf(vocabulary, at);
  }
  return [...above].filter((ancestor) => ancestor !== id);
}

/** Returns whether the facet lets the record through. */
export function passesFacet(record: RecordLeaves, facet: AskedFacet, world: World): boolean {
  return facet.selected.length === 0 || facet.selected.some((key) => hasKey(record, facet, key, world));
}

/** Counts each facet that is asked for over the records that all other facets let through. */
export function countFacets(
  found: readonly RecordLeaves[],
  facets: readonly AskedFacet[],
  world: World,
): readonly FacetCounts[] {
  const asked = facets.filter(({ size }) => size > 0);
  return asked.map((facet) => {
    const others = facets.filter((other) => other !== facet);
    const counted = found.filter((record) => others.every((other) => passesFacet(record, other, world)));
    const counts = new Map<string, number>();
    for (const record of counted) {
      for (const key of keysOf(record, facet, world)) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    if (facet.listed !== undefined) return listSome(facet, facet.listed, counts, world);
    if (facet.buckets.kind === "tree") return listTree(facet, counts, world);
    return facet.buckets.kind === "terms" ? listAll(facet, [...counts]) : listRanges(facet, counts, counted, world);
  });
}

/** Some keys, or the nearest ones below one that do not count the same as one of their children. */
function listSome(
  { name, size, buckets, selected }: AskedFacet,
  listed: ListedKeys,
  counts: ReadonlyMap<string, number>,
  world: World,
): FacetCounts {
  const all = { name, size, buckets, selected: [], paths: [] };
  if ("keys" in listed) {
    return listAll(
      all,
      [...counts].filter(([key]) => listed.keys.includes(key)),
    );
  }
  const { vocabulary, unlisted } = { vocabulary: "", unlisted: [] as readonly string[], ...buckets };
  const childrenOf = (id: string): string[] =>
    [...counts.keys()].filter((child) => world.parentOf(vocabulary, child) === id);
  if ("cited" in listed) {
    const isInLoop = (id: string): boolean =>
      ancestorsOf(world, vocabulary, id).some((at) => childrenOf(id).includes(at));
    const isCited = ([id, count]: readonly [string, number]): boolean => {
      const below = childrenOf(id).reduce((sum, child) => sum + (isInLoop(child) ? 0 : counts.get(child)!), 0);
      return selected.includes(id) || (count > below && !(unlisted ?? []).includes(id));
    };
    return listAll({ ...all, selected }, [...counts].filter(isCited));
  }
  const isShown = (id: string): boolean => {
    const isSame = (child: string): boolean =>
      counts.get(child) === counts.get(id) && !isDescendant(world, vocabulary, id, child);
    return !(unlisted ?? []).includes(id) && !childrenOf(id).some(isSame);
  };
  const seen = new Set([listed.below]);
  const below = (id: string): string[] =>
    childrenOf(id).flatMap((child) => {
      if (seen.has(child)) return [];
      seen.add(child);
      return isShown(child) ? [child] : below(child);
    });
  const found = below(listed.below).map((id) => [id, counts.get(id)!] as const);
  const shown = listAll(all, found);
  return {
    ...shown,
    buckets: shown.buckets.map((bucket) => ({ ...bucket, hasBelow: childrenOf(bucket.key).length > 0 })),
  };
}

/** Numbers or years: buckets, then the ranges that are selected. */
function listRanges(
  facet: AskedFacet,
  counts: ReadonlyMap<string, number>,
  counted: readonly RecordLeaves[],
  world: World,
): FacetCounts {
  const { buckets, selected } = facet;
  const keyed = [...new Set(selected)].filter((key) => isKey(buckets as RangeBuckets, key));
  const ranges = [...new Set(selected)].filter((key) => !keyed.includes(key));
  const countOf = (key: string): number => counted.filter((record) => hasKey(record, facet, key, world)).length;
  const numbers = counted.flatMap((record) => numbersOf(record, facet)).sort((a, b) => a - b);
  const listed = isStepped(buckets)
    ? { name: facet.name, buckets: stepsOf(buckets, numbers).map((key) => ({ key, count: countOf(key) })), other: 0 }
    : listAll({ ...facet, selected: keyed }, [...counts]);
  return {
    ...listed,
    buckets: [
      ...listed.buckets,
      ...ranges
        .filter((key) => !listed.buckets.some((bucket) => bucket.key === key))
        .map((key) => ({ key, count: countOf(key) })),
    ],
    ...(buckets.kind === "year" || numbers.length === 0 ? {} : { min: numbers[0]!, max: numbers.at(-1)! }),
  };
}

/** Returns whether a key is that of a bucket. A range that a request chose is none. */
function isKey(buckets: RangeBuckets, key: string): boolean {
  const { from = -Infinity } = bucketEnds(buckets, key) ?? {};
  if (isStepped(buckets)) return false;
  if (buckets.kind === "year") return /^-?\d+$/u.test(key);
  return key === bucketKey(buckets, from);
}

/** @param numbers ascending */
function stepsOf(steps: StepBuckets, numbers: readonly number[]): readonly string[] {
  const [first = 0] = numbers;
  const positive = numbers.find((number) => number > 0);
  const smallest = steps.scale === "log" && positive !== undefined ? positive : first;
  if (numbers.length === 0) return [];
  const edges = stepEdges(steps, { smallest, largest: numbers.at(-1)! });
  const keyAt = (ends: RangeEnds): string => rangeKey(ends, edges);
  const keys = edges.slice(1).map((to, i) => keyAt({ from: edges[i]!, to }));
  return first < edges[0]! ? [keyAt({ to: edges[0]! }), ...keys] : keys;
}

function listAll(facet: AskedFacet, counts: readonly (readonly [string, number])[]): FacetCounts {
  const sorted = counts.map(([key, count]) => ({ key, count })).sort(byCount);
  const listed = sorted.filter(({ key }, i) => i < facet.size || facet.selected.includes(key));
  const absent = [...new Set(facet.selected)].filter((key) => !sorted.some((bucket) => bucket.key === key));
  const other = sorted.filter((bucket) => !listed.includes(bucket)).reduce((sum, { count }) => sum + count, 0);
  return { name: facet.name, buckets: [...listed, ...absent.map((key) => ({ key, count: 0 }))].sort(byCount), other };
}

/** @see docs/decisions/0008-facets-of-a-tree.md */
function listTree(facet: AskedFacet, counts: ReadonlyMap<string, number>, world: World): FacetCounts {
  const vocabulary = facet.buckets.kind === "tree" ? facet.buckets.vocabulary : "";
  const hides = (child: string, id: string): boolean =>
    world.parentOf(vocabulary, child) === id &&
    counts.get(child) === counts.get(id) &&
    !isDescendant(world, vocabulary, id, child);
  const isBelow = (other: string, id: string): boolean => other === id || isDescendant(world, vocabulary, other, id);
  const ids = [...counts.keys()];
  const hasCircle = ids.some((id) => ids.some((other) => other !== id && isBelow(id, other) && isBelow(other, id)));
  /**
   * Returns whether everything is below it, or above it with the same count, and several children share all of its
   * hits.
   */
  const divides = (id: string): boolean => {
    const children = ids.filter((child) => world.parentOf(vocabulary, child) === id);
    const shared = children.reduce((sum, child) => sum + counts.get(child)!, 0);
    const isInLine = (other: string): boolean =>
      isBelow(other, id) || (isBelow(id, other) && counts.get(other) === counts.get(id));
    return !hasCircle && children.length > 1 && shared >= counts.get(id)! && ids.every(isInLine);
  };
  const candidates = [...counts].filter(
    ([id]) => facet.selected.includes(id) || !(ids.some((child) => hides(child, id)) || divides(id)),
  );
  const { name, buckets, other } = listAll(facet, candidates);
  const parentOf = (key: string): { parent?: string } => {
    const above = ancestorsOf(world, vocabulary, key);
    const parent = above.find((id) => buckets.some((bucket) => bucket.key === id));
    return parent === undefined ? {} : { parent };
  };
  return { name, buckets: buckets.map((bucket) => ({ ...bucket, ...parentOf(bucket.key) })), other };
}

const byCount = (a: { key: string; count: number }, b: { key: string; count: number }): number =>
  b.count - a.count || compareKeywords(a.key, b.key);
