import { type DepositedNumber, writeResult } from "../../core/citable/record-results.js";
import { findUnit, type Unit, type Units } from "../../core/units/units.js";
import {
  type Decimal,
  decimalToNumber,
  isZero,
  MINUS,
  magnitudeOf,
  readDecimal,
  roundAt,
  roundToDigits,
  shiftDecimal,
  withoutZeros,
  writeDecimal,
} from "./decimal.js";
import { concatTexts, plainText, powerOfTen, type RichText, THIN, withPowers } from "./rich-text.js";
import { chosenUnit, type ShownUnit, shownUnits, unitLabel } from "./unit-choice.js";

/** A number with its unit and error, as a page shows it. */
export interface Quantity {
  /** Digits before the decimal point, with a minus: columns line up at their end. */
  readonly whole: string;
  /** Text after these digits: decimals, error, power of ten and unit. */
  readonly rest: RichText;
  /** The same without the unit, if a head has the unit. */
  readonly restWithoutUnit: RichText;
  /** The unit as pages write it. */
  readonly unit: RichText;
  /** The whole as plain text, for attributes. */
  readonly text: string;
  /** The number as deposited, if other digits or another unit are shown. */
  readonly deposited?: string | undefined;
  /** A relative error as percentage and as amount. */
  readonly bothErrors?: readonly [relative: string, absolute: string] | undefined;
  /** Symbols of the quantities from which the number is derived. Absent: it is deposited. */
  readonly from?: RichText | undefined;
  /** The number for columns of its own. Absent: words in place of a number. */
  readonly parts?: QuantityParts | undefined;
}

/** A number in parts: digits, error, and what multiplies both. */
interface QuantityParts {
  readonly whole: string;
  /** The decimal point and the digits behind it. */
  readonly decimals: string;
  /** The error without ±. */
  readonly error?: string | undefined;
  /** Power of ten and unit. */
  readonly scale: RichText;
  /** Power of ten that multiplies the number and an error that is an amount: ` × 10⁵`. Empty: none. */
  readonly power: RichText;
}

/** Maximum numbers of significant digits: of numbers as they were typed, and of those with an error or calculated. */
const TYPED_DIGITS_MAX = 6;
const DIGITS_MAX = 4;

/**
 * Returns a number as a page shows it: in the unit of its scale in which it is 1 or more, with a power of ten if it is
 * very small or large, and never with more digits than were deposited. Units that the catalog does not know stay.
 *
 * @param to unit that a reader has chosen. `deposited` leaves the number as it is. Default: readable
 * @returns undefined if there is no number
 */
export function readQuantity(
  measured: DepositedNumber,
  units: Units | undefined,
  to?: ChosenUnit,
): Quantity | undefined {
  const { value, unit } = measured;
  if (value === undefined) return undefined;
  if (to === "deposited") return depositedQuantity(measured);
  const from = unit === undefined || units === undefined ? undefined : findUnit(units, unit);
  if (units === undefined || from === undefined)
    return write(inItsUnit(measured), unitLabel(units, unit ?? ""), measured);
  const chosen = to === undefined || "spelling" in to ? to : chosenUnit(units, to);
  const choices = chosen?.unit.dimension === from.dimension ? [chosen] : shownUnits(units, unit!);
  const shown = inUnits(measured, from, choices);
  return write(shown, unitLabel(units, shown.unit!.spelling), measured);
}

/** Unit that a reader or a column has chosen. `deposited` leaves a number as it is. Absent: each number is readable. */
export type ChosenUnit = Unit | ShownUnit | "deposited";

/**
 * Returns the unit that fits most numbers of a column: the one in which a page shows their median. Undefined if a
 * number has no known unit, or if the units have several dimensions.
 */
export function unitOfColumn(numbers: readonly DepositedNumber[], units: Units): ShownUnit | undefined {
  const known = numbers.flatMap((measured) => {
    const unit = measured.unit === undefined ? undefined : findUnit(units, measured.unit);
    return unit === undefined ? [] : [{ measured, unit, size: Math.abs(measured.value ?? 0) * unit.factor }];
  });
  const [first] = known;
  const isUniform =
    known.length === numbers.length && known.every((each) => each.unit.dimension === first?.unit.dimension);
  if (first === undefined || !isUniform) return undefined;
  const ordered = known.filter(({ size }) => size > 0).sort((a, b) => a.size - b.size);
  const { measured, unit } = ordered[(ordered.length - 1) >> 1] ?? first;
  const choices = shownUnits(units, measured.unit!);
  const fitting = choices.length === 1 ? choices[0]! : fittingUnit(measured, unit, choices);
  return fitting && { ...fitting, from: 1 };
}

