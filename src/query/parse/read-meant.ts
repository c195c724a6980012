/**
 * Comparisons in prose, in place of the syntax of fields: `KD < 10 nM`, `Kd (nM) < 5`, `kd=10nM`, `10 nM < kd < 1 µM`,
 * `pH 7.4`, `KD between 1 and 10 nM`, `kd:10-100 nM`. The name must be a known field of numbers or dates, with a value
 * of that type; any other text stays text (`p<0.05`, `x = y`).
 */
import type { Units } from "../../core/catalog/units.js";
import type { Field } from "../fields/field-meanings.js";
import { isQuantity } from "../fields/field-type.js";
import { parseAmount, readAmount, SIGN } from "../text/amounts.js";
import { analyse } from "../text/analyse.js";
import type { Scanner } from "../text/scan.js";
import type { Named } from "./find-named.js";
import { textNode } from "./leaf-nodes.js";
import {
  END,
  END_OR_OPERATOR,
  type Find,
  fits,
  type Labelled,
  NAME,
  readMoreBounds,
  readName,
  readOne,
  withUnit,
} from "./meant-values.js";
import type { Notes } from "./notes.js";
import { printQuery } from "./print.js";
import { asciiOperator, COMPARISON } from "./range-text.js";
import { readSpan } from "./spans.js";
import type { QueryNode, RangeBound } from "./tree.js";

const OPERATOR = new RegExp(String.raw`\s*(?:${COMPARISON}|==?)\s*`, "uy");
const NUMBER_AHEAD = new RegExp(String.raw`${SIGN}?[\d.]`, "uy");

/** Comparisons in words (`COMPARING_WORD`) that a number follows. */
const WORD_OPERATORS: readonly (readonly [RegExp, RangeBound["op"]])[] = [
  [/\s+(?:is\s+)?(?:(?:less|lower|smaller)\s+than|below|under)\s+(?=[\d.])/iuy, "<"],
  [/\s+(?:is\s+)?(?:(?:greater|more|higher|larger)\s+than|above|over)\s+(?=[\d.])/iuy, ">"],
  [/\s+(?:is\s+)?(?:at\s+most|up\s+to)\s+(?=[\d.])/iuy, "<="],
  [/\s+(?:is\s+)?at\s+least\s+(?=[\d.])/iuy, ">="],
];

type RangeNode = Extract<QueryNode, { kind: "range" }>;
type ValueNode = RangeNode | Extract<QueryNode, { kind: "text" }>;

/** Reads a comparison, or a name and its value, in no field; undefined, and nothing read, where none stands here. */
export function readMeant(scanner: Scanner, find: Find, units: Units, notes: Notes): QueryNode | undefined {
  const start = scanner.at;
  for (const read of [readComparison, readReversed, readPair]) {
    const node = read(scanner, find, units);
    if (node !== undefined) {
      noteMeant(scanner.text.slice(start, scanner.at), node, notes);
      return node;
    }
    scanner.at = start;
  }
  noteEquals(scanner, find, notes);
  scanner.at = start;
  return undefined;
}

/** Reads a span after the colon of a field: `kd:10-100 nM`. */
export function readMeantSpan(scanner: Scanner, named: Named, units: Units, notes: Notes): QueryNode | undefined {
  const start = scanner.at;
  const node = spanNode(scanner, named, units);
  if (node !== undefined) noteMeant(`${named.name}:${scanner.text.slice(start, scanner.at)}`, node, notes);
  return node;
}

function spanNode(scanner: Scanner, labelled: Labelled, units: Units): RangeNode | undefined {
  const bounds = readSpan(scanner, labelled.field, units);
  return bounds === undefined ? undefined : rangeNode(labelled, bounds);
}

/** Makes the node of a range. If no bound has a unit, all of them get the unit of the label. */
function rangeNode(labelled: Labelled, bounds: readonly RangeBound[]): RangeNode {
  const isBare = bounds.every(({ text }) => parseAmount(text)?.unit === "");
  const labelledBounds = isBare ? bounds.map(({ op, text }) => ({ op, text: withUnit(text, labelled) })) : bounds;
  return { kind: "range", field: labelled.name, bounds: labelledBounds };
}

/** Shows how what was written was read. */
export function noteMeant(written: string, node: QueryNode, notes: Notes): void {
  const value = written.trim();
  notes.fallBack("QUERY_READ_AS", `"${value}" was read as ${printQuery(node)}`.replace(/\.?$/u, "."), { value });
}

/** Reads `KD < 10 nM`, `kd=10-100 nM`, `Kd (nM): 5` or `Molecular weight: 10 kDa`. */
function readComparison(scanner: Scanner, find: Find, units: Units): QueryNode | undefined {
  const labelled = readName(scanner, find, units);
  if (labelled === undefined) return undefined;
  // The parser reads the colon of other names.
  const mayHaveColon = labelled.unit !== undefined || labelled.isLong === true;
  const hasColon = mayHaveColon && scanner.take(/\s*:\s*/uy) !== undefined;
  const operator = scanner.take(OPERATOR)?.trim() ?? (hasColon ? "=" : undefined);
  if (operator === undefined) return undefined;
  if (/^==?$/u.test(operator)) return readEqual(scanner, labelled, units);
  const text = readOne(scanner, labelled.field, units, END);
  if (text === undefined) return undefined;
  const first = { op: asciiOperator(operator), text };
  return rangeNode(labelled, [first, ...readMoreBounds(scanner, labelled.field, units)]);
}

