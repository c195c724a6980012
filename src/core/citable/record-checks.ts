/** Checks of the results of a record against each other and against its conditions, as its model declares them. */
import {
  type Check,
  type CheckSymbol,
  type CheckTest,
  type CheckText,
  plainSymbol,
} from "../catalog/compile-checks.js";
import type { SentenceValue } from "../catalog/sentence.js";
import type { Model } from "../catalog/types.js";
import { greatestOf, leastOf } from "../collections.js";
import { isObject, type Json, type JsonObject, own } from "../json.js";
import { cleanNumber } from "../units/amounts.js";
import type { QuantityValue } from "../units/quantity-expressions.js";
import { findUnit } from "../units/units.js";
import { CheckNumbers, type CheckScope, hasTexts, pathBelow } from "./check-numbers.js";
import { groupElements, objectIdentity, resultOf, statedElements } from "./derived-quantities.js";
import { measuredPart } from "./describe-record.js";
import { convertResult, type DepositedNumber, writeResult } from "./record-results.js";
import { textAt, valueLabel, valuesAt } from "./values-at.js";

/** The outcome of a check. */
export interface RecordCheck {
  /** Name of the check. */
  readonly check: string;
  /** Path of the result or object that is checked, with indices. Absent: the check is about several, or the record. */
  readonly result?: string | undefined;
  readonly status: "agrees" | "differs" | "note";
  /** By which factor two values differ, from 1. */
  readonly factor?: number | undefined;
  /** Labels of the objects of the results, if the record has results about others too. */
  readonly about: readonly string[];
  readonly text: readonly CheckSpan[];
  readonly formula: string;
}

/** Part of a text: words, a symbol, or a number with its unit. */
type CheckSpan = string | CheckSymbol | DepositedNumber;

/**
 * Returns the outcomes of the checks of a model. A check whose values are missing has none.
 *
 * @param metadata value at the path `metadata` of the record
 */
export function checkRecord(metadata: JsonObject, model: Model): readonly RecordCheck[] {
  return model.page.checks.length === 0 ? [] : new CheckedRecord(metadata, model).outcomes();
}

/** Writes the text of a check. */
export function writeCheck({ about, text }: Pick<RecordCheck, "about" | "text">): string {
  const written = text.map((span) => {
    if (typeof span === "string") return span;
    return "symbol" in span ? plainSymbol(span.symbol) : (writeResult(span) ?? "");
  });
  return `${about.length === 0 ? "" : `${about.join(", ")}: `}${written.join("")}`;
}

/** The hint of a comparison that differs by a power of 1,000. */
const UNIT_HINT = ". The ratio is near a power of 1,000: a unit may be wrong";

/** How far the ratio of two values may be from a power of 1,000 for the hint, as a factor. */
const UNIT_HINT_FACTOR = 1.5;

/** Difference of two numbers that rounding explains, as a fraction. */
const ROUNDING = 0.01;

/** Values agree within this multiple of their combined error, which is about a standard deviation. */
const ERRORS_MAX = 2;

/** Whole numbers up to this form a ratio of a complex. */
const COPIES_MAX = 6;

/** The outcome of a test, with the values for the places of its text. */
interface Outcome extends Pick<RecordCheck, "status" | "factor"> {
  readonly element?: JsonObject | undefined;
  readonly places?: Readonly<Record<string, readonly CheckSpan[]>>;
  /** Numbers of things: one, or the smallest and the largest. */
  readonly numbers?: Readonly<Record<string, readonly number[]>>;
  /** Text behind the declared one. */
  readonly hint?: string | undefined;
}

type TestOf<Kind extends CheckTest["kind"]> = Extract<CheckTest, { readonly kind: Kind }>;

const NO_QUANTITIES: CheckScope["stated"] = new Map();

class CheckedRecord {
  readonly #numbers: CheckNumbers;
  readonly #groups: readonly CheckScope[];
  readonly #measured: JsonObject;
  /** Places of the elements of lists, by the paths of the lists. */
  readonly #places = new Map<string, ReadonlyMap<Json, number>>();

