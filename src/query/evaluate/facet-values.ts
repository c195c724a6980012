import { bucketKey, citationSites, facetClause, type KeyedBuckets } from "../index-model/buckets.js";
import type { CountedFacet, FacetSource } from "../index-model/declared-facets.js";
import { compileClause, type RecordTest } from "./compile-clause.js";
import { findAncestors, type ParentOf, type RecordInMemory } from "./record-in-memory.js";

/** Compiles the filter of a facet: the record has one of the selected keys. */
export function compileFilter({ buckets, paths, selected }: CountedFacet, parentOf: ParentOf): RecordTest {
  if (selected.length === 0) return () => true;
  if (buckets.kind !== "terms") {
    return compileClause(facetClause(buckets, paths, selected) ?? { kind: "everything" }, parentOf);
  }
  const keys = new Set(selected);
  return (record) =>
    paths.some((path) => record.at(path).some(({ keyword }) => keyword !== undefined && keys.has(keyword)));
}

/** Returns the keys of the buckets that count a record. */
export function recordBucketKeys(
  record: RecordInMemory,
  { buckets, paths }: FacetSource & { readonly buckets: KeyedBuckets },
  parentOf: ParentOf,
): ReadonlySet<string> {
  if (buckets.kind === "tree") return citedTreeKeys(record, buckets.vocabulary, citationSites(paths), parentOf);
  if (buckets.kind === "terms") {
    return new Set(paths.flatMap((path) => record.at(path).flatMap(({ keyword }) => keyword ?? [])));
  }
  return new Set(numbersAt(record, paths).map((number) => bucketKey(buckets, number)));
}

function citedTreeKeys(
  { cites }: RecordInMemory,
  vocabulary: string,
  sites: readonly string[],
  parentOf: ParentOf,
): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const cite of cites) {
    if (cite.isReplaced || cite.vocabulary !== vocabulary || !sites.includes(cite.site)) continue;
    keys.add(cite.id);
    for (const id of findAncestors(parentOf, vocabulary, cite.id)) keys.add(id);
  }
  return keys;
}

/** Returns all numbers, and dates in microseconds, of a record at some paths. */
export function numbersAt(record: RecordInMemory, paths: readonly string[]): readonly number[] {
  return paths.flatMap((path) => record.at(path).flatMap(({ number }) => number ?? []));
}
