import type { Citable, Result, Site } from "../../core/citable/citable.js";
import { csvDialect, csvLine, EXCEL_NAMES, EXCEL_TITLES, type ExcelDialect, excelName } from "../csv.js";
import { CITATION_STYLES, STYLE_TITLES, writeCitation } from "./citation.js";
import { dataciteJson } from "./datacite.js";
import { dataciteXml } from "./datacite-xml.js";
import { dublinCore } from "./dublin-core.js";
import { jsonLd } from "./json-ld.js";
import type { RecordFormat } from "./record-format.js";
import { bibtex, csl, ris } from "./reference-managers.js";
import { LINKSET_TYPES, linkset, linksetText, signposts, type TypedLink } from "./signposting.js";

/** A citation in each style; the first is the one without a parameter `style`. */
const citations: readonly RecordFormat[] = CITATION_STYLES.map((style, i) => ({
  name: i === 0 ? "citation" : `citation-${style}`,
  title: `Citation (${STYLE_TITLES[style]})`,
  mediaType: i === 0 ? "text/x-bibliography" : `text/x-bibliography; style=${style}`,
  extension: "txt",
  join: { open: "", between: "", close: "" },
  write: (record, site) => `${writeCitation(record, site, style)}\n`,
}));

/** Column names, the same as in other tables of results. */
const RESULT_COLUMNS = [
  "record",
  "type",
  "name",
  "value",
  "error_lower",
  "error_upper",
  "error_is_relative",
  "unit",
  "entities_involved",
];

const RESULTS = "results";

/** Measured values as deposited: one line for each result. */
export const resultsCsv: RecordFormat = { name: RESULTS, title: "Results as CSV", ...resultsIn(undefined) };

/** CSV for Excel. A parameter selects it instead of the format with the same media type. */
export const EXCEL_FORMATS: readonly RecordFormat[] = EXCEL_NAMES.map((excel) => ({
  name: excelName(RESULTS, excel),
  title: `Results as CSV for ${EXCEL_TITLES[excel]}`,
  ...resultsIn(excel),
}));

function resultsIn(excel: ExcelDialect | undefined): Omit<RecordFormat, "name" | "title"> {
  const dialect = csvDialect(excel);
  return {
    mediaType: "text/csv",
    extension: "csv",
    profile: "https://www.rfc-editor.org/rfc/rfc4180",
    join: { open: dialect.mark + csvLine(RESULT_COLUMNS, dialect), between: "", close: "", isAlways: true },
    write: (record) => record.results.map((result) => csvLine(resultRow(record, result), dialect)).join(""),
  };
}

function resultRow(
  { id }: Citable,
  { kind, name, value, unit, error, of }: Result,
): readonly (string | number | undefined)[] {
  const bounds = error === undefined ? [] : [error.lower, error.upper, String(error.isRelative)];
  return [id, kind, name, value, bounds[0], bounds[1], bounds[2], unit, of.join("; ")];
}

/** Formats that describe a record, in the order in which they are offered to a client without a preference. */
const DESCRIPTIONS: readonly RecordFormat[] = [
  jsonLd,
  dataciteJson,
  dataciteXml,
  dublinCore,
  bibtex,
  ris,
  csl,
  ...citations,
  resultsCsv,
];

const SIGNPOSTING = "https://signposting.org/FAIR/";

/** The links between a record, its page and its formats. */
const linkSets: readonly RecordFormat[] = [
  {
    name: "linkset",
    title: "Link set (Signposting)",
    mediaType: LINKSET_TYPES.json,
    extension: "json",
    profile: SIGNPOSTING,
    write: (record, site) => JSON.stringify(linkset(record, site, DESCRIPTIONS)),
  },
  {
    name: "linkset-text",
    title: "Link set as text (Signposting)",
    mediaType: LINKSET_TYPES.text,
    extension: "txt",
    profile: SIGNPOSTING,
    write: (record, site) => linksetText(record, site, DESCRIPTIONS),
  },
];

/** Returns the links of a record page, for its `Link` header and its `<link>` elements. */
export const recordPageLinks = (record: Citable, site: Site): readonly TypedLink[] =>
  signposts(record, site, DESCRIPTIONS);

/** All formats of records except JSON. */
export const RECORD_FORMATS: readonly RecordFormat[] = [...DESCRIPTIONS, ...linkSets];

const isCitation = ({ name }: RecordFormat): boolean => name.startsWith("citation");

/** Formats that the page of a record links to. Citations are texts on the page. */
export const PAGE_FORMATS: readonly RecordFormat[] = [
  ...DESCRIPTIONS.filter((format) => !isCitation(format)),
  ...EXCEL_FORMATS,
  ...linkSets,
];

/** Returns the format with this name, including those of `EXCEL_FORMATS`. */
export const recordFormat = (name: string | undefined): RecordFormat | undefined =>
  [...RECORD_FORMATS, ...EXCEL_FORMATS].find((each) => each.name === name);
