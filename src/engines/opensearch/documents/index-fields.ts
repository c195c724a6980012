import { createHash } from "node:crypto";
import { facetBuckets } from "../../../core/catalog/facet-kinds/facet-kinds.js";
import { canonicalPath, quantityLeavesOf } from "../../../core/catalog/places.js";
import type { Catalog, Leaf, Model } from "../../../core/catalog/types.js";
import { type FacetSource, type SearchedFacet, uniteFacets, withNames } from "../../../query/facets/declared-facets.js";
import { indexedPaths } from "../../../query/index-model/indexed-paths.js";
import type { IndexDocument } from "../../separate-index/driver/index-driver.js";
import { counterOf, type FacetCounter } from "../facets/counters.js";

/** Numbers that an index assigns to paths. Tokens and fields contain them instead of the paths. */
export interface PathNumbers {
  /** By number: the first path has the number 1. */
  readonly paths: readonly string[];
  /** Returns the number as text, or the path itself if it has none. No path looks like a number. */
  tokenOf(path: string): string;
  /** Returns the number of a path; undefined if no value at the path has words or a field of its own. */
  pathNumber(path: string): number | undefined;
}

/**
 * Numbers the paths of a catalog. Numbers never change, because an index with other numbers would silently give wrong
 * answers.
 * @param known paths that the index has numbered already, which the catalog may no longer have
 */
export function numberPaths(catalog: Pick<Catalog, "models">, known: readonly string[] = []): PathNumbers {
  const numberedPaths = new Set(known);
  const newPaths = [...indexedPaths(catalog), ...numberPathsOf(catalog)].filter((path) => !numberedPaths.has(path));
  for (const path of newPaths.sort()) numberedPaths.add(path);
  const paths = [...numberedPaths];
  const numbers = new Map(paths.map((path, i) => [path, i + 1]));
  const pathNumber = (path: string): number | undefined => numbers.get(path);
  return { paths, pathNumber, tokenOf: (path) => `${pathNumber(path) ?? path}` };
}

/**
 * Returns the paths whose numbers and dates have fields. A quantity in a dimension that its schema does not foresee is
 * at none of them.
 */
export function numberPathsOf({ models }: Pick<Catalog, "models">): ReadonlySet<string> {
  return new Set([...models.values()].flatMap(numberPathsIn));
}

function numberPathsIn(model: Model): readonly string[] {
  const leaves: readonly Leaf[] = [...model.leaves.values(), ...quantityLeavesOf(model)];
  return leaves
    .filter(({ type }) => type !== "keyword")
    .flatMap((leaf) => [
      leaf.path,
      ...(leaf.quantity?.dimensions ?? []).map((dimension) => canonicalPath(leaf, dimension)),
    ]);
}

/** Returns the number of arrays of objects around a path, for each model that has it; depth 0: no arrays. */
export type PathDepths = (path: string) => readonly number[];

/** Makes the look-up of the depths of paths. */
export function pathDepths({ models }: Pick<Catalog, "models">): PathDepths {
  const elementPathsByModel = [...models.values()].map(({ elementPaths }) => elementPaths);
  const depthsByPath = new Map<string, readonly number[]>();
  return (path) => {
    const cached = depthsByPath.get(path);
    if (cached !== undefined) return cached;
    // A path of an array is also that of its elements.
    const depths = elementPathsByModel.map(
      (elements) => elements.filter((element) => path === element || path.startsWith(`${element}.`)).length,
    );
    const sortedDepths = [...new Set(depths)].sort((a, b) => a - b);
    depthsByPath.set(path, sortedDepths);
    return sortedDepths;
  };
}

/** Returns the maximum nesting depth of arrays of objects in any model. */
export function maxDepth({ models }: Pick<Catalog, "models">): number {
  const depthOf = pathDepths({ models });
  const paths = [...models.values()].flatMap(({ elementPaths }) => elementPaths);
  return paths.flatMap(depthOf).reduce((most, depth) => Math.max(most, depth), 0);
}

/**
 * The field of a facet: one field for all paths that are counted together, so that a value at two of them counts once.
 */
export interface FacetField extends FacetSource {
  readonly field: string;
  readonly contents: FacetCounter<unknown>["contents"];
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
    withNames(uniteFacets(names.flatMap((name) => catalog.models.get(name)?.facets ?? []))),
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
  return field === undefined ? undefined : { ...source, field, contents: counterOf(source.buckets).contents };
}

/** Returns the field that a facet counts; undefined if no record can have a value at any of its paths. */
export function facetField({ buckets, paths }: FacetSource, numbers: PathNumbers): string | undefined {
  const numbersOfPaths = [...new Set(paths)].flatMap((path) => numbers.pathNumber(path) ?? []).sort((a, b) => a - b);
  if (numbersOfPaths.length === 0) return undefined;
  const counter = counterOf(buckets);
  if (counter.contents === "numbers" && numbersOfPaths.length === 1) return `n.${numbersOfPaths[0]}`;
  return `f.${counter.fieldPrefix(buckets)}_${numbersOfPaths.join("_")}`;
}

/** The field with the digest of a document, because other fields are not all stored and could not be compared. */
export const SUM_FIELD = { sum: { type: "keyword", index: false } } as const;

/** Number of characters with 6 bits each: 132 bits. */
const SUM_LENGTH = 22;

/**
 * Adds a digest to a document.
 * @param json text of an object with at least one member
 * @param beside members that the digest does not cover, each followed by a comma
 */
export function addSum(json: string, beside = ""): IndexDocument {
  const sum = createHash("sha256").update(json).digest("base64url").slice(0, SUM_LENGTH);
  return { json: `{"sum":"${sum}",${beside}${json.slice(1)}`, sum };
}
