import { canonicalPath, unknownUnitPath } from "../../core/catalog/places.js";
import type { Leaf } from "../../core/catalog/types.js";
import { projectNumberForms } from "../../core/identifiers.js";
import { type JsonObject, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import type { CurrentTerm } from "../../core/term.js";
import { parseDate } from "../../core/time.js";
import { toCanonical } from "../../core/units/amounts.js";
import { cleanUnit, findUnit, type Units } from "../../core/units/units.js";
import { analyse, foldKeyword } from "../text/analyse.js";

/** One value of a record or term in an index. */
export interface LeafValue {
  /** Declared path, or null for a value that no schema declares. Such a value is searched as text only. */
  readonly path: string | null;
  /** Number of the innermost element that contains the value; 0 is the record itself. */
  readonly element: number;
  readonly weight: "title" | "heavy" | "rest";
  /** Analysed words. A phrase matches within one LeafValue only. */
  readonly words: readonly string[];
  /** Present if only a query for the field finds the value, and words without a field do not. */
  readonly isFieldOnly?: true;
  /** Number, or date in microseconds since 1970 UTC. Absent if the value or its path has another type. */
  readonly number?: number;
  /** Text of a keyword, `true` or `false`, for facets and keyword ranges. */
  readonly keyword?: string;
}

/** Weights of values in which words without a field are searched. */
export type TextWeights = readonly ("title" | "heavy")[];

/** All values of one record in an index. */
export interface RecordLeaves {
  /** Elements of arrays of objects in document order. The first one is number 1; `parent` 0 is the record. */
  readonly elements: readonly { readonly path: string; readonly parent: number }[];
  readonly leaves: readonly LeafValue[];
  /**
   * Cited terms and their successors, with site and element. `isReplaced`: the term has a successor. It is found by its
   * own id, but not as a descendant of other terms.
   */
  readonly cites: readonly {
    readonly vocabulary: string;
    readonly id: string;
    readonly site: string;
    readonly element: number;
    readonly isReplaced?: true | undefined;
  }[];
}

/** Cited term with the state from which leaves were made. `term` is absent if the vocabulary did not have it. */
export interface AssumedTerm {
  readonly vocabulary: string;
  readonly id: string;
  readonly term?: CurrentTerm | undefined;
}

/**
 * Makes the LeafValue of a scalar at a declared path. Undefined if there is no value (null, "", "not known"). A value
 * of another type than the leaf is text only.
 */
export function makeLeafValue(
  leaf: Leaf,
  element: number,
  value: string | number | boolean | null,
): LeafValue | undefined {
  if (value === null || value === "" || (leaf.notKnown !== undefined && value === leaf.notKnown)) return undefined;
  const { path, weight } = leaf;
  const text = String(value);
  const words = leaf.isWhole ? [] : analyse(text);
  if (leaf.type === "keyword") return { path, element, weight, words, keyword: text };
  const number = comparable(leaf, value);
  return number === undefined ? { path, element, weight, words } : { path, element, weight, words, number };
}

/** Returns the other forms in which a project number is cited, as further values at its path. */
export function citedForms({ path, weight, kind }: Leaf, element: number, text: string): readonly LeafValue[] {
  if (kind !== "project_number") return [];
  return projectNumberForms(text).map((form) => ({ path, element, weight, words: analyse(form) }));
}

function comparable(leaf: Leaf, value: string | number | boolean): number | undefined {
  if (leaf.type === "number" && typeof value === "number") return value;
  if (leaf.type === "date" && typeof value === "string") return parseDate(value)?.from;
  return undefined;
}

/**
 * Returns the further value of a number with a unit: the number in the canonical unit of its dimension, or a sortable
 * keyword if the unit is unknown. It has no words, so that text does not find it.
 *
 * @param unit text of the unit; undefined if there is none
 */
export function quantityLeaves(
  leaf: Leaf,
  { element, number }: Pick<LeafValue, "element" | "number">,
  unit: string | undefined,
  units: Units,
): readonly LeafValue[] {
  const { quantity } = leaf;
  if (quantity === undefined || number === undefined) return [];
  const at = { element, weight: "rest", words: [] } as const;
  const [usual] = quantity.dimensions;
  if (unit === undefined || unit.trim() === "") {
    const isBare = usual !== undefined && units.dimensions.get(usual)?.bare === true;
    return isBare ? [{ path: canonicalPath(leaf, usual), ...at, number: number + 0 }] : [];
  }
  const knownUnit = findUnit(units, unit);
  if (knownUnit === undefined) {
    return [{ path: unknownUnitPath(leaf), ...at, keyword: unknownUnitKeyword(number, unit) }];
  }
  const canonical = toCanonical(number, knownUnit);
  const isAllowed = quantity.named === undefined || quantity.dimensions.includes(knownUnit.dimension);
  if (canonical === undefined || !isAllowed) return [];
  return [{ path: canonicalPath(leaf, knownUnit.dimension), ...at, number: canonical }];
}

/** Returns the unit that an object declares for the numbers in it. */
export function declaredUnit(object: JsonObject): string | undefined {
  const unit = own(object, "unit");
  return typeof unit === "string" ? unit : undefined;
}

/** Number of letters of a long word that cost an index about as much time and space as one word. */
const LETTERS_PER_WORD = 32;

/** Returns the number of words for the limits of an index. A long word counts more than once. */
export function countWords(words: readonly string[]): number {
  return words.reduce((count, word) => count + Math.ceil(word.length / LETTERS_PER_WORD), 0);
}

/**
 * Returns the number of words for which the letters beyond LIMITS.wordLengthMax of each word count. No index stores
 * these letters, but they are analysed, stored in the record, and searched for marks.
 */
export function countCutLetters(text: string): number {
  if (text.length <= LIMITS.wordLengthMax) return 0;
  let count = 0;
  for (const [word] of text.matchAll(LONG_WORD)) {
    count += Math.ceil((word.length - LIMITS.wordLengthMax) / LETTERS_PER_WORD);
  }
  return count;
}

const LONG_WORD = new RegExp(`[\\p{L}\\p{N}\\p{M}]{${LIMITS.wordLengthMax + 1},}`, "gu");

/** Separator of an unknown unit and a number in a keyword. No unit contains it. */
const SEPARATOR = "\u0001";

/**
 * Returns keywords between which the keywords of all numbers in an unknown unit are sorted. The index compares such
 * numbers only with numbers in the same unit.
 */
export function unknownUnitEnds(unit: string): { readonly from: string; readonly to: string } {
  const prefix = foldKeyword(cleanUnit(unit)) + SEPARATOR;
  // Only hexadecimal digits follow.
  return { from: prefix, to: `${prefix}g` };
}

/** Returns a number in an unknown unit as a keyword. Keywords with equal units sort in the order of their numbers. */
export function unknownUnitKeyword(number: number, unit: string): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number + 0);
  const bits = view.getBigUint64(0);
  const isNegative = bits >> 63n === 1n;
  const ordered = BigInt.asUintN(64, isNegative ? ~bits : bits | (1n << 63n));
  return unknownUnitEnds(unit).from + ordered.toString(16).padStart(16, "0");
}
