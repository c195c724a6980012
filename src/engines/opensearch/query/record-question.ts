import type { RecordSearch } from "../../../ports/search-index.js";
import type { CountedFacet } from "../../../query/index-model/declared-facets.js";

/** A search as one index is asked: without the records that are judged elsewhere. */
export interface RecordQuestion {
  readonly search: RecordSearch;
  /** All that are asked for, those that only filter too. */
  readonly facets: readonly CountedFacet[];
  /** Ids of records that the index may have otherwise than the store. */
  readonly leftOut: readonly string[];
  /** Hits that are wanted: so many from this one on, counted behind the place at which the page begins. */
  readonly from: number;
  readonly limit: number;
  /** What is counted beside the largest buckets, by the names of facets. */
  readonly wanted: ReadonlyMap<string, WantedCounts>;
}

export interface WantedCounts {
  /** Keys whose counts are needed. */
  readonly keys: readonly string[];
  /** Of equal steps: where they begin and end. */
  readonly edges?: readonly number[];
}

/** What one facet counts, before it is decided what is listed. */
export interface FacetTally {
  /** The largest buckets, and the wanted ones; of trees and ranges all. */
  readonly counts: ReadonlyMap<string, number>;
  /** What all buckets count together, also those that are not among `counts`. */
  readonly sum: number;
  /** Of a tree: what stands above the buckets. */
  readonly parents: ReadonlyMap<string, string>;
  /** How many hits lie in each selected range. */
  readonly ranges: ReadonlyMap<string, number>;
  readonly extremes?: Extremes;
}

/** The smallest and the largest number of the hits, and of a log scale the smallest above zero. */
export interface Extremes {
  readonly min: number;
  readonly max: number;
  readonly aboveZero?: number;
}
