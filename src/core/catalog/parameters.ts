/**
 * Parameters of searches, now or reserved for later. The name of a facet is a parameter too, so a facet may not have
 * one of these names.
 */
export const SEARCH_PARAMETERS: readonly string[] = [
  "q",
  "l",
  "p",
  "page",
  "s",
  "size",
  "sort",
  "suggest",
  "cursor",
  "ids",
  "lang",
  "parent",
  "ancestor",
  "facets",
  "facet_size",
  "facet_text",
  "facet_below",
  "facet_bins",
  "format",
  "highlight",
  "allversions",
  "shared",
  "everyone",
  "stale",
  "confirmed",
  "expand",
  "style",
  "fields",
  "rows",
  "matched",
];

/** Names of the query language that fields of a model may not have. */
export const FIXED_NAMES: readonly string[] = ["id", "model", "state", "created", "updated", "parent", "metadata"];
