import type { Catalog, Vocabulary } from "../../core/catalog/types.js";
import { convertResult } from "../../core/citable/record-results.js";
import { valuesAt } from "../../core/citable/values-at.js";
import { isObject, type Json, type JsonObject } from "../../core/json.js";
import { type RecordBody, storedBody } from "../../core/record.js";
import { parseStoredTerm } from "../../core/terms/term-row.js";
import type { TermBody } from "../../core/terms/term-version.js";
import type { Unit, Units } from "../../core/units/units.js";
import { type CsvDialect, csvLine, numberText } from "../../formats/csv.js";
import { TERM_FORMATS } from "../../formats/terms/term-formats.js";
import { termColumns } from "../../formats/terms/term-table.js";
import type { OpenedRecordResult, RecordHit, RecordSearchRequest, TermHit } from "../../services/api/searches.js";
import { type Column, recordTables, type Table, termTable, type Value } from "../../services/streams/columns.js";
import { NDJSON, type ResultOptions, resultFormat } from "../parameters/result-format.js";
import type { SearchParameters, TermSearchParameters } from "../parameters/search-parameters.js";
import { termText, withLinks } from "./answer-text.js";
import { API, recordLinks } from "./links.js";
import type { ResultWriter, StreamCall } from "./stream-answers.js";

const LINES = { open: "", between: "", close: "" };

/** Returns the writer of the records of a result. @throws PARAMETER_INVALID for an unknown column, list or unit */
export function recordWriter(
  result: OpenedRecordResult,
  { site, format: name, parameters }: StreamCall<SearchParameters<RecordSearchRequest>>,
  { models }: Catalog,
): ResultWriter<RecordHit> {
  const { record: format, csv } = resultFormat("records", name) ?? NDJSON;
  if (format?.join !== undefined) {
    return { ...format.join, write: async (record) => format.write(await result.describe(record), site) };
  }
  const api = site.url + API;
  const options = parameters.result;
  if (!isTable(csv, options)) {
    return { ...LINES, write: (record) => line(withLinks(record.json, recordLinks(api, record))) };
  }
  const { model } = parameters.request;
  const tables = recordTables(model === undefined ? [...models.values()] : [models.get(model)!], options);
  const rows = makeRowWriter(csv, [...tables.values()][0]?.columns ?? []);
  return {
    ...LINES,
    open: rows.head,
    async write({ id, json, model: name }) {
      const body = storedBody({ id, json }) as RecordBody & JsonObject;
      const table = tables.get(name);
      if (table === undefined) return "";
      const { list } = table;
      if (list === undefined) return options.rows === undefined ? rows.write(rowCells(table, body)) : "";
      const matching = options.matched ? await result.matching(body, list) : undefined;
      const elements = valuesAt(body, list).filter(isObject);
      const rowElements = elements.filter((_, i) => matching === undefined || matching[i] === true);
      return rowElements.map((element) => rows.write(rowCells(table, body, element))).join("");
    },
  };
}

/** Returns the writer of the terms of a result. @throws PARAMETER_INVALID for an unknown column or unit */
export async function termWriter(
  { site, format: name, parameters }: StreamCall<TermSearchParameters>,
  { vocabularies }: Catalog,
): Promise<ResultWriter<TermHit>> {
  const api = site.url + API;
  const vocabulary = vocabularies.get(parameters.request.vocabulary)!;
  const format = TERM_FORMATS.find((each) => each.name === name);
  if (format !== undefined) {
    const { open, close, write } = await format.begin(vocabulary, site);
    return { open, between: "", close, write: (term) => write(parseStoredTerm<TermBody>(term)) };
  }
  const { csv } = resultFormat("terms", name) ?? NDJSON;
  if (!isTable(csv, parameters.result)) {
    return { ...LINES, write: (term) => line(termText(api, vocabulary, term)) };
  }
  const { fields, units } = parameters.result;
  if (csv !== undefined && fields === undefined && units === undefined) return wholeTermWriter(vocabulary, csv);
  const table: Table = termTable(vocabulary, parameters.result);
  const rows = makeRowWriter(csv, table.columns);
  return { ...LINES, open: rows.head, write: (term) => rows.write(rowCells(table, parseStoredTerm<JsonObject>(term))) };
}

/** Returns a writer of whole terms as CSV, which an import reads. */
function wholeTermWriter(vocabulary: Vocabulary, dialect: CsvDialect): ResultWriter<TermHit> {
  const columns = termColumns(vocabulary);
  const names = columns.map(({ name }) => name);
  return {
    ...LINES,
    open: dialect.mark + csvLine(names, dialect),
    write: (stored) => {
      const term = parseStoredTerm<TermBody>(stored);
      const cells = columns.map(({ cellOf }) => cellOf(term));
      return csvLine(cells, dialect);
    },
  };
}

