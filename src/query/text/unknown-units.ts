/** Keywords of numbers in unknown units, which the index compares only with numbers in the same unit. */
import { cleanUnit } from "../../core/units/units.js";
import { foldKeyword } from "./analyse.js";

/** Separator of a unit and a number. No unit contains it. */
const SEPARATOR = "\u0001";

/** Returns keywords between which the keywords of all numbers in an unknown unit are sorted. */
export function unknownUnitEnds(unit: string): { readonly from: string; readonly to: string } {
  const prefix = foldKeyword(cleanUnit(unit)) + SEPARATOR;
  // Only hexadecimal digits follow.
  return { from: prefix, to: `${prefix}g` };
}

/** Returns a number in an unknown unit as a keyword. Keywords with equal units sort in the order of their numbers. */
export function unknownUnitKeyword(number: number, unit: string): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number + 0);
  const bits = view.getBigUint64(0);
  const isNegative = bits >> 63n === 1n;
  const ordered = BigInt.asUintN(64, isNegative ? ~bits : bits | (1n << 63n));
  return unknownUnitEnds(unit).from + ordered.toString(16).padStart(16, "0");
}
