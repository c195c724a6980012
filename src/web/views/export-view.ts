import { EXCEL_NAMES, EXCEL_TITLES } from "../../formats/csv.js";
import { CITATION_STYLES, STYLE_TITLES } from "../../formats/records/citation.js";
import { EXCEL_FORMATS } from "../../formats/records/formats.js";
import { TERM_FORMATS } from "../../formats/terms/term-formats.js";
import {
  CSV,
  NDJSON,
  RESULT_FORMATS,
  type ResultFormat,
  TERM_RESULT_FORMATS,
  XLSX,
} from "../../http/parameters/result-format.js";
import { address, type Pairs, pairsOfApi, termPath } from "./page-addresses.js";

/** Link to a whole result in one format. */
export interface Export {
  readonly title: string;
  /** Address relative to the root. */
  readonly to: string;
}

/** A whole result, with links to it in each format. */
export interface ExportView {
  /** Number of records or terms. */
  readonly total: number;
  /** Estimated size as JSON lines, in bytes. Absent: unknown. */
  readonly bytes?: number | undefined;
  readonly groups: readonly ExportGroup[];
  /** Address of the result as CSV, for the code of a request, relative to the root. */
  readonly csv: string;
}

/** Exports with the same purpose. */
interface ExportGroup {
  readonly name: "spreadsheet" | "references" | "data";
  readonly links: readonly Export[];
}

/** The content of an export of records. */
interface ExportedRecords {
  readonly total: number;
  readonly bytes?: number | undefined;
  /** Parameters of a table: its columns, rows and units. */
  readonly table: Pairs;
  /** Name of the list with the results of a record. Absent: the records have none. */
  readonly results?: string | undefined;
}

/** Parameters that select or mark up one page. A whole result has no pages. */
const PAGE_PARAMETERS: ReadonlySet<string> = new Set(["page", "size", "cursor", "p", "s", "highlight"]);

/** Formats of reference managers. */
const REFERENCES: readonly string[] = ["bibtex", "ris", "csl"];
const RESULTS = "results";

/**
 * Returns links to all records of a search in each format, and to their citations in each style.
 * @param path path of the search page
 */
export function exportsOf(path: string, pairs: Pairs, { table, results, total, bytes }: ExportedRecords): ExportView {
  const to = (...format: Pairs): string => wholeAt(path, pairs, format);
  const link = ({ name, record }: ResultFormat): Export => ({
    title: titleOf(name, record?.title),
    to: to(["format", name]),
  });
  const described = RESULT_FORMATS.filter(({ record }) => record !== undefined);
  const citations = CITATION_STYLES.map((style) => ({
    title: `Citations (${STYLE_TITLES[style]})`,
    to: to(["format", "citation"], ["style", style]),
  }));
  const resultLinks =
    results === undefined
      ? []
      : [
          { title: `Results as ${titleOf(XLSX.name)}`, to: to(["rows", results], ["format", XLSX.name]) },
          ...EXCEL_NAMES.map((excel, i) => ({
            title: EXCEL_FORMATS[i]!.title,
            to: to(["format", RESULTS], ["excel", excel]),
          })),
          ...described.filter(({ name }) => name === RESULTS).map(link),
        ];
  const isData = ({ name }: ResultFormat): boolean =>
    !REFERENCES.includes(name) && name !== RESULTS && !name.startsWith("citation");
  return {
    total,
    bytes,
    csv: to(...table, ["format", CSV.name]),
    groups: [
      { name: "spreadsheet", links: [...tableLinks(path, pairs, table), ...resultLinks] },
      {
        name: "references",
        links: [...described.filter(({ name }) => REFERENCES.includes(name)).map(link), ...citations],
      },
      { name: "data", links: [onePage(path, pairs), link(NDJSON), ...described.filter(isData).map(link)] },
    ],
  };
}

/** Returns links to all terms of a search in each format. @param path path of the search page */
export function termExportsOf(path: string, pairs: Pairs, total: number): ExportView {
  const to = (name: string): string => wholeAt(path, pairs, [["format", name]]);
  const described = TERM_RESULT_FORMATS.filter(({ term }) => term !== undefined);
  return {
    total,
    csv: to(CSV.name),
    groups: [
      { name: "spreadsheet", links: tableLinks(path, pairs, []) },
      {
        name: "data",
        links: [
          onePage(path, pairs),
          ...[NDJSON, ...described].map(({ name, term }) => ({ title: titleOf(name, term?.title), to: to(name) })),
        ],
      },
    ],
  };
}

/** Returns links to a table as a workbook, as CSV in each dialect of Excel, and as CSV. */
function tableLinks(path: string, pairs: Pairs, table: Pairs): readonly Export[] {
  const to = (name: string, ...more: Pairs): string => wholeAt(path, pairs, [...table, ["format", name], ...more]);
  const csv = titleOf(CSV.name);
  return [
    { title: titleOf(XLSX.name), to: to(XLSX.name) },
    ...EXCEL_NAMES.map((excel) => ({
      title: `${csv} for ${EXCEL_TITLES[excel]}`,
      to: to(CSV.name, ["excel", excel]),
    })),
    { title: csv, to: to(CSV.name) },
  ];
}

/** Returns the link to one page of the result as JSON. */
const onePage = (path: string, pairs: Pairs): Export => ({
  title: "JSON, page by page",
  to: address(`api/${path}`, pairsOfApi(pairs)),
});

/** Titles of formats that single records and terms do not have. */
const TITLES: Readonly<Record<string, string>> = { ndjson: "JSON lines", csv: "CSV", xlsx: "Excel (.xlsx)" };

const titleOf = (name: string, title = TITLES[name]): string => title ?? name;

/** Returns links to a term in each format except JSON. */
export const termFormatsOf = (vocabulary: string, id: string): readonly Export[] =>
  TERM_FORMATS.map(({ name, title }) => ({
    title,
    to: address(`api/${termPath(vocabulary, id)}`, [["format", name]]),
  }));

/** Returns the address of a whole result as JSON lines, the only format that contains all data. */
export const wholeResultAddress = (path: string, pairs: Pairs): string => wholeAt(path, pairs, [["format", "ndjson"]]);

function wholeAt(path: string, pairs: Pairs, format: Pairs): string {
  const searchParameters = pairsOfApi(pairs).filter(([name]) => !PAGE_PARAMETERS.has(name));
  return address(`api/${path}`, [...searchParameters, ...format]);
}

/** Returns links to the selected records in each format. */
export const exportsOfIds = (ids: ReadonlySet<string>, records: Omit<ExportedRecords, "total" | "bytes">): ExportView =>
  exportsOf("search", [["q", [...ids].map((id) => `id:${id}`).join(" OR ")]], { ...records, total: ids.size });
