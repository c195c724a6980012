import type { ResultList } from "../catalog/description.js";
import type { Model } from "../catalog/types.js";
import { isObject, type Json, own } from "../json.js";
import { findUnit, type Unit, type Units } from "../units/units.js";
import type { Result } from "./citable.js";
import { textAt, valueLabel, valuesAt } from "./values-at.js";

/** Returns the results of a record: the elements of the declared list that have a kind. */
export function resultsOf(metadata: Json, list: ResultList | undefined): readonly Result[] {
  if (list === undefined) return [];
  return valuesAt({ metadata }, list.path).flatMap((element) => readResult(element, list) ?? []);
}

/** Reads a result. Returns undefined if it has no kind. */
export function readResult(element: Json, list: ResultList): Result | undefined {
  const kind = textAt(element, list.kind);
  if (kind === undefined || !isObject(element)) return undefined;
  const value = own(element, list.value);
  return {
    kind,
    name: textAt(element, "name"),
    ...(typeof value === "number" ? { value } : {}),
    unit: textAt(element, list.unit),
    error: readNumberError(own(element, list.error)),
    of: valuesAt(element, list.of).flatMap((each) => valueLabel(each) ?? []),
  };
}

/** Returns the words that a model declares for a kind of result, or the kind itself. */
export function kindInWords(kind: string, { describe: { results }, page }: Pick<Model, "describe" | "page">): string {
  return (results && page.words.get(`${results.path}.${results.kind}`)?.get(kind)) ?? kind;
}

/** Reads the error of a number; returns undefined if a bound is missing. */
export function readNumberError(value: Json | undefined): Result["error"] {
  if (!isObject(value)) return undefined;
  const [lower, upper] = [own(value, "lower"), own(value, "upper")];
  if (typeof lower !== "number" || typeof upper !== "number") return undefined;
  return { lower, upper, isRelative: own(value, "is_relative") === true };
}

/** Number with its unit and error as deposited. Each of them may be missing. */
export type DepositedNumber = { readonly [Name in "value" | "unit" | "error"]?: Result[Name] | undefined };

/**
 * Writes a number with its error and unit: `2.4 ± 0.3 nM`, `2.4 (−0.1, +0.3) nM`. A relative error follows the unit,
 * because the unit does not apply to it: `2.4 nM (± 10 %)`.
 *
 * @returns undefined if there is no number
 */
export function writeResult({ value, unit, error }: DepositedNumber): string | undefined {
  if (value === undefined) return undefined;
  const bounds = error && writeError(error);
  const parts =
    error?.isRelative === true
      ? [String(value), unit, bounds?.startsWith("(") === true ? bounds : `(${bounds})`]
      : [String(value), bounds, unit];
  return parts.filter((part) => part !== undefined).join(" ");
}

function writeError({ lower, upper, isRelative }: NonNullable<Result["error"]>): string {
  const amount = (bound: number): string => (isRelative ? `${Number((bound * 100).toPrecision(12))} %` : String(bound));
  const [down, up] = [amount(Math.abs(lower)), amount(Math.abs(upper))];
  return down === up ? `± ${up}` : `(−${down}, +${up})`;
}

/** Digits of a converted number: more than any measured number has, and few enough to hide rounding errors. */
const DIGITS = 12;

const rounded = (number: number): number => Number(number.toPrecision(DIGITS));

/** Converts a number to another unit of the same dimension. */
export const convertNumber = (number: number, from: Unit, to: Unit): number =>
  rounded(((number + from.offset) * from.factor) / to.factor - to.offset);

/** Converts a difference of two numbers, to which the zero of a scale does not apply. */
const convertDifference = (number: number, from: Unit, to: Unit): number => rounded((number * from.factor) / to.factor);

/** Returns the unit that a text names, or undefined if its numbers cannot be converted to another unit. */
function convertibleUnit(units: Units, text: string | undefined, to: Unit): Unit | undefined {
  const from = text === undefined ? undefined : findUnit(units, text);
  return from?.dimension === to.dimension ? from : undefined;
}

/** Returns a text that equal amounts in any unit share. Undefined if there is no number. */
export function amountKey(measured: DepositedNumber, units: Units): string | undefined {
  const { value, unit } = measured;
  if (value === undefined) return undefined;
  const known = unit === undefined ? undefined : findUnit(units, unit);
  const canonical = known && units.units.get(units.dimensions.get(known.dimension)!.canonical);
  const { value: number, unit: name, error } = (canonical && convertResult(measured, canonical, units)) ?? measured;
  return JSON.stringify([number, name ?? "", error?.lower, error?.upper, error?.isRelative]);
}

/** Converts a result and its error to another unit; returns undefined if it cannot be converted. */
export function convertResult<Given extends DepositedNumber>(result: Given, to: Unit, units: Units): Given | undefined {
  const { value, unit, error } = result;
  const from = convertibleUnit(units, unit, to);
  if (from === undefined || value === undefined) return undefined;
  const bound = (number: number): number => (error?.isRelative ? number : convertDifference(number, from, to));
  return {
    ...result,
    value: convertNumber(value, from, to),
    unit: to.name,
    error: error && { ...error, lower: bound(error.lower), upper: bound(error.upper) },
  };
}
