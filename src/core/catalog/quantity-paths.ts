import type { Leaf } from "./types.js";

/** What stands after the path of a number whose unit is not known. */
const UNKNOWN = "?";

/** Path at which the numbers of a quantity are indexed in the canonical unit of a dimension. */
export function canonicalPath({ path, quantity }: Leaf, dimension: string): string {
  if (quantity?.named === undefined) return `${path}@${dimension}`;
  return dimension === quantity.dimensions[0] ? quantity.named : `${quantity.named}@${dimension}`;
}

/** Path at which the numbers of a quantity are indexed whose unit is not known, as keywords by unit and number. */
export function unknownUnitPath({ path, quantity }: Leaf): string {
  return quantity?.named === undefined ? `${path}@${UNKNOWN}` : quantity.named + UNKNOWN;
}

/** The leaf of a quantity `kd` of the elements at a path, with its number as it stands. */
export function namedLeaf(
  array: string,
  name: string,
  dimensions: readonly string[],
): Leaf & { readonly quantity: { readonly dimensions: readonly string[]; readonly named: string } } {
  const named = `${array}.@${name}`;
  return { path: `${named}=`, type: "number", weight: "rest", elementPath: array, quantity: { dimensions, named } };
}

/**
 * Leaves with those marked that are quantities: numbers beside a text `unit` in the same object.
 *
 * @param dimensionsOf names of the dimensions of the units that may stand at a path; none where any unit may
 */
export function markQuantities(
  leaves: ReadonlyMap<string, Leaf>,
  dimensionsOf: (unitPath: string) => readonly string[],
): Map<string, Leaf> {
  const marked = [...leaves.values()].map((leaf): Leaf => {
    const unit = `${leaf.path.slice(0, leaf.path.lastIndexOf(".") + 1)}unit`;
    const beside = leaf.type === "number" && unit.includes(".") ? leaves.get(unit) : undefined;
    const isBeside = beside?.type === "keyword" && beside.elementPath === leaf.elementPath;
    return isBeside ? { ...leaf, quantity: { dimensions: dimensionsOf(unit) } } : leaf;
  });
  return new Map(marked.map((leaf) => [leaf.path, leaf]));
}
