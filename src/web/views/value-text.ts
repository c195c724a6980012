/** Values as text: on one line, and in the sentences that a model declares. */
import type { Sentence, SentenceValue } from "../../core/catalog/sentence.js";
import { peopleOf } from "../../core/citable/record-people.js";
import { amountKey } from "../../core/citable/record-results.js";
import { valuesAt } from "../../core/citable/values-at.js";
import { isObject, type Json, own } from "../../core/json.js";
import { type Quantity, richQuantity } from "../notation/quantity.js";
import { concatTexts, joinWithSeparator, plainText, type RichText } from "../notation/rich-text.js";
import { type Item, measuredOf } from "./value-view.js";

/** A text with values in it. */
export type Written = readonly (string | Item)[];

/** Returns a value as text on one line. @param numberText writes the number of an item; default: as pages show it */
export function valueText(item: Item, numberText: WriteNumber = (_, quantity) => richQuantity(quantity)): RichText {
  const view = item.view;
  switch (view.kind) {
    case "quantity":
      return numberText(item, view.quantity);
    case "rich":
      return view.text;
    case "scalar":
    case "reference":
      return [view.text];
    case "term":
      return view.name;
    case "person":
      return [peopleOf([item.value])[0]?.name ?? ""];
    case "sentence":
      return writtenText(view.written, numberText);
    case "list":
      // Names of persons contain commas, so semicolons separate them.
      return joinWithSeparator(
        item.elements.map((each) => valueText(each, numberText)),
        item.elements.some(({ view: each }) => each.kind === "person") ? "; " : ", ",
      );
    default:
      return joinWithSeparator(
        item.members
          .filter(({ name }) => name !== "id")
          .map((each) =>
            concatTexts([isNamed(each) ? "" : `${each.field.title.toLowerCase()} `], valueText(each, numberText)),
          ),
        " ",
      );
  }
}

/** Returns a sentence as text. */
export const writtenText = (written: Written, numberText?: WriteNumber): RichText =>
  concatTexts(...written.map((part) => (typeof part === "string" ? [part] : valueText(part, numberText))));

type WriteNumber = (item: Item, quantity: Quantity) => RichText;

/** Returns whether a value needs no label, because it is a name or an object. */
const isNamed = ({ name, value }: Item): boolean => name === "name" || isObject(value);

/** Returns a value as plain text on one line. */
export const plainValueText = (item: Item): string => plainText(valueText(item));

/** Returns whether a value is neither empty nor one that stands for "not known". */
function isPresent({ value, view }: Item): boolean {
  if (value === null || value === "") return false;
  return view.kind === "scalar" ? view.isKnown : view.kind !== "quantity" || view.quantity.whole !== "";
}

/** Returns the elements of a list, and of the lists in it, or the value itself. */
export const flatElements = (item: Item): readonly Item[] =>
  Array.isArray(item.value) ? item.elements.flatMap(flatElements) : [item];

/** Returns all values at a path, through lists. @param path from the root of the body */
export function itemsAt(from: Item, path: string): readonly Item[] {
  const start = path.startsWith(`${from.path}.`) ? from : from.context.root();
  const steps = path.slice(start.path.length + 1).split(".");
  return steps
    .reduce<readonly Item[]>(
      (items, step) =>
        items.flatMap(flatElements).flatMap(({ members }) => members.filter(({ name }) => name === step)),
      [start],
    )
    .flatMap(flatElements);
}

/**
 * Writes a sentence about an object, in which a pH is not broken. Returns nothing if the object has none of its values.
 */
export function writeSentence({ parts }: Sentence, item: Item): Written {
  let hasValues = false;
  const written = parts.flatMap(({ spans, isOptional }): Written => {
    const values = spans.map((span) => (typeof span === "string" ? span : valuesIn(span, item)));
    const isMissing = values.some((each) => typeof each !== "string" && each.length === 0);
    if (isOptional && isMissing) return [];
    if (values.some((each) => typeof each !== "string" && each.length > 0)) hasValues = true;
    return values.flat();
  });
  if (!hasValues) return [];
  const [first, ...rest] = written;
  const begun = typeof first === "string" ? first.replace(/^[\s,;:·]+/, "") : first!;
  return (begun === "" ? rest : [begun, ...rest]).map((part) =>
    typeof part === "string" ? part.replace(/(?<=\bpH) $/, "\u00a0") : part,
  );
}

/** Returns the values of a place in a sentence, with the texts between them. */
function valuesIn({ paths, except, separator, counted }: SentenceValue, item: Item): Written {
  if (counted !== undefined) return countIn(paths, counted, item);
  const values = firstPresent(paths, item);
  const shown = separator === undefined ? distinctValues(values) : values;
  const isExpected =
    except !== undefined && shown.every((each) => comparable(plainValueText(each)) === comparable(except));
  if (isExpected) return [];
  return shown.flatMap((each, i) => (i === 0 ? [each] : [separator ?? ", ", each]));
}

/** Returns the values at the first path that has any. */
function firstPresent(paths: readonly string[], item: Item): readonly Item[] {
  for (const path of paths) {
    const values = itemsAt(item, path).filter(isPresent);
    if (values.length > 0) return values;
  }
  return [];
}

/** Counts the distinct values of the whole record at some paths. A blank (0) is not a value. */
function countIn(
  paths: readonly string[],
  { one, many }: NonNullable<SentenceValue["counted"]>,
  { context: { whole, units } }: Item,
): Written {
  const values = paths.flatMap((path) => valuesAt({ metadata: whole }, path));
  const numbers = values.filter((each) => (isObject(each) ? own(each, "value") !== 0 : each !== 0));
  const distinctKey = (value: Json): string => {
    const measured = measuredOf({ value });
    return (measured && amountKey(measured, units)) ?? JSON.stringify(value);
  };
  const count = new Set(numbers.map(distinctKey)).size;
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
}

/** Returns the values without those that equal an earlier one. */
export function distinctValues(values: readonly Item[]): readonly Item[] {
  if (values.length < 2) return values;
  const distinct = new Map<string, Item>();
  for (const each of values) {
    const key = valueKey(each);
    if (!distinct.has(key)) distinct.set(key, each);
  }
  return [...distinct.values()];
}

/** Returns a text that equal values share: amounts in any unit, objects with one id and name, other equal texts. */
export function valueKey(item: Item): string {
  const { view, value, context } = item;
  const measured = view.kind === "quantity" ? measuredOf(item) : undefined;
  const id = isObject(value) ? own(value, "id") : undefined;
  return (measured && amountKey(measured, context.units)) ?? JSON.stringify([plainValueText(item), id]);
}

const comparable = (text: string): string => text.replaceAll(/\s/g, "");
