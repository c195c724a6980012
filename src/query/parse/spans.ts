/** Spans in prose: `10-100 nM`, `1 nM to 10 nM`, `between 7 and 8`, `7–8`, `2020-2022`, `7.4 ± 0.1`. */

import {
  BARE_POWER,
  cleanNumber,
  joinAmount,
  NUMBER,
  parseAmount,
  plainNumber,
  toCanonical,
} from "../../core/units/amounts.js";
import { DASHES, findUnit, UNIT_LENGTH_MAX, type Units } from "../../core/units/units.js";
import { fitsUnit, isNumericField, type SearchField } from "../fields/field-meanings.js";
import { readAmount } from "../text/read-amount.js";
import type { Scanner } from "../text/scan.js";
import type { RangeBound } from "./tree.js";

const DASH = `[${DASHES}]`;

/** Separators between the numbers of a span: a dash, dots, or "to"; after "between", also "and". */
const SEPARATORS = String.raw`\s*(?:${DASH}|\.{2,3}|\u2026)\s*|\s+(?:to|through|until)\s+`;
const separator = (separators: string): RegExp => new RegExp(`(?:${separators})(?=${NUMBER.source})`, "iuy");
const SEPARATOR = separator(SEPARATORS);
const SEPARATOR_AFTER_BETWEEN = separator(String.raw`${SEPARATORS}|\s+(?:and|&)\s+`);
const OPENING = /(?:between|from)\s+/iuy;

/** A month (`2024-05`), which is not a span. */
const MONTH = /\d{4}-\d\d(?!\d)/uy;
const yearSpan = (separators: string): RegExp =>
  new RegExp(String.raw`(\d{4})(?:${separators})(\d{4})(?=[\s),;]|$)`, "iuy");
const YEAR_SEPARATORS = String.raw`\s*${DASH}\s*|\s+(?:to|through|until)\s+`;
const YEARS = yearSpan(YEAR_SEPARATORS);
const YEARS_AFTER_BETWEEN = yearSpan(String.raw`${YEAR_SEPARATORS}|\s+(?:and|&)\s+`);
const PLAIN = new RegExp(String.raw`${NUMBER.source}(?=[\s),;]|$)`, "iuy");

/**
 * Reads a span of the field's numbers or years, both ends included. Returns undefined and reads nothing if there is no
 * span, its ends do not ascend, or the text is a single number with its unit (`0.1 M-1 s-1`).
 */
export function readSpan(scanner: Scanner, field: SearchField, units: Units): readonly RangeBound[] | undefined {
  const { meanings } = field;
  const start = scanner.at;
  const ends = meanings.some(isNumericField)
    ? (readTolerance(scanner, units) ?? readNumbers(scanner, units))
    : undefined;
  const end = scanner.at;
  scanner.at = start;
  if (ends !== undefined && !isAmount(scanner, end, ends, field, units)) {
    scanner.at = end;
    return inclusiveBounds(ends);
  }
  const isDate = meanings.some(({ isLeaf, leaves }) => isLeaf && leaves.some(({ type }) => type === "date"));
  const years = isDate ? readYears(scanner) : undefined;
  if (years !== undefined) return inclusiveBounds(years);
  scanner.at = start;
  return undefined;
}

/** Reads `2020-2022`, `from 2020 to 2022` or `between 2020 and 2022`, if the years ascend. */
function readYears(scanner: Scanner): SpanEnds | undefined {
  const opening = scanner.take(OPENING);
  const pattern = opening?.toLowerCase().startsWith("between") ? YEARS_AFTER_BETWEEN : YEARS;
  const [, from, to] = new RegExp(pattern).exec(scanner.take(pattern) ?? "") ?? [];
  return from !== undefined && to !== undefined && from <= to ? [from, to] : undefined;
}

type SpanEnds = readonly [from: string, to: string];

const inclusiveBounds = ([from, to]: SpanEnds): readonly RangeBound[] => [
  { op: ">=", text: from },
  { op: "<=", text: to },
];

/**
 * Returns whether the text of a span is a single number with its unit, such as `0.1M-1s-1`. The unit must extend to the
 * end of the span, and the field must allow it or not allow the units of the span.
 */
function isAmount(scanner: Scanner, spanEnd: number, span: SpanEnds, field: SearchField, units: Units): boolean {
  if (scanner.peek(BARE_POWER) !== undefined) return false;
  const start = scanner.at;
  const amount = readAmount(scanner, units);
  const isWhole = scanner.at >= spanEnd;
  scanner.at = start;
  if (amount === undefined || !isWhole) return false;
  return fitsUnit(field, amount, units) || !span.every((end) => fitsUnit(field, end, units));
}