/** Returns whether the result is a table. NDJSON without columns has whole bodies. @param csv absent for NDJSON */
const isTable = (csv: CsvDialect | undefined, { fields, rows, units }: ResultOptions): boolean =>
  csv !== undefined || fields !== undefined || rows !== undefined || units !== undefined;

type Scalar = string | number | boolean | null;

/** Cell of a row, usually with one value. */
interface Cell {
  readonly values: readonly Scalar[];
  /** True if the cell has the same value, such as a unit, for each of several numbers. */
  readonly isSame?: boolean;
}

/** Returns the cells of one row. A quantity has several: its numbers, units and errors. */
function rowCells({ columns, units, rowValues }: Table, body: Json, element?: Json): readonly Cell[] {
  return rowValues(body, element).flatMap((values, i): readonly Cell[] => {
    const { isQuantity, hasError, mayBeDerived, unit: to } = columns[i]!;
    if (!isQuantity) return [{ values: distinct(values.map(({ value }) => value)) }];
    const converted = to === undefined ? values : values.flatMap((value) => convert(value, to, units));
    const quantities = [...new Map(converted.map((value) => [JSON.stringify(value), value])).values()];
    const cells = [{ values: quantities.map(({ value }) => value) }, quantityCell(quantities.map(({ unit }) => unit))];
    const errors = quantities.map(({ error }) => error);
    const errorCells = [
      quantityCell(errors.map((error) => error?.lower)),
      quantityCell(errors.map((error) => error?.upper)),
      quantityCell(errors.map((error) => error?.isRelative)),
    ];
    const derived = quantityCell(quantities.map(({ from }) => from !== undefined));
    return [...cells, ...(hasError ? errorCells : []), ...(mayBeDerived ? [derived] : [])];
  });
}

/** Converts a number and its error to another unit. Returns an empty list if this is not possible. */
function convert({ value, unit, error, from }: Value, to: Unit, units: Units): readonly Value[] {
  const converted = typeof value === "number" ? convertResult({ value, unit, error }, to, units) : undefined;
  return converted === undefined ? [] : [{ ...converted, from }];
}

const distinct = <T>(values: readonly T[]): readonly T[] => (values.length < 2 ? values : [...new Set(values)]);

/** Returns the cell with the units or errors of several numbers, in their order. A missing one is null. */
function quantityCell(values: readonly (string | number | boolean | undefined)[]): Cell {
  if (values.every((value) => value === undefined)) return { values: [] };
  return { values: values.map((value) => value ?? null), isSame: distinct(values).length === 1 };
}

/** Returns the names of the CSV or NDJSON columns for one column of a table. */
const columnNames = ({ name, isQuantity, hasError, mayBeDerived }: Column): readonly string[] => {
  if (!isQuantity) return [name];
  const errors = [`${name}_error_lower`, `${name}_error_upper`, `${name}_error_is_relative`];
  return [name, `${name}_unit`, ...(hasError ? errors : []), ...(mayBeDerived ? [`${name}_derived`] : [])];
};

/** Creates a writer of rows of a table as CSV, or as JSON objects. @param csv absent for JSON */
function makeRowWriter(
  csv: CsvDialect | undefined,
  columns: readonly Column[],
): { head: string; write(cells: readonly Cell[]): string } {
  const names = columns.flatMap(columnNames);
  if (csv !== undefined) {
    const write = (cells: readonly Cell[]): string =>
      csvLine(
        cells.map((cell) => cellText(cell, csv)),
        csv,
      );
    return { head: csv.mark + csvLine(names, csv), write };
  }
  const cellMember = ({ values }: Cell): unknown => (values.length < 2 ? (values[0] ?? null) : values);
  return {
    head: "",
    write: (cells) => `${JSON.stringify(Object.fromEntries(names.map((name, i) => [name, cellMember(cells[i]!)])))}\n`,
  };
}

/** Returns the CSV content of a cell: one value as it is, several joined by "; ", equal units or errors once. */
function cellText({ values, isSame }: Cell, dialect: CsvDialect): string | number | undefined {
  const [only] = values;
  if (values.length > 1 && isSame !== true) {
    return values.map((value) => (typeof value === "number" ? numberText(value, dialect) : value)).join("; ");
  }
  return typeof only === "boolean" ? String(only) : (only ?? undefined);
}

/** Returns JSON on one line. Line ends occur only between its tokens; in its texts they are escaped. */
const line = (json: string): string => `${json.includes("\n") ? json.replaceAll(/[\r\n]+/g, " ") : json}\n`;
