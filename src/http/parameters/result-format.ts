/** Format of the result of a search: one page as JSON, or the whole result as a stream. */

import { Type } from "typebox";
import { choice } from "../../core/answer.js";
import { type CsvDialect, csvDialect, EXCEL_NAMES, excelName, RFC_4180 } from "../../formats/csv.js";
import { CITATION_STYLES } from "../../formats/records/citation.js";
import { EXCEL_FORMATS, RECORD_FORMATS } from "../../formats/records/formats.js";
import type { RecordFormat } from "../../formats/records/record-format.js";
import { TERM_FORMATS, type TermFormat } from "../../formats/terms/term-formats.js";
import { XLSX_TYPE } from "../../formats/xlsx.js";
import type { TableRequest } from "../../services/api/searches.js";
import { badParameter } from "../../services/input/issues.js";
import { parameter } from "./parameter.js";
import { excelParameter, type FormatChoice, formatName } from "./representation.js";
import { API_TYPES, preferredType } from "./request-headers.js";

/** Format of whole results. */
export interface ResultFormat {
  readonly name: string;
  readonly mediaType: string;
  readonly alsoAsked?: readonly string[] | undefined;
  /** Extension of a download. */
  readonly extension: string;
  /** Dialect of CSV; absent if the format is not CSV. */
  readonly csv?: CsvDialect;
  /** The format of each record, if the format describes records one by one. */
  readonly record?: RecordFormat;
  /** The format of each term, if the format describes terms one by one. */
  readonly term?: TermFormat;
}

/** One JSON document per line. */
export const NDJSON: ResultFormat = { name: "ndjson", mediaType: "application/x-ndjson", extension: "ndjson" };

/** CSV according to RFC 4180. */
export const CSV: ResultFormat = { name: "csv", mediaType: "text/csv", extension: "csv", csv: RFC_4180 };

/** A workbook of Excel. */
export const XLSX: ResultFormat = { name: "xlsx", mediaType: XLSX_TYPE, extension: "xlsx" };

/** Formats of any result, also in the form of a table. */
const LINES: readonly ResultFormat[] = [NDJSON, CSV, XLSX];

const toResultFormat = (record: RecordFormat): ResultFormat => ({
  name: record.name,
  mediaType: record.mediaType,
  extension: record.extension,
  record,
  alsoAsked: record.alsoAsked,
});

/** Formats of results of records, including the formats of records that can hold several records in one document. */
export const RESULT_FORMATS: readonly ResultFormat[] = [
  ...LINES,
  ...RECORD_FORMATS.filter(({ join }) => join !== undefined).map(toResultFormat),
];

/** Formats of results of terms. */
export const TERM_RESULT_FORMATS: readonly ResultFormat[] = [
  ...LINES,
  ...TERM_FORMATS.map((term) => ({ name: term.name, mediaType: term.mediaType, extension: term.extension, term })),
];

/** Formats in CSV for Excel, which the parameter `excel` chooses: tables, and formats of records. */
const EXCEL_RESULT_FORMATS: readonly ResultFormat[] = [
  ...EXCEL_NAMES.map((excel) => ({ ...CSV, name: excelName(CSV.name, excel), csv: csvDialect(excel) })),
  ...EXCEL_FORMATS.map(toResultFormat),
];

const isPlain = ({ mediaType }: ResultFormat): boolean => !mediaType.includes(";");

/** Returns the formats by media type. If two formats have the same type, the first one counts. */
function byType(formats: readonly ResultFormat[]): ReadonlyMap<string, ResultFormat> {
  const pairs = formats
    .filter(isPlain)
    .flatMap((format) => [format.mediaType, ...(format.alsoAsked ?? [])].map((type) => [type, format] as const));
  return new Map(pairs.reverse());
}

const FORMATS = {
  records: [...RESULT_FORMATS, ...EXCEL_RESULT_FORMATS],
  terms: [...TERM_RESULT_FORMATS, ...EXCEL_RESULT_FORMATS.filter(({ record }) => record === undefined)],
} as const;

const BY_TYPE = { records: byType(RESULT_FORMATS), terms: byType(TERM_RESULT_FORMATS) };

/** Returns the format of a whole result by its name. */
export const resultFormat = (kind: keyof typeof FORMATS, name: string | undefined): ResultFormat | undefined =>
  FORMATS[kind].find((format) => format.name === name);