const PLUS_MINUS = new RegExp(String.raw`\s*(?:\u00b1|\+\s?/?\s?${DASH})\s*(?=[\d.])`, "uy");
/** Unit between a number and its error. */
const UNIT_BEFORE_ERROR = new RegExp(
  String.raw`\s*([^\s\u00b1+()"\\:<>=,;]{0,${UNIT_LENGTH_MAX}})(?=\s*[\u00b1+])`,
  "uy",
);

/** Reads a number with its error, `5 ± 1 nM`, as the span of the numbers within the error. */
function readTolerance(scanner: Scanner, units: Units): SpanEnds | undefined {
  const start = scanner.at;
  const number = scanner.take(NUMBER);
  const unit = number === undefined ? undefined : scanner.take(UNIT_BEFORE_ERROR)?.trim();
  const isTolerance = unit !== undefined && scanner.take(PLUS_MINUS) !== undefined;
  const error = isTolerance ? parseAmount(readAmount(scanner, units) ?? readPlain(scanner) ?? "") : undefined;
  // An error in another unit (`5 nM ± 10 %`) is no distance.
  const isKnown = unit === "" || (unit !== undefined && findUnit(units, unit) !== undefined);
  const isShared = unit === "" || error?.unit === "" || error?.unit === unit;
  if (number === undefined || error === undefined || !isKnown || !isShared) {
    scanner.at = start;
    return undefined;
  }
  const middle = Number(plainNumber(number));
  const end = (distance: number): string => joinAmount(String(cleanNumber(middle + distance)), error.unit || unit);
  return [end(-error.number), end(error.number)];
}

function readNumbers(scanner: Scanner, units: Units): SpanEnds | undefined {
  if (scanner.peek(MONTH) !== undefined) return undefined;
  const opening = scanner.take(OPENING);
  const isBetween = opening !== undefined && /^between/iu.test(opening);
  const number = scanner.take(NUMBER);
  if (number === undefined) return undefined;
  const unitStart = scanner.at;
  // The unit of the first number may contain dashes. The first dash after a complete unit separates the numbers.
  for (let at = unitStart; at <= unitStart + UNIT_LENGTH_MAX && at < scanner.text.length; at++) {
    scanner.at = at;
    const unit = scanner.text.slice(unitStart, at).trim();
    if (/["\\:<>=]/u.test(unit)) return undefined;
    if (scanner.take(isBetween ? SEPARATOR_AFTER_BETWEEN : SEPARATOR) === undefined) continue;
    if (unit !== "" && findUnit(units, unit) === undefined) continue;
    const last = readAmount(scanner, units) ?? readPlain(scanner);
    const isEitherOrder = opening !== undefined;
    const ends = last === undefined ? undefined : orderedEnds(plainNumber(number), unit, last, units, isEitherOrder);
    if (ends !== undefined) return ends;
  }
  return undefined;
}

function readPlain(scanner: Scanner): string | undefined {
  const number = scanner.take(PLAIN);
  return number === undefined ? undefined : plainNumber(number);
}

/**
 * Returns the ends of a span in ascending order. Undefined if their dimensions differ, or if fewer than two units are
 * written and the numbers do not ascend.
 *
 * @param isEitherOrder whether numbers may also descend, as after "between"
 */
function orderedEnds(
  number: string,
  unit: string,
  last: string,
  units: Units,
  isEitherOrder: boolean,
): SpanEnds | undefined {
  const first = joinAmount(number, unit);
  const [low, high] = [parseAmount(first), parseAmount(last)];
  if (low === undefined || high === undefined) return undefined;
  if (low.unit === "" || high.unit === "") {
    if (low.number < high.number) return [first, last];
    return isEitherOrder ? [last, first] : undefined;
  }
  const [lowUnit, highUnit] = [findUnit(units, low.unit), findUnit(units, high.unit)];
  if (lowUnit === undefined || highUnit === undefined || lowUnit.dimension !== highUnit.dimension) return undefined;
  const [from, to] = [toCanonical(low.number, lowUnit), toCanonical(high.number, highUnit)];
  if (from === undefined || to === undefined) return undefined;
  return from <= to ? [first, last] : [last, first];
}

/** Text before the dash of a span. The number is matched as a whole, because the dash of `1e-8` does not separate. */
const BEFORE_DASH = new RegExp(
  String.raw`^(?=(${NUMBER.source}))\1[^\\]*?(?<!\s)(?=(?:${SEPARATORS})${NUMBER.source})`,
  "iu",
);

/** Escapes the dash of a span, so that the span is read as text. */
export function escapeSpan(text: string): string {
  if (/^\d{4}-\d\d(?!\d)/u.test(text)) return text;
  return text.replace(BEFORE_DASH, "$&\\");
}
