import { BARE_POWER, joinAmount, NUMBER, plainNumber } from "../../core/units/amounts.js";
import { DASHES, findUnit, type Units } from "../../core/units/units.js";
import type { Scanner } from "./scan.js";

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
