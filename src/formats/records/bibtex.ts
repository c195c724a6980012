import type { Citable, Person } from "../../core/citable/citable.js";
import { citedUrl, type Site } from "../../core/citable/site.js";
import type { RecordFormat } from "./record-format.js";

/** A BibTeX entry. `@misc` with a note: plain BibTeX has no type for data sets. */
export const bibtex: RecordFormat = {
  name: "bibtex",
  title: "BibTeX",
  mediaType: "application/x-bibtex",
  alsoAsked: ["text/x-bibtex"],
  extension: "bib",
  join: { open: "", between: "\n", close: "" },
  write: entry,
};

function entry(record: Citable, site: Site): string {
  const people = record.people.map(authorOf).join(" and ");
  const fields: readonly (readonly [string, string | undefined])[] = [
    ["author", people === "" ? undefined : people],
    ["title", `{${escapeTex(record.title)}}`],
    ["year", String(record.year)],
    ["publisher", record.publisher === undefined ? undefined : escapeTex(record.publisher)],
    ["version", String(record.version)],
    ["url", escapeUrl(citedUrl(site, record))],
    ["abstract", record.summary === "" ? undefined : escapeTex(record.summary)],
    [
      "keywords",
      record.subjects.length === 0 ? undefined : record.subjects.map(({ label }) => escapeTex(label)).join(", "),
    ],
    ["note", "[Data set]"],
  ];
  const lines = fields.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name} = {${value}}`]));
  return `@misc{${record.id},\n${lines.join(",\n")}\n}\n`;
}

/** `Doe, Jane`; a name that has no parts is kept together by braces. */
function authorOf({ name, familyName, givenName }: Person): string {
  if (familyName === undefined) return `{${escapeTex(name)}}`;
  return givenName === undefined ? `{${escapeTex(familyName)}}` : `${escapeTex(familyName)}, ${escapeTex(givenName)}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "{": "\\{",
  "}": "\\}",
  "%": "\\%",
  "&": "\\&",
  $: "\\$",
  "#": "\\#",
  _: "\\_",
  "^": "\\textasciicircum{}",
  "~": "\\textasciitilde{}",
};

/** Two of these are a ligature: a dash, a quotation mark. */
const LIGATURE = /([-`'])(?=\1)/g;

/** Text as TeX prints it, on one line. Braces stay balanced: a reader that counts them finds the end of the field. */
function escapeTex(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.replaceAll(/[\\{}%&$#_^~]/g, (character) => ESCAPES[character]!).replaceAll(LIGATURE, "$1{}");
}

/** In the field `url` TeX reads addresses as they are, but for braces and percent signs that end a comment. */
const escapeUrl = (url: string): string => url.replaceAll(/[{}\\]/g, encodeURIComponent);
