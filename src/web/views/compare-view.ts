import { convertNumber, convertResult, writeResult } from "../../core/citable/record-results.js";
import { isObject, own } from "../../core/json.js";
import { findUnit, type Unit, type Units } from "../../core/units/units.js";
import { computedNumber, type Quantity, readQuantity, richQuantity } from "../notation/quantity.js";
import { joinWithSeparator, plainText, type RichText } from "../notation/rich-text.js";
import type { SectionView } from "./record-sections.js";
import { valueText } from "./value-text.js";
import { type Item, measuredOf, QUANTITY } from "./value-view.js";

/** Sections of a record to compare. */
interface ComparedRecord {
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

/** A row of a comparison. */
export interface ComparedRow {
  readonly label: string;
  /** A cell for each record. Undefined if a record has no such value. */
  readonly cells: readonly (ComparedCell | undefined)[];
}

/** The value of a record in a row of a comparison. */
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
  /** Writes the value with numbers as deposited, for values that differ only in digits or units that are not shown. */
  readonly writeDeposited: () => RichText;
  /** The value with all its digits. Lines with the same are equal. */
  readonly exact: string;
  readonly amount?: Amount | undefined;
}

/** A number in the unit in which it was deposited, and as the page shows it. */
interface Amount {
  readonly number: number;
  readonly quantity: Quantity;
  readonly writeDeposited: () => Quantity;
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
      const lines = items.flatMap((item) => comparisonLines(item, items.length === 1 ? [] : [item.field.title]));
      for (const line of lines) {
        const row = rows.get(line.key) ?? { label: line.label, lines: records.map(() => undefined) };
        const earlier = row.lines[i];
        row.lines[i] = earlier === undefined ? line : joinedLines(earlier, line);
        rows.set(line.key, row);
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

const joinedLines = (earlier: Line, { key, label, text, writeDeposited, exact }: Line): Line => ({
  key,
  label,
  text: joinWithSeparator([earlier.text, text], "; "),
  writeDeposited: () => joinWithSeparator([earlier.writeDeposited(), writeDeposited()], "; "),
  exact: `${earlier.exact}; ${exact}`,
});

/** Returns the lines of a row with texts that differ if the values do: with numbers as deposited if they must. */
function toldApart(lines: readonly (Line | undefined)[]): readonly (Line | undefined)[] {
  const exacts = new Map<string, Set<string>>();
  for (const line of lines) {
    if (line === undefined) continue;
    const text = plainText(line.text);
    exacts.set(text, (exacts.get(text) ?? new Set()).add(line.exact));
  }
  return lines.map((line) => {
    if (line === undefined || exacts.get(plainText(line.text))!.size === 1) return line;
    const { amount, writeDeposited } = line;
    return { ...line, text: writeDeposited(), amount: amount && { ...amount, quantity: amount.writeDeposited() } };
  });
}

/** Returns the cells of a row. Numbers after the first one are also shown in its unit, and compared with it. */
function cellsOf(given: readonly (Line | undefined)[], units: Units): ComparedRow["cells"] {
  const lines = toldApart(given);
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
    const converted = inUnitOf(first, amount, units);
    return { ...cell, converted, ratio: hasRatio ? ratioText(ratio) : undefined };
  });
}

/** Returns a number in the unit of another one. Undefined if it has this unit already, or would look the same. */
function inUnitOf(first: Amount, { number, unit, quantity }: Amount, units: Units): RichText | undefined {
  const [to, own] = [first.quantity, quantity].map((each) => findUnit(units, plainText(each.unit)));
  if (to === own || to === undefined || unit === undefined) return undefined;
  const converted = readQuantity({ value: number, unit: unit.name }, units, to);
  const [text, textOfFirst] = [converted, first.quantity].map((each) => each?.text.replaceAll(/\s/g, ""));
  return converted === undefined || text === textOfFirst ? undefined : richQuantity(converted);
}

const rounded = (number: number, digits = 2): number => Number(number.toPrecision(digits));

/** Writes the ratio of two numbers with two digits: `×3.1`, `×2 × 10⁻⁷`. */
export const ratioText = (ratio: number): string => `×${plainText(computedNumber(rounded(ratio)))}`;

/** Returns the lines of a value and its members. @param labels titles of its parents */
function comparisonLines(item: Item, labels: readonly string[], key = item.path): readonly Line[] {
  const amount = amountOf(item);
  if (item.isInline) {
    const label = labels.join(" › ") || item.field.title;
    if (item.view.kind === "quantity") return [quantityLine(key, label, item.view.quantity, amount)];
    return [textLine(key, label, item, amount)];
  }
  if (Array.isArray(item.value)) {
    return item.elements.flatMap((each, i) => {
      const name = itemName(each) ?? String(i + 1);
      return comparisonLines(each, [...labels, name], `${key}[${name}]`);
    });
  }
  const { quantity } = item;
  const members = item.members.filter(({ name }) => name !== "id" && !(quantity !== undefined && QUANTITY.has(name)));
  return [
    ...(quantity === undefined ? [] : [quantityLine(`${key}.value`, labels.join(" › "), quantity, amount)]),
    ...members.flatMap((each) => comparisonLines(each, [...labels, each.field.title], `${key}.${each.name}`)),
  ];
}

/** @param amount undefined if the quantity is not known */
function quantityLine(key: string, label: string, quantity: Quantity, amount: Amount | undefined): Line {
  return {
    key,
    label,
    text: richQuantity(quantity),
    writeDeposited: () => richQuantity(amount?.writeDeposited() ?? quantity),
    exact: amount?.exact ?? quantity.text,
    amount,
  };
}

function textLine(key: string, label: string, item: Item, amount: Amount | undefined): Line {
  let hasNumbers = false;
  const text = valueText(item, (_, quantity) => {
    hasNumbers = true;
    return richQuantity(quantity);
  });
  const exact = hasNumbers ? valueText(item, (each, quantity) => [amountOf(each)?.exact ?? quantity.text]) : text;
  const writeDeposited = (): RichText =>
    valueText(item, (each, quantity) => richQuantity(amountOf(each)?.writeDeposited() ?? quantity));
  return { key, label, text, writeDeposited, exact: plainText(exact), amount };
}

/** Returns the number of an item. Undefined if it has none, or one that stands for "not known". */
function amountOf(item: Item): Amount | undefined {
  const [quantity, measured] = [item.quantity, measuredOf(item)];
  // Words in place of a number have no digits.
  if (quantity === undefined || quantity.whole === "" || measured === undefined) return undefined;
  const { units } = item.context;
  const writeDeposited = (): Quantity => readQuantity(measured, units, "deposited")!;
  const unit = findUnit(units, measured.unit);
  const canonical = unit && units.units.get(units.dimensions.get(unit.dimension)!.canonical);
  // Numbers that differ in their units only are equal.
  const exact = canonical === undefined ? measured : (convertResult(measured, canonical, units) ?? measured);
  return { number: measured.value, quantity, writeDeposited, unit, exact: writeResult(exact) ?? "" };
}

function itemName({ value }: Item): string | undefined {
  if (!isObject(value)) return undefined;
  const name = own(value, "name") ?? own(value, "id");
  return typeof name === "string" && name !== "" ? name : undefined;
}
