import { findUnit, type Unit, type Units } from "../../core/catalog/units.js";
import { peopleOf } from "../../core/citable/record-people.js";
import { convertNumber } from "../../core/citable/record-results.js";
import { isObject, type Json, own } from "../../core/json.js";
import type { SectionView } from "./record-sections.js";
import { type Item, QUANTITY, quantityText } from "./value-view.js";

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
  /** The value as deposited. */
  readonly text: string;
  /** The number in the unit of the first record, if that is another unit: `7.5 nM`. */
  readonly converted?: string | undefined;
  /** Ratio to the number of the first record: `×3.1`. */
  readonly ratio?: string | undefined;
}

/** Value of a record in a row. */
interface Line {
  readonly key: string;
  readonly label: string;
  readonly text: string;
  readonly amount?: Amount;
}

/** A number with a known unit. */
interface Amount {
  readonly number: number;
  readonly unit: Unit;
}

/** Compares records field by field. Matches elements of lists by their names, or else by their positions. */
export function compareRecords(records: readonly ComparedRecord[]): readonly ComparedSection[] {
  const titles = new Map(records.flatMap(({ sections }) => sections.map(({ name, title }) => [name, title] as const)));
  return [...titles].map(([name, title]) => {
    const rows = new Map<string, { label: string; lines: (Line | undefined)[] }>();
    for (const [i, { sections, units }] of records.entries()) {
      const items = sections.find((section) => section.name === name)?.items ?? [];
      const lines = items.flatMap((item) => linesOf(item, items.length === 1 ? [] : [item.field.title], units));
      for (const line of lines) {
        const { key, label, text } = line;
        const row = rows.get(key) ?? { label, lines: records.map(() => undefined) };
        const earlierLine = row.lines[i];
        row.lines[i] = earlierLine === undefined ? line : { key, label, text: `${earlierLine.text}; ${text}` };
        rows.set(key, row);
      }
    }
    const comparedRows = [...rows.values()].map(({ label, lines }) => ({ label, cells: cellsOf(lines) }));
    const isEqual = ({ cells }: ComparedRow): boolean => cells.every((cell) => cell?.text === cells[0]?.text);
    return {
      name,
      title,
      differing: comparedRows.filter((row) => !isEqual(row)),
      equal: comparedRows.filter(isEqual),
    };
  });
}

/** Returns the cells of a row. Numbers after the first one are also converted to its unit and compared with it. */
function cellsOf(lines: readonly (Line | undefined)[]): ComparedRow["cells"] {
  const first = lines.find((line) => line?.amount !== undefined)?.amount;
  return lines.map((line) => {
    if (line === undefined) return undefined;
    const { text, amount } = line;
    if (first === undefined || amount === undefined || amount === first) return { text };
    if (amount.unit.dimension !== first.unit.dimension) return { text };
    const number = convertNumber(amount.number, amount.unit, first.unit);
    const ratio = number / first.number;
    // Units with an offset (°C) and numbers with opposite signs have no meaningful ratio.
    const hasRatio = first.unit.offset === 0 && Number.isFinite(ratio) && ratio > 0 && rounded(ratio) !== 1;
    return {
      text,
      converted: amount.unit.name === first.unit.name ? undefined : `${rounded(number, 4)} ${first.unit.name}`,
      ratio: hasRatio ? `×${rounded(ratio)}` : undefined,
    };
  });
}

const rounded = (number: number, digits = 2): number => Number(number.toPrecision(digits));

/** Returns the lines of a value and its members. @param labels titles of its parents */
function linesOf(item: Item, labels: readonly string[], units: Units, key = item.path): readonly Line[] {
  if (item.isInline) {
    const label = labels.join(" › ") || item.field.title;
    return [{ key, label, text: textOf(item), ...amountOf(item.value, units) }];
  }
  if (Array.isArray(item.value)) {
    return item.elements.flatMap((each, i) => {
      const name = nameOf(each) ?? String(i + 1);
      return linesOf(each, [...labels, name], units, `${key}[${name}]`);
    });
  }
  const amount = isObject(item.value) ? quantityText(item.value) : undefined;
  const members = item.members.filter(({ name }) => name !== "id" && !(amount !== undefined && QUANTITY.has(name)));
  const whole =
    amount === undefined
      ? []
      : [{ key: `${key}.value`, label: labels.join(" › "), text: amount, ...amountOf(item.value, units) }];
  return [
    ...whole,
    ...members.flatMap((each) => linesOf(each, [...labels, each.field.title], units, `${key}.${each.name}`)),
  ];
}

function amountOf(value: Json, units: Units): Pick<Line, "amount"> {
  if (!isObject(value)) return {};
  const [number, unit] = [own(value, "value"), own(value, "unit")];
  const knownUnit = typeof unit === "string" ? findUnit(units, unit) : undefined;
  return typeof number === "number" && knownUnit !== undefined ? { amount: { number, unit: knownUnit } } : {};
}

function nameOf({ value }: Item): string | undefined {
  if (!isObject(value)) return undefined;
  const name = own(value, "name") ?? own(value, "id");
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** Returns whether a value needs no label, because it is a name or an object. */
const isNamed = ({ name, value }: Item): boolean => name === "name" || isObject(value);

/** Returns a value as text on one line. */
function textOf(item: Item): string {
  const view = item.view;
  switch (view.kind) {
    case "scalar":
    case "quantity":
    case "reference":
      return view.text;
    case "term":
      return view.title;
    case "person":
      return peopleOf([item.value])[0]?.name ?? "";
    case "list":
      // Names of persons contain commas, so semicolons separate them.
      return item.elements
        .map(textOf)
        .join(item.elements.some(({ view: each }) => each.kind === "person") ? "; " : ", ");
    default:
      return item.members
        .filter(({ name }) => name !== "id")
        .map((each) => `${isNamed(each) ? "" : `${each.field.title.toLowerCase()} `}${textOf(each)}`)
        .join(" ");
  }
}
