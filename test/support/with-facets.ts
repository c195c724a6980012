import type { Catalog, Facet, Model } from "../../src/core/catalog/types.js";

/** The catalog with these facets in each model, in the place of what it has under their names. */
export function withFacets(catalog: Catalog, facets: readonly Facet[]): Catalog {
  const names = new Set(facets.map(({ name }) => name));
  const extend = (model: Model): Model => ({
    ...model,
    facets: [...model.facets.filter(({ name }) => !names.has(name)), ...facets],
  });
  return { ...catalog, models: new Map([...catalog.models].map(([name, model]) => [name, extend(model)])) };
}
