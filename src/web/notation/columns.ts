import type { Quantity } from "./quantity.js";
import { plainText, type RichText } from "./rich-text.js";

/** How the numbers of a column stand below each other. */
export interface NumberColumn {
  /** Unit of all numbers, for the head of the column. Absent: each number has its own. */
  readonly unit?: RichText | undefined;
  /** Width of the longest text behind a decimal point, in digits. 0: the numbers are not aligned. */
  readonly rest: number;
}

/** Maximum length of a number with its error and unit on one line: `0.00123 ± 0.00004 kJ/mol`. */
const NUMBER_LENGTH_MAX = 24;

/** Largest width that the style sheet has. */
const REST_MAX = 24;

/** Returns whether a number with its error and unit is too long for one line. */
export const isLongNumber = (text: string): boolean => text.length > NUMBER_LENGTH_MAX;

/** Returns how the numbers of a column are shown: with a shared unit in the head, lined up on the decimal point. */
export function numberColumn(numbers: readonly Quantity[]): NumberColumn {
  // Words in place of a number have neither unit nor digits.
  const quantities = numbers.filter(({ whole }) => whole !== "");
  const [first, ...others] = quantities;
  const unit = first === undefined ? "" : plainText(first.unit);
  const isShared = others.length > 0 && unit !== "" && others.every((each) => plainText(each.unit) === unit);
  const widths = quantities.map((each) => widthOf(isShared ? each.restWithoutUnit : each.rest));
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

/** Widths of characters in digits; others are about as wide as a digit. */
const WIDTHS: readonly (readonly [characters: RegExp, width: number])[] = [
  [/[\u202f]/u, 0.3],
  [/[ .,()]/u, 0.5],
  [/[mMµ%]/u, 1.5],
];
/** Size of superscripts. */
const RAISED = 0.72;

/** Returns the width of a text in digits, rounded up. */
function widthOf(text: RichText): number {
  const width = (plain: string): number =>
    [...plain].reduce((sum, sign) => sum + (WIDTHS.find(([characters]) => characters.test(sign))?.[1] ?? 1), 0);
  return Math.ceil(
    text.reduce((sum, span) => sum + (typeof span === "string" ? width(span) : RAISED * width(span.text)), 0),
  );
}
