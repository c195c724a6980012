/**
 * Comparisons in prose, in place of the syntax of fields: `KD < 10 nM`, `Kd (nM) < 5`, `kd=10nM`, `10 nM < kd < 1 µM`,
 * `pH 7.4`, `KD between 1 and 10 nM`, `kd:10-100 nM`. The name must be a known field of numbers or dates, with a value
 * of that type; any other text stays text (`p<0.05`, `x = y`).
 */

import { parseAmount, SIGN } from "../../core/units/amounts.js";
import type { Units } from "../../core/units/units.js";
import { isQuantity, type SearchField } from "../fields/field-meanings.js";
import { analyse } from "../text/analyse.js";
import { readAmount } from "../text/read-amount.js";
import type { Scanner } from "../text/scan.js";
import {
  FIELD_NAME_WORD,
  type FindField,
  isComparable,
  type LabelledField,
  readFieldName,
  readFieldValue,
  readMoreBounds,
  VALUE_END,
  VALUE_END_OR_OPERATOR,
  withFittingUnit,
  withUnit,
} from "./comparison-values.js";
import type { NamedField } from "./frame.js";
import { textNode } from "./leaf-nodes.js";
import { type Notes, noteReading } from "./notes.js";
import { asciiOperator, COMPARISON } from "./range-text.js";
import { readSpan } from "./spans.js";
import type { QueryNode, RangeBound } from "./tree.js";

/** Words between a name and its comparison: `KD values are below 10 nM`, `a KD of < 10 nM`. */
const LINK = String.raw`(?:\s+values?)?(?:\s+(?:is|are|was|were|of))?`;
const OPERATOR = new RegExp(String.raw`\s*(?:${COMPARISON}|==?)\s*`, "uy");
const LINK_BEFORE_OPERATOR = new RegExp(String.raw`${LINK}(?=\s*(?:${COMPARISON}|=))`, "iuy");
const NUMBER_AHEAD = new RegExp(String.raw`${SIGN}?[\d.]`, "uy");

/** Makes an expression for words before a number. */
const wordsBeforeNumber = (words: string): RegExp =>
  new RegExp(String.raw`${LINK}\s+(?:${words.replaceAll(" ", String.raw`\s+`)})\s+(?=${SIGN}?[\d.])`, "iuy");

/** Comparisons in words (`COMPARING_WORD`) before a number. */
const WORD_OPERATORS: readonly (readonly [RegExp, RangeBound["op"] | "="])[] = [
  [
    wordsBeforeNumber("at most|up to|not? (?:greater|more|higher|larger) than|(?:less|lower|smaller) than or equal to"),
    "<=",
  ],
  [
    wordsBeforeNumber("at least|not? (?:less|lower|smaller) than|(?:greater|more|higher|larger) than or equal to"),
    ">=",
  ],
  [wordsBeforeNumber("(?:less|lower|smaller) than|below|under"), "<"],
  [wordsBeforeNumber("(?:greater|more|higher|larger) than|above|over|exceeding"), ">"],
  [wordsBeforeNumber("equals?|equal to"), "="],
  [new RegExp(String.raw`(?:\s+values?)?\s+(?:is|are|was|were|of)\s+(?=${SIGN}?[\d.])`, "iuy"), "="],
];

/** Words before a span. */
const SPAN_WORDS: readonly RegExp[] = [
  new RegExp(String.raw`${LINK}\s+(?:ranging\s+)?(?=(?:between|from)\s)`, "iuy"),
  wordsBeforeNumber("within|in (?:the |a )?range(?: of)?|ranging"),
];

/** Comparing words that are hardly words of a title. After them, a number needs no unit. */
const CLEAR_WORDS = /\s(?:than|at|below|above|between)\s/iu;

/** Dash before a number that can be no operator. */
const MINUS_OR_NUMBER = /\s+(?=[\u2010-\u2014\u2212\ufe63\uff0d]?[\d.])/uy;

type RangeNode = Extract<QueryNode, { kind: "range" }>;
type ValueNode = RangeNode | Extract<QueryNode, { kind: "text" }>;

/** Words that join a comparison to the text before it: `lysozyme with a KD < 10 nM`. */
export const AND_WORD = /(?:and|but|with|where|having|whose)(?:\s+(?:an?|the|its))?\s+/iuy;
/** Words that separate alternative comparisons: `kd < 1 nM or kd > 1 µM`. */
export const OR_WORD = /or(?:\s+(?:an?|the|its))?\s+/iuy;

