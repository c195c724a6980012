import type { Units } from "../../core/catalog/units.js";
import { readAmount } from "../text/amounts.js";
import type { Scanner } from "../text/scan.js";
import type { RangeBound } from "./tree.js";

/** A range as it was written after its field. */
interface RangeText {
  /** None where both ends are open. */
  readonly bounds: readonly RangeBound[];
  readonly isClosed: boolean;
  /** Had it both ends? An end that lacks is open. */
  readonly isWhole: boolean;
}

/** Comparison operator (`>=`, `>`, `<=` or `<`) in all spellings. */
export const COMPARISON = "[<>]=?|=[<>]|[≤≥]";
const COMPARED = new RegExp(COMPARISON, "uy");

/**
 * Reads an operator and its value, with or without a blank between them. Undefined if there is no operator.
 * @param units where numbers of the field have units, which then may follow after a blank
 */
export function readComparison(scanner: Scanner, units?: Units): RangeText | undefined {
  const written = scanner.take(COMPARED);
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
 * `[a TO b]`, `{a TO b}` and their mixtures. Undefined, and nothing read, where no `TO` comes before the closing
 * bracket. One that is not closed ends with the word after `TO`.
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
  const isShut = closes(scanner);
  const to = readEnd(scanner, false, isShut);
  scanner.skipBlanks();
  const closing = isShut ? scanner.take(/[\]}]/uy) : undefined;
  const bounds: RangeBound[] = [];
  if (from !== undefined && from !== "*") bounds.push({ op: opening === "[" ? ">=" : ">", text: unmark(from) });
  if (to !== undefined && to !== "*") bounds.push({ op: closing === "}" ? "<" : "<=", text: unmark(to) });
  return { bounds, isClosed: closing !== undefined, isWhole: from !== undefined && to !== undefined };
}

/** A star in quotes is text; this tells it from the open end. */
const QUOTED = '"';
const unmark = (end: string): string => (end.startsWith(QUOTED) ? end.slice(1) : end);

/** `1 mM`, `17 May 2024`: more is no end but a bracket in a text. */
const END_WORDS_MAX = 8;

/** An end: in quotes, or words up to `TO` (the first) or the closing bracket (the second). */
function readEnd(scanner: Scanner, isFirst: boolean, isShut = true): string | undefined {
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
    if (!isShut) break;
  }
  return words.length === 0 ? undefined : words.join(" ").replace(/\\([\s\S])/gu, "$1");
}

/** Does a closing bracket come, outside of quotes? */
function closes(scanner: Scanner): boolean {
  return scanner.peek(/(?:[^"\]}]|"(?:[^"\\]|\\[\s\S])*")*[\]}]/uy) !== undefined;
}
