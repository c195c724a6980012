import { findUnit, type Unit, type Units } from "../../core/catalog/units.js";
import { peopleOf } from "../../core/citable/record-people.js";
import { convertNumber, convertResult, writeResult } from "../../core/citable/record-results.js";
import { isObject, own } from "../../core/json.js";
import { type Quantity, readQuantity, richQuantity } from "../numbers/quantity.js";
import { joined, listed, plainText, type RichText } from "../numbers/rich-text.js";
import type { SectionView } from "./record-sections.js";
import { type Item, measuredOf, QUANTITY, quantityOf } from "./value-view.js";

/** Sections of a record to compare. */
export interface ComparedRecord {
  readonly sections: readonly SectionView[];
  /** Units of the record's numbers. */
  readonly units: Units;
}

/** Rows of a section, with the values of all records. */
export interface ComparedSection {
  readonly name: string;
  readonly title: string;
  readonly differing: readonly ComparedRow[];
  readonly equal: readonly ComparedRow[];
}

export interface ComparedRow {
  readonly label: string;
  /** A cell for each record. Undefined if a record has no such value. */
  readonly cells: readonly (ComparedCell | undefined)[];
}

export interface ComparedCell {
  readonly text: RichText;
  /** The number, if the value is one. */
  readonly quantity?: Quantity | undefined;
  /** The number in the unit of the first record, if it is shown in another one: `7500 nM`. */
  readonly converted?: RichText | undefined;
  /** Ratio to the number of the first record: `×3.1`. */
  readonly ratio?: string | undefined;
}

/** Value of a record in a row. */
interface Line {
  readonly key: string;
  readonly label: string;
  readonly text: RichText;
  /** The value with all its digits. Lines with the same are equal. */
  readonly exact: string;
  readonly amount?: Amount | undefined;
}

/** A number with its quantity, in the unit in which it was deposited. */
interface Amount {
  readonly number: number;
  readonly quantity: Quantity;
  readonly exact: string;
  /** Absent: the catalog does not know the unit. */
  readonly unit?: Unit | undefined;
}

/** Compares records field by field. Matches elements of lists by their names, or else by their positions. */
export function compareRecords(records: readonly ComparedRecord[]): readonly ComparedSection[] {
  const titles = new Map(records.flatMap(({ sections }) => sections.map(({ name, title }) => [name, title] as const)));
  return [...titles].map(([name, title]) => {
    const rows = new Map<string, { label: string; lines: (Line | undefined)[] }>();
    for (const [i, { sections }] of records.entries()) {
      const items = sections.find((section) => section.name === name)?.items ?? [];
      const lines = items.flatMap((item) => linesOf(item, items.length === 1 ? [] : [item.field.title]));
      for (const line of lines) {
        const { key, label, text, exact } = line;
        const row = rows.get(key) ?? { label, lines: records.map(() => undefined) };
        const earlier = row.lines[i];
        row.lines[i] =
          earlier === undefined
            ? line
            : { key, label, text: listed([earlier.text, text], "; "), exact: `${earlier.exact}; ${exact}` };
        rows.set(key, row);
      }
    }
    const isEqual = ({ lines }: { readonly lines: readonly (Line | undefined)[] }): boolean =>
      lines.every((line) => line?.exact === lines[0]?.exact);
    const [equal, differing] = [true, false].map((wanted) =>
      [...rows.values()]
        .filter((row) => isEqual(row) === wanted)
        .map(({ label, lines }) => ({ label, cells: cellsOf(lines, records[0]!.units) })),
    ) as [ComparedRow[], ComparedRow[]];
    return { name, title, differing, equal };
  });
}

/** Returns the cells of a row. Numbers after the first one are also shown in its unit, and compared with it. */
function cellsOf(lines: readonly (Line | undefined)[], units: Units): ComparedRow["cells"] {
  const first = lines.find((line) => line?.amount?.unit !== undefined)?.amount;
  return lines.map((line) => {
    if (line === undefined) return undefined;
    const { text, amount } = line;
    const cell = amount === undefined ? { text } : { text, quantity: amount.quantity };
    if (first?.unit === undefined || amount?.unit === undefined || amount === first) return cell;
    if (amount.unit.dimension !== first.unit.dimension) return cell;
    const ratio = convertNumber(amount.number, amount.unit, first.unit) / first.number;
    // Units with an offset (°C) and numbers with opposite signs have no meaningful ratio.
    const hasRatio = first.unit.offset === 0 && Number.isFinite(ratio) && ratio > 0 && rounded(ratio) !== 1;
    return { ...cell, converted: inUnitOf(first, amount, units), ratio: hasRatio ? `×${rounded(ratio)}` : undefined };
  });
}