/** `10 nM < kd`, `10 nM < kd < 1 µM` */
function readReversed(scanner: Scanner, find: Find, units: Units): QueryNode | undefined {
  if (scanner.peek(NUMBER_AHEAD) === undefined) return undefined;
  const first = readAmount(scanner, units, END_OR_OPERATOR) ?? scanner.take(FIRST_VALUE);
  const op = scanner.take(OPERATOR)?.trim();
  const labelled = op === undefined || /^==?$/u.test(op) ? undefined : readName(scanner, find, units);
  if (first === undefined || op === undefined || labelled === undefined || !fits(labelled.field, first)) {
    return undefined;
  }
  const bounds: RangeBound[] = [{ op: flipped(asciiOperator(op)), text: first }];
  const second = scanner.take(OPERATOR)?.trim();
  if (second !== undefined) {
    const text = readOne(scanner, labelled.field, units, END);
    if (text === undefined || /^==?$/u.test(second)) return undefined;
    if (asciiOperator(second)[0] !== asciiOperator(op)[0]) return undefined;
    bounds.push({ op: asciiOperator(second), text });
    // Bounds are printed, and so read again, with the lower one first.
    if (asciiOperator(op).startsWith(">")) bounds.reverse();
  } else if (scanner.peek(END) === undefined) return undefined;
  return rangeNode(labelled, bounds);
}

const FIRST_VALUE = /[^\s()"\\*?^~[\]{}<>=≤≥]+(?=[\s)<>≤≥=]|$)/uy;

const flipped = (op: RangeBound["op"]): RangeBound["op"] =>
  (op.startsWith("<") ? op.replace("<", ">") : op.replace(">", "<")) as RangeBound["op"];

/**
 * Reads a field and a value that may also be words of a text: `pH 7.4`, `kd 10 nM`, `KD between 1 and 10 nM`. The query
 * then finds both: the values of the field, and the words (for a comparison in words, the phrase). A quantity must have
 * its unit.
 */
function readPair(scanner: Scanner, find: Find, units: Units): QueryNode | undefined {
  const start = scanner.at;
  const labelled = readName(scanner, find, units);
  if (labelled === undefined) return undefined;
  const inWords = readInWords(scanner, labelled, units);
  const node =
    inWords ?? (scanner.take(/\s+(?=[\d.])/uy) === undefined ? undefined : readEqual(scanner, labelled, units));
  if (node === undefined) return undefined;
  const texts = node.kind === "range" ? node.bounds.map(({ text }) => text) : [node.text];
  if (!texts.some((text) => isTold(labelled.field, text, units))) return undefined;
  const written = scanner.text.slice(start, scanner.at);
  if (inWords !== undefined) return { kind: "any", of: [node, { kind: "text", text: written, quoted: true }] };
  const words = written.split(/\s+/u).flatMap((word) => textNode(word, false) ?? []);
  return { kind: "any", of: [node, { kind: "all", of: words }] };
}

/** Reads ` below 10 nM` or ` between 1 and 10 nM` after a name. */
function readInWords(scanner: Scanner, labelled: Labelled, units: Units): RangeNode | undefined {
  const start = scanner.at;
  if (scanner.take(/\s+(?=(?:between|from)\s)/iuy) !== undefined) return spanNode(scanner, labelled, units);
  for (const [words, op] of WORD_OPERATORS) {
    if (scanner.take(words) === undefined) continue;
    const text = readOne(scanner, labelled.field, units, END);
    return text === undefined ? undefined : rangeNode(labelled, [{ op, text }]);
  }
  scanner.at = start;
  return undefined;
}

/** Is it plain that the value belongs to the field: by its unit, or because the field has none? */
function isTold({ meanings }: Field, text: string, units: Units): boolean {
  const hasUnit = parseAmount(text)?.unit !== "";
  return meanings.some((meaning) => {
    if (!isQuantity(meaning)) return true;
    return hasUnit || units.dimensions.get(meaning.dimensions?.[0] ?? "")?.bare === true;
  });
}

/** One value or a span of them, as after a colon. */
function readEqual(scanner: Scanner, labelled: Labelled, units: Units): ValueNode | undefined {
  const span = spanNode(scanner, labelled, units);
  if (span !== undefined) return span;
  const text = readOne(scanner, labelled.field, units, END);
  if (text === undefined) return undefined;
  return { kind: "text", field: labelled.name, text: withUnit(text, labelled), quoted: false };
}

/** `title = lysozyme` stays words, as any `x = y`; the field is near. */
function noteEquals(scanner: Scanner, find: Find, notes: Notes): void {
  const start = scanner.at;
  const name = scanner.take(NAME);
  if (name === undefined || scanner.take(/\s*==?\s*/uy) === undefined || scanner.isAtEnd) return;
  const first = scanner.at;
  if (scanner.next === '"') scanner.readQuoted();
  else scanner.readWord();
  const [value, asked] = [scanner.text.slice(start, scanner.at), scanner.text.slice(first, scanner.at)];
  if (analyse(asked).length === 0 || find(name) === undefined) return;
  const near = `${name}:${asked}`;
  const message = `"${value}" was read as words. To search the field, use a colon: ${near}`.replace(/\.?$/u, ".");
  notes.warn("QUERY_FIELD_NEAR", message, { value, nearest: [near] });
}
