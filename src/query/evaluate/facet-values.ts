import { isNested, type KeyedBuckets, leafKey } from "../../core/catalog/facet-kinds/facet-kinds.js";
import { citationSites } from "../../core/catalog/facet-kinds/tree.js";
import { type CountedFacet, type FacetSource, facetClause } from "../facets/declared-facets.js";
import { compileClause, type RecordTest } from "./compile-clause.js";
import { findAncestors, type IsDescendant, type ParentOf, type RecordInMemory } from "./record-in-memory.js";

/** Compiles the filter of a facet: the record has one of the selected keys. */
export function compileFacetFilter({ buckets, paths, selected }: CountedFacet, isDescendant: IsDescendant): RecordTest {
  if (selected.length === 0) return () => true;
  const clause = facetClause(buckets, paths, selected);
  if (clause !== undefined) return compileClause(clause, isDescendant);
  const keys = new Set(selected);
  return (record) =>
    paths.some((path) => record.at(path).some(({ keyword }) => keyword !== undefined && keys.has(keyword)));
}

/** Returns the keys of the buckets that count a record. */
export function recordBucketKeys(
  record: RecordInMemory,
  { buckets, paths }: FacetSource & { readonly buckets: KeyedBuckets },
  getParentId: ParentOf,
): ReadonlySet<string> {
  if (isNested(buckets)) return citedTreeKeys(record, buckets.vocabulary, citationSites(paths), getParentId);
  const keys = new Set<string>();
  for (const path of paths) {
    for (const value of record.at(path)) {
      const key = leafKey(buckets, value);
      if (key !== undefined) keys.add(key);
    }
  }
  return keys;
}

function citedTreeKeys(
  { cites }: RecordInMemory,
  vocabulary: string,
  sites: readonly string[],
  getParentId: ParentOf,
): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const cite of cites) {
    if (cite.isReplaced || cite.vocabulary !== vocabulary || !sites.includes(cite.site)) continue;
    keys.add(cite.id);
    for (const id of findAncestors(getParentId, vocabulary, cite.id)) keys.add(id);
  }
  return keys;
}

/** Returns all numbers, and dates in microseconds, of a record at some paths. */
export function numbersAt(record: RecordInMemory, paths: readonly string[]): readonly number[] {
  return paths.flatMap((path) => record.at(path).flatMap(({ number }) => number ?? []));
}
