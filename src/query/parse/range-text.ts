import type { Units } from "../../core/units/units.js";
import { readAmount } from "../text/read-amount.js";
import type { Scanner } from "../text/scan.js";
import type { RangeBound } from "./tree.js";

/** A range as written after its field. */
interface RangeText {
  /** Empty if both ends are open. */
  readonly bounds: readonly RangeBound[];
  readonly isClosed: boolean;
  /** Whether both ends are present. A missing end is open. */
  readonly isWhole: boolean;
}

/** Comparison operator (`>=`, `>`, `<=` or `<`) in all spellings. */
export const COMPARISON = "[<>]=?|=[<>]|[≤≥]";
const OPERATOR = new RegExp(COMPARISON, "uy");

/**
 * Reads an operator and its value, with or without a blank between them. Undefined if there is no operator.
 * @param units undefined if the numbers of the field have no units. A unit may follow after a blank
 */
export function readComparison(scanner: Scanner, units?: Units): RangeText | undefined {
  const written = scanner.take(OPERATOR);
  if (written === undefined) return undefined;
  const op = asciiOperator(written);
  scanner.skipBlanks();
  if (scanner.next === '"') {
    const { text, isClosed } = scanner.readQuoted();
    return { bounds: text === "" ? [] : [{ op, text }], isClosed, isWhole: text !== "" };
  }
  const text = (units && readAmount(scanner, units)) ?? scanner.readWord().text;
  const isOpen = text === "*";
  return { bounds: text === "" || isOpen ? [] : [{ op, text }], isClosed: true, isWhole: text !== "" };
}

/** Returns the ASCII form of an operator such as `≤` or `=<`. */
export function asciiOperator(written: string): RangeBound["op"] {
  return written
    .replace("≤", "<=")
    .replace("≥", ">=")
    .replace(/^=(.)$/u, "$1=") as RangeBound["op"];
}

/**
 * Reads `[a TO b]`, `{a TO b}` or a mixture of them. If there is no `TO` before the closing bracket, returns undefined
 * and reads nothing. A range that is not closed ends with the word after `TO`.
 */
export function readBracketed(scanner: Scanner): RangeText | undefined {
  const start = scanner.at;
  const opening = scanner.take(/[[{]/uy);
  if (opening === undefined) return undefined;
  const from = readEnd(scanner, true);
  scanner.skipBlanks();
  if (scanner.take(/TO(?=[\s"\]}]|$)/uy) === undefined) {
    scanner.at = start;
    return undefined;
  }
  const hasClosing = hasClosingBracket(scanner);
  const to = readEnd(scanner, false, hasClosing);
  scanner.skipBlanks();
  const closing = hasClosing ? scanner.take(/[\]}]/uy) : undefined;
  const bounds: RangeBound[] = [];
  if (from !== undefined && from !== "*") bounds.push({ op: opening === "[" ? ">=" : ">", text: unmark(from) });
  if (to !== undefined && to !== "*") bounds.push({ op: closing === "}" ? "<" : "<=", text: unmark(to) });
  return { bounds, isClosed: closing !== undefined, isWhole: from !== undefined && to !== undefined };
}

/** Mark of an end in quotes, so that a star in quotes is text and not an open end. */
const QUOTED = '"';
const unmark = (end: string): string => (end.startsWith(QUOTED) ? end.slice(1) : end);

/** Maximum number of words in an end (`1 mM`, `17 May 2024`). A longer text is not a range. */
const END_WORDS_MAX = 8;

/** Reads an end: in quotes, or words up to `TO` (the first end) or the closing bracket (the second). */
function readEnd(scanner: Scanner, isFirst: boolean, hasClosing = true): string | undefined {
  scanner.skipBlanks();
  if (scanner.next === '"') {
    const { text } = scanner.readQuoted();
    return text === "" ? undefined : QUOTED + text;
  }
  const words: string[] = [];
  while (!scanner.isAtEnd && words.length < END_WORDS_MAX) {
    scanner.skipBlanks();
    if (isFirst && scanner.peek(/TO(?=[\s"\]}]|$)/uy) !== undefined) break;
    const word = scanner.take(/[^\s"\]}]+/uy);
    if (word === undefined) break;
    words.push(word);
    if (!hasClosing) break;
  }
  return words.length === 0 ? undefined : words.join(" ").replace(/\\([\s\S])/gu, "$1");
}

/** Returns whether a closing bracket follows, outside of quotes. */
function hasClosingBracket(scanner: Scanner): boolean {
  return scanner.peek(/(?:[^"\]}]|"(?:[^"\\]|\\[\s\S])*")*[\]}]/uy) !== undefined;
}
