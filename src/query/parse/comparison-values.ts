/** Readers for the pieces of a comparison in prose: the field with its unit, the value, and further bounds. */

import { joinAmount, parseAmount, plainAmount } from "../../core/units/amounts.js";
import { findUnit, type Units } from "../../core/units/units.js";
import { type Field, fitsUnit, isNumeric, isQuantity, type Meaning } from "../fields/field-meanings.js";
import { readAmount } from "../text/read-amount.js";
import type { Scanner } from "../text/scan.js";
import { readValue } from "./bounds.js";
import type { NamedField } from "./frame.js";
import { asciiOperator, COMPARISON } from "./range-text.js";
import type { RangeBound } from "./tree.js";

/** Looks up a field by the name at the position of the scanner. */
export type FindField = (name: string) => NamedField | undefined;

/** A field with the unit after its name: `Kd (nM)`. */
export interface LabelledField extends NamedField {
  readonly unit?: string;
  /** True if the name was written as several words. */
  readonly isLong?: true;
}

export const NAME = /[^\s()":\\*?^~[\]{}<>=≤≥,;]+/uy;
const LABEL = /\s*(?:\(((?:[^()[\]"]|\([^()"]*\))+)\)|\[([^()[\]"]+)\]|\/\s*([^\s<>=≤≥:]+))/uy;

/** First word of a comparison in words (`WORD_OPERATORS`), or of a span. */
const COMPARING_WORD =
  "(?:is|less|lower|smaller|below|under|greater|more|higher|larger|above|over|at|up|between|from)\\s";

/** Two to four words before an operator, a colon, a unit in brackets or a number: `Molecular weight (kDa) >`. */
const LONG_NAME = new RegExp(
  String.raw`\p{L}[\p{L}\p{N}]*(?:\s+(?!${COMPARING_WORD})\p{L}[\p{L}\p{N}]*){1,3}` +
    String.raw`(?=\s*(?:[:=([]|${COMPARISON})|\s+(?:\d|${COMPARING_WORD}))`,
  "iuy",
);

/** Reads a label of several words, as pages show it. Returns the field by the name with underscores. */
function readLongName(scanner: Scanner, find: FindField): LabelledField | undefined {
  const start = scanner.at;
  const words = scanner.take(LONG_NAME);
  const namedField = words === undefined ? undefined : find(words.toLowerCase().replaceAll(/\s+/gu, "_"));
  if (namedField !== undefined) return { ...namedField, isLong: true };
  scanner.at = start;
  return undefined;
}

/** Reads the name of a field, and its unit in brackets or after a slash. Undefined if the name is not known. */
export function readFieldName(scanner: Scanner, find: FindField, units: Units): LabelledField | undefined {
  const longName = readLongName(scanner, find);
  const name = longName?.name ?? scanner.take(NAME);
  const namedField: LabelledField | undefined = longName ?? (name === undefined ? undefined : find(name));
  if (namedField === undefined) return name === undefined ? undefined : readSlashed(name, find, units);
  const start = scanner.at;
  const label = scanner.take(LABEL);
  const unit = label
    ?.trim()
    .replace(/^\((.*)\)$|^\[(.*)\]$|^\//su, "$1$2")
    .trim();
  if (unit !== undefined && isUnitOf(namedField.field, unit, units)) return { ...namedField, unit };
  scanner.at = start;
  return namedField;
}

/** Divides `Kd/nM` into the field and its unit. */
function readSlashed(written: string, find: FindField, units: Units): LabelledField | undefined {
  const slash = written.indexOf("/");
  const namedField = slash > 0 ? find(written.slice(0, slash)) : undefined;
  const unit = written.slice(slash + 1);
  return namedField !== undefined && isUnitOf(namedField.field, unit, units) ? { ...namedField, unit } : undefined;
}

const isUnitOf = (field: Field, unit: string, units: Units): boolean =>
  field.meanings.some(isQuantity) && findUnit(units, unit) !== undefined && fitsUnit(field, `1 ${unit}`, units);

/** Adds the unit of the label to a number without a unit. */
export function withUnit(text: string, { unit }: LabelledField): string {
  return unit !== undefined && parseAmount(text)?.unit === "" ? joinAmount(text, unit) : text;
}

const VALUE = /(?:[^\s()"\\*?^~[\]{}<>=≤≥,;]|[,;](?=[^\s)]))+(?=[\s)<>≤≥,;]|$)/uy;

/** End of a value. An operator may follow only the first value of a comparison. */
export const END = /[\s),;]|$/uy;
export const END_OR_OPERATOR = /[\s)<>≤≥,;]|$/uy;

/** Reads one value that the field can compare: a number, with its unit, or a date. */
export function readFieldValue(scanner: Scanner, field: Field, units: Units, end: RegExp): string | undefined {
  const amount = field.meanings.some(isQuantity) ? readAmount(scanner, units, end) : undefined;
  if (amount !== undefined) return amount;
  const value = scanner.take(VALUE);
  if (value === undefined || scanner.peek(end) === undefined || !isComparable(field, value)) return undefined;
  return field.meanings.some(isNumeric) ? plainAmount(value) : value;
}

/** Returns whether the text is a value that the field can compare: a number, with its unit, or a date. */
export function isComparable({ meanings }: Field, text: string): boolean {
  return meanings.some((meaning) => {
    if (isQuantity(meaning)) return parseAmount(text) !== undefined;
    return leafTypes(meaning).some((type) => readValue(text, type, 0) !== undefined);
  });
}

const leafTypes = ({ isLeaf, leaves }: Meaning) => (isLeaf ? leaves.map(({ type }) => type) : []);

const COMPARED = new RegExp(String.raw`(?:${COMPARISON})\s*`, "uy");

/** Reads a comparison without a name (`<10 nM`). For any other text, returns undefined and reads nothing. */
export function readBound(scanner: Scanner, field: Field, units: Units): RangeBound | undefined {
  const start = scanner.at;
  const operator = scanner.take(COMPARED)?.trim();
  const text = operator === undefined ? undefined : readFieldValue(scanner, field, units, END);
  if (operator !== undefined && text !== undefined) return { op: asciiOperator(operator), text };
  scanner.at = start;
  return undefined;
}

const AND = /(?:\s+(?:(?:AND|and|but|&{1,2})\s+)?|\s*,\s*)(?==?[<>]|[≤≥])/uy;

/** Reads further bounds of the same value: `AND <10 nM` after `kd:>1 nM`. */
export function readMoreBounds(scanner: Scanner, field: Field, units: Units): readonly RangeBound[] {
  const bounds: RangeBound[] = [];
  for (;;) {
    const start = scanner.at;
    const bound = scanner.take(AND) === undefined ? undefined : readBound(scanner, field, units);
    if (bound === undefined) {
      scanner.at = start;
      return bounds;
    }
    bounds.push(bound);
  }
}