/**
 * Returns a number that is derived from others as a page shows it, with the digits of calculated numbers. It is
 * readable on pages with numbers as deposited too, because nobody deposited it.
 *
 * @param from symbols of the quantities from which it is derived
 */
export function derivedQuantity(
  measured: DepositedNumber,
  from: RichText,
  units: Units | undefined,
  to?: ChosenUnit,
): Quantity | undefined {
  const { value, error } = measured;
  const rounded = value === undefined || error !== undefined ? value : Number(value.toPrecision(DIGITS_MAX));
  const quantity = readQuantity({ ...measured, value: rounded }, units, to === "deposited" ? undefined : to);
  return quantity && { ...quantity, deposited: undefined, from };
}

/** A number in the unit of a page, before it is written. */
interface Shown {
  readonly value: Decimal;
  readonly lower?: Decimal | undefined;
  readonly upper?: Decimal | undefined;
  /** Power of ten by which value and error are multiplied; 0: none. */
  readonly power: number;
  readonly unit?: ShownUnit;
  /** Whether it has the digits and the unit that were deposited. */
  readonly isDeposited: boolean;
  /** A relative error, which follows in brackets. */
  readonly relative?: DepositedNumber["error"];
}

/** Returns a number without a known unit: with all its digits. */
function inItsUnit({ value, error }: DepositedNumber): Shown {
  const isAmount = error !== undefined && !error.isRelative;
  const [lower, upper] = isAmount ? [error.lower, error.upper].map((bound) => readDecimal(Math.abs(bound))) : [];
  const number = readDecimal(value!);
  const power = /e/.test(String(value)) ? magnitudeOf(number) : 0;
  const amounts = shiftedAll({ value: number, lower, upper }, -power);
  return { ...amounts, power, isDeposited: power === 0, relative: onlyRelative(error) };
}

const onlyRelative = (error: DepositedNumber["error"]): DepositedNumber["error"] =>
  error?.isRelative === true ? error : undefined;

/** Returns a number in one of several units. */
function inUnits(deposited: DepositedNumber, from: Unit, choices: readonly ShownUnit[]): Shown {
  const choice = choices.length === 1 ? choices[0]! : fittingUnit(deposited, from, choices);
  const measured = from.offset === choice.unit.offset ? deposited : withAbsoluteError(deposited);
  const { isCut, ...amounts } = convert(measured, from, choice.unit);
  const power = powerOf(amounts, choice.isDecimal);
  const isDeposited = choice.unit === from && power === 0 && !isCut;
  return { ...shiftedAll(amounts, -power), power, unit: choice, isDeposited, relative: onlyRelative(measured.error) };
}

/** Replaces a relative error by an amount: 2 % of 298 K are not 2 % of 25 °C. */
function withAbsoluteError(measured: DepositedNumber): DepositedNumber {
  const { value = 0, error } = measured;
  if (error?.isRelative !== true) return measured;
  const [lower, upper] = [error.lower, error.upper].map((part) => Number((value * part).toPrecision(2)));
  return { ...measured, error: { lower: lower!, upper: upper!, isRelative: false } };
}

/** Returns the largest unit of a scale in which a number, or the error of 0, is at least 1 (or its `from`). */
function fittingUnit({ value, error }: DepositedNumber, from: Unit, choices: readonly ShownUnit[]): ShownUnit {
  const own = Math.max(
    0,
    choices.findIndex(({ unit }) => unit === from),
  );
  const sized = value === 0 && error?.isRelative === false ? error.upper : value!;
  if (sized === 0) return choices[own]!;
  // As it will be rounded: 999.96 may be shown as 1000, and so in the next unit.
  const size = Math.abs(
    decimalToNumber(roundToDigits(readDecimal(sized), error === undefined ? TYPED_DIGITS_MAX : DIGITS_MAX)),
  );
  const isAtLeast = (least: number, { unit }: ShownUnit): boolean => {
    const sizeInUnit = (size * from.factor) / unit.factor;
    // Without the rounding errors of the calculation.
    const isClose = Math.abs(sizeInUnit - least) < 1e-9 * least;
    return (isClose ? Number(sizeInUnit.toPrecision(12)) : sizeInUnit) >= least;
  };
  // A number that is 1 or more in its own unit is never shown in a smaller one.
  const candidates = isAtLeast(1, choices[own]!) ? choices.slice(own) : choices;
  return candidates.findLast((choice) => isAtLeast(choice.from, choice)) ?? candidates[0]!;
}

/** Numbers between these bounds have no power of ten. */
const PLAIN = { least: 0.01, below: 10_000 };
const DECIMAL = { least: 1e-6, below: 1e9 };

