/** Numbers in other units than they were deposited in. */
import { findUnit } from "../catalog/unit-spelling.js";
import type { Unit, Units } from "../catalog/unit-types.js";
import type { Measured } from "./record-results.js";

/** Digits of a converted number: more than any that is measured, and fewer than rounding spoils. */
const DIGITS = 12;

const rounded = (number: number): number => Number(number.toPrecision(DIGITS));

/** A number of one unit in another one of the same dimension. */
export const convertNumber = (number: number, from: Unit, to: Unit): number =>
  rounded(((number + from.offset) * from.factor) / to.factor - to.offset);

/** A difference of two numbers: where the zero of a scale lies means nothing to it. */
const convertDifference = (number: number, from: Unit, to: Unit): number => rounded((number * from.factor) / to.factor);

/** The unit that a text names, where numbers of it can be converted to another one. */
export function convertible(units: Units, text: string | undefined, to: Unit): Unit | undefined {
  const from = text === undefined ? undefined : findUnit(units, text);
  return from?.dimension === to.dimension ? from : undefined;
}

/** What was measured in another unit, with its error; undefined where it cannot be converted. */
export function convertResult<Given extends Measured>(result: Given, to: Unit, units: Units): Given | undefined {
  const { value, unit, error } = result;
  const from = convertible(units, unit, to);
  if (from === undefined || value === undefined) return undefined;
  const bound = (number: number): number => (error?.isRelative ? number : convertDifference(number, from, to));
  return {
    ...result,
    ...{ value: convertNumber(value, from, to), unit: to.name },
    ...(error === undefined ? {} : { error: { ...error, lower: bound(error.lower), upper: bound(error.upper) } }),
  };
}
