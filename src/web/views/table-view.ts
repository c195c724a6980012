import { amountKey } from "../../core/citable/record-results.js";
import { valuesAt } from "../../core/citable/values-at.js";
import { isObject, type JsonObject } from "../../core/json.js";
import { type RecordBody, storedBody } from "../../core/record.js";
import type { Units } from "../../core/units/units.js";
import type { RecordHit } from "../../services/api/searches.js";
import type { RecordSorts } from "../../services/search/record-sorts.js";
import type { Table, Value } from "../../services/streams/columns.js";
import { type NumberColumn, numberColumn } from "../notation/columns.js";
import { symbolsText, symbolOf as writeSymbol } from "../notation/names.js";
import { derivedQuantity, type Quantity, readQuantity } from "../notation/quantity.js";
import { plainText, type RichText } from "../notation/rich-text.js";
import { lookOf } from "../notation/unit-choice.js";
import { type Look, labelOfColumn, type ShownFields } from "./look.js";
import type { SearchAddress } from "./page-addresses.js";

/** A table with one row per record, or per element of one of their lists. */
export interface TableView {
  readonly heads: readonly Head[];
  readonly rows: readonly RowView[];
}

interface Head {
  readonly name: string;
  readonly label: string;
  /** Symbol of the quantity. Absent: the label stands in the head. */
  readonly symbol?: RichText | undefined;
  readonly isNumber: boolean;
  /** How the numbers stand, if the cells have one number each. */
  readonly numbers?: NumberColumn | undefined;
  /** Address of the page with the next order, and the current order. Absent if the column cannot sort records. */
  readonly sort?: { readonly page: string; readonly order: "ascending" | "descending" | undefined };
}

export interface RowView {
  readonly id: string;
  /** Whether this is the first row of its record. */
  readonly isFirst: boolean;
  readonly cells: readonly CellView[];
  /** Number of rows of the record that are not shown, in its last row. Otherwise 0. */
  readonly left: number;
}

export interface CellView {
  readonly values: readonly ValueText[];
  /** Number of values that are not shown. */
  readonly left: number;
}

interface ValueText {
  readonly text: string;
  /** A number. Absent: the value is a text. */
  readonly quantity?: Quantity;
}

interface TableParts {
  readonly look: Look;
  readonly shown: ShownFields;
  readonly tables: ReadonlyMap<string, Table>;
  readonly address: SearchAddress;
  readonly sorts: RecordSorts;
  readonly sortBy: string;
}

/** Makes the table of some hits. */
export function tableView(hits: readonly RecordHit[], parts: TableParts): TableView {
  const [first] = parts.tables.values();
  const columns = first?.columns ?? [];
  const { fields } = parts.shown;
  const isNumber = columns.map(({ name, isQuantity }) => isQuantity || fields.get(name)?.type === "number");
  const rows = hits.flatMap((hit) => rowsOfHit(hit, parts));
  return {
    heads: columns.map((column, i) => {
      const head = headOf(column.name, isNumber[i]!, parts);
      return isNumber[i] ? { ...head, numbers: numbersOf(rows, i) } : head;
    }),
    rows,
  };
}

/** Returns how the numbers of a column stand. Undefined if a cell has several of them. */
function numbersOf(rows: readonly RowView[], at: number): NumberColumn | undefined {
  const cells = rows.map(({ cells: all }) => all[at]!.values);
  const column = numberColumn(cells.flatMap((values) => values.flatMap(({ quantity }) => quantity ?? [])));
  return cells.every((values) => values.length < 2) ? column : { ...column, rest: 0 };
}

/** Makes the head of a column. Its link sorts ascending, then descending, then in the default order. */
function headOf(name: string, isNumber: boolean, { look, shown, address, sorts, sortBy }: TableParts): Head {
  const symbol = shown.symbolOf(name);
  const head = {
    name,
    label: labelOfColumn(shown, name, look.rows),
    symbol: symbol === undefined ? undefined : writeSymbol(symbol),
    isNumber,
  };
  const [up, down] = ordersOf(name, sorts);
  if (up === undefined) return head;
  const isDefault = address.pairs.every(([each]) => each !== "sort");
  const order = sortBy === up ? "ascending" : sortBy === down ? "descending" : undefined;
  const next = order === undefined || isDefault ? up : order === "ascending" ? down : undefined;
  return { ...head, sort: { page: String(address.with("sort", next)), order } };
}