  constructor(
    private readonly metadata: JsonObject,
    private readonly model: Model,
  ) {
    const { describe, quantities } = model;
    this.#measured = measuredPart(metadata, model);
    this.#numbers = new CheckNumbers(metadata, this.#measured, model);
    const list = describe.results;
    const results = list === undefined ? [] : valuesAt({ metadata }, list.path).filter(isObject);
    const groups = list === undefined ? [] : groupElements(results, list.path, model);
    const stated = quantities.filter(({ path }) => path === list?.path);
    this.#groups = groups.map((elements) => {
      const objects = valuesAt(elements[0]!, list!.of);
      return {
        elements,
        objects: new Set(objects.map(objectIdentity)),
        about: groups.length === 1 ? [] : objects.flatMap((each) => valueLabel(each) ?? []),
        stated: statedElements(elements, stated, model),
      };
    });
  }

  outcomes(): readonly RecordCheck[] {
    return this.model.page.checks.flatMap((check) =>
      this.#scopesOf(check).flatMap((scope) =>
        this.#runTest(check.test, scope).map((each) => this.#describe(check, scope, each)),
      ),
    );
  }

  #scopesOf({ each, test: { kind } }: Check): readonly CheckScope[] {
    if (kind === "present") return [{ elements: [], about: [], stated: NO_QUANTITIES }];
    if (each === undefined) return this.#groups;
    const elements = valuesAt({ metadata: this.metadata }, each).filter(isObject);
    return elements.map((element) => ({ elements: [element], about: [], stated: NO_QUANTITIES }));
  }

  #describe(check: Check, scope: CheckScope, { status, factor, element, places, numbers, hint }: Outcome): RecordCheck {
    const names = check.each === undefined ? [] : scope.elements.map((each) => valueLabel(each) ?? "");
    const isMissing = check.test.kind === "present" && status === "note";
    const declared = (status === "differs" || isMissing ? check.differs : undefined) ?? check.text;
    const declaredText = places?.text ?? fillText(declared, { ...places, name: names }, numbers);
    return {
      check: check.name,
      result: this.#pathOf(check, element ?? (check.each === undefined ? undefined : scope.elements[0])),
      status,
      factor,
      about: scope.about,
      text: hint === undefined ? declaredText : [...declaredText, hint],
      formula: check.formula,
    };
  }

  #pathOf({ each }: Check, element: JsonObject | undefined): string | undefined {
    const path = each ?? this.model.describe.results?.path;
    if (path === undefined || element === undefined) return undefined;
    const places =
      this.#places.get(path) ?? new Map(valuesAt({ metadata: this.metadata }, path).map((value, i) => [value, i]));
    this.#places.set(path, places);
    return `${path}.${places.get(element)}`;
  }

  #runTest(test: CheckTest, scope: CheckScope): readonly Outcome[] {
    switch (test.kind) {
      case "compare":
        return this.#compare(test, scope);
      case "range":
        return this.#checkRange(test, scope);
      case "ratio":
        return scope.elements.flatMap((element) => this.#checkRatio(test, element));
      case "count":
        return this.#count(test, scope);
      case "present":
        return this.#checkPresent(test);
      case "sentence":
        return scope.elements.flatMap((element) => {
          const text = this.#sentence(test, element);
          return text === undefined ? [] : [{ status: "note", element, places: { text: [text] } }];
        });
    }
  }

  #compare(test: TestOf<"compare">, scope: CheckScope): readonly Outcome[] {
    const [values, others] = [test.value, test.with].map((sources) =>
      this.#numbers.evaluate(sources, test.dimensions, scope),
    );
    if (values === undefined || others === undefined || values.length !== others.length) return [];
    return values.flatMap(({ values: computed }, i): readonly Outcome[] => {
      const { values: stated, element, deposited } = others[i]!;
      const [value, other] = [computed[0], stated[0]];
      const isOne = computed.length === 1 && stated.length === 1;
      if (!isOne || value === undefined || other === undefined || value.dimension !== other.dimension) return [];
      const comparison = compareValues(value.number, other.number, errorBetween(value, other), test);
      if (comparison === undefined) return [];
      const { agrees, factor } = comparison;
      const unit = deposited?.unit;
      const difference = { ...value, number: Math.abs(value.number - other.number), error: undefined };
      return [
        {
          status: agrees ? "agrees" : "differs",
          factor: factor === undefined ? undefined : rounded(factor, 3),
          element,
          hint: !agrees && isNearThousands(value.number / other.number) ? UNIT_HINT : undefined,
          places: {
            value: [this.#amount(value, 3, unit)],
            with: [deposited ?? this.#amount(other, 3, undefined)],
            factor: factor === undefined ? [] : [String(rounded(factor, 2))],
            difference: [this.#amount(difference, 2, unit, true)],
          },
        },
      ];
    });
  }

  #checkRange(test: TestOf<"range">, scope: CheckScope): readonly Outcome[] {
    const evaluated = this.#numbers.evaluate(test.value, test.dimensions, scope) ?? [];
    return evaluated.flatMap(({ values, element }): readonly Outcome[] => {
      const sorted = values.toSorted((a, b) => a.number - b.number);
      const [low, high] = [sorted[0], sorted.at(-1)];
      if (low === undefined || high === undefined || low.dimension !== high.dimension) return [];
      const unit = test.unit === undefined ? undefined : findUnit(this.model.units, test.unit);
      const [from, to] = [low, high].map(({ number }) => number / (unit?.factor ?? 1)) as [number, number];
      const { between, across } = test;
      // One number spans nothing.
      if (across !== undefined && low === high) return [];
      const fits = between
        ? from >= between[0] && to <= between[1]
        : across !== undefined && from <= across && to >= across;
      const shownUnit = test.unit ?? this.#statedUnit(scope, low.dimension);
      const ends = [low, high].map((each) => this.#amount(each, 3, shownUnit)) as [DepositedNumber, DepositedNumber];
      const isOne = ends[0].value === ends[1].value;
      return [
        {
          status: between === undefined && across === undefined ? "note" : fits ? "agrees" : "differs",
          element,
          places: { value: isOne ? [ends[0]] : [withoutUnit(ends[0], ends[1]), " to ", ends[1]] },
        },
      ];
    });
  }

  #checkRatio({ path, where, within }: TestOf<"ratio">, element: JsonObject): readonly Outcome[] {
    const { results } = this.model.describe;
    const base = `${results?.path}.`;
    if (!hasTexts(element, where) || !path.startsWith(base)) return [];
    const numbers = valuesAt(element, path.slice(base.length));
    const isKnown = (each: Json): each is number => typeof each === "number" && each > 0;
    if (numbers.length < 2 || !numbers.every(isKnown)) return [];
    const whole = wholeRatio(numbers, within);
    const places = { value: [numbers.join(" : ")], ratio: whole === undefined ? [] : [whole.join(" : ")] };
    return [{ status: whole === undefined ? "differs" : "agrees", element, places }];
  }

  #count({ of }: TestOf<"count">, scope: CheckScope): readonly Outcome[] {
    const measured = new Map<number, Set<Json>>();
    for (const { value, outer } of this.#numbers.amountsOf(of, scope)) {
      const others = measured.get(value.number);
      if (others === undefined) measured.set(value.number, new Set([outer]));
      else others.add(outer);
    }
    if (measured.size === 0) return [];
    const repeats = Array.from(measured.values(), ({ size }) => size);
    const ends = [leastOf(repeats), greatestOf(repeats)];
    return [{ status: "note", numbers: { count: [measured.size], repeats: ends } }];
  }

  #checkPresent({ places }: TestOf<"present">): readonly Outcome[] {
    const body = { metadata: this.#measured };
    const missing = [...places].flatMap(([label, alternatives]) => {
      const isThere = alternatives.some(({ path, equals, without }) =>
        valuesAt(body, path).some((value) => {
          if (without !== undefined) return isObject(value) && (own(value, without) ?? null) === null;
          const text = isObject(value) ? own(value, "value") : value;
          return equals === undefined ? value !== "" : String(text) === equals;
        }),
      );
      return isThere ? [] : [label];
    });
    const status = missing.length === 0 ? "agrees" : "note";
    return [{ status, places: { missing: [missing.join(", ")] } }];
  }

  /** Writes a sentence about an element. Undefined if a value outside of its brackets is missing. */
  #sentence({ sentence }: TestOf<"sentence">, element: JsonObject): string | undefined {
    const lists = this.model.elementPaths;
    const texts = sentence.parts.map(({ isOptional, spans }) => {
      const written = spans.map((span) => (typeof span === "string" ? span : labelsAt(element, span, lists)));
      return written.every((each) => each !== undefined) ? written.join("") : isOptional ? "" : undefined;
    });
    return texts.every((each) => each !== undefined) ? texts.join("") : undefined;
  }

  /** Returns the unit of the first result of a dimension, so that computed numbers can be compared with it. */
  #statedUnit({ elements }: CheckScope, dimension: string): string | undefined {
    const { describe, units } = this.model;
    const key = describe.results?.unit;
    if (key === undefined || units.dimensions.get(dimension)!.bare) return undefined;
    const stated = elements.map((element) => textAt(element, key));
    return stated.find((unit) => unit !== undefined && findUnit(units, unit)?.dimension === dimension);
  }

  /** Returns the largest unit of the first scale of a dimension in which a number is 1 or more. */
  #readableUnit({ number, dimension }: QuantityValue): string | undefined {
    const { units } = this.model;
    const steps = units.dimensions.get(dimension)!.scales[0] ?? [];
    const size = (spelling: string): number => Math.abs(number) / (findUnit(units, spelling)?.factor ?? 1);
    return (steps.findLast(({ spelling, from }) => size(spelling) >= from) ?? steps[0])?.spelling;
  }

  /** Returns a computed number with few digits in a unit, by default in a readable one. */
  #amount(value: QuantityValue, digits: number, unit: string | undefined, isDifference = false): DepositedNumber {
    const { units } = this.model;
    const measured = resultOf(value, units);
    const to = findUnit(units, unit ?? this.#readableUnit(value) ?? measured.unit);
    const target = to?.dimension === value.dimension ? to : units.units.get(measured.unit)!;
    const scale = isDifference ? { ...target, offset: 0 } : target;
    const converted = convertResult(measured, scale, units) ?? measured;
    const { error } = converted;
    const bound = (number: number): number => rounded(number, 2);
    const isBare = target.label === "" || (unit === undefined && units.dimensions.get(value.dimension)!.bare);
    return {
      value: rounded(converted.value, error === undefined ? digits : digits + 1),
      unit: isBare ? undefined : target.name,
      error: error && error.upper > 0 ? { ...error, lower: bound(error.lower), upper: bound(error.upper) } : undefined,
    };
  }
}