/** Returns a number in the unit in which another one is shown. Undefined if it is in this unit already. */
function inUnitOf(first: Amount, { number, unit, quantity }: Amount, units: Units): RichText | undefined {
  const [shown, own] = [first, { quantity }].map((each) => plainText(each.quantity.unit));
  const to = shown === undefined ? undefined : findUnit(units, shown);
  if (shown === own || to === undefined || unit === undefined) return undefined;
  const converted = readQuantity({ value: number, unit: unit.name }, units, to);
  return converted && richQuantity(converted);
}

const rounded = (number: number, digits = 2): number => Number(number.toPrecision(digits));

/** Returns the lines of a value and its members. @param labels titles of its parents */
function linesOf(item: Item, labels: readonly string[], key = item.path): readonly Line[] {
  const amount = amountOf(item);
  if (item.isInline) {
    const label = labels.join(" › ") || item.field.title;
    if (item.view.kind === "quantity" && amount !== undefined) return [amountLine(key, label, amount)];
    return [{ key, label, text: textOf(item), exact: plainText(textOf(item, true)), amount }];
  }
  if (Array.isArray(item.value)) {
    return item.elements.flatMap((each, i) => {
      const name = nameOf(each) ?? String(i + 1);
      return linesOf(each, [...labels, name], `${key}[${name}]`);
    });
  }
  const members = item.members.filter(({ name }) => name !== "id" && !(amount !== undefined && QUANTITY.has(name)));
  return [
    ...(amount === undefined ? [] : [amountLine(`${key}.value`, labels.join(" › "), amount)]),
    ...members.flatMap((each) => linesOf(each, [...labels, each.field.title], `${key}.${each.name}`)),
  ];
}

function amountLine(key: string, label: string, amount: Amount): Line {
  return { key, label, text: richQuantity(amount.quantity), exact: amount.exact, amount };
}

function amountOf(item: Item): Amount | undefined {
  const [quantity, measured] = [quantityOf(item), measuredOf(item)];
  if (quantity === undefined || measured === undefined) return undefined;
  const { units } = item.context;
  const unit = findUnit(units, measured.unit);
  const canonical = unit && units.units.get(units.dimensions.get(unit.dimension)!.canonical);
  // Numbers that differ in their units only are equal.
  const exact = canonical === undefined ? measured : (convertResult(measured, canonical, units) ?? measured);
  return { number: measured.value, quantity, unit, exact: writeResult(exact) ?? "" };
}

function nameOf({ value }: Item): string | undefined {
  if (!isObject(value)) return undefined;
  const name = own(value, "name") ?? own(value, "id");
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** Returns whether a value needs no label, because it is a name or an object. */
const isNamed = ({ name, value }: Item): boolean => name === "name" || isObject(value);

/** Returns a value as text on one line. @param isExact whether numbers have all their digits */
function textOf(item: Item, isExact = false): RichText {
  const view = item.view;
  switch (view.kind) {
    case "quantity":
      return isExact ? [amountOf(item)?.exact ?? view.quantity.text] : richQuantity(view.quantity);
    case "rich":
      return view.text;
    case "scalar":
    case "reference":
      return [view.text];
    case "term":
      return view.name;
    case "person":
      return [peopleOf([item.value])[0]?.name ?? ""];
    case "list":
      // Names of persons contain commas, so semicolons separate them.
      return listed(
        item.elements.map((each) => textOf(each, isExact)),
        item.elements.some(({ view: each }) => each.kind === "person") ? "; " : ", ",
      );
    default:
      return listed(
        item.members
          .filter(({ name }) => name !== "id")
          .map((each) => joined([isNamed(each) ? "" : `${each.field.title.toLowerCase()} `], textOf(each, isExact))),
        " ",
      );
  }
}
