/** What a catalog says of the paths that an index has. */
import type { Catalog } from "../../core/catalog/types.js";
import { pathsOf } from "./declared-facets.js";
import { stalePath } from "./stale-citations.js";

/** Leaves of every record that filter as facets do. */
const ALWAYS_FACETS = ["state", "model"] as const;

/** Paths whose values are kept as the keys of facets are: those of facets, and cited ids of a hierarchy. */
export function facetPaths({ models, vocabularies }: Pick<Catalog, "models" | "vocabularies">): ReadonlySet<string> {
  const all = [...models.values()];
  const declared = all.flatMap((model) => model.facets.flatMap(pathsOf));
  const inTrees = all
    .flatMap((model) => model.termSites)
    .filter(({ vocabulary }) => vocabularies.get(vocabulary)?.hierarchy)
    .map(({ path }) => `${path}.id`);
  return new Set([...ALWAYS_FACETS, ...declared, ...inTrees]);
}

/** All paths that values, elements or cited terms of records stand at, in the order in which they get their ids. */
export function indexedPaths({ models }: Pick<Catalog, "models">): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const model of models.values()) {
    for (const path of model.leaves.keys()) paths.add(path);
    for (const path of model.elementPaths) paths.add(path);
    for (const { path, vocabulary } of model.termSites) {
      paths.add(path).add(`${path}.synonyms`).add(stalePath(vocabulary));
    }
  }
  return paths;
}
