import type { Expression, ExpressionNode, FunctionName } from "./expression.js";
import { areComparable, multiplyUnits, NO_UNIT, printUnit, type UnitProduct } from "./unit-product.js";

/** A number with a unit and its error. */
export interface NumberWithError {
  readonly number: number;
  readonly unit: UnitProduct;
  /** By how much the true value may be smaller and larger, in the same unit. Both are 0 for an exact value. */
  readonly error?: { readonly lower: number; readonly upper: number } | undefined;
}

/**
 * Returns the value of an expression, in the product of the base units. Returns undefined if it is not a finite number,
 * or if its units do not agree.
 *
 * The error is propagated to first order: names are independent of each other, so the squares of their contributions
 * are added; a name that stands several times contributes once. The result has an error if all names have one.
 *
 * @param values values of all names of the expression
 */
export function evaluateExpression(
  { root, names }: Expression,
  values: ReadonlyMap<string, NumberWithError>,
): NumberWithError | undefined {
  const evaluation = new Evaluation(values);
  const { number, unit, slopes } = evaluation.visit(root);
  if (evaluation.mistake !== undefined || !Number.isFinite(number)) return undefined;
  return { number, unit, error: propagateErrors(slopes, names, values) };
}

/**
 * Returns the unit of an expression, or what is wrong with the units in it, such as a sum of kJ/mol and K.
 *
 * @param units units of all names of the expression
 */
export function unitOfExpression(
  { root }: Expression,
  units: ReadonlyMap<string, UnitProduct>,
): { readonly unit: UnitProduct } | { readonly mistake: string } {
  const evaluation = new Evaluation(new Map(Array.from(units, ([name, unit]) => [name, { number: 1, unit }])));
  const { unit } = evaluation.visit(root);
  return evaluation.mistake === undefined ? { unit } : { mistake: evaluation.mistake };
}

/** A value in base units with its derivative by each name, in base units too. */
interface Differentiated {
  readonly number: number;
  readonly unit: UnitProduct;
  readonly slopes: ReadonlyMap<string, number>;
}

const NO_SLOPES: ReadonlyMap<string, number> = new Map();

/** An evaluation of one expression. It continues after a mistake with the units, and keeps the first mistake. */
class Evaluation {
  mistake: string | undefined;

  constructor(private readonly values: ReadonlyMap<string, NumberWithError>) {}

  visit(node: ExpressionNode): Differentiated {
    switch (node.kind) {
      case "number":
        return inBaseUnits(node, NO_SLOPES);
      case "name":
        return this.#named(node.name);
      case "function":
        return this.#applied(node.name, this.visit(node.of));
      case "+":
        return this.#sum(this.visit(node.left), this.visit(node.right), 1);
      case "-":
        return this.#sum(this.visit(node.left), this.visit(node.right), -1);
      case "*":
        return product(this.visit(node.left), this.visit(node.right));
      case "/":
        return quotient(this.visit(node.left), this.visit(node.right));
    }
  }

  #named(name: string): Differentiated {
    const value = this.values.get(name);
    if (value !== undefined) return inBaseUnits(value, new Map([[name, value.unit.factor]]));
    this.mistake ??= `there is no value of "${name}"`;
    return { number: Number.NaN, unit: NO_UNIT, slopes: NO_SLOPES };
  }

  #sum(left: Differentiated, right: Differentiated, sign: 1 | -1): Differentiated {
    if (!areComparable(left.unit, right.unit)) {
      const units = `${printUnit(left.unit)} and ${printUnit(right.unit)}`;
      this.mistake ??= sign === 1 ? `${units} cannot be added` : `${units} cannot be subtracted`;
    }
    const slopes = addSlopes(left.slopes, 1, right.slopes, sign);
    return { number: left.number + sign * right.number, unit: left.unit, slopes };
  }

  #applied(name: FunctionName, { number, unit, slopes }: Differentiated): Differentiated {
    if (unit.powers.size > 0) {
      this.mistake ??= `${name}() needs a number without a unit, not one in ${printUnit(unit)}; divide it by its unit`;
    }
    const [value, slope] = apply(name, number);
    return { number: value, unit: NO_UNIT, slopes: addSlopes(slopes, slope, NO_SLOPES, 0) };
  }
}

function inBaseUnits({ number, unit }: NumberWithError, slopes: ReadonlyMap<string, number>): Differentiated {
  return { number: number * unit.factor, unit: { ...unit, factor: 1 }, slopes };
}

function product(left: Differentiated, right: Differentiated): Differentiated {
  const unit = multiplyUnits(left.unit, right.unit, 1);
  const slopes = addSlopes(left.slopes, right.number, right.slopes, left.number);
  return { number: left.number * right.number, unit, slopes };
}

function quotient(left: Differentiated, right: Differentiated): Differentiated {
  const unit = multiplyUnits(left.unit, right.unit, -1);
  const number = left.number / right.number;
  return { number, unit, slopes: addSlopes(left.slopes, 1 / right.number, right.slopes, -number / right.number) };
}

/** Returns the value and the derivative of a function. */
function apply(name: FunctionName, number: number): readonly [value: number, slope: number] {
  switch (name) {
    case "ln":
      return [Math.log(number), 1 / number];
    case "log10":
      return [Math.log10(number), 1 / (number * Math.LN10)];
    case "exp":
      return [Math.exp(number), Math.exp(number)];
  }
}

function addSlopes(
  left: ReadonlyMap<string, number>,
  leftFactor: number,
  right: ReadonlyMap<string, number>,
  rightFactor: number,
): ReadonlyMap<string, number> {
  const sum = new Map(Array.from(left, ([name, slope]) => [name, slope * leftFactor]));
  for (const [name, slope] of right) sum.set(name, (sum.get(name) ?? 0) + slope * rightFactor);
  return sum;
}

/** Returns the error of a value from those of its names. The bounds of a name with a negative slope change places. */
function propagateErrors(
  slopes: ReadonlyMap<string, number>,
  names: readonly string[],
  values: ReadonlyMap<string, NumberWithError>,
): NumberWithError["error"] {
  let [lower, upper] = [0, 0];
  for (const name of names) {
    const error = values.get(name)?.error;
    if (error === undefined) return undefined;
    const slope = slopes.get(name) ?? 0;
    lower = Math.hypot(lower, slope * (slope > 0 ? error.lower : error.upper));
    upper = Math.hypot(upper, slope * (slope > 0 ? error.upper : error.lower));
  }
  return Number.isFinite(lower) && Number.isFinite(upper) ? { lower, upper } : undefined;
}
