import type { Catalog } from "../../../core/catalog/types.js";
import {
  type FacetSource,
  facetBuckets,
  type SearchedFacet,
  uniteFacets,
} from "../../../query/facet-kinds/declared-facets.js";
import { counterOf } from "../facets/counters.js";
import type { FacetCounter } from "../facets/facet-counter.js";
import type { PathNumbers } from "./path-numbers.js";

/**
 * The field of a facet: one field for all paths that are counted together, so that a value at two of them counts once.
 */
export interface FacetField extends FacetSource {
  readonly field: string;
  readonly holds: FacetCounter<unknown>["holds"];
}

/** Returns the sets of models that searches may name: each model, and all. */
const modelSets = ({ models }: Pick<Catalog, "models">): readonly (readonly string[])[] => [
  ...[...models.keys()].map((name) => [name]),
  [...models.keys()],
];

/**
 * Returns the fields of all facets that the models declare, alone and together. Facets of a single number path use the
 * field of the path.
 */
export function facetFields(catalog: Pick<Catalog, "models">, numbers: PathNumbers): readonly FacetField[] {
  const declared = modelSets(catalog).flatMap((names) =>
    uniteFacets(names.flatMap((name) => catalog.models.get(name)?.facets ?? [])),
  );
  const fields = new Map<string, FacetField>();
  for (const facet of declared) {
    const facetFieldOfPaths = fieldFor(facet, numbers);
    if (facetFieldOfPaths?.field.startsWith("f.")) fields.set(facetFieldOfPaths.field, facetFieldOfPaths);
  }
  return [...fields.values()];
}

function fieldFor(facet: SearchedFacet, numbers: PathNumbers): FacetField | undefined {
  const source = { buckets: facetBuckets(facet), paths: facet.paths };
  const field = facetField(source, numbers);
  return field === undefined ? undefined : { ...source, field, holds: counterOf(source.buckets).holds };
}

/** Returns the field that a facet counts; undefined if no record can have a value at any of its paths. */
export function facetField({ buckets, paths }: FacetSource, numbers: PathNumbers): string | undefined {
  const numbersOfPaths = [...new Set(paths)].flatMap((path) => numbers.numberOf(path) ?? []).sort((a, b) => a - b);
  if (numbersOfPaths.length === 0) return undefined;
  const counter = counterOf(buckets);
  if (counter.holds === "numbers" && numbersOfPaths.length === 1) return `n.${numbersOfPaths[0]}`;
  return `f.${counter.fieldPrefix(buckets)}_${numbersOfPaths.join("_")}`;
}
