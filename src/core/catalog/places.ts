import type { Leaf, Model, NamedQuantity, TermSite } from "./types.js";

/** A path that a model declares, or one above such paths. */
export interface Place {
  readonly path: string;
  /** How a value that stands here is indexed; absent: as text without a path. */
  readonly leaf?: Leaf;
  /** Is each object that stands here an element of a list? */
  readonly isElement: boolean;
  /** What the numbers of an element mean; a list may hold several quantities. */
  readonly quantities: readonly NamedQuantity[];
  /** Vocabularies that are cited here: alternatives of one schema may cite different ones. */
  readonly sites: readonly TermSite[];
  /** By the keys of the objects that stand here. A key with a dot in it is none of a schema's. */
  readonly below: ReadonlyMap<string, Place>;
}

interface Growing extends Place {
  leaf?: Leaf;
  isElement: boolean;
  readonly quantities: NamedQuantity[];
  readonly sites: TermSite[];
  readonly below: Map<string, Growing>;
}

/** The declared paths of metadata as a tree, so that who walks through a record finds them key by key. */
export function placesOf(model: Pick<Model, "leaves" | "elementPaths" | "termSites" | "quantities">): Place {
  const metadata = newPlace("metadata");
  const at = (path: string): Growing => path.split(".").slice(1).reduce(childOf, metadata);
  for (const leaf of model.leaves.values()) if (isInMetadata(leaf)) at(leaf.path).leaf = leaf;
  for (const path of model.elementPaths) at(path).isElement = true;
  for (const quantity of model.quantities) at(quantity.path).quantities.push(quantity);
  for (const site of model.termSites) at(site.path).sites.push(site);
  return metadata;
}

/** The other leaves are values that the service gives every record. */
const isInMetadata = ({ path }: Leaf): boolean => path.startsWith("metadata.");

const newPlace = (path: string): Growing => ({ path, isElement: false, quantities: [], sites: [], below: new Map() });

function childOf(parent: Growing, key: string): Growing {
  const known = parent.below.get(key);
  if (known !== undefined) return known;
  const made = newPlace(`${parent.path}.${key}`);
  parent.below.set(key, made);
  return made;
}
