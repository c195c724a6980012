import type { AsCited } from "../term.js";

/**
 * What is kept of a publication when its terms are replaced: of each place the first that stood there since.
 * @param kept what earlier refreshes kept
 * @param before terms of the metadata that is replaced, and `now` of that which replaces it
 */
export function asCited(
  kept: readonly AsCited[],
  before: readonly AsCited[],
  now: readonly AsCited[],
): readonly AsCited[] {
  const known = new Set(kept.map(({ field }) => field));
  const versions = new Map(now.map(({ field, term }) => [field, term["@v"]]));
  const replaced = before.filter(({ field, term }) => !known.has(field) && versions.get(field) !== term["@v"]);
  return [...kept, ...replaced];
}
