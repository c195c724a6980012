import { findUnit, type Unit, type Units } from "../../core/catalog/units.js";
import { peopleOf } from "../../core/citable/record-people.js";
import { convertNumber } from "../../core/citable/record-results.js";
import { isObject, type Json, own } from "../../core/json.js";
import type { SectionView } from "./record-sections.js";
import { type Item, QUANTITY, quantityText } from "./value-view.js";

/** A record of a comparison, as its page would show it. */
export interface Compared {
  readonly sections: readonly SectionView[];
  /** Those that its numbers are in. */
  readonly units: Units;
}

/** Rows of one section, of all records. */
export interface ComparedSection {
  readonly name: string;
  readonly title: string;
  readonly differing: readonly ComparedRow[];
  readonly equal: readonly ComparedRow[];
}

export interface ComparedRow {
  readonly label: string;
  /** One for each record; undefined where a record has no such value. */
  readonly cells: readonly (ComparedCell | undefined)[];
}

export interface ComparedCell {
  /** As it was deposited. */
  readonly text: string;
  /** The number in the unit of the first record, where that is another one: `7.5 nM`. */
  readonly converted?: string;
  /** How many times the number of the first record it is: `×3.1`. */
  readonly ratio?: string;
}

interface Line {
  readonly key: string;
  readonly label: string;
  readonly text: string;
  readonly amount?: Amount;
}

/** A number with a unit that converts. */
interface Amount {
  readonly number: number;
  readonly unit: Unit;
}

/** What records say, field by field. Elements of lists stand side by side by their names, else by their places. */
export function compareRecords(records: readonly Compared[]): readonly ComparedSection[] {
  const titles = new Map(records.flatMap(({ sections }) => sections.map(({ name, title }) => [name, title] as const)));
  return [...titles].map(([name, title]) => {
    const rows = new Map<string, { label: string; lines: (Line | undefined)[] }>();
    for (const [i, { sections, units }] of records.entries()) {
      const items = sections.find((section) => section.name === name)?.items ?? [];
      const found = items.flatMap((item) => linesOf(item, items.length === 1 ? [] : [item.field.title], units));
      for (const line of found) {
        const { key, label, text } = line;
        const row = rows.get(key) ?? { label, lines: records.map(() => undefined) };
        const before = row.lines[i];
        row.lines[i] = before === undefined ? line : { key, label, text: `${before.text}; ${text}` };
        rows.set(key, row);
      }
    }
    const all = [...rows.values()].map(({ label, lines }) => ({ label, cells: cellsOf(lines) }));
    const isEqual = ({ cells }: ComparedRow): boolean => cells.every((cell) => cell?.text === cells[0]?.text);
    return { name, title, differing: all.filter((row) => !isEqual(row)), equal: all.filter(isEqual) };
  });
}

/** Values side by side: numbers after the first one in its unit, and how many times as large they are. */
function cellsOf(lines: readonly (Line | undefined)[]): ComparedRow["cells"] {
  const first = lines.find((line) => line?.amount !== undefined)?.amount;
  return lines.map((line) => {
    if (line === undefined) return undefined;
    const { text, amount } = line;
    if (first === undefined || amount === undefined || amount === first) return { text };
    if (amount.unit.dimension !== first.unit.dimension) return { text };
    const number = convertNumber(amount.number, amount.unit, first.unit);
    const ratio = number / first.number;
    // A scale whose zero is a convention (°C) has no ratios, nor have numbers of opposite signs.
    const hasRatio = first.unit.offset === 0 && Number.isFinite(ratio) && ratio > 0 && rounded(ratio) !== 1;
    return {
      text,
      ...(amount.unit.name === first.unit.name ? {} : { converted: `${rounded(number, 4)} ${first.unit.name}` }),
      ...(hasRatio ? { ratio: `×${rounded(ratio)}` } : {}),
    };
  });
}

const rounded = (number: number, digits = 2): number => Number(number.toPrecision(digits));

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
  const known = typeof unit === "string" ? findUnit(units, unit) : undefined;
  return typeof number === "number" && known !== undefined ? { amount: { number, unit: known } } : {};
}

function nameOf({ value }: Item): string | undefined {
  if (!isObject(value)) return undefined;
  const name = own(value, "name") ?? own(value, "id");
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** Does a value need no label: a name, or an object that has one? */
const isNamed = ({ name, value }: Item): boolean => name === "name" || isObject(value);

/** A value as one text. */
function textOf(item: Item): string {
  const view = item.drawn;
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
      // Names of persons contain commas.
      return item.elements.map(textOf).join(item.elements.some(({ drawn }) => drawn.kind === "person") ? "; " : ", ");
    default:
      return item.members
        .filter(({ name }) => name !== "id")
        .map((each) => `${isNamed(each) ? "" : `${each.field.title.toLowerCase()} `}${textOf(each)}`)
        .join(" ");
  }
}
