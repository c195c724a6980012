import { canonicalPath } from "../../../core/catalog/quantity-paths.js";
import type { Catalog, Leaf, Model } from "../../../core/catalog/types.js";
import { indexedPaths } from "../../../query/index-model/indexed-paths.js";

/** The numbers that an index gives to paths: its tokens and fields carry them instead. */
export interface PathNumbers {
  /** By number: the first path is number 1. */
  readonly paths: readonly string[];
  /** The number, as text, or of a path that has none the path itself, which no number looks like. */
  tokenOf(path: string): string;
  /** Undefined where no value at the path has words or a field of its own. */
  numberOf(path: string): number | undefined;
}

/**
 * Numbers the paths of a catalog. A number is for ever: an index that has other ones answers wrongly, and in silence.
 * @param known paths that the index has numbered already, which the catalog need no longer have
 */
export function numberPaths(catalog: Pick<Catalog, "models">, known: readonly string[] = []): PathNumbers {
  const all = new Set(known);
  const more = [...indexedPaths(catalog), ...numberPathsOf(catalog)].filter((path) => !all.has(path));
  for (const path of more.sort()) all.add(path);
  const paths = [...all];
  const numbers = new Map(paths.map((path, i) => [path, i + 1]));
  const numberOf = (path: string): number | undefined => numbers.get(path);
  return { paths, numberOf, tokenOf: (path) => `${numberOf(path) ?? path}` };
}

/**
 * The paths whose numbers and dates have fields of their own. A quantity in a dimension that its schema does not
 * foresee stands at none of them.
 */
export function numberPathsOf({ models }: Pick<Catalog, "models">): ReadonlySet<string> {
  return new Set([...models.values()].flatMap(numbersIn));
}

function numbersIn(model: Model): readonly string[] {
  const leaves: readonly Leaf[] = [...model.leaves.values(), ...model.quantities.map(({ leaf }) => leaf)];
  return leaves
    .filter(({ type }) => type !== "keyword")
    .flatMap((leaf) => [
      leaf.path,
      ...(leaf.quantity?.dimensions ?? []).map((dimension) => canonicalPath(leaf, dimension)),
    ]);
}

/** How many arrays of objects a path leads through, in each model that has it; no arrays: depth 0. */
export type PathDepths = (path: string) => readonly number[];

export function pathDepths({ models }: Pick<Catalog, "models">): PathDepths {
  const all = [...models.values()].map(({ elementPaths }) => elementPaths);
  const known = new Map<string, readonly number[]>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    // A path of an array is that of its elements too.
    const depths = all.map(
      (elements) => elements.filter((element) => path === element || path.startsWith(`${element}.`)).length,
    );
    const made = [...new Set(depths)].sort((a, b) => a - b);
    known.set(path, made);
    return made;
  };
}

/** How deep arrays of objects lie in each other, in any model. */
export function deepest({ models }: Pick<Catalog, "models">): number {
  const depthOf = pathDepths({ models });
  const paths = [...models.values()].flatMap(({ elementPaths }) => elementPaths);
  return paths.flatMap(depthOf).reduce((most, depth) => Math.max(most, depth), 0);
}
