import { canonicalPath, unknownUnitPath } from "../../core/catalog/places.js";
import type { Leaf } from "../../core/catalog/types.js";
import { findUnit, type Units } from "../../core/catalog/units.js";
import { type JsonObject, own } from "../../core/json.js";
import { toCanonical, unknownUnitKeyword } from "../text/amounts.js";
import type { LeafValue } from "./leaves.js";

/**
 * What an index takes of a number beside a unit, further to the number as it stands: the number in the canonical unit
 * of its dimension, or a sortable keyword where the unit is not known. No words, so that text does not find it.
 *
 * @param unit the text that stands beside it; undefined where there is none
 */
export function quantityLeaves(
  leaf: Leaf,
  { element, number }: Pick<LeafValue, "element" | "number">,
  unit: string | undefined,
  units: Units,
): readonly LeafValue[] {
  const { quantity } = leaf;
  if (quantity === undefined || number === undefined) return [];
  const at = { element, weight: "rest", words: [] } as const;
  const [usual] = quantity.dimensions;
  if (unit === undefined || unit.trim() === "") {
    const isBare = usual !== undefined && units.dimensions.get(usual)?.bare === true;
    return isBare ? [{ path: canonicalPath(leaf, usual), ...at, number: number + 0 }] : [];
  }
  const known = findUnit(units, unit);
  if (known === undefined) return [{ path: unknownUnitPath(leaf), ...at, keyword: unknownUnitKeyword(number, unit) }];
  const canonical = toCanonical(number, known);
  const isMeant = quantity.named === undefined || quantity.dimensions.includes(known.dimension);
  if (canonical === undefined || !isMeant) return [];
  return [{ path: canonicalPath(leaf, known.dimension), ...at, number: canonical }];
}

/** What an object says to be the unit of the numbers in it. */
export function unitOf(object: JsonObject): string | undefined {
  const unit = own(object, "unit");
  return typeof unit === "string" ? unit : undefined;
}
