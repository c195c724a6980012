import { EXCEL_NAMES, EXCEL_TITLES } from "../../formats/csv.js";
import { CITATION_STYLES, STYLE_TITLES } from "../../formats/records/citation.js";
import { TERM_FORMATS } from "../../formats/terms/term-formats.js";
import { CSV, RESULT_FORMATS, type ResultFormat, TERM_RESULT_FORMATS } from "../../http/parameters/result-format.js";
import { address, type Pairs, termPath } from "./paths.js";
import { pairsOfApi } from "./view-parameters.js";

/** A whole result in one of its formats. */
export interface Export {
  readonly title: string;
  /** Below the root. */
  readonly to: string;
}

/** What says where in a list one is: a whole result has no pages. */
const OF_PAGES: ReadonlySet<string> = new Set(["page", "size", "cursor", "p", "s", "highlight"]);

/**
 * All that a search finds, in each format; citations in each style.
 * @param path of the search's page
 * @param table what is wanted of a table
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

/** All terms that a search finds, in each format. @param path of the search's page */
export const termExportsOf = (path: string, pairs: Pairs): readonly Export[] =>
  TERM_RESULT_FORMATS.flatMap((format) => eachDialect(format, path, pairs, []));

/** Returns a whole result in a format; of CSV also in each dialect for Excel. */
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

/** One term, in each format beside JSON. */
export const termFormatsOf = (vocabulary: string, id: string): readonly Export[] =>
  TERM_FORMATS.map(({ name, title }) => ({
    title,
    to: address(`api/${termPath(vocabulary, id)}`, [["format", name]]),
  }));

/** All that a search finds, as lines of JSON: the one format that leaves nothing out. */
export const allOf = (path: string, pairs: Pairs): string => wholeAt(path, pairs, [["format", "ndjson"]]);

function wholeAt(path: string, pairs: Pairs, format: Pairs): string {
  const kept = pairsOfApi(pairs).filter(([name]) => !OF_PAGES.has(name));
  return address(`api/${path}`, [...kept, ...format]);
}

/** Of formats that are not those of single records. */
const TITLES: Readonly<Record<string, string>> = { ndjson: "JSON lines" };

/** The records that are ticked, as a search. */
export const exportsOfIds = (ids: ReadonlySet<string>, table: Pairs): readonly Export[] =>
  exportsOf("search", [["q", [...ids].map((id) => `id:${id}`).join(" OR ")]], table);