/** Reads a comparison, or a name and its value, in prose. For any other text, returns undefined and reads nothing. */
export function readProseComparison(
  scanner: Scanner,
  find: FindField,
  units: Units,
  notes: Notes,
): QueryNode | undefined {
  const start = scanner.at;
  for (const read of [readNameFirst, readValueFirst, readNameAndValue]) {
    const node = read(scanner, find, units);
    if (node !== undefined) {
      noteReading(scanner.text.slice(start, scanner.at), node, notes);
      return node;
    }
    scanner.at = start;
  }
  noteEquals(scanner, find, notes);
  scanner.at = start;
  return undefined;
}

/** Reads a span after the colon of a field: `kd:10-100 nM`. */
export function readFieldSpan(scanner: Scanner, named: NamedField, units: Units, notes: Notes): QueryNode | undefined {
  const start = scanner.at;
  const node = spanNode(scanner, named, units);
  if (node !== undefined) noteReading(`${named.name}:${scanner.text.slice(start, scanner.at)}`, node, notes);
  return node;
}

function spanNode(scanner: Scanner, labelledField: LabelledField, units: Units): RangeNode | undefined {
  const { field } = labelledField;
  const bounds = readSpan(scanner, field, units)?.map(({ op, text }) => ({
    op,
    text: withFittingUnit(text, field, units),
  }));
  return bounds === undefined ? undefined : rangeNode(labelledField, bounds);
}

/** Makes the node of a range. If no bound has a unit, all of them get the unit of the label. */
function rangeNode(labelledField: LabelledField, bounds: readonly RangeBound[]): RangeNode {
  const isBare = bounds.every(({ text }) => parseAmount(text)?.unit === "");
  const labelledBounds = isBare ? bounds.map(({ op, text }) => ({ op, text: withUnit(text, labelledField) })) : bounds;
  return { kind: "range", field: labelledField.name, bounds: labelledBounds };
}

/** Reads `KD < 10 nM`, `kd=10-100 nM`, `Kd (nM): 5`, `KD : 5 nM` or `Molecular weight: 10 kDa`. */
function readNameFirst(scanner: Scanner, find: FindField, units: Units): QueryNode | undefined {
  const labelledField = readFieldName(scanner, find, units);
  if (labelledField === undefined) return undefined;
  scanner.take(LINK_BEFORE_OPERATOR);
  // The parser reads the colon directly after other names.
  const mayTouch = labelledField.unit !== undefined || labelledField.isLong === true;
  const hasColon = scanner.take(mayTouch ? /\s*:\s*/uy : /\s+:\s*/uy) !== undefined;
  const operator = scanner.take(OPERATOR)?.trim() ?? (hasColon ? "=" : undefined);
  if (operator === undefined) return undefined;
  if (/^==?$/u.test(operator)) return readEqualValue(scanner, labelledField, units);
  const text = readFieldValue(scanner, labelledField.field, units, VALUE_END);
  if (text === undefined) return undefined;
  const first = { op: asciiOperator(operator), text };
  return rangeNode(labelledField, [first, ...readMoreBounds(scanner, labelledField.field, units)]);
}

/** Reads `10 nM < kd` or `10 nM < kd < 1 µM`. */
function readValueFirst(scanner: Scanner, find: FindField, units: Units): QueryNode | undefined {
  if (scanner.peek(NUMBER_AHEAD) === undefined) return undefined;
  const first = readAmount(scanner, units, VALUE_END_OR_OPERATOR) ?? scanner.take(FIRST_VALUE);
  const op = scanner.take(OPERATOR)?.trim();
  const labelledField = op === undefined || /^==?$/u.test(op) ? undefined : readFieldName(scanner, find, units);
  if (
    first === undefined ||
    op === undefined ||
    labelledField === undefined ||
    !isComparable(labelledField.field, first)
  ) {
    return undefined;
  }
  const bounds: RangeBound[] = [{ op: flipped(asciiOperator(op)), text: first }];
  const second = scanner.take(OPERATOR)?.trim();
  if (second !== undefined) {
    const text = readFieldValue(scanner, labelledField.field, units, VALUE_END);
    if (text === undefined || /^==?$/u.test(second)) return undefined;
    if (asciiOperator(second)[0] !== asciiOperator(op)[0]) return undefined;
    bounds.push({ op: asciiOperator(second), text });
    // The lower bound comes first, as in the printed query.
    if (asciiOperator(op).startsWith(">")) bounds.reverse();
  } else if (scanner.peek(VALUE_END) === undefined) return undefined;
  return rangeNode(labelledField, bounds);
}

