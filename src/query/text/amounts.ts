import { cleanUnit, DASHES, findUnit, plainDashes, type Unit, type Units } from "../../core/catalog/units.js";
import { foldKeyword } from "./analyse.js";
import type { Scanner } from "./scan.js";

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

/** Maximum number of words in a unit. */
const UNIT_WORDS_MAX = 6;

const WORD_END = /[\s),;]|$/uy;

/** Characters that no unit contains, except a star between factors (`FACTOR_STAR`) and brackets around words. */
const NO_UNIT = String.raw`\s"()[\]{}*?~\\:<>=\u2264\u2265,;`;
const FACTOR_STAR = String.raw`\*{1,2}(?=\s*[\p{L}\u00b0(^+${DASHES}\d])`;

/** A word, or words in round brackets, of which a unit may consist. */
const UNIT_PART = new RegExp(
  String.raw`\s*(?!(?:AND|OR|NOT|TO|&&|\|\|)(?:[\s()]|$))` +
    String.raw`(?:\^\{[+${DASHES}]?\d+\}|[^${NO_UNIT}]|${FACTOR_STAR}|\((?:[^${NO_UNIT}]|${FACTOR_STAR}|\s)*\))+`,
  "uy",
);

/** Multiplication or division sign at the end: the unit is incomplete. */
const OPEN_PRODUCT = /[*·⋅×/^]$/u;

/**
 * Reads a number and the longest known unit after it, with or without blanks. For any other text, returns undefined and
 * reads nothing.
 *
 * @param end sticky expression that must match after the unit
 * @returns the number as in JSON and the unit, see `joinAmount`
 */
export function readAmount(scanner: Scanner, units: Units, end = WORD_END): string | undefined {
  return readAmountAfter(NUMBER, scanner, units, end) ?? readAmountAfter(BARE_POWER, scanner, units, end);
}

function readAmountAfter(numbers: RegExp, scanner: Scanner, units: Units, end: RegExp): string | undefined {
  const start = scanner.at;
  const number = scanner.take(numbers);
  let longest: { readonly unit: string; readonly end: number } | undefined;
  let unit = "";
  for (let words = 0; number !== undefined && words < UNIT_WORDS_MAX; words++) {
    const part = scanner.take(UNIT_PART);
    if (part === undefined) break;
    unit += part;
    const isWhole = scanner.peek(end) !== undefined && !OPEN_PRODUCT.test(unit);
    if (isWhole && findUnit(units, unit) !== undefined)
      longest = { unit: unit.trim().replace(/\s+/gu, " "), end: scanner.at };
  }
  scanner.at = longest?.end ?? start;
  if (number === undefined || longest === undefined) return undefined;
  return joinAmount(plainNumber(number), longest.unit);
}

/** Joins a number and its unit, with a blank only if the unit could be read as part of the number. */
export function joinAmount(number: string, unit: string): string {
  return number + (/^(?:[\d./+-]|e\d)/iu.test(unit) ? " " : "") + unit;
}

const LEADING_NUMBER = new RegExp(`^(?:${NUMBER.source})`, "iu");

/** Writes the number at the beginning of a text, if there is one, as in JSON. */
export const plainAmount = (text: string): string => text.replace(LEADING_NUMBER, plainNumber);

/** Number of significant digits. Amounts that differ only beyond them are equal. */
const DIGITS = 12;

/** Converts a number to the canonical unit of its dimension. Undefined if the result is not a finite number. */
export function toCanonical(number: number, { factor, offset }: Unit): number | undefined {
  // Adding 0 makes -0 the same as 0.
  const canonical = Number(((number + offset) * factor).toPrecision(DIGITS)) + 0;
  return Number.isFinite(canonical) ? canonical : undefined;
}

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