const rounded = (number: number, digits: number): number => Number(number.toPrecision(digits));

/** Leaves out the unit of the smaller end of a range if both have the same. */
const withoutUnit = (low: DepositedNumber, high: DepositedNumber): DepositedNumber =>
  low.unit === high.unit ? { value: low.value } : low;

/** Returns the combined error of two values on the sides that face each other. Undefined if one has none. */
function errorBetween(value: QuantityValue, other: QuantityValue): number | undefined {
  if (value.error === undefined || other.error === undefined) return undefined;
  const isAbove = value.number > other.number;
  const error = isAbove
    ? Math.hypot(value.error.lower, other.error.upper)
    : Math.hypot(value.error.upper, other.error.lower);
  return error > 0 ? error : undefined;
}

/** Returns whether two numbers agree, and the factor between them. Undefined if they cannot be compared by a factor. */
function compareValues(
  value: number,
  other: number,
  error: number | undefined,
  { factor: factorMax, within }: Pick<TestOf<"compare">, "factor" | "within">,
): { readonly agrees: boolean; readonly factor: number | undefined } | undefined {
  const difference = cleanNumber(Math.abs(value - other));
  const isAlike = difference <= ROUNDING * Math.max(Math.abs(value), Math.abs(other)) && within !== 0;
  const ratio = value / other;
  const factor = factorMax === undefined ? undefined : Math.max(ratio, 1 / ratio);
  if (factor !== undefined && !(ratio > 0 && Number.isFinite(factor))) return undefined;
  const isClose = factor === undefined ? difference <= within! : factor <= factorMax!;
  const agrees = isAlike || (error === undefined ? isClose : difference <= ERRORS_MAX * error);
  return { agrees, factor };
}

