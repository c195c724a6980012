import type { Catalog, Vocabulary } from "../../core/catalog/types.js";
import { convertResult } from "../../core/citable/record-results.js";
import { valuesAt } from "../../core/citable/values-at.js";
import { isObject, type Json, type JsonObject } from "../../core/json.js";
import { type RecordBody, storedBody } from "../../core/record.js";
import { parseStoredTerm } from "../../core/terms/term-row.js";
import type { TermBody } from "../../core/terms/term-version.js";
import type { Unit, Units } from "../../core/units/units.js";
import { type CsvDialect, csvLine, numberText, RFC_4180 } from "../../formats/csv.js";
import { TERM_FORMATS } from "../../formats/terms/term-formats.js";
import { termColumns } from "../../formats/terms/term-table.js";
import { type AboutLine, startXlsx, type Xlsx, type XlsxCell } from "../../formats/xlsx.js";
import type { OpenedRecordResult, RecordHit, RecordSearchRequest, TermHit } from "../../services/api/searches.js";
import {
  recordTables,
  type StreamColumn,
  type StreamTable,
  type StreamValue,
  termTable,
} from "../../services/streams/columns.js";
import { NDJSON, type ResultFormat, type ResultOptions, resultFormat, XLSX } from "../parameters/result-format.js";
import type { SearchParameters, TermSearchParameters } from "../parameters/search-parameters.js";
import { termText, withLinks } from "./answer-text.js";
import { API, recordLinks } from "./links.js";
import type { ResultWriter, StreamCall } from "./stream-answers.js";

const LINES = { open: "", between: "", close: "" };