/** Media types of responses to searches. */
export const RESULT_TYPES = {
  records: [...API_TYPES, ...[...BY_TYPE.records.keys()].reverse()],
  terms: [...API_TYPES, ...[...BY_TYPE.terms.keys()].reverse()],
} as const;

const formatParameter = (formats: readonly ResultFormat[]) =>
  parameter(
    choice(["json", ...formats.filter(isPlain).map(({ name }) => name)], {
      description:
        "json: one page. Any other: the whole result, streamed, without pages and facets; instead of an Accept header.",
    }),
  );

const TABLE = {
  excel: excelParameter,
  fields: parameter(
    Type.Array(Type.String(), {
      description:
        "Columns of a result as csv, xlsx or ndjson, by names of the query language or by paths; repeated, or with " +
        "commas.",
    }),
  ),
  units: parameter(
    Type.Unsafe<Readonly<Record<string, string>>>({
      type: "object",
      additionalProperties: { type: "string" },
      style: "form",
      explode: true,
      description: "`unit.<column>=nM` converts a column of a result as csv, xlsx or ndjson.",
    }),
    { prefix: "unit." },
  ),
};

/** Parameters of the result of a search for records. */
export const RECORD_RESULT = {
  ...TABLE,
  rows: parameter(
    Type.String({
      description:
        "For a result as csv, xlsx or ndjson: a list of the records, such as `results`; each element is a row.",
    }),
  ),
  matched: parameter(
    Type.Boolean({ description: "With `rows`: only elements that match the part of the query about the list." }),
    { default: false },
  ),
  format: formatParameter(RESULT_FORMATS),
  style: parameter(
    choice([...CITATION_STYLES], { description: `Style of format=citation. Default: ${CITATION_STYLES[0]}.` }),
  ),
};
/** Parameters of the result of a search for terms. */
export const TERM_RESULT = { ...TABLE, format: formatParameter(TERM_RESULT_FORMATS) };

/** Requested format and table of a result. */
export interface ResultOptions extends TableRequest, FormatChoice {}

/** Values of the parameters of a result. */
interface ResultValues extends FormatChoice {
  readonly fields?: readonly string[] | undefined;
  readonly rows?: string | undefined;
  readonly matched?: boolean | undefined;
  readonly units?: Readonly<Record<string, string>> | undefined;
}

/** Returns the requested format and table, without parameters that have no effect. */
export function readResultOptions(values: ResultValues): ResultOptions {
  const { format, style, fields, rows, matched = false, units, excel } = values;
  const names = fields?.flatMap((text) => text.split(",")).map((name) => name.trim());
  return {
    format,
    style,
    fields: names?.filter((name) => name !== ""),
    rows: rows || undefined,
    matched: matched || undefined,
    excel: excel === undefined || excel === "false" ? undefined : excel,
    units,
  };
}

/** Checks that parameters of tables are sent only with the format of a table. @throws PARAMETER_INVALID */
function checkTable(options: ResultOptions, format: ResultFormat | undefined): void {
  const { fields, rows, matched, units } = options;
  if (matched && rows === undefined) throw badParameter("matched", 'The parameter "matched" belongs to rows=<list>.');
  if (format?.csv !== undefined || format === NDJSON || format === XLSX) return;
  const [unit] = Object.keys(units ?? {});
  const name = fields ? "fields" : rows ? "rows" : unit === undefined ? undefined : `unit.${unit}`;
  if (name === undefined) return;
  throw badParameter(name, `The parameter "${name}" belongs to format=csv, format=xlsx or format=ndjson.`);
}

/**
 * Returns the format of a whole result; undefined for a page of JSON.
 *
 * @throws PARAMETER_INVALID for an unknown style, or a parameter of another format
 */
export function resultFormatOf(
  accept: string | undefined,
  options: ResultOptions,
  kind: keyof typeof RESULT_TYPES,
): ResultFormat | undefined {
  const type = preferredType(accept, RESULT_TYPES[kind]);
  const name = formatName(accept, options, type === undefined ? undefined : BY_TYPE[kind].get(type)?.name);
  const format = resultFormat(kind, name);
  checkTable(options, format);
  return format;
}
