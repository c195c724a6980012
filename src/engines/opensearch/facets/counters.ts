/** The counters of all kinds of facet. */
import type { FacetKindName } from "../../../core/catalog/facet-kinds/facet-kinds.js";
import type { BucketsOfKind, FacetBuckets } from "../../../query/facet-kinds/facet-kinds.js";
import type { FacetCounter } from "./facet-counter.js";
import { makeKeyCounter } from "./key-counter.js";
import { NUMBER_COUNTER } from "./number-counter.js";
import { TREE_COUNTER } from "./tree-counter.js";

const COUNTERS: { readonly [Kind in FacetKindName]: FacetCounter<BucketsOfKind<Kind>> } = {
  terms: makeKeyCounter("t"),
  tree: TREE_COUNTER,
  year: makeKeyCounter("y"),
  histogram: NUMBER_COUNTER,
};

/** Returns the counter of a facet. */
export const counterOf = ({ kind }: FacetBuckets): FacetCounter<FacetBuckets> => COUNTERS[kind];
