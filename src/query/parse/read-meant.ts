/**
 * What people type in place of the syntax of fields: `KD < 10 nM`, `kd=10nM`, `10 nM < kd < 1 µM`, `pH 7.4`,
 * `kd:10-100 nM`. It is read only where the name is a known field of numbers or dates and such a value stands there;
 * anything else stays text (`p<0.05`, `x = y`).
 */
import type { Units } from "../../core/catalog/unit-types.js";
import type { Field, Meaning } from "../fields/field-meanings.js";
import { isQuantity } from "../fields/field-type.js";
import { parseAmount, readAmount } from "../text/amounts.js";
import { analyse } from "../text/analyse.js";
import type { Scanner } from "../text/scan.js";
import { readValue } from "./bounds.js";
import type { Named } from "./find-named.js";
import type { Notes } from "./notes.js";
import { printQuery } from "./print.js";
import { asciiOperator } from "./range-text.js";
import { readSpan } from "./spans.js";
import type { QueryNode, RangeBound } from "./tree.js";
import { textNode } from "./word-node.js";

/** Finds the field that a name stands for where the scanner is. */
type Find = (name: string) => Named | undefined;

const NAME = /[^\s()":\\*?^~[\]{}<>=≤≥,;]+/uy;
const OPERATOR = /\s*(?:[<>]=?|[≤≥]|==?)\s*/uy;
const VALUE = /[^\s()"\\*?^~[\]{}<>=≤≥]+(?=[\s)<>≤≥]|$)/uy;
/** What may follow a value: an operator only where the value stands first. */
const END = /[\s)]|$/uy;
const END_OR_OPERATOR = /[\s)<>≤≥]|$/uy;

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

function spanNode(
  scanner: Scanner,
  { name, field }: Named,
  units: Units,
): Extract<QueryNode, { kind: "range" }> | undefined {
  const bounds = readSpan(scanner, field, units);
  return bounds === undefined ? undefined : { kind: "range", field: name, bounds };
}

/** Shows how what was written was read. */
function noteMeant(written: string, node: QueryNode, notes: Notes): void {
  const value = written.trim();
  notes.fallBack("QUERY_READ_AS", `"${value}" was read as ${printQuery(node)}`.replace(/\.?$/u, "."), { value });
}

/** `KD < 10 nM`, `kd=10-100 nM` */
function readComparison(scanner: Scanner, find: Find, units: Units): QueryNode | undefined {
  const name = scanner.take(NAME);
  const operator = scanner.take(OPERATOR)?.trim();
  const named = name === undefined || operator === undefined ? undefined : find(name);
  if (named === undefined || operator === undefined) return undefined;
  if (operator.startsWith("=")) return readEqual(scanner, named, units);
  const text = readOne(scanner, named.field, units, END);
  if (text === undefined) return undefined;
  return { kind: "range", field: named.name, bounds: [{ op: asciiOperator(operator), text }] };
}

/** `10 nM < kd`, `10 nM < kd < 1 µM` */
function readReversed(scanner: Scanner, find: Find, units: Units): QueryNode | undefined {
  if (!/[\d.+−-]/u.test(scanner.next)) return undefined;
  const first = readAmount(scanner, units, END_OR_OPERATOR) ?? scanner.take(VALUE);
  const op = scanner.take(OPERATOR)?.trim();
  const name = op === undefined || op.startsWith("=") ? undefined : scanner.take(NAME);
  const named = name === undefined ? undefined : find(name);
  if (first === undefined || op === undefined || named === undefined || !fits(named.field, first)) return undefined;
  const bounds: RangeBound[] = [{ op: flipped(asciiOperator(op)), text: first }];
  const second = scanner.take(OPERATOR)?.trim();
  if (second !== undefined) {
    const text = readOne(scanner, named.field, units, END);
    if (text === undefined || second[0] === "=" || asciiOperator(second)[0] !== asciiOperator(op)[0]) return undefined;
    bounds.push({ op: asciiOperator(second), text });
    // Bounds are printed, and so read again, with the lower one first.
    if (op.startsWith(">") || op === "≥") bounds.reverse();
  } else if (scanner.peek(END) === undefined) return undefined;
  return { kind: "range", field: named.name, bounds };
}

const flipped = (op: RangeBound["op"]): RangeBound["op"] =>
  (op.startsWith("<") ? op.replace("<", ">") : op.replace(">", "<")) as RangeBound["op"];

/**
 * `pH 7.4`, `kd 10 nM`: a field, and words that a text may have as well. Both are looked for, so that whatever the
 * words find is found. A quantity must have its unit.
 */
function readPair(scanner: Scanner, find: Find, units: Units): QueryNode | undefined {
  const start = scanner.at;
  const name = scanner.take(NAME);
  if (name === undefined || scanner.take(/\s+(?=[\d.])/uy) === undefined) return undefined;
  const named = find(name);
  const node = named && readEqual(scanner, named, units);
  if (named === undefined || node === undefined) return undefined;
  const texts = node.kind === "range" ? node.bounds.map(({ text }) => text) : "text" in node ? [node.text] : [];
  if (!texts.some((text) => isTold(named.field, text, units))) return undefined;
  const written = scanner.text.slice(start, scanner.at).split(/\s+/u);
  return { kind: "any", of: [node, { kind: "all", of: written.flatMap((word) => textNode(word, false) ?? []) }] };
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
function readEqual(scanner: Scanner, { name, field }: Named, units: Units) {
  const span = spanNode(scanner, { name, field }, units);
  if (span !== undefined) return span;
  const text = readOne(scanner, field, units, END);
  return text === undefined ? undefined : ({ kind: "text", field: name, text, quoted: false } as const);
}

function readOne(scanner: Scanner, field: Field, units: Units, end: RegExp): string | undefined {
  const amount = field.meanings.some(isQuantity) ? readAmount(scanner, units, end) : undefined;
  if (amount !== undefined) return amount;
  const value = scanner.take(VALUE);
  return value !== undefined && scanner.peek(end) !== undefined && fits(field, value) ? value : undefined;
}

/** Is the text a value of the field that compares: a number, with its unit, or a date? */
function fits({ meanings }: Field, text: string): boolean {
  return meanings.some((meaning) => {
    if (isQuantity(meaning)) return parseAmount(text) !== undefined;
    return typesOf(meaning).some((type) => readValue(text, type, 0) !== undefined);
  });
}

const typesOf = ({ isLeaf, leaves }: Meaning) => (isLeaf ? leaves.map(({ type }) => type) : []);

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