function powerOf({ value, upper }: Pick<Shown, "value" | "upper">, isDecimal: boolean): number {
  const shown = isZero(value) && upper !== undefined ? upper : value;
  const size = Math.abs(decimalToNumber(shown));
  const { least, below } = isDecimal ? DECIMAL : PLAIN;
  return size === 0 || (size >= least && size < below) ? 0 : magnitudeOf(shown);
}

type Amounts = Pick<Shown, "value" | "lower" | "upper">;

const shiftedAll = ({ value, lower, upper }: Amounts, by: number): Amounts => ({
  value: shiftDecimal(value, by),
  lower: lower && shiftDecimal(lower, by),
  upper: upper && shiftDecimal(upper, by),
});

/** Reads a number without the rounding errors of calculations: 0.1 + 0.2 is 0.3. */
const cleanDecimal = (number: number): Decimal => readDecimal(Number(number.toPrecision(12)));

/** Converts a number and its error, and cuts digits that say nothing. */
function convert({ value = 0, error }: DepositedNumber, from: Unit, to: Unit): Amounts & { readonly isCut: boolean } {
  const bounds = error === undefined || error.isRelative ? undefined : error;
  const ratio = from.factor / to.factor;
  const shift = Math.round(Math.log10(ratio));
  const isMoved = from.offset !== to.offset;
  const isShifted = !isMoved && Math.abs(ratio / 10 ** shift - 1) < 1e-12;
  const amountOf = (amount: number): Decimal =>
    isShifted ? shiftDecimal(cleanDecimal(Math.abs(amount)), shift) : cleanDecimal(Math.abs(amount) * ratio);
  const [lower, upper] = [bounds?.lower, bounds?.upper].map((bound) =>
    bound === undefined ? undefined : amountOf(bound),
  );
  const deposited = cleanDecimal(value);
  const converted = isShifted
    ? shiftDecimal(deposited, shift)
    : cleanDecimal(((value + from.offset) * from.factor) / to.factor - to.offset);
  // A scale with another zero (K, °C) has the decimals of the deposit; other conversions know no better than 4 digits.
  const limit = isMoved || (error === undefined && isShifted) ? TYPED_DIGITS_MAX : DIGITS_MAX;
  const limitPlace = magnitudeOf(roundToDigits(converted, limit)) - limit + 1;
  const depositedPlace = isMoved ? Math.min(0, deposited.exponent) : Number.NEGATIVE_INFINITY;
  // One place for one rounding: 151 725.45 would become 151 725.5 and then 151 726.
  const last = Math.max(depositedPlace, Math.min(limitPlace, firstPlace(lower), firstPlace(upper)));
  const number = isZero(converted) ? converted : roundAt(converted, last);
  const isCut = number !== converted || deposited.digits !== readDecimal(value).digits;
  const roundedBound = (bound: Decimal): Decimal => {
    const short = roundToDigits(bound, DIGITS_MAX);
    // Rounded once, because 176450 would become 176500 and then 177000.
    const isShared = (isCut || !isShifted) && !isMoved && !isZero(number);
    const shared = isShared ? roundAt(bound, Math.max(short.exponent, last)) : short;
    return isZero(shared) && !isZero(bound) ? roundToDigits(bound, 1) : shared;
  };
  return {
    value: isShifted ? number : withoutZeros(number),
    lower: lower && roundedBound(lower),
    upper: upper && roundedBound(upper),
    isCut: isCut || !isShifted,
  };
}

/** Returns the place of the first digit of an error: the number has all digits up to it. */
const firstPlace = (bound: Decimal | undefined): number =>
  bound === undefined || isZero(bound) ? Number.POSITIVE_INFINITY : magnitudeOf(bound);

function write(shown: Shown, unit: RichText, measured: DepositedNumber): Quantity {
  const { value, lower, upper, power, isDeposited } = shown;
  const number = writeDecimal(value);
  const point = number.indexOf(".");
  const [whole, decimals] = point === -1 ? [number, ""] : [number.slice(0, point), number.slice(point)];
  const error =
    lower === undefined || upper === undefined ? "" : ` ${writeBounds(writeBound(lower), writeBound(upper))}`;
  const isGrouped = power !== 0 && error.startsWith(" ±");
  const times: RichText = power === 0 ? [] : [" × ", ...powerOfTen(power)];
  const relative = relativeError(shown);
  const end: RichText = relative === undefined ? [] : [` ${relative.text}`];
  const [open, close] = isGrouped ? ["(", ")"] : ["", ""];
  const text = { open: open + whole, body: concatTexts([decimals + error + close], times), end };
  const withUnit = unit.length === 0 ? text.body : concatTexts(text.body, [THIN], unit);
  const rest = concatTexts(withUnit, end);
  const amount =
    relative &&
    `± ${writeBound(relative.amount)}${plainText(concatTexts(times, unit.length === 0 ? [] : [THIN], unit))}`;
  return {
    whole: text.open,
    rest,
    restWithoutUnit: concatTexts(text.body, end),
    unit,
    text: text.open + plainText(rest),
    deposited: isDeposited && isSpelled(measured.unit, unit) ? undefined : depositedText(measured),
    bothErrors: relative?.isEven === true && amount !== undefined ? [relative.text.slice(1, -1), amount] : undefined,
    parts: {
      whole,
      decimals,
      error: withoutSign(relative?.text.slice(1, -1) ?? error),
      scale: concatTexts(power === 0 ? [] : ["× ", ...powerOfTen(power), unit.length === 0 ? "" : THIN], unit),
      power: times,
    },
  };
}

