/** Spans as they are written in texts: `10-100 nM`, `7–8`, `2020-2022`. */
import { findUnit } from "../../core/catalog/unit-spelling.js";
import type { Units } from "../../core/catalog/unit-types.js";
import type { Field } from "../fields/field-meanings.js";
import { isNumeric } from "../fields/field-type.js";
import { NUMBER, parseAmount, readAmount, SIGN } from "../text/amounts.js";
import type { Scanner } from "../text/scan.js";
import type { RangeBound } from "./tree.js";

const DASHES = "–—−";
const DASH = `[-${DASHES}]`;

/** What no unit of a span holds: signs of the syntax, and dashes. */
const NO_UNIT = String.raw`\s()[\]{}"\\*?^~:<>=${DASHES}-`;

/** A word after a number; the exponent of a number is none. */
const UNIT = String.raw`(?!e${SIGN}?\d)\s*(?!\d)[^${NO_UNIT}]+`;

/** The first number, its unit if it has one, and the dash. A month (`2024-05`) is no span. */
const START = new RegExp(
  String.raw`(?!\d{4}-\d\d(?!\d))(${NUMBER.source})(${UNIT})?(\s*)${DASH}\s*(?=${NUMBER.source})`,
  "iuy",
);
const YEARS = new RegExp(String.raw`(\d{4})\s*${DASH}\s*(\d{4})(?=[\s)]|$)`, "uy");
const PLAIN = new RegExp(String.raw`${NUMBER.source}(?=[\s)]|$)`, "iuy");

/**
 * Reads a span of the field's numbers or years, both ends included. Undefined, and nothing read, where none stands
 * here or its ends do not ascend.
 */
export function readSpan(scanner: Scanner, { meanings }: Field, units: Units): readonly RangeBound[] | undefined {
  const start = scanner.at;
  const ends = meanings.some(isNumeric) ? readNumbers(scanner, units) : undefined;
  if (ends !== undefined) return boundsOf(ends);
  scanner.at = start;
  const isDate = meanings.some(({ isLeaf, leaves }) => isLeaf && leaves.some(({ type }) => type === "date"));
  const years = isDate ? new RegExp(YEARS).exec(scanner.take(YEARS) ?? "") : null;
  if (years !== null && years[1]! <= years[2]!) return boundsOf([years[1]!, years[2]!]);
  scanner.at = start;
  return undefined;
}

const boundsOf = ([from, to]: readonly [string, string]): readonly RangeBound[] => [
  { op: ">=", text: from },
  { op: "<=", text: to },
];

function readNumbers(scanner: Scanner, units: Units): readonly [string, string] | undefined {
  const first = startAt(scanner.text, scanner.at);
  if (first === undefined) return undefined;
  const { number, unit, length } = first;
  scanner.at += length;
  if (unit.trim() !== "" && findUnit(units, unit) === undefined) return undefined;
  const last = readAmount(scanner, units) ?? scanner.take(PLAIN);
  const [low, high] = [parseAmount(number)?.number, last === undefined ? undefined : parseAmount(last)?.number];
  if (last === undefined || low === undefined || high === undefined) return undefined;
  if (unit.trim() === "" && low >= high) return undefined;
  return [`${number}${unit.trim()}`, last];
}

/** A text in which the dash of a span is escaped, so that it is read as text. */
export function escapeSpan(text: string): string {
  const first = startAt(text, 0);
  return first === undefined ? text : `${text.slice(0, first.dash)}\\${text.slice(first.dash)}`;
}

/** What stands before the second number of a span: `dash` and `length` count from where it begins. */
function startAt(text: string, at: number) {
  const expression = new RegExp(START);
  expression.lastIndex = at;
  const found = expression.exec(text);
  if (found === null) return undefined;
  const [{ length }, number = "", unit = "", blanks = ""] = found;
  return { number, unit, dash: number.length + unit.length + blanks.length, length };
}
