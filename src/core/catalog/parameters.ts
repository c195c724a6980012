/**
 * Parameters that a search takes, now or by the settled contract later: a facet's name is a parameter too, so none
 * of these may name a facet.
 */
export const SEARCH_PARAMETERS: readonly string[] = [
  ...["q", "l", "p", "page", "s", "size", "sort", "suggest", "cursor", "ids", "lang", "parent", "ancestor"],
  ...[
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
  ],
  ...["style", "fields", "rows", "matched"],
];

/** Names of the query language that a short name of a model may not take. */
export const FIXED_NAMES: readonly string[] = ["id", "model", "state", "created", "updated", "parent", "metadata"];