/** Returns an error without the sign that the head of its column has. Undefined if it is empty. */
const withoutSign = (error: string): string | undefined => error.trim().replace(/^± /, "") || undefined;

/** Writes an error: with a power of ten of its own if it is far from its number. */
function writeBound(bound: Decimal): string {
  const magnitude = magnitudeOf(bound);
  if (isZero(bound) || (magnitude >= -BOUND_PLACES_MAX && magnitude <= BOUND_PLACES_MAX)) return writeDecimal(bound);
  return `${writeDecimal(shiftDecimal(bound, -magnitude))} × ${plainText(powerOfTen(magnitude))}`;
}

/** Maximum number of places before or behind the decimal point that an error has. */
const BOUND_PLACES_MAX = 9;

const writeBounds = (lower: string, upper: string): string =>
  lower === upper ? `± ${upper}` : `(${MINUS}${lower}, +${upper})`;

/** Returns a relative error in brackets, which the unit does not follow, and its amount. */
function relativeError({ relative: error, value }: Pick<Shown, "relative" | "value">) {
  if (error === undefined) return undefined;
  const [lower, upper] = [error.lower, error.upper].map((bound) =>
    withoutZeros(roundToDigits(shiftDecimal(cleanDecimal(Math.abs(bound)), 2), DIGITS_MAX)),
  ) as [Decimal, Decimal];
  const [down, up] = [lower, upper].map((bound) => `${writeBound(bound)}${THIN}%`) as [string, string];
  const bounds = writeBounds(down, up);
  const amount = cleanDecimal(Math.abs(decimalToNumber(value) * error.upper));
  return {
    text: bounds.startsWith("(") ? bounds : `(${bounds})`,
    amount: withoutZeros(roundToDigits(amount, Math.min(DIGITS_MAX, Math.max(2, upper.digits.length)))),
    isEven: down === up,
  };
}

/** Returns whether pages write a unit as it was deposited, apart from blanks. */
const isSpelled = (deposited: string | undefined, shown: RichText): boolean =>
  (shown.length === 1 && shown[0] === deposited) ||
  withPowers(deposited ?? "").replaceAll(/\s/g, "") === plainText(shown).replaceAll(/\s/g, "");

const depositedText = (measured: DepositedNumber): string => withPowers(writeResult(measured)!);

/** Returns a number exactly as it was deposited. */
function depositedQuantity(measured: DepositedNumber): Quantity {
  const number = String(measured.value);
  const point = number.search(/[.e]/);
  const whole = point === -1 ? number : number.slice(0, point);
  const [text, withoutUnit] = [depositedText(measured), depositedText({ ...measured, unit: undefined })];
  const unit = measured.unit === undefined ? [] : [withPowers(measured.unit)];
  const error = withoutUnit.slice(number.length).replace(/^ \((± .+)\)$/, "$1");
  return {
    whole,
    rest: [text.slice(whole.length)],
    restWithoutUnit: [withoutUnit.slice(whole.length)],
    unit,
    text,
    parts: { whole, decimals: number.slice(whole.length), error: withoutSign(error), scale: unit, power: [] },
  };
}

/** Writes a number without a unit: all its digits, a real minus, and a power of ten instead of an exponent. */
export function unitlessNumberText(value: number): RichText {
  const { whole, rest } = readQuantity({ value }, undefined)!;
  return concatTexts([whole], rest);
}

/** Writes a computed number without a unit: with a power of ten from a million, and below a thousandth. */
export function computedNumber(value: number): RichText {
  const [digits, power] = value.toExponential().split("e").map(Number) as [number, number];
  return power > -4 && power < 6
    ? unitlessNumberText(value)
    : concatTexts(unitlessNumberText(digits), [" × "], powerOfTen(power));
}

/** Returns the whole quantity as a line of text. */
export const richQuantity = ({ whole, rest }: Quantity): RichText => concatTexts([whole], rest);
