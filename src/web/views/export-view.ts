import { EXCEL_NAMES, EXCEL_TITLES } from "../../formats/csv.js";
import { CITATION_STYLES, STYLE_TITLES } from "../../formats/records/citation.js";
import { TERM_FORMATS } from "../../formats/terms/term-formats.js";
import { CSV, RESULT_FORMATS, type ResultFormat, TERM_RESULT_FORMATS } from "../../http/parameters/result-format.js";
import { address, type Pairs, pairsOfApi, termPath } from "./page-addresses.js";

/** Link to a whole result in one format. */
export interface Export {
  readonly title: string;
  /** Address relative to the root. */
  readonly to: string;
}

/** Parameters that select or mark up one page. A whole result has no pages. */
const PAGE_PARAMETERS: ReadonlySet<string> = new Set(["page", "size", "cursor", "p", "s", "highlight"]);

/**
 * Returns links to all records of a search in each format, and to their citations in each style.
 * @param path path of the search page
 * @param table parameters for CSV
 */
export function exportsOf(path: string, pairs: Pairs, table: Pairs = []): readonly Export[] {
  const to = (...format: Pairs): string => wholeAt(path, pairs, format);
  const plain = RESULT_FORMATS.filter(({ name }) => !name.startsWith("citation"));
  return [
    ...plain.flatMap((format) => eachDialect(format, path, pairs, format.name === CSV.name ? table : [])),
    ...CITATION_STYLES.map((style) => ({
      title: `Citations (${STYLE_TITLES[style]})`,
      to: to(["format", "citation"], ["style", style]),
    })),
  ];
}

/** Returns links to all terms of a search in each format. @param path path of the search page */
export const termExportsOf = (path: string, pairs: Pairs): readonly Export[] =>
  TERM_RESULT_FORMATS.flatMap((format) => eachDialect(format, path, pairs, []));

/** Returns the link to a result in a format. For CSV, also returns links to each dialect of Excel. */
function eachDialect(
  { name, mediaType, record, term }: ResultFormat,
  path: string,
  pairs: Pairs,
  table: Pairs,
): readonly Export[] {
  const title = record?.title ?? term?.title ?? TITLES[name] ?? name.toUpperCase();
  const format: Pairs = [...table, ["format", name]];
  const plain = { title, to: wholeAt(path, pairs, format) };
  if (mediaType !== CSV.mediaType) return [plain];
  const forExcel = EXCEL_NAMES.map((excel) => ({
    title: `${title} for ${EXCEL_TITLES[excel]}`,
    to: wholeAt(path, pairs, [...format, ["excel", excel]]),
  }));
  return [plain, ...forExcel];
}

/** Returns links to a term in each format except JSON. */
export const termFormatsOf = (vocabulary: string, id: string): readonly Export[] =>
  TERM_FORMATS.map(({ name, title }) => ({
    title,
    to: address(`api/${termPath(vocabulary, id)}`, [["format", name]]),
  }));

/** Returns the address of a whole result as JSON lines, the only format that contains all data. */
export const allOf = (path: string, pairs: Pairs): string => wholeAt(path, pairs, [["format", "ndjson"]]);

function wholeAt(path: string, pairs: Pairs, format: Pairs): string {
  const searchParameters = pairsOfApi(pairs).filter(([name]) => !PAGE_PARAMETERS.has(name));
  return address(`api/${path}`, [...searchParameters, ...format]);
}

/** Titles of formats that single records and terms do not have. */
const TITLES: Readonly<Record<string, string>> = { ndjson: "JSON lines" };

/** Returns links to the selected records in each format. */
export const exportsOfIds = (ids: ReadonlySet<string>, table: Pairs): readonly Export[] =>
  exportsOf("search", [["q", [...ids].map((id) => `id:${id}`).join(" OR ")]], table);
