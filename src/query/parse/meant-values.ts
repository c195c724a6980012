/** The pieces of a comparison as people write it: the field with its unit, the value, and its further bounds. */
import { findUnit } from "../../core/catalog/unit-spelling.js";
import type { Units } from "../../core/catalog/unit-types.js";
import type { Field, Meaning } from "../fields/field-meanings.js";
import { fitsUnit, isNumeric, isQuantity } from "../fields/field-type.js";
import { joinAmount, parseAmount, plainAmount, readAmount } from "../text/amounts.js";
import type { Scanner } from "../text/scan.js";
import { readValue } from "./bounds.js";
import type { Named } from "./find-named.js";
import { asciiOperator, COMPARISON } from "./range-text.js";
import type { RangeBound } from "./tree.js";

/** Finds the field that a name stands for where the scanner is. */
export type Find = (name: string) => Named | undefined;

/** A field, and the unit that stands beside its name: `Kd (nM)`. */
export interface Labelled extends Named {
  readonly unit?: string;
}

export const NAME = /[^\s()":\\*?^~[\]{}<>=≤≥,;]+/uy;
const LABEL = /\s*(?:\(((?:[^()[\]"]|\([^()"]*\))+)\)|\[([^()[\]"]+)\]|\/\s*([^\s<>=≤≥:]+))/uy;

/** Reads the name of a field, and its unit in brackets or after a slash; undefined where no known name stands here. */
export function readName(scanner: Scanner, find: Find, units: Units): Labelled | undefined {
  const name = scanner.take(NAME);
  const named = name === undefined ? undefined : find(name);
  if (named === undefined) return name === undefined ? undefined : readSlashed(name, find, units);
  const start = scanner.at;
  const label = scanner.take(LABEL);
  const unit = label
    ?.trim()
    .replace(/^\((.*)\)$|^\[(.*)\]$|^\//su, "$1$2")
    .trim();
  if (unit !== undefined && isUnitOf(named.field, unit, units)) return { ...named, unit };
  scanner.at = start;
  return named;
}

/** `Kd/nM` */
function readSlashed(written: string, find: Find, units: Units): Labelled | undefined {
  const slash = written.indexOf("/");
  const named = slash > 0 ? find(written.slice(0, slash)) : undefined;
  const unit = written.slice(slash + 1);
  return named !== undefined && isUnitOf(named.field, unit, units) ? { ...named, unit } : undefined;
}

const isUnitOf = (field: Field, unit: string, units: Units): boolean =>
  field.meanings.some(isQuantity) && findUnit(units, unit) !== undefined && fitsUnit(field, `1 ${unit}`, units);

/** Returns the text with the unit of its label where it is a number without one. */
export function withUnit(text: string, { unit }: Labelled): string {
  return unit !== undefined && parseAmount(text)?.unit === "" ? joinAmount(text, unit) : text;
}

const VALUE = /(?:[^\s()"\\*?^~[\]{}<>=≤≥,;]|[,;](?=[^\s)]))+(?=[\s)<>≤≥,;]|$)/uy;

/** What may follow a value: an operator only where the value stands first. */
export const END = /[\s),;]|$/uy;
export const END_OR_OPERATOR = /[\s)<>≤≥,;]|$/uy;

/** Reads one value of the field that compares: a number, with its unit, or a date. */
export function readOne(scanner: Scanner, field: Field, units: Units, end: RegExp): string | undefined {
  const amount = field.meanings.some(isQuantity) ? readAmount(scanner, units, end) : undefined;
  if (amount !== undefined) return amount;
  const value = scanner.take(VALUE);
  if (value === undefined || scanner.peek(end) === undefined || !fits(field, value)) return undefined;
  return field.meanings.some(isNumeric) ? plainAmount(value) : value;
}

/** Is the text a value of the field that compares: a number, with its unit, or a date? */
export function fits({ meanings }: Field, text: string): boolean {
  return meanings.some((meaning) => {
    if (isQuantity(meaning)) return parseAmount(text) !== undefined;
    return typesOf(meaning).some((type) => readValue(text, type, 0) !== undefined);
  });
}

const typesOf = ({ isLeaf, leaves }: Meaning) => (isLeaf ? leaves.map(({ type }) => type) : []);

const COMPARED = new RegExp(String.raw`(?:${COMPARISON})\s*`, "uy");

/** Reads a comparison without a name, `<10 nM`, of a value of the field; undefined, and nothing read, if it is none. */
export function readBound(scanner: Scanner, field: Field, units: Units): RangeBound | undefined {
  const start = scanner.at;
  const operator = scanner.take(COMPARED)?.trim();
  const text = operator === undefined ? undefined : readOne(scanner, field, units, END);
  if (operator !== undefined && text !== undefined) return { op: asciiOperator(operator), text };
  scanner.at = start;
  return undefined;
}

const AND = /(?:\s+(?:(?:AND|and|but|&{1,2})\s+)?|\s*,\s*)(?==?[<>]|[≤≥])/uy;

/** Reads further bounds of the value that is compared: `AND <10 nM` after `kd:>1 nM`. */
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
