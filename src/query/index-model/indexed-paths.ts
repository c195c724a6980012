/** Paths in an index that follow from the catalog. */
import type { Catalog, Facet } from "../../core/catalog/types.js";
import type { Clause } from "./clause.js";
import type { TextWeights } from "./leaves.js";
import { UNDECLARED } from "./record-document.js";

/** Leaves of every record that filter like facets. */
const ALWAYS_FACETS = ["state", "model"] as const;

/** Returns all paths whose values a facet counts. */
export const countedPaths = ({ path, morePaths = [] }: Facet): readonly string[] => [path, ...morePaths];

/** Returns the paths with the names of the keys of a facet. */
export const namePaths = (facet: Facet): readonly string[] =>
  facet.kind === "terms" && facet.namesPath !== undefined ? [facet.namesPath] : [];

/**
 * Returns the paths whose values are stored as facet keys: those of facets, cited ids of hierarchies, and other ids of
 * molecules.
 */
export function facetPaths({ models, vocabularies }: Pick<Catalog, "models" | "vocabularies">): ReadonlySet<string> {
  const all = [...models.values()];
  const declared = all.flatMap(({ facets }) =>
    facets.flatMap((facet) => [...countedPaths(facet), ...namePaths(facet)]),
  );
  const inTrees = all
    .flatMap((model) => model.termSites)
    .filter(({ vocabulary }) => vocabularies.get(vocabulary)?.hierarchy)
    .map(({ path }) => `${path}.id`);
  const otherIds = all.flatMap(({ molecules }) => molecules?.otherLeaf.path ?? []);
  return new Set([...ALWAYS_FACETS, ...declared, ...inTrees, ...otherIds]);
}

/** Returns all paths of values, elements and cited terms of records, in the order in which they get their ids. */
export function indexedPaths({ models }: Pick<Catalog, "models">): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const model of models.values()) {
    for (const path of model.leaves.keys()) paths.add(path);
    for (const path of model.elementPaths) paths.add(path);
    const { molecules } = model;
    if (molecules !== undefined) paths.add(molecules.leaf.path).add(molecules.otherLeaf.path).add(molecules.namesPath);
    for (const { path, vocabulary } of model.termSites) {
      paths.add(path).add(`${path}.synonyms`).add(stalePath(vocabulary));
    }
  }
  return paths;
}

/** Facts about cited vocabularies that compilers of clauses need. */
export interface CitedVocabularies {
  /** Returns whether a vocabulary has a hierarchy. Its ids are then stored as facet keys. */
  isHierarchical(vocabulary: string): boolean;
  /** Returns the paths at which terms of a vocabulary are cited, in any model. */
  sitesOf(vocabulary: string): readonly string[];
}

/** Collects the facts about cited vocabularies from a catalog. */
export function makeCitedVocabularies({ models, vocabularies }: Catalog): CitedVocabularies {
  const sites = [...models.values()].flatMap((model) => model.termSites);
  return {
    isHierarchical: (vocabulary) => vocabularies.get(vocabulary)?.hierarchy ?? false,
    sitesOf: (vocabulary) => [
      ...new Set(sites.filter((site) => site.vocabulary === vocabulary).map(({ path }) => path)),
    ],
  };
}

/** Returns the path that a record has in the index if its version of a cited term of the vocabulary is outdated. */
export const stalePath = (vocabulary: string): string => `stale.${vocabulary}`;

/** Returns a clause that matches records with an outdated version of a term of one of the vocabularies. */
export function isStale(vocabularies: Iterable<string>): Clause {
  return { kind: "exists", paths: Array.from(vocabularies, stalePath) };
}

/** Paths with text. `models`: only in records of these models. */
interface TextPaths {
  readonly paths: readonly number[];
  readonly models?: readonly string[];
}

/** Ids of paths in an index. */
export interface PathIds {
  /** Returns the id of a path, or undefined if no record can have the path yet. */
  findPathId(path: string): number | undefined;
  /** Returns the ids of all paths below a path. */
  below(path: string): readonly number[];
}

/** Returns the paths of values with some weights below an array of objects. @param weights absent: all weights */
export type TextBelow = (path: string, weights?: TextWeights) => readonly TextPaths[];

/** Makes a TextBelow. Tokens of elements have no weight; it is the one that the model declares for the path. */
export function makeTextBelow({ models }: Pick<Catalog, "models">, paths: PathIds): TextBelow {
  return (path, weights) => {
    if (weights === undefined) return [{ paths: [UNDECLARED, ...paths.below(path)] }];
    const allowed: readonly string[] = weights;
    const groups = new Map<string, { paths: number[]; models: string[] }>();
    for (const { name, leaves } of models.values()) {
      const weightedLeaves = [...leaves.values()].filter((leaf) => allowed.includes(leaf.weight));
      const below = weightedLeaves.filter((leaf) => leaf.path.startsWith(`${path}.`));
      const ids = below.map((leaf) => paths.findPathId(leaf.path)).filter((id) => id !== undefined);
      if (ids.length === 0) continue;
      const group = groups.get(ids.join(" "));
      if (group === undefined) groups.set(ids.join(" "), { paths: ids, models: [name] });
      else group.models.push(name);
    }
    return [...groups.values()];
  };
}
