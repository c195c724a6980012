import { CITATION_STYLES, STYLE_TITLES } from "../../formats/records/citation.js";
import { TERM_FORMATS } from "../../formats/terms/term-formats.js";
import { CSV, RESULT_FORMATS, TERM_RESULT_FORMATS } from "../../http/parameters/result-format.js";
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
    ...plain.flatMap(({ name, record }) => {
      if (name === CSV.name) return csvOf(path, pairs, table);
      return [{ title: record?.title ?? TITLES[name] ?? name.toUpperCase(), to: to(["format", name]) }];
    }),
    ...CITATION_STYLES.map((style) => ({
      title: `Citations (${STYLE_TITLES[style]})`,
      to: to(["format", "citation"], ["style", style]),
    })),
  ];
}

/** All terms that a search finds, in each format. @param path of the search's page */
export const termExportsOf = (path: string, pairs: Pairs): readonly Export[] =>
  TERM_RESULT_FORMATS.flatMap(({ name, term }) => {
    if (name === CSV.name) return csvOf(path, pairs, []);
    return [{ title: term?.title ?? TITLES[name] ?? name.toUpperCase(), to: wholeAt(path, pairs, [["format", name]]) }];
  });

/** CSV with commas, and CSV that Excel opens as a table in countries with a decimal comma. */
function csvOf(path: string, pairs: Pairs, table: Pairs): readonly Export[] {
  const format: Pairs = [...table, ["format", CSV.name]];
  return [
    { title: "CSV", to: wholeAt(path, pairs, format) },
    { title: "CSV for Excel", to: wholeAt(path, pairs, [...format, ["excel", "true"]]) },
  ];
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
