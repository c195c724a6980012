import type { Leaf } from "../../core/catalog/types.js";
import { findUnit, type Units } from "../../core/catalog/units.js";
import { parseAmount } from "../text/amounts.js";
import type { Field, Meaning } from "./field-meanings.js";

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

/** Returns the dimensions that are declared for the numbers of a field. If there are none, any unit is allowed. */
export function dimensionsOf(meanings: readonly Meaning[]): readonly string[] {
  const dimensions = meanings.flatMap((meaning) => {
    return meaning.dimensions ?? meaning.leaves.flatMap(({ quantity }) => quantity?.dimensions ?? []);
  });
  return [...new Set(dimensions)];
}

/** Returns whether the field allows the unit of an amount. A number without a unit always fits. */
export function fitsUnit({ meanings }: Field, amount: string, units: Units): boolean {
  const unit = parseAmount(amount)?.unit ?? "";
  const dimensions = dimensionsOf(meanings);
  if (unit === "" || dimensions.length === 0) return true;
  const dimension = findUnit(units, unit)?.dimension;
  return dimension !== undefined && dimensions.includes(dimension);
}
