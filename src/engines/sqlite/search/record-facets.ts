import {
  bucketEnds,
  bucketKey,
  hasRanges,
  type KeyedBuckets,
  type KeyedRanges,
  textKey,
} from "../../../core/catalog/facet-kinds/facet-kinds.js";
import type { FacetCounts } from "../../../ports/search-index.js";
import { type CountedFacet, facetClause } from "../../../query/facets/declared-facets.js";
import { keyToken } from "../../../query/index-model/record-document.js";
import { cardinality, contiguousRanges, type DocIdSet, lowerBoundOfValue, toIds } from "../bitmaps/doc-id-set.js";
import { getAll } from "../cache/missing-parts.js";
import type { CachedView, Snapshot } from "../cache/snapshot-cache.js";
import { HitNumbers, numericColumn, type OwnerValues, ownerValues } from "../doc-values/numeric-column.js";
import { OrdinalColumn, ordinalColumn } from "../doc-values/ordinal-column.js";
import type { ValueDictionary } from "../documents/dictionaries.js";
import { phrase } from "../documents/fts-expression.js";
import { type CounterContext, countFacet, type FacetValuesSource } from "../facets/count-facet.js";
import type { FacetColumn } from "../facets/facet-counter.js";
import { EVERYTHING_PLAN } from "../plan/plan.js";
import { type CompileContext, compileQuery } from "./compile-query.js";
import { isFew } from "./evaluate-record-leaves.js";
import { phrasesPlan, type RecordPlan } from "./record-plan.js";

/** Returns the plan for the selected buckets of a facet. */
export function filterPlan(
  { buckets, paths, selected }: CountedFacet,
  context: CompileContext,
  keys: ValueDictionary,
): RecordPlan {
  if (selected.length === 0) return EVERYTHING_PLAN;
  const clause = facetClause(buckets, paths, selected);
  if (clause !== undefined) return compileQuery(clause, context);
  const pathIds = paths.map(context.findPathId).filter((path) => path !== undefined);
  const keyIds = selected.flatMap((value) => keys.find(pathIds, value));
  return phrasesPlan(keyIds.map((key) => phrase([keyToken(key)])));
}

/** The data that counting the facets of records needs. */
export interface RecordFacetContext extends CounterContext {
  readonly keys: ValueDictionary;
  readonly snapshot: Snapshot;
  /** Returns the number of a path, undefined if no record has it. */
  findPathId(path: string): number | undefined;
}

/** Filters of a search. */
interface FacetFilters {
  /** Returns the plan for the selected buckets of a facet. */
  planOf(facet: CountedFacet): RecordPlan;
  /** Returns the hits of some filters. */
  filterHits(filters: readonly RecordPlan[]): DocIdSet;
}

/** Counts the buckets of each facet over the hits of all other filters. */
export function countRecordFacets(
  facets: readonly CountedFacet[],
  hits: DocIdSet,
  { planOf, filterHits }: FacetFilters,
  context: RecordFacetContext,
): FacetCounts[] {
  const shownFacets = facets.filter(({ size }) => size > 0);
  return getAll(shownFacets, (facet) => {
    const filters = facets.filter((otherFacet) => otherFacet !== facet).map(planOf);
    const unfilteredHits = facet.selected.length === 0 ? hits : filterHits(filters);
    const fewRows = isFew(unfilteredHits, context.snapshot) ? unfilteredHits : undefined;
    const columnAt = <T>(view: CachedView<T>): T =>
      fewRows === undefined
        ? context.snapshot.get(view)
        : context.snapshot.getWithin(view, contiguousRanges(toIds(fewRows)));
    const paths = facet.paths.map(context.findPathId).filter((path) => path !== undefined);
    const source: FacetValuesSource = {
      columns: (buckets) => ({
        columns: getAll(paths, (path) => facetColumn(buckets, path, columnAt, context)),
        owners: "records",
        areFew: fewRows !== undefined,
      }),
      numbers: () =>
        new HitNumbers(
          getAll(paths, (path) => columnAt(numericColumn(path, "records"))),
          unfilteredHits,
        ),
      countRange: (key) => cardinality(filterHits([...filters, planOf({ ...facet, selected: [key] })])),
    };
    return countFacet(facet, unfilteredHits, source, context);
  });
}

function facetColumn(
  buckets: KeyedBuckets,
  path: number,
  columnAt: <T>(view: CachedView<T>) => T,
  { keys }: RecordFacetContext,
): FacetColumn {
  if (!hasRanges(buckets)) {
    return { column: columnAt(ordinalColumn(path, "records")), keyName: (key) => textKey(buckets, keys.keyText(key)) };
  }
  const { column, names } = columnAt(bucketColumn(path, buckets));
  return { column, keyName: (key) => names.all[key]! };
}

/** The buckets of the numbers of records at a path. Bucket names are numbered in order of arrival. Changes in place. */
interface BucketColumn {
  readonly column: OrdinalColumn;
  readonly names: BucketNames;
}

/** Returns the view of the buckets of the numbers or dates at a path. */
export function bucketColumn(path: number, buckets: KeyedRanges): CachedView<BucketColumn> {
  return {
    key: `buckets ${path} ${JSON.stringify(buckets)}`,
    scan: { kind: "numbers", path },
    make(answer) {
      const names = new BucketNames(buckets);
      return { column: new OrdinalColumn(names.bucketed(ownerValues(answer, "records"))), names };
    },
    patch: (value, ranges, found) =>
      value.column.change(ranges, value.names.bucketed(ownerValues(found, "records"))) ? value : undefined,
    measureBytes: ({ column, names }) => column.bytes + names.all.length * NAME_BYTES,
  };
}

/** Estimated bytes of a name in a list and a map. */
const NAME_BYTES = 120;

class BucketNames {
  readonly all: string[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(readonly buckets: KeyedRanges) {}

  /** Returns bucket numbers in place of values. @param values ascending */
  bucketed({ owners, values }: OwnerValues): OwnerValues {
    const numbers = new Uint32Array(values.length);
    for (let start = 0; start < values.length; ) {
      const name = bucketKey(this.buckets, values[start]!);
      const { to } = bucketEnds(this.buckets, name) ?? {};
      const end = to === undefined ? values.length : Math.max(lowerBoundOfValue(values, to), start + 1);
      numbers.fill(this.#numberOf(name), start, end);
      start = end;
    }
    return { owners, values: numbers };
  }

  #numberOf(name: string): number {
    const number = this.#numbers.get(name) ?? this.all.push(name) - 1;
    this.#numbers.set(name, number);
    return number;
  }
}
