import type { SourceRecord } from "../../../ports/index-source.js";
import type { RecordSearch } from "../../../ports/search-index.js";
import { makeBestStep } from "../../../query/holds/best-step.js";
import { compileClause } from "../../../query/holds/compile-clause.js";
import { bucketKeysOf, compileFilter, numbersAt } from "../../../query/holds/facet-values.js";
import type { HeldRecord, ParentOf } from "../../../query/holds/held-record.js";
import { type KeyedBuckets, selectedRanges } from "../../../query/index-model/buckets.js";
import type { CountedFacet } from "../../../query/index-model/declared-facets.js";
import { comparePlaces, placeBefore, type RecordPlace } from "../query/record-places.js";
import { isInScope } from "./in-scope.js";

/** A record that is judged here, and not by the index. */
export interface OverlaidRecord {
  readonly source: SourceRecord;
  /** Sort key, as in the index; see `creationOrder`. */
  readonly order: bigint;
  readonly held: HeldRecord;
}

/** What the records of an overlay add to the answer of the index. */
export interface JudgedRecords {
  readonly total: number;
  /** All hits behind the place where the page begins, in their order. */
  readonly places: readonly RecordPlace[];
  /** In the order of the facets that are counted. */
  readonly facets: readonly JudgedFacet[];
}

export interface JudgedFacet {
  readonly facet: CountedFacet;
  /** Of equal steps none: their edges depend on all numbers. */
  readonly counts: ReadonlyMap<string, number>;
  /** The numbers of each record that is counted, where it has any. */
  readonly numbers: readonly (readonly number[])[];
  /** Selected ranges, with how many records lie in each. */
  readonly ranges: ReadonlyMap<string, number>;
}

/** Judges records as the index would, if it had them. */
export function judgeRecords(
  records: readonly OverlaidRecord[],
  search: RecordSearch,
  facets: readonly CountedFacet[],
  parentOf: ParentOf,
): JudgedRecords {
  const holds = compileClause(search.clause, parentOf);
  const found = records.filter(({ source, held }) => isInScope(search.scope, source) && holds(held, 0));
  const filters = facets.map((facet) => ({ facet, passes: compileFilter(facet, parentOf) }));
  const passing = (left: readonly { readonly passes: ReturnType<typeof compileFilter> }[]) =>
    found.filter(({ held }) => left.every(({ passes }) => passes(held, 0)));
  const hits = passing(filters);
  const counted = facets.filter(({ size }) => size > 0);
  return {
    total: hits.length,
    places: placesOf(hits, search, parentOf),
    facets: counted.map((facet) =>
      judgeFacet(facet, passing(filters.filter((other) => other.facet !== facet)), parentOf),
    ),
  };
}

function placesOf(hits: readonly OverlaidRecord[], search: RecordSearch, parentOf: ParentOf): readonly RecordPlace[] {
  const { sort, page } = search;
  const stepOf = sort === "bestmatch" ? makeBestStep(search, parentOf) : () => 0;
  const compare = comparePlaces(sort);
  const before = placeBefore(page, sort);
  return hits
    .map(({ source: { record }, order, held }): RecordPlace => {
      const value = typeof sort === "string" ? undefined : extreme(numbersAt(held, sort.by), sort.first);
      const { id, state } = record;
      return { id, state, order, step: stepOf(held), value };
    })
    .filter((place) => before === undefined || compare(before, place) < 0)
    .sort(compare);
}

function extreme(numbers: readonly number[], first: "smallest" | "largest"): number | undefined {
  if (numbers.length === 0) return undefined;
  return numbers.reduce((a, b) => (first === "smallest" ? Math.min(a, b) : Math.max(a, b)));
}

function judgeFacet(facet: CountedFacet, records: readonly OverlaidRecord[], parentOf: ParentOf): JudgedFacet {
  const { buckets, paths, selected } = facet;
  const counts = new Map<string, number>();
  if (buckets.kind !== "steps") {
    const keyed = { paths, buckets: buckets as KeyedBuckets };
    for (const { held } of records) {
      for (const key of bucketKeysOf(held, keyed, parentOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const ranges = selectedRanges(buckets, selected).map((key) => {
    const passes = compileFilter({ ...facet, selected: [key] }, parentOf);
    return [key, records.filter(({ held }) => passes(held, 0)).length] as const;
  });
  const hasNumbers = buckets.kind === "steps" || buckets.kind === "bins";
  const numbers = hasNumbers ? records.map(({ held }) => numbersAt(held, paths)).filter((all) => all.length > 0) : [];
  return { facet, counts, numbers, ranges: new Map(ranges) };
}
