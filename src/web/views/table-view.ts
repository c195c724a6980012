import { measuredPart } from "../../core/citable/describe-record.js";
import { amountKey } from "../../core/citable/record-results.js";
import { valuesAt } from "../../core/citable/values-at.js";
import { isObject, type JsonObject } from "../../core/json.js";
import { type RecordBody, storedBody } from "../../core/record.js";
import type { Units } from "../../core/units/units.js";
import type { RecordHit } from "../../services/api/searches.js";
import type { RecordSorts } from "../../services/search/record-sorts.js";
import { findListPath, type StreamTable, type StreamValue } from "../../services/streams/columns.js";
import { type PartedColumn, partedColumn } from "../notation/columns.js";
import { symbolsText, termName, type Vocabularies, richSymbol as writeSymbol } from "../notation/names.js";
import { type ChosenUnit, derivedQuantity, type Quantity, readQuantity, unitOfColumn } from "../notation/quantity.js";
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
  /** How the numbers, their errors and units stand, if the values are numbers. */
  readonly numbers?: PartedColumn | undefined;
  /** Address of the page with the next order, and the current order. Absent if the column cannot sort records. */
  readonly sort?: { readonly page: string; readonly order: "ascending" | "descending" | undefined };
}

/** A row of a table. */
export interface RowView {
  readonly id: string;
  /** Whether this is the first row of its record. */
  readonly isFirst: boolean;
  readonly cells: readonly CellView[];
  /** Number of rows of the record that are not shown, in its last row. Otherwise 0. */
  readonly left: number;
}

/** A cell of a table. */
export interface CellView {
  readonly values: readonly ValueText[];
  /** Number of values that are not shown. */
  readonly left: number;
}

interface ValueText {
  readonly text: string;
  /** The text with its italics. Absent: it has none. */
  readonly rich?: RichText;
  /** A number. Absent: the value is a text. */
  readonly quantity?: Quantity;
}

interface TableParts {
  readonly look: Look;
  readonly shown: ShownFields;
  readonly tables: ReadonlyMap<string, StreamTable>;
  readonly address: SearchAddress;
  readonly sorts: RecordSorts;
  readonly sortBy: string;
  readonly vocabularies: Vocabularies;
}

/** Makes the table of some hits. The readable numbers of a column have one unit: it fits most of them. */
export function tableView(hits: readonly RecordHit[], parts: TableParts): TableView {
  const [first] = parts.tables.values();
  const columns = first?.columns ?? [];
  const { look, shown } = parts;
  const rows = hits.flatMap((hit) => rowsOfHit(hit, parts));
  const units = first?.units;
  const cells = columns.map(({ name }, at) => {
    const values = rows.map((row) => row.values[at]!);
    const chosen =
      lookOf(look, name) ??
      (units &&
        unitOfColumn(
          values.flatMap((each) => each.flatMap(numericValues)),
          units,
        ));
    const vocabulary = look.isDeposited ? undefined : parts.vocabularies.get(vocabularyOf(name, parts) ?? "");
    return values.map((each) => makeCell(each, chosen, { units: units!, symbolByName: shown.symbolOf, vocabulary }));
  });
  return {
    heads: columns.map(({ name, isQuantity }, at) => {
      const isNumber = isQuantity || shown.fields.get(name)?.type === "number";
      const head = makeHead(name, isNumber, parts);
      return isNumber ? { ...head, numbers: partedColumn(cells[at]!.map(quantitiesIn)) } : head;
    }),
    rows: rows.map(({ values: _, ...row }, i) => ({ ...row, cells: cells.map((column) => column[i]!) })),
  };
}

/** Returns the vocabulary whose terms a column cites. */
function vocabularyOf(name: string, { look, shown }: TableParts): string | undefined {
  if (look.rows === undefined) return shown.fields.get(name)?.vocabulary;
  const sites = shown.models.flatMap((model) => {
    const list = findListPath(model, look.rows);
    return model.termSites.filter(({ path }) => path === `${list}.${name}`);
  });
  return sites[0]?.vocabulary;
}

const numericValues = ({ value, unit, error }: StreamValue) =>
  typeof value === "number" ? [{ value, unit, error }] : [];

const quantitiesIn = ({ values }: CellView): readonly Quantity[] => values.flatMap(({ quantity }) => quantity ?? []);

