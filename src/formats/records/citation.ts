import type { Citable, Person } from "../../core/citable/citable.js";
import { citedUrl, type Site } from "../../core/citable/site.js";

/**
 * A citation as text. A data set's reference has six parts (who, year, what, version, where, address), so that a style
 * is a few lines: APA 7 (10.9), Vancouver (NLM, data sets), ACS (2020, data sets), DataCite's own recommendation.
 */
export const CITATION_STYLES = ["datacite", "apa", "vancouver", "acs"] as const;
export type CitationStyle = (typeof CITATION_STYLES)[number];

/** As their authors spell them. */
export const STYLE_TITLES: Readonly<Record<CitationStyle, string>> = {
  ...{ datacite: "DataCite", apa: "APA", vancouver: "Vancouver", acs: "ACS" },
};

export function cite(record: Citable, site: Site, style: CitationStyle): string {
  return STYLES[style](record, citedUrl(site, record)).replaceAll(/\s+/g, " ").trim();
}

const STYLES: Readonly<Record<CitationStyle, (record: Citable, url: string) => string>> = {
  datacite: (record, url) => {
    const { year, title, version, publisher, resourceTypeGeneral } = record;
    const people = record.people.map(({ name }) => name).join("; ");
    return `${begin(people)}(${year}): ${title}. Version ${version}. ${ended(publisher)}${resourceTypeGeneral}. ${url}`;
  },
  apa: (record, url) => {
    const { year, title, version, publisher } = record;
    const people = listWith(record.people.map(apaName), ", & ", 20);
    return `${begin(ended(people))}(${year}). ${title} (Version ${version}) [Data set]. ${ended(publisher)}${url}`;
  },
  vancouver: (record, url) => {
    const { title, version, publisher, created } = record;
    const shown = record.people.slice(0, 6).map(vancouverName);
    const people = [...shown, ...(record.people.length > 6 ? ["et al"] : [])].join(", ");
    const date = created.slice(0, 10).split("-");
    const issued = `${date[0]} ${MONTHS[Number(date[1]) - 1]} ${Number(date[2])}`;
    const place = publisher === undefined ? `${issued}. ` : `${publisher}; ${issued}. `;
    return `${begin(ended(people))}${title} [dataset]. Version ${version}. ${place}Available from: ${url}`;
  },
  acs: (record, url) => {
    const { year, title, version, publisher } = record;
    const people = record.people.map(apaName).join("; ");
    const place = publisher === undefined ? "" : `${publisher}, `;
    return `${begin(ended(people))}${title}, version ${version}; ${place}${year}. ${url}`;
  },
};

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A part that others follow; nothing where there is none. */
const begin = (part: string): string => (part === "" ? "" : `${part.trim()} `);

/** With a full stop and a blank behind it; a name that ends in one (`Inc.`, `J.`) gets no second. */
function ended(part: string | undefined): string {
  if (part === undefined || part === "") return "";
  return part.endsWith(".") ? `${part} ` : `${part}. `;
}

/** `Doe, J. M.` */
function apaName({ name, familyName, givenName }: Person): string {
  if (familyName === undefined) return name;
  const initials = initialsOf(givenName).map((initial) => `${initial}.`);
  return initials.length === 0 ? familyName : `${familyName}, ${initials.join(" ")}`;
}

/** `Doe JM` */
function vancouverName({ name, familyName, givenName }: Person): string {
  if (familyName === undefined) return name;
  return [familyName, initialsOf(givenName).join("").replaceAll("-", "")].filter((part) => part !== "").join(" ");
}

/** First letters of given names; of one with a hyphen both: `J.-P.` is written `J-P`. */
function initialsOf(givenName = ""): readonly string[] {
  const names = givenName.split(/\s+/u).filter((name) => name !== "");
  return names.map((name) =>
    name
      .split("-")
      .flatMap((part) => [...part][0]?.toUpperCase() ?? [])
      .join("-"),
  );
}

/** `A`, `A, & B`, `A, B, & C`; of more than `max` the first ones and the last. */
function listWith(names: readonly string[], and: string, max: number): string {
  if (names.length > max) return `${names.slice(0, max - 1).join(", ")}, . . . ${names.at(-1)}`;
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")}${and}${names.at(-1)}`;
}
