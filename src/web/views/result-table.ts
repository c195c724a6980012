/** The results of a record as one table. */
import type { ReferringColumn, Section } from "../../core/catalog/description.js";
import type { Model } from "../../core/catalog/types.js";
import { isObject, own } from "../../core/json.js";
import { type Quantity, unitOfColumn } from "../notation/quantity.js";
import { WORDS } from "../words/page-en.js";
import type { LabelledValues } from "./series-view.js";
import { flatElements, itemsAt, plainValueText, valueKey, type Written, writeSentence } from "./value-text.js";
import { type Item, measuredOf, quantityIn } from "./value-view.js";

/** The results of a record as a table. */
export interface ResultTable {
  readonly rows: readonly ResultRow[];
  /** Values that all rows have in common. */
  readonly shared: readonly LabelledValues[];
  /** Titles of the further columns: the measured objects, and values of other objects. */
  readonly columns: readonly string[];
  readonly hasErrors: boolean;
  readonly hasUnits: boolean;
  /** Largest number of characters from the decimal point on, by which the numbers are aligned. */
  readonly decimals: number;
}

interface ResultRow {
  readonly item: Item;
  readonly kind: Item | undefined;
  /** Name of the result, if another row has the same kind. */
  readonly name: string | undefined;
  /** The name as tooltip, if it is not shown. */
  readonly tooltip: string | undefined;
  /** Absent: the result has no number. */
  readonly quantity: Quantity | undefined;
  readonly inPlace: Written;
  /** Values of the further columns. */
  readonly cells: readonly (readonly Item[])[];
}

/**
 * Returns the results in the order of the quantities of their model, which is that of their importance. Numbers of one
 * dimension have one unit: it fits most of them.
 */
export function resultTable(list: Item, model: Model, { sentence, referring }: Section): ResultTable {
  const { kind: kindName, of } = model.describe.results!;
  const kinds = model.quantities.flatMap(({ where }) => where?.get(kindName) ?? []);
  const [ofList] = of.split(".");
  const kindOf = (item: Item): Item | undefined => item.members.find(({ name }) => name === kindName);
  const rankOf = (item: Item): number => {
    const rank = kinds.indexOf(String(kindOf(item)?.value));
    return rank === -1 ? kinds.length : rank;
  };
  const counts = new Map<string, number>();
  for (const item of list.elements) {
    const key = String(kindOf(item)?.value);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const columns = [
    {
      title: WORDS.record.results.of,
      valuesOf: (item: Item) => item.members.filter((each) => each.name === ofList).flatMap(flatElements),
    },
    ...referring.map((column) => {
      const values = referringValues(list, column);
      return { title: column.title, valuesOf: (item: Item) => values.get(valueId(item) ?? "") ?? [] };
    }),
  ].filter(({ valuesOf }) => list.elements.some((item) => valuesOf(item).length > 0));
  const isShared = ({ valuesOf }: (typeof columns)[number]): boolean =>
    list.elements.length > 1 && new Set(list.elements.map((item) => valuesOf(item).map(valueKey).join())).size === 1;
  const varying = columns.filter((column) => !isShared(column));
  const { units, isDeposited } = list.context;
  const numbers = list.elements.flatMap((item) => (isKnownQuantity(item) ? (measuredOf(item) ?? []) : []));
  const unit = isDeposited ? undefined : unitOfColumn(numbers, units);
  const rows = [...list.elements]
    .sort((a, b) => rankOf(a) - rankOf(b))
    .map((item): ResultRow => {
      const kind = kindOf(item);
      const name = item.members.find((each) => each.name === "name");
      const text = name === undefined ? undefined : plainValueText(name);
      const isDistinguished = (counts.get(String(kind?.value)) ?? 0) > 1 || kind === undefined;
      return {
        item,
        kind,
        name: isDistinguished ? text : undefined,
        tooltip: isDistinguished ? undefined : text,
        quantity: quantityIn(item, unit),
        inPlace: sentence === undefined ? [] : writeSentence(sentence, item),
        cells: varying.map(({ valuesOf }) => valuesOf(item)),
      };
    });
  const quantities = rows.flatMap(({ quantity }) => quantity?.parts ?? []);
  return {
    rows,
    shared: columns.filter(isShared).map(({ title, valuesOf }) => ({ title, values: valuesOf(list.elements[0]!) })),
    columns: varying.map(({ title }) => title),
    hasErrors: quantities.some(({ error }) => error !== undefined),
    hasUnits: quantities.some(({ scale }) => scale.length > 0),
    decimals: quantities.reduce((most, { decimals }) => Math.max(most, decimals.length), 0),
  };
}

/** Returns whether an item has a number, and not one that stands for "not known". */
const isKnownQuantity = (item: Item): boolean => (item.quantity?.whole ?? "") !== "";

const valueId = ({ value }: Item): string | undefined => {
  const id = isObject(value) ? own(value, "id") : undefined;
  return typeof id === "string" ? id : undefined;
};

/** Returns the values of the objects that refer to a row, by the id of the row. */
function referringValues(rows: Item, { list, reference, path }: ReferringColumn): ReadonlyMap<string, readonly Item[]> {
  const values = new Map<string, readonly Item[]>();
  for (const object of itemsAt(rows.context.root(), list)) {
    const ids = new Set(itemsAt(object, reference).flatMap((each) => valueId(each) ?? []));
    const found = itemsAt(object, path);
    if (found.length === 0) continue;
    for (const id of ids) values.set(id, [...(values.get(id) ?? []), ...found]);
  }
  return values;
}
