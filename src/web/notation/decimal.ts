/** A decimal number with the digits that were deposited: (-1)^isNegative × digits × 10^exponent. */
export interface Decimal {
  readonly isNegative: boolean;
  /** Without zeros at its start; `0` for zero. Empty if the number is too large to be calculated. */
  readonly digits: string;
  /** Power of ten of the last digit. */
  readonly exponent: number;
}

/** Reads the digits of the shortest decimal form of a number, without zeros at its end. */
export function readDecimal(number: number): Decimal {
  if (!Number.isFinite(number)) return { ...ZERO, digits: "" };
  const [mantissa = "", power = "0"] = String(Math.abs(number)).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = withoutFirstZeros(whole + fraction);
  const digits = withoutLastZeros(all);
  if (digits === "0") return ZERO;
  return { isNegative: number < 0, digits, exponent: Number(power) - fraction.length + all.length - digits.length };
}

/** Removes zeros at the start, but not the last digit. */
function withoutFirstZeros(digits: string): string {
  let start = 0;
  while (start < digits.length - 1 && digits[start] === "0") start += 1;
  return digits.slice(start);
}

/** Removes zeros at the end, but not the first digit. */
function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (end > 1 && digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}

const ZERO: Decimal = { isNegative: false, digits: "0", exponent: 0 };

/** Returns whether a number is zero. */
export const isZero = ({ digits }: Decimal): boolean => digits === "0" || digits === "";

/** Multiplies by a power of ten. */
export const shiftDecimal = (decimal: Decimal, by: number): Decimal =>
  by === 0 || isZero(decimal) ? decimal : { ...decimal, exponent: decimal.exponent + by };

/** Returns the power of ten of the first digit. */
export const magnitudeOf = ({ digits, exponent }: Decimal): number => exponent + digits.length - 1;

/** Rounds half away from zero to a number whose last digit has this power of ten. Keeps zeros that it rounds to. */
export function roundAt(decimal: Decimal, exponent: number): Decimal {
  const dropped = exponent - decimal.exponent;
  if (dropped <= 0) return decimal;
  const kept = decimal.digits.slice(0, Math.max(0, decimal.digits.length - dropped));
  const isUp = dropped <= decimal.digits.length && decimal.digits[decimal.digits.length - dropped]! >= "5";
  const digits = String(BigInt(kept === "" ? "0" : kept) + (isUp ? 1n : 0n));
  return digits === "0" ? { isNegative: false, digits, exponent } : { ...decimal, digits, exponent };
}

/** Rounds to a number of significant digits: 999.96 with 4 digits is 1000. */
export function roundToDigits(decimal: Decimal, digitsMax: number): Decimal {
  const once = roundAt(decimal, decimal.exponent + Math.max(0, decimal.digits.length - digitsMax));
  // Rounding up may have added a digit.
  return once.digits.length > digitsMax ? roundAt(once, once.exponent + 1) : once;
}

/** Removes zeros at the end of the decimals. */
export function withoutZeros(decimal: Decimal): Decimal {
  if (isZero(decimal)) return ZERO;
  const digits = withoutLastZeros(decimal.digits);
  return { ...decimal, digits, exponent: decimal.exponent + decimal.digits.length - digits.length };
}

/** Sign of negative numbers: longer than a hyphen, and no line breaks after it. */
export const MINUS = "\u2212";

/** Writes all digits without a power of ten, with a real minus. */
export function writeDecimal({ isNegative, digits, exponent }: Decimal): string {
  const sign = isNegative ? MINUS : "";
  if (exponent >= 0) return sign + (digits === "0" ? "0" : digits + "0".repeat(exponent));
  const padded = digits.padStart(1 - exponent, "0");
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

/** Returns the number itself. */
export const decimalToNumber = ({ isNegative, digits, exponent }: Decimal): number =>
  Number(`${isNegative ? "-" : ""}${digits}e${exponent}`);
