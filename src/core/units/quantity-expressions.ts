/** Expressions over the quantities of a model, in the canonical units of their dimensions. */
import { isObject, type Json, type JsonObject, own } from "../json.js";
import { toCanonical } from "./amounts.js";
import { evaluateExpression, type NumberWithError, unitOfExpression } from "./evaluate-expression.js";
import { type Expression, type ParsedExpression, parseExpression } from "./expression.js";
import { areComparable, printUnit, type UnitProduct } from "./unit-product.js";
import { findUnit, type Unit, type Units } from "./units.js";

/** A number in the canonical unit of its dimension. */
export interface QuantityValue {
  readonly number: number;
  readonly dimension: string;
  /** By how much the true value may be smaller and larger, in the same unit. Both are 0 for an exact value. */
  readonly error?: NumberWithError["error"];
}

/** Parses an expression over names of quantities. A number in it may have a unit of the catalog. */
export function parseQuantityExpression(text: string, units: Units): ParsedExpression {
  return parseExpression(text, (number, word) => {
    const unit = findUnit(units, word);
    const canonical = unit && toCanonical(number, unit);
    if (unit === undefined || canonical === undefined) return undefined;
    return { number: canonical, unit: units.products.get(unit.dimension)! };
  });
}

/**
 * Checks the units of an expression.
 *
 * @param dimensions dimension of each name in the expression
 * @param targets dimensions that the value may have
 * @returns the dimension of the value, the first of `targets` that fits, or what is wrong
 */
export function dimensionOfExpression(
  expression: Expression,
  dimensions: ReadonlyMap<string, string>,
  targets: readonly string[],
  units: Units,
): { readonly dimension: string } | { readonly mistake: string } {
  const products = Array.from(dimensions, ([name, dimension]) => [name, units.products.get(dimension)!] as const);
  const result = unitOfExpression(expression, new Map(products));
  if ("mistake" in result) return result;
  const dimension = fittingDimension(result.unit, targets, units);
  if (dimension !== undefined) return { dimension };
  const expected = targets.map((target) => units.dimensions.get(target)?.canonical ?? target).join(" or ");
  return { mistake: `the expression is in ${printUnit(result.unit)}, and not in ${expected}` };
}

/**
 * Returns the value of an expression with its error, as `evaluateExpression` propagates it. Returns undefined if it is
 * not a finite number or has none of the dimensions.
 *
 * @param values values of all names of the expression
 * @param targets dimensions that the value may have
 */
export function evaluateQuantities(
  expression: Expression,
  values: ReadonlyMap<string, QuantityValue>,
  targets: readonly string[],
  units: Units,
): QuantityValue | undefined {
  const measured = Array.from(values, ([name, { number, dimension, error }]) => {
    return [name, { number, unit: units.products.get(dimension)!, error }] as const;
  });
  const result = evaluateExpression(expression, new Map(measured));
  const dimension = result && fittingDimension(result.unit, targets, units);
  if (result === undefined || dimension === undefined) return undefined;
  const toTarget = { factor: 1 / units.products.get(dimension)!.factor, offset: 0 };
  const [number, lower, upper] = [result.number, result.error?.lower ?? 0, result.error?.upper ?? 0].map((each) =>
    toCanonical(each, toTarget),
  );
  if (number === undefined || lower === undefined || upper === undefined) return undefined;
  return { number, dimension, error: result.error && { lower, upper } };
}

function fittingDimension(unit: UnitProduct, targets: readonly string[], units: Units): string | undefined {
  return targets.find((target) => {
    const product = units.products.get(target);
    return product !== undefined && areComparable(unit, product);
  });
}

/**
 * Reads the number of an object, such as a result, with the unit and the error next to it. Returns undefined if there
 * is no finite number, or no known unit, except for a number that needs none.
 *
 * @param dimensions allowed dimensions, the usual one first
 */
export function readQuantityValue(
  object: JsonObject,
  key: string,
  dimensions: readonly string[],
  units: Units,
): QuantityValue | undefined {
  const number = own(object, key);
  const unit = unitIn(object, dimensions, units);
  const canonical = typeof number === "number" && unit !== undefined ? toCanonical(number, unit) : undefined;
  if (unit === undefined || canonical === undefined) return undefined;
  const error = readError(own(object, `${key}_error`), number as number, unit);
  return { number: canonical, dimension: unit.dimension, error };
}

function unitIn(
  object: JsonObject,
  dimensions: readonly string[],
  units: Units,
): Pick<Unit, "factor" | "offset" | "dimension"> | undefined {
  const text = own(object, "unit");
  const [usual] = dimensions;
  if (typeof text !== "string" || text.trim() === "") {
    const isBare = usual !== undefined && units.dimensions.get(usual)?.bare === true;
    return isBare ? { factor: 1, offset: 0, dimension: usual } : undefined;
  }
  const unit = findUnit(units, text);
  return unit !== undefined && dimensions.includes(unit.dimension) ? unit : undefined;
}

/** Reads an error in the unit of its number, or as fractions of it. */
function readError(
  error: Json | undefined,
  number: number,
  { factor }: Pick<Unit, "factor">,
): NumberWithError["error"] {
  if (!isObject(error)) return undefined;
  const scale = own(error, "is_relative") === true ? Math.abs(number) * factor : factor;
  const [lower, upper] = ["lower", "upper"].map((key) => own(error, key));
  if (typeof lower !== "number" || typeof upper !== "number") return undefined;
  return { lower: Math.abs(lower) * scale, upper: Math.abs(upper) * scale };
}
