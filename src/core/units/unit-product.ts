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
