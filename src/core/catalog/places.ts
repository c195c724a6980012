import type { Leaf, Model, MoleculeList, NamedLeaf, NamedQuantity, TermSite } from "./types.js";

/** A node of the tree of declared paths. */
export interface PathNode {
  readonly path: string;
  /** How a value at this path is indexed; absent: as text without a path. */
  readonly leaf?: Leaf;
  /** Whether each object at this path is an element of a list. */
  readonly isElement: boolean;
  /** The quantities of an element; a list may have several. */
  readonly quantities: readonly NamedQuantity[];
  /** Set if the elements are molecules. */
  readonly molecules?: MoleculeList;
  /** Vocabularies that are cited at this path; alternatives of a schema may cite different ones. */
  readonly sites: readonly TermSite[];
  /** Child nodes by key. Keys with a dot are not in schemas. */
  readonly below: ReadonlyMap<string, PathNode>;
}

/** A node while the tree is built. */
interface Growing extends PathNode {
  leaf?: Leaf;
  isElement: boolean;
  molecules?: MoleculeList;
  readonly quantities: NamedQuantity[];
  readonly sites: TermSite[];
  readonly below: Map<string, Growing>;
}

/** Builds the tree of the declared paths of metadata, for walks through a record key by key. */
export function buildPathTree(
  model: Pick<Model, "leaves" | "elementPaths" | "termSites" | "quantities" | "molecules">,
): PathNode {
  const metadata = newPlace("metadata");
  const at = (path: string): Growing => path.split(".").slice(1).reduce(childOf, metadata);
  for (const leaf of model.leaves.values()) if (isInMetadata(leaf)) at(leaf.path).leaf = leaf;
  for (const path of model.elementPaths) at(path).isElement = true;
  for (const quantity of model.quantities) at(quantity.path).quantities.push(quantity);
  if (model.molecules !== undefined) at(model.molecules.path).molecules = model.molecules;
  for (const site of model.termSites) at(site.path).sites.push(site);
  return metadata;
}

/** Returns whether a leaf is in the metadata. The service sets the other leaves of every record. */
const isInMetadata = ({ path }: Leaf): boolean => path.startsWith("metadata.");

const newPlace = (path: string): Growing => ({ path, isElement: false, quantities: [], sites: [], below: new Map() });

function childOf(parent: Growing, key: string): Growing {
  const existing = parent.below.get(key);
  if (existing !== undefined) return existing;
  const child = newPlace(`${parent.path}.${key}`);
  parent.below.set(key, child);
  return child;
}

/** Suffix of the path of numbers with an unknown unit. */
const UNKNOWN = "?";

/** Returns the path at which the numbers of a quantity are indexed in the canonical unit of a dimension. */
export function canonicalPath({ path, quantity }: Leaf, dimension: string): string {
  if (quantity?.named === undefined) return `${path}@${dimension}`;
  return dimension === quantity.dimensions[0] ? quantity.named : `${quantity.named}@${dimension}`;
}

/** Returns the path at which numbers with an unknown unit are indexed, as keywords by unit and number. */
export function unknownUnitPath({ path, quantity }: Leaf): string {
  return quantity?.named === undefined ? `${path}@${UNKNOWN}` : quantity.named + UNKNOWN;
}

/** Returns the leaf of a named quantity such as `kd` of the elements at a path, with its unconverted number. */
export function namedLeaf(array: string, name: string, dimensions: readonly string[]): NamedLeaf {
  const named = `${array}.@${name}`;
  return { path: `${named}=`, type: "number", weight: "rest", elementPath: array, quantity: { dimensions, named } };
}

/** Returns the leaf of the derived values of a named quantity, which are indexed apart from the stated ones. */
export function derivedLeaf(array: string, name: string, dimensions: readonly string[]): NamedLeaf {
  const { quantity, ...leaf } = namedLeaf(array, `${name}~`, dimensions);
  return { ...leaf, quantity: { ...quantity, isDerived: true } };
}

/** Returns the leaves of the named quantities of a model, those of derived values too. */
export function quantityLeavesOf({ quantities }: Pick<Model, "quantities">): readonly NamedLeaf[] {
  return quantities.flatMap(({ where, leaf, derivation }) => [
    ...(where === undefined ? [] : [leaf]),
    ...(derivation === undefined ? [] : [derivation.leaf]),
  ]);
}

/** Returns the leaves and the path of names of a list of molecules. @param array path of the list */
export function moleculeLeaves(array: string, name: string): Pick<MoleculeList, "leaf" | "otherLeaf" | "namesPath"> {
  const leafAt = (end: string): Leaf => {
    const path = `${array}.@${name}${end}`;
    return { path, type: "keyword", weight: "rest", elementPath: array, isWhole: true, isMoleculeId: true };
  };
  return { leaf: leafAt(""), otherLeaf: leafAt("~"), namesPath: `${array}.@${name}=` };
}

/** Returns the leaves of a model that do not exist in records: those of named quantities and of ids of molecules. */
export function indexOnlyLeaves({ quantities, molecules }: Pick<Model, "quantities" | "molecules">): readonly Leaf[] {
  const ids = molecules === undefined ? [] : [molecules.leaf, molecules.otherLeaf];
  return [...quantityLeavesOf({ quantities }), ...ids];
}

/**
 * Marks the leaves that are quantities: numbers with a text `unit` in the same object.
 *
 * @param dimensionsOf returns the dimensions of the allowed units at a path; none if all units are allowed
 */
export function markQuantities(
  leaves: ReadonlyMap<string, Leaf>,
  dimensionsOf: (unitPath: string) => readonly string[],
): Map<string, Leaf> {
  const marked = [...leaves.values()].map((leaf): Leaf => {
    const unit = `${leaf.path.slice(0, leaf.path.lastIndexOf(".") + 1)}unit`;
    const unitLeaf = leaf.type === "number" && unit.includes(".") ? leaves.get(unit) : undefined;
    const hasUnit = unitLeaf?.type === "keyword" && unitLeaf.elementPath === leaf.elementPath;
    return hasUnit ? { ...leaf, quantity: { dimensions: dimensionsOf(unit) } } : leaf;
  });
  return new Map(marked.map((leaf) => [leaf.path, leaf]));
}
