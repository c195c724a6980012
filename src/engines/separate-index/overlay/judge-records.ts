import { hasNumberBuckets, isStepped, selectedRanges } from "../../../core/catalog/facet-kinds/facet-kinds.js";
import type { SourceRecord } from "../../../ports/index-documents.js";
import type { ReadableScope, RecordScope, RecordSearch } from "../../../ports/search-index.js";
import { compileClause, makeBestStep } from "../../../query/evaluate/compile-clause.js";
import { compileFacetFilter, numbersAt, recordBucketKeys } from "../../../query/evaluate/facet-values.js";
import {
  type IsDescendant,
  makeDescendantTest,
  type ParentOf,
  type RecordInMemory,
} from "../../../query/evaluate/record-in-memory.js";
import type { CountedFacet } from "../../../query/facets/declared-facets.js";
import { comparePlaces, placeBefore, type RecordPlace } from "./record-places.js";

/** A record that is judged here instead of by the index. */
export interface OverlaidRecord {
  readonly source: SourceRecord;
  /** Sort key, as in the index; see `creationOrder`. */
  readonly order: bigint;
  readonly inMemory: RecordInMemory;
}

/** The contribution of the records of an overlay to an answer. */
export interface JudgedRecords {
  readonly total: number;
  /** All hits after the start of the page, in order. */
  readonly places: readonly RecordPlace[];
  /** In the order of the counted facets. */
  readonly facets: readonly JudgedFacet[];
}

/** The contribution of an overlay to the counts of a facet. */
export interface JudgedFacet {
  readonly facet: CountedFacet;
  /** Empty for equal steps, whose edges depend on all numbers. */
  readonly counts: ReadonlyMap<string, number>;
  /** The numbers of each counted record that has any. */
  readonly numbers: readonly (readonly number[])[];
  /** Selected ranges with the number of records in each. */
  readonly ranges: ReadonlyMap<string, number>;
}

/** Judges records as the index would. */
export function judgeRecords(
  records: readonly OverlaidRecord[],
  search: RecordSearch,
  facets: readonly CountedFacet[],
  getParentId: ParentOf,
): JudgedRecords {
  const isDescendant = makeDescendantTest(getParentId);
  const holds = compileClause(search.clause, isDescendant);
  const matchingRecords = records.filter(
    ({ source, inMemory }) => isInScope(search.scope, source) && holds(inMemory, 0),
  );
  const filters = facets.map((facet) => ({ facet, passes: compileFacetFilter(facet, isDescendant) }));
  const passing = (remainingFilters: readonly { readonly passes: ReturnType<typeof compileFacetFilter> }[]) =>
    matchingRecords.filter(({ inMemory }) => remainingFilters.every(({ passes }) => passes(inMemory, 0)));
  const hits = passing(filters);
  const countedFacets = facets.filter(({ size }) => size > 0);
  return {
    total: hits.length,
    places: listPlaces(hits, search, isDescendant),
    facets: countedFacets.map((facet) =>
      judgeFacet(facet, passing(filters.filter((other) => other.facet !== facet)), getParentId),
    ),
  };
}

function listPlaces(
  hits: readonly OverlaidRecord[],
  search: RecordSearch,
  isDescendant: IsDescendant,
): readonly RecordPlace[] {
  const { sort, page } = search;
  const stepOf = sort === "bestmatch" ? makeBestStep(search, isDescendant) : () => 0;
  const compare = comparePlaces(sort);
  const pageStart = placeBefore(page, sort);
  return hits
    .map(({ source: { record }, order, inMemory }): RecordPlace => {
      const value = typeof sort === "string" ? undefined : extreme(numbersAt(inMemory, sort.by), sort.first);
      const { id, state } = record;
      return { id, state, order, step: stepOf(inMemory), value };
    })
    .filter((place) => pageStart === undefined || compare(pageStart, place) < 0)
    .sort(compare);
}

function extreme(numbers: readonly number[], first: "smallest" | "largest"): number | undefined {
  if (numbers.length === 0) return undefined;
  return numbers.reduce((a, b) => (first === "smallest" ? Math.min(a, b) : Math.max(a, b)));
}

function judgeFacet(facet: CountedFacet, records: readonly OverlaidRecord[], getParentId: ParentOf): JudgedFacet {
  const { buckets, paths, selected } = facet;
  const counts = new Map<string, number>();
  if (!isStepped(buckets)) {
    const keyed = { paths, buckets };
    for (const { inMemory } of records) {
      for (const key of recordBucketKeys(inMemory, keyed, getParentId)) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const ranges = selectedRanges(buckets, selected).map((key) => {
    const passes = compileFacetFilter({ ...facet, selected: [key] }, makeDescendantTest(getParentId));
    return [key, records.filter(({ inMemory }) => passes(inMemory, 0)).length] as const;
  });
  const numbers = hasNumberBuckets(buckets)
    ? records.map(({ inMemory }) => numbersAt(inMemory, paths)).filter((recordNumbers) => recordNumbers.length > 0)
    : [];
  return { facet, counts, numbers, ranges: new Map(ranges) };
}

/** The data of a record that decides who may find it. */
type ScopedRecord = Pick<SourceRecord, "isLatest" | "hasOtherState" | "sharedWith"> & {
  readonly record: Pick<SourceRecord["record"], "state" | "model" | "owner">;
};

/** Returns whether the caller may find the record. */
export function isInScope(scope: RecordScope, record: ScopedRecord): boolean {
  const { state, model, owner } = record.record;
  if (!scope.models.includes(model)) return false;
  const isDraft = state === "draft";
  switch (scope.kind) {
    case "public":
      return isShown(record, scope.allVersions);
    case "readable":
      return isDraft ? maySeeDraft(scope, record) : isShown(record, scope.allVersions);
    case "owner":
      return (
        owner === scope.owner &&
        (isDraft || (!record.hasOtherState && isShown(record, scope.allVersions))) &&
        isAsPublished(record, scope.isPublished)
      );
    case "shared":
      return isDraft && record.sharedWith.includes(scope.user) && isAsPublished(record, scope.isPublished);
    case "drafts":
      return isDraft && isAsPublished(record, scope.isPublished);
  }
}

const isShown = ({ record, isLatest }: ScopedRecord, allVersions = false): boolean =>
  record.state === "published" && (allVersions || isLatest);

const maySeeDraft = ({ user }: ReadableScope, { record, sharedWith }: ScopedRecord): boolean =>
  user === undefined || record.owner === user || sharedWith.includes(user);

/** Returns whether the record's id has the required state of publication. */
const isAsPublished = ({ record, hasOtherState }: ScopedRecord, isPublished: boolean | undefined): boolean =>
  isPublished === undefined || isPublished === (record.state === "published" || hasOtherState);