/** Returns whether a ratio is near 1,000, 1,000,000 or their reciprocals. */
function isNearThousands(ratio: number): boolean {
  const power = Math.log10(ratio) / 3;
  const whole = Math.round(power);
  return whole !== 0 && Math.abs(power - whole) * 3 <= Math.log10(UNIT_HINT_FACTOR);
}

/** Returns the ratio of small whole numbers that is nearest to some numbers. Undefined if none is within a fraction. */
function wholeRatio(numbers: readonly number[], within: number): readonly number[] | undefined {
  const smallest = leastOf(numbers);
  for (let unit = 1; unit <= COPIES_MAX; unit++) {
    const scaled = numbers.map((each) => (each / smallest) * unit);
    const whole = scaled.map(Math.round);
    const isNear = scaled.every((each, i) => Math.abs(each / whole[i]! - 1) <= within);
    if (isNear && whole.every((each) => each <= COPIES_MAX)) return whole;
  }
  return undefined;
}

/** Returns the different labels of the first path with a value, joined by commas. */
function labelsAt(element: JsonObject, { paths }: SentenceValue, lists: readonly string[]): string | undefined {
  for (const path of paths) {
    const list = lists.find((each) => path.startsWith(`${each}.`));
    const labels =
      list === undefined ? [] : valuesAt(element, pathBelow(path, list)).flatMap((each) => valueLabel(each) ?? []);
    if (labels.length > 0) return [...new Set(labels)].join(", ");
  }
  return undefined;
}

/** Puts values into the places of a text. */
function fillText(
  text: CheckText,
  places: NonNullable<Outcome["places"]>,
  numbers: Outcome["numbers"],
): readonly CheckSpan[] {
  return text.flatMap((span): readonly CheckSpan[] => {
    if (typeof span === "string" || "symbol" in span) return [span];
    const { place, nouns } = span;
    if (nouns === undefined) return places[place] ?? [];
    const ends = [...new Set(numbers?.[place])];
    return [`${ends.join(" to ")} ${ends.length === 1 && ends[0] === 1 ? nouns.one : nouns.many}`];
  });
}
