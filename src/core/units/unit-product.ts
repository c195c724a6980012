/** Units as products of base units, so that expressions can multiply and compare quantities. */
import type { DeclaredObject } from "../declarations/declared.js";
import { cleanUnit, type Dimension, readProduct, type Units } from "./units.js";

/** A unit as a factor and powers of base units: kJ/mol is 1000 × J × mol^-1. A number without a unit has no powers. */
export interface UnitProduct {
  readonly factor: number;
  /** Exponents by base unit, none of them 0. */
  readonly powers: ReadonlyMap<string, number>;
}

/** The unit of a number without a unit. */
export const NO_UNIT: UnitProduct = { factor: 1, powers: new Map() };

/** Returns a unit times a power of another one. */
export function multiplyUnits(a: UnitProduct, b: UnitProduct, exponent: number): UnitProduct {
  const powers = new Map(a.powers);
  for (const [base, power] of b.powers) {
    const sum = (powers.get(base) ?? 0) + power * exponent;
    if (sum === 0) powers.delete(base);
    else powers.set(base, sum);
  }
  return { factor: a.factor * b.factor ** exponent, powers };
}

/** Returns whether numbers in two units can be added and compared. */
export function areComparable(a: UnitProduct, b: UnitProduct): boolean {
  return a.powers.size === b.powers.size && [...a.powers].every(([base, power]) => b.powers.get(base) === power);
}

/** Writes the base units of a unit for a message: `J mol^-1`, or `no unit`. */
export function printUnit({ powers }: UnitProduct): string {
  const factors = [...powers].map(([base, power]) => (power === 1 ? base : `${base}^${power}`));
  return factors.join(" ") || "no unit";
}

/**
 * Returns the canonical unit of each dimension as a product of base units. Base units are the canonical units that are
 * not products of others: M is mol L^-1, kJ/mol is 1000 J mol^-1, and mol, L and J are base units.
 */
export function compileProducts(units: Omit<Units, "products">): ReadonlyMap<string, UnitProduct> {
  const products = new Map<string, UnitProduct>();
  for (const dimension of units.dimensions.values()) addProduct(dimension, units, products);
  return products;
}

function addProduct(
  dimension: Dimension,
  { dimensions, units, spellings }: Omit<Units, "products">,
  products: Map<string, UnitProduct>,
): UnitProduct {
  const existing = products.get(dimension.name);
  if (existing !== undefined) return existing;
  const base = baseUnit(dimension.canonical);
  products.set(dimension.name, base); // Ends a circle of declarations.
  const words = readProduct(cleanUnit(dimension.product ?? dimension.canonical), spellings);
  let product = NO_UNIT;
  for (const [word, exponent] of words ?? []) {
    const unit = units.get(word);
    const known =
      unit === undefined
        ? baseUnit(word)
        : addProduct(dimensions.get(unit.dimension)!, { dimensions, units, spellings }, products);
    product = multiplyUnits(product, { ...known, factor: known.factor * (unit?.factor ?? 1) }, exponent);
  }
  if (dimension.bare) product = NO_UNIT;
  else if (words === undefined || words.size === 0) product = base;
  products.set(dimension.name, product);
  return product;
}

const baseUnit = (name: string): UnitProduct => ({ factor: 1, powers: new Map([[name, 1]]) });

/** Notes a `product` of a dimension that is not a product of units of other dimensions. */
export function checkProduct({ units, spellings }: Units, { name, product }: Dimension, object: DeclaredObject): void {
  if (product === undefined) return;
  const words = readProduct(cleanUnit(product), spellings);
  const isProduct = words !== undefined && words.size > 0;
  const wrong = [...(words?.keys() ?? [])].find((word) => (units.get(word)?.dimension ?? name) === name);
  if (isProduct && wrong === undefined) return;
  object.note("product", `"${wrong ?? product}" is not a product of units of other dimensions, such as mol/L`);
}
