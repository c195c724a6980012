import type { Quantity } from "./quantity.js";
import { concatTexts, plainText, type RichText, THIN } from "./rich-text.js";

/** Alignment of the numbers of a column. */
export interface NumberColumn {
  /** Unit of all numbers, for the head of the column. Absent: each number has its own. */
  readonly unit?: RichText | undefined;
  /** Width of the longest text after a decimal point in digits, with ` (from KA)`. 0: the numbers are not aligned. */
  readonly rest: number;
}

/** Maximum length of a number with its error and unit on one line: `0.00123 ± 0.00004 kJ/mol`. */
const NUMBER_LENGTH_MAX = 24;

/** Largest width that the style sheet has. */
const REST_MAX = 24;

/** Returns whether a number with its error and unit is too long for one line. */
export const isLongNumber = (text: string): boolean => text.length > NUMBER_LENGTH_MAX;

/** Returns the alignment of the numbers of a column: a shared unit in the head, and a common decimal point. */
export function numberColumn(numbers: readonly Quantity[]): NumberColumn {
  // Words in place of a number have neither unit nor digits.
  const quantities = numbers.filter(({ whole }) => whole !== "");
  const [first, ...others] = quantities;
  const unit = first === undefined ? "" : plainText(first.unit);
  const isShared = others.length > 0 && unit !== "" && others.every((each) => plainText(each.unit) === unit);
  const widths = quantities.map((each) => widthOf(isShared ? each.restWithoutUnit : each.rest) + originWidth(each));
  const isAligned = others.length > 0 && !quantities.some(({ text }) => isLongNumber(text));
  return {
    unit: isShared ? first!.unit : undefined,
    rest: isAligned
      ? Math.min(
          REST_MAX,
          widths.reduce((most, width) => Math.max(most, width), 0),
        )
      : 0,
  };
}

/** Alignment of numbers, errors and units in separate columns. */
export interface PartedColumn {
  /** Unit of all numbers, for the head of the column. Absent: the numbers have none, or a column for them. */
  readonly unit?: RichText | undefined;
  /**
   * Widths of the longest texts after the decimal points of numbers and of errors, in digits. 0: they are not aligned.
   */
  readonly rest: number;
  readonly errorRest: number;
  readonly hasErrors: boolean;
  readonly hasUnits: boolean;
}

/**
 * Returns how a column is divided into numbers, errors and units.
 * @param cells the numbers of each cell, of which the last ones line up
 */
export function partedColumn(cells: readonly (readonly Quantity[])[]): PartedColumn {
  const quantities = cells.flat();
  const units = new Set(quantities.map(({ unit }) => plainText(unit)));
  const [first] = quantities;
  const isShared = first !== undefined && first.unit.length > 0 && units.size === 1;
  const last = cells.flatMap((each) => each.at(-1) ?? []);
  const widest = (texts: readonly RichText[]): number =>
    texts.reduce((most, text) => Math.min(REST_MAX, Math.max(most, widthOf(text))), 0);
  return {
    unit: isShared ? first.unit : undefined,
    rest: last.reduce(
      (most, each) => Math.min(REST_MAX, Math.max(most, widthOf(numberParts(each).rest) + originWidth(each))),
      0,
    ),
    errorRest: widest(last.map((each) => errorParts(each)?.rest ?? [])),
    hasErrors: quantities.some(({ parts }) => parts?.error !== undefined),
    hasUnits: !isShared && quantities.some(({ unit }) => unit.length > 0),
  };
}

/** A text up to the decimal point, and the text from it on. */
interface NumberParts {
  readonly whole: string;
  readonly rest: RichText;
}

/** Returns a number without its error and unit. */
export function numberParts({ parts, whole, restWithoutUnit }: Quantity): NumberParts {
  if (parts === undefined) return { whole, rest: restWithoutUnit };
  return { whole: parts.whole, rest: concatTexts([parts.decimals], parts.power) };
}

/** Returns the error of a number with the power of ten that both have. Undefined if it has none. */
export function errorParts({ parts }: Quantity): NumberParts | undefined {
  if (parts?.error === undefined) return undefined;
  const { error, power } = parts;
  const point = /^[\d.]+/.test(error) ? error.search(/\.|(?!\d)/) : error.length;
  const isAmount = !error.endsWith("%") && !error.endsWith("%)");
  return { whole: error.slice(0, point), rest: concatTexts([error.slice(point)], isAmount ? power : []) };
}

/** Widths of characters in digits; others are about as wide as a digit. */
const WIDTHS: ReadonlyMap<string, number> = new Map(
  [[THIN, 0.3] as const, [" .,()", 0.5] as const, ["mMµ%", 1.5] as const].flatMap(([characters, width]) =>
    [...characters].map((sign) => [sign, width] as const),
  ),
);
/** Size of superscripts. */
const RAISED = 0.72;

/** Width of ` (from )` without the symbols in it, in digits. */
const ORIGIN_WIDTH = 6;

/** Returns the width of the origin of a derived number: ` (from KA)`. */
const originWidth = ({ from }: Quantity): number => (from === undefined ? 0 : ORIGIN_WIDTH + widthOf(from));

/** Returns the width of a text in digits, rounded up. */
function widthOf(text: RichText): number {
  const width = (plain: string): number => {
    let sum = 0;
    for (const sign of plain) sum += WIDTHS.get(sign) ?? 1;
    return sum;
  };
  return Math.ceil(
    text.reduce((sum, span) => sum + (typeof span === "string" ? width(span) : RAISED * width(span.text)), 0),
  );
}
