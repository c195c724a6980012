import { type Citable, citedUrl, ownDoi, type Person, type Site } from "../../core/citable/citable.js";
import { oneLine, type RecordFormat } from "./record-format.js";

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
  const people = record.people.map(writeAuthor).join(" and ");
  const doi = ownDoi(record);
  const fields: readonly (readonly [string, string | undefined])[] = [
    ["author", people === "" ? undefined : people],
    ["title", `{${escapeTex(record.title)}}`],
    ["year", String(record.year)],
    ["publisher", record.publisher === undefined ? undefined : keepWhole(record.publisher, NAME_SEPARATORS)],
    ["version", String(record.version)],
    ["doi", doi === undefined ? undefined : escapeUrl(doi.value)],
    ["url", escapeUrl(citedUrl(site, record))],
    ["abstract", record.summary === "" ? undefined : escapeTex(record.summary)],
    [
      "keywords",
      record.subjects.length === 0
        ? undefined
        : record.subjects.map(({ label }) => keepWhole(label, /[,;]/)).join(", "),
    ],
    ["note", "[Data set]"],
  ];
  const lines = fields.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name} = {${value}}`]));
  return `@misc{${record.id},\n${lines.join(",\n")}\n}\n`;
}

/** Writes `Doe, Jane`; braces keep a name without parts together. */
function writeAuthor({ name, familyName, givenName }: Person): string {
  if (familyName === undefined) return `{${escapeTex(name)}}`;
  if (givenName === undefined) return `{${escapeTex(familyName)}}`;
  return `${keepWhole(familyName, NAME_SEPARATORS)}, ${keepWhole(givenName, NAME_SEPARATORS)}`;
}

/** Separators of names and of the parts of a name. BibTeX reads `others` at the end as "et al.". */
const NAME_SEPARATORS = /,|(?:^|\s)and(?:\s|$)|^others$/i;

/** Returns a text in braces if it has a separator at which a reader would split it. */
function keepWhole(text: string, separator: RegExp): string {
  const escaped = escapeTex(text);
  return separator.test(escaped) ? `{${escaped}}` : escaped;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "{": "\\textbraceleft{}",
  "}": "\\textbraceright{}",
  "%": "\\%",
  "&": "\\&",
  $: "\\$",
  "#": "\\#",
  _: "\\_",
  "^": "\\textasciicircum{}",
  "~": "\\textasciitilde{}",
};

/** Two of these make a ligature: a dash, a quotation mark. */
const LIGATURE = /([-`'])(?=\1)/g;

/**
 * Returns a text as TeX prints it, on one line. Readers count braces even after a backslash, so no brace of the text
 * stays as it is: it could end the field or the entry, and what follows would be an entry of its own.
 */
function escapeTex(text: string): string {
  return oneLine(text)
    .replaceAll(/[\\{}%&$#_^~]/g, (character) => ESCAPES[character]!)
    .replaceAll(LIGATURE, "$1{}");
}

/** Escapes an address. In the field `url` TeX reads addresses as they are, except for braces and backslashes. */
const escapeUrl = (url: string): string => oneLine(url).replaceAll(/[{}\\\s]/g, encodeURIComponent);

/** CSL-JSON, which Zotero, Mendeley and citation processors read: a list of one item. */
export const csl: RecordFormat = {
  name: "csl",
  title: "CSL-JSON",
  mediaType: "application/vnd.citationstyles.csl+json",
  extension: "json",
  profile: "https://resource.citationstyles.org/schema/v1.0/input/json/csl-data.json",
  join: { open: "[", between: ",", close: "]\n", isAlways: true },
  write: (record, site) => JSON.stringify(makeItem(record, site)),
};

function makeItem(record: Citable, site: Site): object {
  const doi = ownDoi(record);
  return {
    id: record.id,
    type: "dataset",
    title: record.title,
    author: record.people.length === 0 ? undefined : record.people.map(makeName),
    issued: { "date-parts": [record.issued.slice(0, 10).split("-").map(Number)] },
    publisher: record.publisher,
    version: String(record.version),
    DOI: doi?.value,
    URL: citedUrl(site, record),
    abstract: record.summary || undefined,
    keyword: record.subjects.length === 0 ? undefined : record.subjects.map(({ label }) => label).join(", "),
  };
}

function makeName({ name, familyName, givenName }: Person): object {
  if (familyName === undefined) return { literal: name };
  return { family: familyName, given: givenName };
}

/** A reference of type DATA in the RIS format of reference managers. */
export const ris: RecordFormat = {
  name: "ris",
  title: "RIS",
  mediaType: "application/x-research-info-systems",
  extension: "ris",
  join: { open: "", between: "", close: "" },
  write: reference,
};

function reference(record: Citable, site: Site): string {
  const lines: readonly (readonly [tag: string, text: string | undefined])[] = [
    ["TY", "DATA"],
    ["ID", record.id],
    ...record.people.map(({ name }) => ["AU", name] as const),
    ["TI", record.title],
    ["PY", String(record.year)],
    ["DA", record.issued.slice(0, 10).replaceAll("-", "/")],
    ["PB", record.publisher],
    ["ET", String(record.version)],
    ["DO", ownDoi(record)?.value],
    ["UR", citedUrl(site, record)],
    ["AB", record.summary],
    ...record.subjects.map(({ label }) => ["KW", label] as const),
  ];
  const written = lines.flatMap(([tag, text]) => {
    const line = oneLine(text ?? "").trim();
    return line === "" ? [] : [`${tag}  - ${line}\r\n`];
  });
  return `${written.join("")}ER  - \r\n`;
}
