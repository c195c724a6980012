import { bucketKey, facetClause, type KeyedBuckets, sitesOf } from "../index-model/buckets.js";
import type { CountedFacet, FacetSource } from "../index-model/declared-facets.js";
import { ancestorsOf } from "./ancestors.js";
import { compileClause, type RecordTest } from "./compile-clause.js";
import type { HeldRecord, ParentOf } from "./held-record.js";

/** Compiles what a facet lets through. */
export function compileFilter({ buckets, paths, selected }: CountedFacet, parentOf: ParentOf): RecordTest {
  if (selected.length === 0) return () => true;
  if (buckets.kind !== "terms") {
    return compileClause(facetClause(buckets, paths, selected) ?? { kind: "everything" }, parentOf);
  }
  const wanted = new Set(selected);
  return (record) =>
    paths.some((path) => record.at(path).some(({ keyword }) => keyword !== undefined && wanted.has(keyword)));
}

/** The keys of the buckets that a record counts in, each once. */
export function bucketKeysOf(
  record: HeldRecord,
  { buckets, paths }: FacetSource & { readonly buckets: KeyedBuckets },
  parentOf: ParentOf,
): ReadonlySet<string> {
  if (buckets.kind === "tree") return treeKeysOf(record, buckets.vocabulary, sitesOf(paths), parentOf);
  if (buckets.kind === "terms") {
    return new Set(paths.flatMap((path) => record.at(path).flatMap(({ keyword }) => keyword ?? [])));
  }
  return new Set(numbersAt(record, paths).map((number) => bucketKey(buckets, number)));
}

function treeKeysOf(
  { cites }: HeldRecord,
  vocabulary: string,
  sites: readonly string[],
  parentOf: ParentOf,
): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const cite of cites) {
    if (cite.isReplaced || cite.vocabulary !== vocabulary || !sites.includes(cite.site)) continue;
    keys.add(cite.id);
    for (const id of ancestorsOf(parentOf, vocabulary, cite.id)) keys.add(id);
  }
  return keys;
}

/** All numbers, and dates as microseconds, that a record has at some paths. */
export function numbersAt(record: HeldRecord, paths: readonly string[]): readonly number[] {
  return paths.flatMap((path) => record.at(path).flatMap(({ number }) => number ?? []));
}
