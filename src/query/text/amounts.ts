import { cleanUnit, findUnit } from "../../core/catalog/unit-spelling.js";
import type { Unit, Units } from "../../core/catalog/unit-types.js";
import { foldKeyword } from "./analyse.js";
import type { Scanner } from "./scan.js";

/** A number and the text after it, which may be a unit; "" where nothing follows. */
export interface Amount {
  readonly number: number;
  readonly unit: string;
}

/** A sign as it is typed, or as papers print it. */
export const SIGN = "[+−-]";
const TIMES = "[×x*·⋅]";
const SUPERSCRIPTS = "[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+";

/** `^-8` or `⁻⁸` after a 10. */
const EXPONENT = String.raw`(?:\^${SIGN}?\d+|${SUPERSCRIPTS})`;

/** `12.5`, `.5`, `1e-8`, and as papers print it: `−40`, `10⁻⁸`, `1.2×10⁻⁸`, `1.2 x 10^-8`. */
export const NUMBER = new RegExp(
  String.raw`${SIGN}?(?:10${EXPONENT}|(?:\d+\.?\d*|\.\d+)(?:e${SIGN}?\d+|\s*${TIMES}\s*10${EXPONENT})?)`,
  "iuy",
);

const POWER_OF_TEN = new RegExp(String.raw`(?:([\d.]+)\s*${TIMES}\s*)?10\^([+-]?\d+)`, "iu");

/** The number as JSON and JavaScript write it. @param written what NUMBER finds */
function plainNumber(written: string): string {
  return written
    .replace(/[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+/u, (exponent) => `^${exponent.normalize("NFKC")}`)
    .replaceAll("−", "-")
    .replace(POWER_OF_TEN, (_, mantissa: string | undefined, exponent) => `${mantissa ?? "1"}e${exponent}`);
}

/** Reads `10nM`, `1e5 M^-1 s^-1` or `7`; undefined where no number comes first. */
export function parseAmount(text: string): Amount | undefined {
  const [, written, unit = ""] = new RegExp(`^\\s*(${NUMBER.source})\\s*([\\s\\S]*?)\\s*$`, "iu").exec(text) ?? [];
  if (written === undefined) return undefined;
  const number = Number(plainNumber(written));
  return Number.isFinite(number) ? { number, unit } : undefined;
}

/** More words are no unit. */
const UNIT_WORDS_MAX = 6;

const WORD_END = /[\s)]|$/uy;

/** A word, or words in round brackets, of which a unit may consist. */
const UNIT_PART =
  /\s*(?!(?:AND|OR|NOT|TO|&&|\|\|)(?:[\s()]|$))(?:[^\s"()[\]{}*?~\\:<>=≤≥]|\([^"()[\]{}*?~\\:<>=≤≥]*\))+/uy;

/**
 * Reads a number and the known unit after it, with or without blanks, as many words of it as there are. Undefined, and
 * nothing read, where none stands here.
 *
 * @param end what must come after it, sticky
 * @returns the text, its number as JSON has it, without the blank before the unit where the two stay apart without it
 */
export function readAmount(scanner: Scanner, units: Units, end = WORD_END): string | undefined {
  const start = scanner.at;
  const number = scanner.take(new RegExp(NUMBER));
  let found: { readonly unit: string; readonly end: number } | undefined;
  let unit = "";
  for (let words = 0; number !== undefined && words < UNIT_WORDS_MAX; words++) {
    const part = scanner.take(new RegExp(UNIT_PART));
    if (part === undefined) break;
    unit += part;
    const isWhole = scanner.peek(end) !== undefined;
    if (isWhole && findUnit(units, unit) !== undefined)
      found = { unit: unit.trim().replace(/\s+/gu, " "), end: scanner.at };
  }
  scanner.at = found?.end ?? start;
  if (number === undefined || found === undefined) return undefined;
  const isApart = !/^(?:[\d./+-]|e\d)/iu.test(found.unit);
  return plainNumber(number) + (isApart ? "" : " ") + found.unit;
}

/** Digits that count: two amounts that differ only beyond them are the same. */
const DIGITS = 12;

/** The number in the canonical unit of the dimension; undefined where it is beyond all numbers. */
export function toCanonical(number: number, { factor, offset }: Unit): number | undefined {
  // Adding 0 makes -0 the same as 0.
  const canonical = Number(((number + offset) * factor).toPrecision(DIGITS)) + 0;
  return Number.isFinite(canonical) ? canonical : undefined;
}

/** Stands between a unit and a number. No unit holds it. */
const BETWEEN = "\u0001";

/** All numbers in an unknown unit lie between these two, as keywords. */
export function unknownUnitEnds(unit: string): { readonly from: string; readonly to: string } {
  const before = foldKeyword(cleanUnit(unit)) + BETWEEN;
  // All that follows is hexadecimal.
  return { from: before, to: `${before}g` };
}

/** A number in an unknown unit as a keyword: those with equal units are in the order of their numbers. */
export function unknownUnitKeyword(number: number, unit: string): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number + 0);
  const bits = view.getBigUint64(0);
  const isNegative = bits >> 63n === 1n;
  const ordered = BigInt.asUintN(64, isNegative ? ~bits : bits | (1n << 63n));
  return unknownUnitEnds(unit).from + ordered.toString(16).padStart(16, "0");
}