/** Makes the head of a column. Its link sorts ascending, then descending, then in the default order. */
function makeHead(name: string, isNumber: boolean, { look, shown, address, sorts, sortBy }: TableParts): Head {
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

/** A row before its numbers are written. */
interface RowValues extends Omit<RowView, "cells"> {
  /** Values by column. */
  readonly values: readonly (readonly StreamValue[])[];
}

function rowsOfHit(hit: RecordHit, { look, shown: fields, tables }: TableParts): readonly RowValues[] {
  const { models } = fields;
  const table = tables.get(hit.model);
  if (table === undefined) return [];
  const body = storedBody(hit) as RecordBody & JsonObject;
  const { list } = table;
  const modelTitle = models.find(({ name }) => name === hit.model)?.shortTitle ?? hit.model;
  if (list === undefined && look.rows !== undefined) return [];
  const elements = list === undefined ? [undefined] : elementsOf(body, list, look.isMatched ? hit.matched : undefined);
  const rows = elements.slice(0, ROWS_MAX);
  const left = elements.length - rows.length + (hit.elementsLeft?.get(list ?? "") ?? 0);
  const measured = measuredValues(body, hit.model, { look, shown: fields, tables });
  return rows.map((element, i) => ({
    id: body.id,
    isFirst: i === 0,
    values: (measured ?? table.rowValues(body, element)).map((values, at) => {
      const { name } = table.columns[at]!;
      if (name === "model") return [{ value: modelTitle }];
      if (look.isDeposited) return values;
      const paths = element === undefined ? (fields.fields.get(name)?.paths ?? []) : [`${list}.${name}`];
      return values.map((each) => withWords(each, (text) => fields.wordsAt(paths, text)));
    }),
    left: i === rows.length - 1 ? left : 0,
  }));
}

/**
 * Returns the values of the row of a record whose conditions are those of the measurement, and not those of other steps
 * (washing). Undefined if they are the same, or if elements of a list are the rows.
 */
function measuredValues(
  body: RecordBody & JsonObject,
  modelName: string,
  { look, shown, tables }: Pick<TableParts, "look" | "shown" | "tables">,
): readonly (readonly StreamValue[])[] | undefined {
  const model = shown.models.find(({ name }) => name === modelName);
  const table = tables.get(modelName);
  if (model === undefined || table === undefined || look.rows !== undefined || look.isDeposited) return undefined;
  const conditions = new Set(model.describe.roles.get("conditions")?.map(({ name }) => name));
  if (!table.columns.some(({ name }) => conditions.has(name))) return undefined;
  const metadata = measuredPart(body.metadata, model);
  if (metadata === body.metadata) return undefined;
  const measured: JsonObject = { ...(body as JsonObject), metadata };
  return table.columns.map(({ name }, at) => table.columnValues(at, conditions.has(name) ? measured : body));
}

const elementsOf = (body: JsonObject, list: string, matched: readonly boolean[] | undefined): readonly JsonObject[] =>
  valuesAt(body, list)
    .filter(isObject)
    .filter((_, i) => matched === undefined || matched[i] === true);

/** Replaces a deposited text by the words that pages have for it. */
function withWords(value: StreamValue, wordsOf: (text: string) => RichText | undefined): StreamValue {
  const words = typeof value.value === "string" ? wordsOf(value.value) : undefined;
  return words === undefined ? value : { value: plainText(words) };
}

/** The units of the catalog and the symbols of quantities, to write numbers with. */
interface NumberWriting {
  readonly units: Units;
  readonly symbolByName: ShownFields["symbolOf"];
  /** Vocabulary of the terms of the column. */
  readonly vocabulary: ReturnType<Vocabularies["get"]>;
}

/** Makes a cell. Equal values of several measurements are shown once. */
function makeCell(values: readonly StreamValue[], to: ChosenUnit | undefined, writing: NumberWriting): CellView {
  const distinct = [...new Map(values.map((each) => [cellKey(each, writing), each])).values()].map((value) =>
    valueText(value, to, writing),
  );
  return { values: distinct.slice(0, VALUES_MAX), left: Math.max(0, distinct.length - VALUES_MAX) };
}

/** Returns a text that equal values share. Derived amounts differ from deposited ones. */
const cellKey = ({ value, unit, error, from }: StreamValue, { units }: NumberWriting): string =>
  typeof value === "string" ? value : `${amountKey({ value, unit, error }, units)} ${from?.join() ?? ""}`;

function valueText(
  { value, unit, error, from }: StreamValue,
  to: ChosenUnit | undefined,
  { units, symbolByName, vocabulary }: NumberWriting,
): ValueText {
  if (typeof value === "string") {
    const text = clip(value.replace(INSTANT, "$1"));
    return vocabulary?.italic === undefined ? { text } : { text, rich: termName(vocabulary, text) };
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