/** Returns the writer of the records of a result. @throws PARAMETER_INVALID for an unknown column, list or unit */
export function recordWriter(
  result: OpenedRecordResult,
  call: StreamCall<SearchParameters<RecordSearchRequest>>,
  { models }: Catalog,
): ResultWriter<RecordHit> {
  const { site, parameters } = call;
  const resultType = resultFormat("records", call.format) ?? NDJSON;
  const { record: format } = resultType;
  if (format?.join !== undefined) {
    return { ...format.join, write: async (record) => format.write(await result.describe(record), site) };
  }
  const api = site.url + API;
  const options = parameters.result;
  if (!isTable(resultType, options)) {
    return { ...LINES, write: (record) => line(withLinks(record.json, recordLinks(api, record))) };
  }
  const { model } = parameters.request;
  const tables = recordTables(model === undefined ? [...models.values()] : [models.get(model)!], options);
  const licenses = new Set<string>();
  const about = (): readonly AboutLine[] => [...aboutLines(call), ["License", licenseText(licenses)]];
  const rows = makeRowWriter(resultType, [...tables.values()][0]?.columns ?? [], about);
  return {
    ...rows.document,
    async write(record) {
      const { id, json, model: name } = record;
      if (resultType === XLSX) licenses.add((await result.describe(record)).license?.name ?? "");
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
  call: StreamCall<TermSearchParameters>,
  { vocabularies }: Catalog,
): Promise<ResultWriter<TermHit>> {
  const { site, format: name, parameters } = call;
  const api = site.url + API;
  const vocabulary = vocabularies.get(parameters.request.vocabulary)!;
  const format = TERM_FORMATS.find((each) => each.name === name);
  if (format !== undefined) {
    const { open, close, write } = await format.begin(vocabulary, site);
    return { open, between: "", close, write: (term) => write(parseStoredTerm<TermBody>(term)) };
  }
  const resultType = resultFormat("terms", name) ?? NDJSON;
  if (!isTable(resultType, parameters.result)) {
    return { ...LINES, write: (term) => line(termText(api, vocabulary, term)) };
  }
  const { fields, units } = parameters.result;
  const about = (): readonly AboutLine[] => aboutLines(call);
  if (resultType !== NDJSON && fields === undefined && units === undefined)
    return wholeTermWriter(vocabulary, resultType, about);
  const table: StreamTable = termTable(vocabulary, parameters.result);
  const rows = makeRowWriter(resultType, table.columns, about);
  return { ...rows.document, write: (term) => rows.write(rowCells(table, parseStoredTerm<JsonObject>(term))) };
}

/** Returns a writer of whole terms as CSV, which an import reads, or as a workbook with the same columns. */
function wholeTermWriter(
  vocabulary: Vocabulary,
  { csv: dialect }: ResultFormat,
  about: () => readonly AboutLine[],
): ResultWriter<TermHit> {
  const columns = termColumns(vocabulary);
  const names = columns.map(({ name }) => name);
  const cellsOf = (stored: TermHit) => {
    const term = parseStoredTerm<TermBody>(stored);
    return columns.map(({ cellOf }) => cellOf(term));
  };
  if (dialect === undefined) {
    const xlsx = startXlsx(names, about);
    return { ...documentOf(xlsx), write: (stored) => xlsx.row(cellsOf(stored)) };
  }
  return {
    ...LINES,
    open: dialect.mark + csvLine(names, dialect),
    write: (stored) => csvLine(cellsOf(stored), dialect),
  };
}

/** The text around the rows of a workbook, and its bytes. */
const documentOf = ({ open, close, pack }: Xlsx) => ({ open, between: "", close, pack });

/** Returns the lines of the sheet "About": what was searched, where and when. */
function aboutLines({ site, address, time, parameters }: StreamCall<SearchParameters>): readonly AboutLine[] {
  const { q, filters } = parameters.request;
  const filterLines = Object.entries(filters).map(([name, values]) => [`Filter ${name}`, values.join("; ")] as const);
  return [["Source", site.url], ["Query", q || "everything"], ...filterLines, ["Address", address], ["Date", time]];
}

/** Returns the licenses of the records, without repetitions. Records without one are mentioned. */
function licenseText(names: ReadonlySet<string>): string {
  const named = [...names].filter((name) => name !== "").sort();
  return [...named, ...(names.has("") ? ["no license stated; see each record"] : [])].join("; ");
}

/** Returns whether the result is a table. NDJSON without columns has whole bodies. */
const isTable = (format: ResultFormat, { fields, rows, units }: ResultOptions): boolean =>
  format !== NDJSON || fields !== undefined || rows !== undefined || units !== undefined;

type Scalar = string | number | boolean | null;

/** Cell of a row, usually with one value. */
interface Cell {
  readonly values: readonly Scalar[];
  /** True if the cell has the same value, such as a unit, for each of several numbers. */
  readonly isSame?: boolean;
}

/** Returns the cells of one row. A quantity has several: its numbers, units and errors. */
function rowCells({ columns, units, rowValues }: StreamTable, body: Json, element?: Json): readonly Cell[] {
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
function convert({ value, unit, error, from }: StreamValue, to: Unit, units: Units): readonly StreamValue[] {
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
const columnNames = ({ name, isQuantity, hasError, mayBeDerived }: StreamColumn): readonly string[] => {
  if (!isQuantity) return [name];
  const errors = [`${name}_error_lower`, `${name}_error_upper`, `${name}_error_is_relative`];
  return [name, `${name}_unit`, ...(hasError ? errors : []), ...(mayBeDerived ? [`${name}_derived`] : [])];
};

/** Writer of the rows of a table, and the text around them. */
interface RowWriter {
  readonly document: Omit<ResultWriter<never>, "write">;
  write(cells: readonly Cell[]): string;
}

/** Creates a writer of rows of a table as CSV, as a workbook, or as JSON objects. */
function makeRowWriter(
  { csv, ...format }: ResultFormat,
  columns: readonly StreamColumn[],
  about: () => readonly AboutLine[],
): RowWriter {
  const names = columns.flatMap(columnNames);
  if (format.name === XLSX.name) {
    const xlsx = startXlsx(names, about);
    return { document: documentOf(xlsx), write: (cells) => xlsx.row(cells.map(workbookCell)) };
  }
  if (csv !== undefined) {
    const write = (cells: readonly Cell[]): string =>
      csvLine(
        cells.map((cell) => cellText(cell, csv)),
        csv,
      );
    return { document: { ...LINES, open: csv.mark + csvLine(names, csv) }, write };
  }
  const cellMember = ({ values }: Cell): unknown => (values.length < 2 ? (values[0] ?? null) : values);
  return {
    document: LINES,
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

/** Returns the content of a cell of a workbook: one value with its type, several as in CSV. */
function workbookCell(cell: Cell): XlsxCell {
  const [only] = cell.values;
  return cell.values.length > 1 && cell.isSame !== true ? cellText(cell, RFC_4180) : (only ?? undefined);
}

/** Returns JSON on one line. Line ends occur only between its tokens; in its texts they are escaped. */
const line = (json: string): string => `${json.includes("\n") ? json.replaceAll(/[\r\n]+/g, " ") : json}\n`;
