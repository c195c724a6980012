/** Readers for the pieces of a comparison in prose: the field with its unit, the value, and further bounds. */

import { cleanNumber, joinAmount, parseAmount, plainAmount } from "../../core/units/amounts.js";
import type { Units } from "../../core/units/units.js";
import { fittingUnit, isNumericField, isQuantity, type Meaning, type SearchField } from "../fields/field-meanings.js";
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
  readonly unit?: string | undefined;
  /** Number before the unit, by which numbers without a unit are multiplied: 100000 of `kon (10⁵ M⁻¹ s⁻¹)`. */
  readonly factor?: number;
  /** True if the name was written as several words. */
  readonly isLong?: true;
}

/** Word of the name of a field. */
export const FIELD_NAME_WORD = /[^\s()":\\*?^~[\]{}<>=≤≥,;]+/uy;

/** First word of a comparison in words, or of what links it to its field. */
const COMPARING_WORD =
  "(?:values?|is|are|was|were|of|equals?|equal|less|lower|smaller|below|under|greater|more|higher|larger|above|over|" +
  "exceeding|at|up|not?|between|from|within|in|ranging)\\s";

/** Two to four words before an operator, a colon, a unit, a number or a comparison: `Molecular weight (kDa) >`. */
const LONG_NAME = new RegExp(
  String.raw`\p{L}[\p{L}\p{N}]*(?:\s+\p{L}[\p{L}\p{N}]*){1,3}` +
    String.raw`(?=\s*(?:[:=([,/]|${COMPARISON})|\s+(?:\d|${COMPARING_WORD}))`,
  "iuy",
);

/** Units after a name: in brackets, after a slash, or before an operator (`KD in nM <`, `KD, nM =`). */
const LABELS: readonly RegExp[] = [
  /\s*(?:\((?:[^()[\]"]|\([^()"]*\))+\)|\[[^()[\]"]+\])/uy,
  /\s*\/\s*[^\s<>=≤≥:]+/uy,
  new RegExp(
    String.raw`(?:\s*,\s*|\s+)[^\s()[\]"<>=\u2264\u2265:,][^()[\]"<>=\u2264\u2265:,]{0,40}?` +
      String.raw`(?=\s*(?:[:=]|${COMPARISON})|\s+${COMPARING_WORD})`,
    "iuy",
  ),
];

/** Reads a label of several words, as pages show it. Returns the field by the name with underscores. */
function readLongName(scanner: Scanner, find: FindField): LabelledField | undefined {
  const start = scanner.at;
  // The last words may belong to the comparison: `Molecular weight is below 50 kDa`.
  for (let words = scanner.take(LONG_NAME); words !== undefined; words = /^(.+\S)\s+\S+$/su.exec(words)?.[1]) {
    const namedField = /\s/u.test(words) ? find(words.toLowerCase().replaceAll(/\s+/gu, "_")) : undefined;
    scanner.at = start + words.length;
    if (namedField !== undefined) return { ...namedField, isLong: true };
  }
  scanner.at = start;
  return undefined;
}

/** Reads the name of a field, and the unit after it. Undefined if the name is not known. */
export function readFieldName(scanner: Scanner, find: FindField, units: Units): LabelledField | undefined {
  const longName = readLongName(scanner, find);
  const name = longName?.name ?? scanner.take(FIELD_NAME_WORD);
  const namedField: LabelledField | undefined = longName ?? (name === undefined ? undefined : find(name));
  if (namedField === undefined) return name === undefined ? undefined : splitName(name, find, units);
  const start = scanner.at;
  for (const label of LABELS) {
    const written = scanner.take(label);
    const unit = written === undefined ? undefined : labelUnit(written, namedField.field, units);
    if (unit !== undefined) return { ...namedField, ...unit };
    scanner.at = start;
  }
  return namedField;
}

/** Divides `Kd/nM` and `Kd_nM` into the field and its unit. */
function splitName(written: string, find: FindField, units: Units): LabelledField | undefined {
  for (const { index } of written.matchAll(/[/_]/gu)) {
    const namedField = index === 0 ? undefined : find(written.slice(0, index));
    const unit = namedField && labelUnit(written.slice(index + 1), namedField.field, units);
    if (namedField !== undefined && unit !== undefined) return { ...namedField, ...unit };
  }
  return undefined;
}

/** Returns the unit in a label, and the number before it: `(nM)`, `, nM`, ` in nM`, `(×10⁵ M⁻¹ s⁻¹)`. */
function labelUnit(
  written: string,
  field: SearchField,
  units: Units,
): Pick<LabelledField, "unit" | "factor"> | undefined {
  if (!field.meanings.some(isQuantity)) return undefined;
  const text = written
    .trim()
    .replace(/^\((.*)\)$|^\[(.*)\]$|^[/,]/su, "$1$2")
    .trim()
    .replace(/^in\s+|^[×x*·]\s*(?=10)/iu, "");
  const { number: factor, unit: spelling } = parseAmount(text) ?? { number: 1, unit: text };
  const unit = spelling === "" ? undefined : fittingUnit(field, spelling, units);
  return unit === undefined ? undefined : { unit, factor };
}

/** Adds the unit of the label to a number without a unit. */
export function withUnit(text: string, { unit, factor = 1 }: LabelledField): string {
  const amount = unit === undefined ? undefined : parseAmount(text);
  if (unit === undefined || amount?.unit !== "") return text;
  return joinAmount(factor === 1 ? text : String(cleanNumber(amount.number * factor)), unit);
}

/** Replaces a unit that the field does not have by the same unit in another case, if the field has that one. */
export function withFittingUnit(text: string, field: SearchField, units: Units): string {
  const unit = parseAmount(text)?.unit ?? "";
  const fitting = unit === "" ? unit : (fittingUnit(field, unit, units) ?? unit);
  return fitting === unit ? text : joinAmount(text.slice(0, text.lastIndexOf(unit)).trimEnd(), fitting);
}

const VALUE = /(?:[^\s()"\\*?^~[\]{}<>=≤≥,;]|[,;](?=[^\s)]))+(?=[\s)<>≤≥,;]|$)/uy;

/** End of a value. An operator may follow only the first value of a comparison. */
export const VALUE_END = /[\s),;]|$/uy;
/** End of a value, which an operator may follow. */
export const VALUE_END_OR_OPERATOR = /[\s)<>≤≥,;]|$/uy;

/** Reads one value that the field can compare: a number, with its unit, or a date. */
export function readFieldValue(scanner: Scanner, field: SearchField, units: Units, end: RegExp): string | undefined {
  const amount = field.meanings.some(isQuantity) ? readAmount(scanner, units, end) : undefined;
  if (amount !== undefined) return withFittingUnit(amount, field, units);
  const value = scanner.take(VALUE);
  if (value === undefined || scanner.peek(end) === undefined || !isComparable(field, value)) return undefined;
  return field.meanings.some(isNumericField) ? plainAmount(value) : value;
}

/** Returns whether the text is a value that the field can compare: a number, with its unit, or a date. */
export function isComparable({ meanings }: SearchField, text: string): boolean {
  return meanings.some((meaning) => {
    if (isQuantity(meaning)) return parseAmount(text) !== undefined;
    return leafTypes(meaning).some((type) => readValue(text, type, 0) !== undefined);
  });
}

const leafTypes = ({ isLeaf, leaves }: Meaning) => (isLeaf ? leaves.map(({ type }) => type) : []);

const COMPARED = new RegExp(String.raw`(?:${COMPARISON})\s*`, "uy");

/** Reads a comparison without a name (`<10 nM`). For any other text, returns undefined and reads nothing. */
export function readBound(scanner: Scanner, field: SearchField, units: Units): RangeBound | undefined {
  const start = scanner.at;
  const operator = scanner.take(COMPARED)?.trim();
  const text = operator === undefined ? undefined : readFieldValue(scanner, field, units, VALUE_END);
  if (operator !== undefined && text !== undefined) return { op: asciiOperator(operator), text };
  scanner.at = start;
  return undefined;
}

const AND = /(?:\s+(?:(?:AND|and|but|&{1,2})\s+)?|\s*,\s*)(?==?[<>]|[≤≥])/uy;

/** Reads further bounds of the same value: `AND <10 nM` after `kd:>1 nM`. */
export function readMoreBounds(scanner: Scanner, field: SearchField, units: Units): readonly RangeBound[] {
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
