import type { Quantity } from "./quantity.js";
import { plainText, type RichText } from "./rich-text.js";

/** How the numbers of a column stand below each other. */
export interface NumberColumn {
  /** Unit of all numbers, for the head of the column. Absent: each number has its own. */
  readonly unit?: RichText | undefined;
  /** Length of the longest text behind a decimal point, in characters. 0: the numbers are not aligned. */
  readonly rest: number;
}

/** Maximum length of a number with its error and unit on one line: `0.00123 ± 0.00004 kJ/mol`. */
const NUMBER_LENGTH_MAX = 24;

/** Returns whether a number with its error and unit is too long for one line. */
export const isLongNumber = (text: string): boolean => text.length > NUMBER_LENGTH_MAX;

/** Returns how the numbers of a column are shown: with a shared unit in the head, lined up on the decimal point. */
export function numberColumn(numbers: readonly Quantity[]): NumberColumn {
  // Words in place of a number have neither unit nor digits.
  const quantities = numbers.filter(({ whole }) => whole !== "");
  const [first, ...others] = quantities;
  const unit = first === undefined ? "" : plainText(first.unit);
  const isShared = others.length > 0 && unit !== "" && others.every((each) => plainText(each.unit) === unit);
  const lengths = quantities.map((each) => plainText(isShared ? each.restWithoutUnit : each.rest).length);
  const isAligned = others.length > 0 && !quantities.some(({ text }) => isLongNumber(text));
  return {
    unit: isShared ? first!.unit : undefined,
    rest: isAligned ? lengths.reduce((most, length) => Math.max(most, length), 0) : 0,
  };
}
