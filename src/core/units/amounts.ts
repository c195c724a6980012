/** Numbers with units, as typed or as printed in papers. */
import { DASHES, plainDashes, type Unit } from "./units.js";

/** A number and the text after it, which may be a unit. `unit` is "" if there is no text. */
export interface Amount {
  readonly number: number;
  readonly unit: string;
}

/** Plus or minus sign, as typed or as printed in papers. */
export const SIGN = `[+＋${DASHES}]`;

/** Non-breaking and thin blanks, which separate groups of three digits. */
const THIN = String.raw`\u00a0\u2007\u2009\u202f`;
const TIMES = "[×x*·⋅•∙]";
const SUPERSCRIPTS = "(?!⁰\\s?[CF](?!\\p{L}))[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+";

/** Decimal number: `12.5`, `.5`, `0,5`, `1,000.5` and, with thin blanks, `838 000`. Two dots end it: `1..10`. */
const DECIMAL = [
  String.raw`[1-9]\d{0,2}(?:,\d{3})+(?![\d,])(?:\.\d+)?`,
  String.raw`[1-9]\d{0,2}(?:\.\d{3})+,\d+`,
  String.raw`[1-9]\d{0,2}(?:[${THIN}]\d{3})+(?!\d)(?:[.,]\d+)?`,
  String.raw`\d+(?:,\d+|\.(?!\.)\d*)?`,
  String.raw`\.\d+`,
].join("|");

/** Exponent after a 10: `^-8`, `^(-8)`, `**-8` or `⁻⁸`. */
const EXPONENT = String.raw`(?:(?:\^|\*\*)(?:${SIGN}?\d+|\(${SIGN}?\d+\))|${SUPERSCRIPTS})`;

/** Exponent after "times 10". Pasted text may have lost its superscript: `1x10-8`, `1.2 × 105`. */
const TIMES_EXPONENT = String.raw`(?:${EXPONENT}|${SIGN}\d{1,3}(?![\d.])|[1-9]\d?(?![\d.]))`;

/** Number as typed or printed: `12.5`, `.5`, `0,5`, `1e-8`, `−40`, `10⁻⁸`, `1.2×10⁻⁸`, `1.2 x 10^-8`, `1x10-8`. */
export const NUMBER = new RegExp(
  String.raw`${SIGN}?(?:10${EXPONENT}|(?:${DECIMAL})(?:e${SIGN}?\d+|\s*${TIMES}\s*10${TIMES_EXPONENT})?)`,
  "iuy",
);

/**
 * Power of ten that lost its superscript (`10-8`), before a unit. Only exponents of measured quantities match, because
 * `10-20 nM` is a range. `10-12 nM` may be one too: the caller decides.
 */
export const BARE_POWER = new RegExp(String.raw`10[${DASHES}](?:[3-9]|1[0-5])(?![\d.,])(?=\s*[\p{L}\u00b0%])`, "iuy");

const POWER_OF_TEN = new RegExp(
  String.raw`^([+-]?)(?:([\d.,]+)\s*${TIMES}\s*10\^?\(?([+-]?\d+)\)?|10(?:\^\(?([+-]?\d+)\)?|(-\d+)))$`,
  "iu",
);

/** Returns a number as JSON and JavaScript write it. @param written a text that NUMBER or BARE_POWER matches */
export function plainNumber(written: string): string {
  const signs = plainDashes(written)
    .replaceAll("＋", "+")
    .replace(/[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+/u, (exponent) => `^${plainDashes(exponent.normalize("NFKC"))}`)
    .replaceAll("**", "^")
    .replace(new RegExp(`[${THIN}](?=\\d)`, "gu"), "");
  const [, sign, mantissa, ...powers] = POWER_OF_TEN.exec(signs) ?? [];
  if (sign === undefined) return plainDecimal(signs);
  return `${sign}${plainDecimal(mantissa ?? "1")}e${powers.find((power) => power !== undefined)}`;
}

/** Removes commas between groups of three digits. Replaces any other comma by a decimal point. */
function plainDecimal(written: string): string {
  const [, sign = "", digits = "", rest = ""] = /^([+-]?)([\d.,]*)(.*)$/su.exec(written) ?? [];
  if (/^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/u.test(digits)) return sign + digits.replaceAll(",", "") + rest;
  const whole = digits.includes(",") ? digits.replaceAll(".", "") : digits;
  return sign + whole.replace(",", ".") + rest;
}

const AMOUNT = new RegExp(String.raw`^\s*(${NUMBER.source})([\s\S]*)$`, "iu");

/** Parses `10nM`, `1e5 M^-1 s^-1` or `7`. Undefined if the text does not begin with a number. */
export function parseAmount(text: string): Amount | undefined {
  const [, written, unit = ""] = AMOUNT.exec(text) ?? [];
  if (written === undefined) return undefined;
  const number = Number(plainNumber(written));
  return Number.isFinite(number) ? { number, unit: unit.trim() } : undefined;
}

const WHOLE_NUMBER = new RegExp(`^(?:${NUMBER.source})$`, "iu");

/** Reads a text that contains only a number, in any spelling. */
export function parseNumber(text: string): number | undefined {
  const trimmed = text.trim();
  const number = WHOLE_NUMBER.test(trimmed) ? Number(plainNumber(trimmed)) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** Joins a number and its unit, with a blank only if the unit could be read as part of the number. */
export function joinAmount(number: string, unit: string): string {
  return number + (/^(?:[\d./+-]|e\d)/iu.test(unit) ? " " : "") + unit;
}

const LEADING_NUMBER = new RegExp(`^(?:${NUMBER.source})`, "iu");

/** Writes the number at the beginning of a text as in JSON. A text that does not begin with a number is unchanged. */
export const plainAmount = (text: string): string => text.replace(LEADING_NUMBER, plainNumber);

/** Number of significant digits. Amounts that differ only beyond them are equal. */
const DIGITS = 12;

/** Removes the rounding errors of a calculation, and the sign of -0. */
export const cleanNumber = (number: number): number => Number(number.toPrecision(DIGITS)) + 0;

/** Converts a number to the canonical unit of its dimension. Undefined if the result is not a finite number. */
export function toCanonical(number: number, { factor, offset }: Pick<Unit, "factor" | "offset">): number | undefined {
  const canonical = cleanNumber((number + offset) * factor);
  return Number.isFinite(canonical) ? canonical : undefined;
}
