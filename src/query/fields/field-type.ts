import type { Leaf } from "../../core/catalog/types.js";
import type { Meaning } from "./field-meanings.js";

/** Do bare numbers in this field compare with units: a declared quantity, a number beside a unit, an object of such? */
export function isQuantity({ path, leaves, isLeaf, isElement, dimensions }: Meaning): boolean {
  if (dimensions !== undefined) return true;
  const isRightBelow = (leaf: Leaf): boolean => leaf.path.slice(0, leaf.path.lastIndexOf(".")) === path;
  return !isElement && leaves.some((leaf) => leaf.quantity !== undefined && (isLeaf || isRightBelow(leaf)));
}

/** Are bare values in this field numbers, so that `-20` is one and no NOT? */
export function isNumeric(meaning: Meaning): boolean {
  return isQuantity(meaning) || (meaning.isLeaf && meaning.leaves.some(({ type }) => type === "number"));
}