/** Returns the names of the orders by a column: ascending, descending. */
function ordersOf(name: string, { find }: RecordSorts): readonly (string | undefined)[] {
  if (name === "created") return ["oldest", "newest"];
  return [find(name)?.name, find(`-${name}`)?.name];
}

/** Maximum numbers of rows per record and of values per cell, and maximum length of a text in UTF-16 units. */
const ROWS_MAX = 50;
const VALUES_MAX = 4;
const TEXT_LENGTH_MAX = 160;

function rowsOfHit(hit: RecordHit, { look, shown: fields, tables }: TableParts): readonly RowView[] {
  const { models, symbolOf } = fields;
  const table = tables.get(hit.model);
  if (table === undefined) return [];
  const body = storedBody(hit) as RecordBody & JsonObject;
  const { list } = table;
  const modelTitle = models.find(({ name }) => name === hit.model)?.shortTitle ?? hit.model;
  if (list === undefined && look.rows !== undefined) return [];
  const elements = list === undefined ? [undefined] : elementsOf(body, list, look.isMatched ? hit.matched : undefined);
  const rows = elements.slice(0, ROWS_MAX);
  const left = elements.length - rows.length + (hit.elementsLeft?.get(list ?? "") ?? 0);
  return rows.map((element, i) => ({
    id: body.id,
    isFirst: i === 0,
    cells: table.valuesOf(body, element).map((values, at) => {
      const { name } = table.columns[at]!;
      const shown = name === "model" ? [{ value: modelTitle }] : values;
      const paths = element === undefined ? (fields.fields.get(name)?.paths ?? []) : [`${list}.${name}`];
      const wordsOf = (text: string) => (look.isDeposited ? undefined : fields.wordsAt(paths, text));
      return cellOf(shown, lookOf(look, name), { units: table.units, symbolByName: symbolOf, wordsOf });
    }),
    left: i === rows.length - 1 ? left : 0,
  }));
}

const elementsOf = (body: JsonObject, list: string, matched: readonly boolean[] | undefined): readonly JsonObject[] =>
  valuesAt(body, list)
    .filter(isObject)
    .filter((_, i) => matched === undefined || matched[i] === true);

/** How values are written: the units of the catalog, the symbols of quantities and the words for deposited texts. */
interface ValueWriting {
  readonly wordsOf: (text: string) => RichText | undefined;
  readonly units: Units;
  readonly symbolByName: ShownFields["symbolOf"];
}

/** Makes a cell. Equal values of several measurements are shown once. */
function cellOf(values: readonly Value[], to: ReturnType<typeof lookOf>, writing: ValueWriting): CellView {
  const distinct = [...new Map(values.map((each) => [cellKey(each, writing), each])).values()].map((value) =>
    valueText(value, to, writing),
  );
  return { values: distinct.slice(0, VALUES_MAX), left: Math.max(0, distinct.length - VALUES_MAX) };
}

/** Returns a text that equal values share. Derived amounts differ from deposited ones. */
const cellKey = ({ value, unit, error, from }: Value, { units }: ValueWriting): string =>
  typeof value === "string" ? value : `${amountKey({ value, unit, error }, units)} ${from?.join() ?? ""}`;

function valueText(
  { value, unit, error, from }: Value,
  to: ReturnType<typeof lookOf>,
  { units, symbolByName, wordsOf }: ValueWriting,
): ValueText {
  if (typeof value === "string") {
    const words = wordsOf(value);
    return { text: words === undefined ? clip(value.replace(INSTANT, "$1")) : plainText(words) };
  }
  const measured = { value, unit, error };
  const quantity =
    from === undefined
      ? readQuantity(measured, units, to)!
      : derivedQuantity(measured, symbolsText(from, symbolByName), units, to)!;
  return { text: quantity.text, quantity };
}

/** Instant, of which a table shows the date. */
const INSTANT = /^(\d{4}-\d\d-\d\d)T\S+$/;

const clip = (text: string): string =>
  text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX).trimEnd()} …` : text;