const FIRST_VALUE = /[^\s()"\\*?^~[\]{}<>=≤≥]+(?=[\s)<>≤≥=]|$)/uy;

const flipped = (op: RangeBound["op"]): RangeBound["op"] =>
  (op.startsWith("<") ? op.replace("<", ">") : op.replace(">", "<")) as RangeBound["op"];

/**
 * Reads a field and a value that may also be words of a text: `pH 7.4`, `kd 10 nM`, `KD between 1 and 10 nM`. The query
 * then finds both: the values of the field, and the words (for a comparison in words, the phrase). A quantity must have
 * its unit, except after clear words.
 */
function readNameAndValue(scanner: Scanner, find: FindField, units: Units): QueryNode | undefined {
  const start = scanner.at;
  const labelledField = readFieldName(scanner, find, units);
  if (labelledField === undefined) return undefined;
  const inWords = readInWords(scanner, labelledField, units);
  const node =
    inWords ??
    (scanner.take(MINUS_OR_NUMBER) === undefined ? undefined : readEqualValue(scanner, labelledField, units));
  if (node === undefined) return undefined;
  const written = scanner.text.slice(start, scanner.at);
  const texts = node.kind === "range" ? node.bounds.map(({ text }) => text) : [node.text];
  const isClear = inWords?.kind === "range" && CLEAR_WORDS.test(written);
  if (!isClear && !texts.some((text) => hasOwnUnit(labelledField.field, text, units))) return undefined;
  if (inWords !== undefined) return { kind: "any", of: [node, { kind: "text", text: written, quoted: true }] };
  const words = written.split(/\s+/u).flatMap((word) => textNode(word, false) ?? []);
  return { kind: "any", of: [node, { kind: "all", of: words }] };
}

/** Reads ` below 10 nM`, ` of 10 nM` or ` between 1 and 10 nM` after a name. */
function readInWords(scanner: Scanner, labelledField: LabelledField, units: Units): ValueNode | undefined {
  const start = scanner.at;
  for (const words of SPAN_WORDS) {
    const span = scanner.take(words) === undefined ? undefined : spanNode(scanner, labelledField, units);
    if (span !== undefined) return span;
    scanner.at = start;
  }
  for (const [words, op] of WORD_OPERATORS) {
    if (scanner.take(words) === undefined) continue;
    if (op === "=") return readEqualValue(scanner, labelledField, units);
    const text = readFieldValue(scanner, labelledField.field, units, VALUE_END);
    return text === undefined ? undefined : rangeNode(labelledField, [{ op, text }]);
  }
  return undefined;
}

/** Returns whether a value clearly belongs to the field: it has a unit, or the field does not need one. */
function hasOwnUnit({ meanings }: SearchField, text: string, units: Units): boolean {
  const hasUnit = parseAmount(text)?.unit !== "";
  return meanings.some((meaning) => {
    if (!isQuantity(meaning)) return true;
    return hasUnit || units.dimensions.get(meaning.dimensions?.[0] ?? "")?.bare === true;
  });
}

/** Reads one value or a span, as after a colon. */
function readEqualValue(scanner: Scanner, labelledField: LabelledField, units: Units): ValueNode | undefined {
  const span = spanNode(scanner, labelledField, units);
  if (span !== undefined) return span;
  const text = readFieldValue(scanner, labelledField.field, units, VALUE_END);
  if (text === undefined) return undefined;
  return { kind: "text", field: labelledField.name, text: withUnit(text, labelledField), quoted: false };
}

/** Warns that `title = lysozyme` was read as words, although `title` is a field. */
function noteEquals(scanner: Scanner, find: FindField, notes: Notes): void {
  const start = scanner.at;
  const name = scanner.take(FIELD_NAME_WORD);
  if (name === undefined || scanner.take(/\s*==?\s*/uy) === undefined || scanner.isAtEnd) return;
  const valueStart = scanner.at;
  if (scanner.next === '"') scanner.readQuoted();
  else scanner.readWord();
  const value = scanner.text.slice(valueStart, scanner.at);
  if (analyse(value).length === 0 || find(name) === undefined) return;
  const written = scanner.text.slice(start, scanner.at);
  const clause = `${name}:${value}`;
  const message = `"${written}" was read as words. To search the field, use a colon: ${clause}`.replace(/\.?$/u, ".");
  notes.warn("QUERY_FIELD_NEAR", message, { value: written, nearest: [clause] });
}
