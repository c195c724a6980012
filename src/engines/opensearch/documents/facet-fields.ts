import type { Catalog } from "../../../core/catalog/types.js";
import type { FacetBuckets } from "../../../query/index-model/buckets.js";
import {
  bucketsOf,
  type FacetSource,
  type SearchedFacet,
  uniteFacets,
} from "../../../query/index-model/declared-facets.js";
import type { PathNumbers } from "./path-numbers.js";

/**
 * What the field of a facet holds: one field for all paths that are counted together, so that a value at two of them
 * counts once. `keys`: texts, years, or ids with all their ancestors; `numbers`: as they stand.
 */
export interface FacetField {
  readonly field: string;
  readonly holds: "keys" | "numbers";
  readonly buckets: FacetBuckets;
  readonly paths: readonly string[];
}

/** Each choice of models that searches make: one of them, or all. */
const choices = ({ models }: Pick<Catalog, "models">): readonly (readonly string[])[] => [
  ...[...models.keys()].map((name) => [name]),
  [...models.keys()],
];

/** The fields of all facets that the models declare, alone and together; those of single number paths are no others. */
export function facetFields(catalog: Pick<Catalog, "models">, numbers: PathNumbers): readonly FacetField[] {
  const declared = choices(catalog).flatMap((names) =>
    uniteFacets(names.flatMap((name) => catalog.models.get(name)?.facets ?? [])),
  );
  const fields = new Map<string, FacetField>();
  for (const facet of declared) {
    const made = fieldFor(facet, numbers);
    if (made?.field.startsWith("f.")) fields.set(made.field, made);
  }
  return [...fields.values()];
}

function fieldFor(facet: SearchedFacet, numbers: PathNumbers): FacetField | undefined {
  const source = { buckets: bucketsOf(facet), paths: facet.paths };
  const field = facetField(source, numbers);
  const holds = isOfNumbers(source.buckets) ? "numbers" : "keys";
  return field === undefined ? undefined : { ...source, field, holds };
}

const isOfNumbers = ({ kind }: FacetBuckets): boolean => kind === "bins" || kind === "steps";

/** Begins the names of fields by what they hold. */
const KINDS = { terms: "t", tree: "a", year: "y", bins: "n", steps: "n" } as const;

/** The field that a facet counts; undefined where no record can have a value at any of its paths. */
export function facetField({ buckets, paths }: FacetSource, numbers: PathNumbers): string | undefined {
  const known = [...new Set(paths)].flatMap((path) => numbers.numberOf(path) ?? []).sort((a, b) => a - b);
  if (known.length === 0) return undefined;
  if (isOfNumbers(buckets) && known.length === 1) return `n.${known[0]}`;
  const vocabulary = buckets.kind === "tree" ? `_${buckets.vocabulary}` : "";
  return `f.${KINDS[buckets.kind]}${vocabulary}_${known.join("_")}`;
}
