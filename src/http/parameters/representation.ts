/** Format of the response with a record or a term: from `format=`, otherwise from `Accept`. */
import { Type } from "typebox";
import { choice } from "../../core/answer.js";
import { type ExcelDialect, excelName } from "../../formats/csv.js";
import { CITATION_STYLES } from "../../formats/records/citation.js";
import { RECORD_FORMATS, recordFormat } from "../../formats/records/formats.js";
import type { RecordFormat } from "../../formats/records/record-format.js";
import { TERM_FORMATS, type TermFormat } from "../../formats/terms/term-formats.js";
import { badParameter } from "../../services/input/issues.js";
import { declareQuery, parameter } from "./parameter.js";
import { API_TYPES, parseElements, preferredType } from "./request-headers.js";
import { expandParameter, RecordParams } from "./requests.js";

const BIBLIOGRAPHY = "text/x-bibliography";
const STYLE = /^style="?([\w-]+)/;
const [DEFAULT_STYLE] = CITATION_STYLES;

/** Formats by their media types without parameters. */
const FORMATS_BY_TYPE: ReadonlyMap<string, RecordFormat> = new Map(
  RECORD_FORMATS.filter(({ mediaType }) => !mediaType.includes(";")).flatMap((format) =>
    [format.mediaType, ...(format.alsoAsked ?? [])].map((type) => [type, format]),
  ),
);

/** Media types of responses with a record. */
export const RECORD_TYPES: readonly string[] = [...API_TYPES, ...FORMATS_BY_TYPE.keys()];

/** Values of `format` for a record. The parameter `style` chooses the style of a citation. */
const NAMES = RECORD_FORMATS.filter(({ mediaType }) => !mediaType.includes(";")).map(({ name }) => name);

const styleParameter = parameter(
  choice([...CITATION_STYLES], { description: `Style of a citation. Default: ${DEFAULT_STYLE}.` }),
);

/** Names of CSV formats: for a whole result, and for a record. */
const CSV_FORMATS: readonly string[] = ["csv", "results"];

/** CSV dialects by the values of `excel`. */
const EXCEL_VALUES: Readonly<Record<string, ExcelDialect | undefined>> = {
  false: undefined,
  true: "semicolon",
  semicolon: "semicolon",
  comma: "comma",
};

/** The parameter that chooses how CSV is written for Excel. */
export const excelParameter = parameter(
  choice(Object.keys(EXCEL_VALUES), {
    description:
      "CSV (`csv`, `results`) for Excel, with a byte order mark. `semicolon` or `true`: semicolons and decimal " +
      "commas. `comma`: commas and decimal points.",
  }),
  { default: "false" },
);

/** Query parameters of a published record or a draft. */
export const RecordQuery = declareQuery({
  expand: expandParameter,
  format: parameter(
    choice(["json", ...NAMES], { description: "The format of the response, instead of an Accept header." }),
  ),
  style: styleParameter,
  excel: excelParameter,
});

/** Query parameters of an export of a record. */
export const ExportQuery = declareQuery({ style: styleParameter, excel: excelParameter });

/** Path parameters of an export of a record. */
export const ExportParams = Type.Object({
  id: RecordParams.properties.id,
  // The schema accepts any text, because an unknown format is a 404.
  format: Type.Unsafe<string>(
    choice(["json", ...RECORD_FORMATS.map(({ name }) => name)], { description: "Name of a format." }),
  ),
});

/** Parameters that choose a format. */
export interface FormatChoice {
  readonly format?: string | undefined;
  /** Style of a citation. */
  readonly style?: string | undefined;
  /** A value of `excel`, which chooses the dialect of CSV. */
  readonly excel?: string | undefined;
}

/**
 * Returns the requested format of a record; undefined for JSON.
 *
 * @throws PARAMETER_INVALID for an unknown style, or a parameter of another format
 */
export function recordFormatOf(accept: string | undefined, choices: FormatChoice): RecordFormat | undefined {
  return recordFormat(formatName(accept, choices, formatByType(accept)));
}

/**
 * Returns the name of the requested format, which includes the style of a citation and the dialect of CSV.
 *
 * @param acceptedName name of the format that `Accept` chooses; `format` takes precedence
 * @throws PARAMETER_INVALID for an unknown style, or a parameter of another format
 */
export function formatName(
  accept: string | undefined,
  { format, style, excel = "false" }: FormatChoice,
  acceptedName: string | undefined,
): string | undefined {
  const name = format ?? acceptedName;
  const dialect = EXCEL_VALUES[excel];
  if (dialect !== undefined) {
    if (name !== undefined && CSV_FORMATS.includes(name)) return excelName(name, dialect);
    throw badParameter("excel", 'The parameter "excel" applies to CSV only: format=csv or format=results.', excel);
  }
  if (style !== undefined && name !== "citation") {
    throw badParameter("style", 'The parameter "style" belongs to format=citation.', style);
  }
  const styleName = style ?? (name === "citation" && format === undefined ? styleByType(accept) : undefined);
  return styleName === undefined || styleName === DEFAULT_STYLE ? name : `${name}-${styleName}`;
}

function formatByType(accept: string | undefined): string | undefined {
  const type = preferredType(accept, RECORD_TYPES);
  return type === undefined ? undefined : FORMATS_BY_TYPE.get(type)?.name;
}

/** Returns the style in `text/x-bibliography; style=...`. If there are several, the highest `q` decides. */
function styleByType(accept = ""): string | undefined {
  const [range] = parseElements(accept)
    .filter(({ name, quality }) => name === BIBLIOGRAPHY && quality > 0)
    .sort((a, b) => b.quality - a.quality);
  const style = range?.parameters.flatMap((parameter) => STYLE.exec(parameter)?.[1] ?? [])[0];
  if (style === undefined || CITATION_STYLES.some((known) => known === style)) return style;
  const message = `The style of a citation must be one of ${CITATION_STYLES.join(", ")}.`;
  throw badParameter("Accept", message, style, [...CITATION_STYLES]);
}

/** Media types of responses with a term. */
export const TERM_TYPES: readonly string[] = [...API_TYPES, ...TERM_FORMATS.map(({ mediaType }) => mediaType)];

/** Query parameters of a term. */
export const TermQuery = declareQuery({
  format: parameter(
    choice(["json", ...TERM_FORMATS.map(({ name }) => name)], {
      description: "The format of the response, instead of an Accept header.",
    }),
  ),
});

/** Returns the requested format of a term; undefined for JSON. @param format value of `format=` */
export function termFormatOf(accept: string | undefined, format: string | undefined): TermFormat | undefined {
  const type = format === undefined ? preferredType(accept, TERM_TYPES) : undefined;
  return TERM_FORMATS.find(({ name, mediaType }) => (format === undefined ? mediaType === type : name === format));
}
