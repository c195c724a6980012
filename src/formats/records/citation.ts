import { type Citable, citedUrl, ownDoi, type Person, type Site } from "../../core/citable/citable.js";
import { initialsOf } from "./initials.js";

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

/** Returns a citation with the DOI of the record, or with the persistent address of its page if it has no DOI. */
export function cite(record: Citable, site: Site, style: CitationStyle): string {
  const url = ownDoi(record)?.url ?? citedUrl(site, record);
  return STYLES[style](record, url).replaceAll(/\s+/g, " ").trim();
}

const STYLES: Readonly<Record<CitationStyle, (record: Citable, url: string) => string>> = {
  datacite: (record, url) => {
    const { year, title, version, publisher, resourceTypeGeneral } = record;
    const people = record.people.map((person) => wholeName(person) ?? person.name).join("; ");
    const work = `${begin(people)}(${year}): ${ended(title)}Version ${version}. `;
    return `${work}${ended(publisher)}${resourceTypeGeneral}. ${url}`;
  },
  apa: (record, url) => {
    const { year, title, version, publisher } = record;
    const people = listWith(record.people.map(apaName), ", & ", 20);
    return `${begin(ended(people))}(${year}). ${title} (Version ${version}) [Data set]. ${ended(publisher)}${url}`;
  },
  vancouver: (record, url) => {
    const { title, version, publisher } = record;
    const shown = record.people.slice(0, 6).map(vancouverName);
    const people = [...shown, ...(record.people.length > 6 ? ["et al"] : [])].join(", ");
    const issued = vancouverDate(record.issued);
    const place = publisher === undefined ? `${issued}. ` : `${publisher}; ${issued}. `;
    return `${begin(ended(people))}${title} [dataset]. Version ${version}. ${place}Available from: ${url}`;
  },
  acs: (record, url) => {
    const { year, title, version, publisher } = record;
    const people = record.people.map(apaName).join("; ");
    const place = publisher === undefined ? "" : `${publisher}, `;
    const work = hasMark(title) ? `${title} Version ${version}` : `${title}, version ${version}`;
    return `${begin(ended(people))}${work}; ${place}${year}. ${url}`;
  },
};

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Writes a date as `2026 Mar 5`. A missing day or month is left out. */
function vancouverDate(date: string): string {
  const [year, month, day] = date.slice(0, 10).split("-");
  const parts = [year, month && MONTHS[Number(month) - 1], day && Number(day)];
  return parts.filter((part) => part !== undefined && part !== "").join(" ");
}

/** A part that others follow; nothing where there is none. */
const begin = (part: string): string => (part === "" ? "" : `${part.trim()} `);

/** Returns whether a text ends with a full stop or another sentence mark. Closing quotes may follow it. */
const hasMark = (text: string): boolean => /[.?!…。？！]["'”’»]*$/u.test(text.trimEnd());

/** Adds a blank, and before it a full stop unless the part ends with a mark (`Inc.`, `J.`, `How?`). */
function ended(part: string | undefined): string {
  if (part === undefined || part === "") return "";
  return hasMark(part) ? `${part} ` : `${part}. `;
}

/** Text in Han, Hiragana, Katakana or Hangul. Names in these scripts have no initials. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}・ー々]+$/u;

/** Returns the whole name of a person in a script without initials (`王小明`); undefined for other scripts. */
function wholeName({ familyName, givenName = "" }: Person): string | undefined {
  if (familyName === undefined || !UNSPACED.test(familyName)) return undefined;
  return givenName === "" || UNSPACED.test(givenName) ? `${familyName}${givenName}` : undefined;
}

/** Writes a name as `Doe, J. M.` or `Doe, J.-P., Jr.` */
function apaName(person: Person): string {
  const { name, familyName, givenName } = person;
  const whole = familyName === undefined ? name : wholeName(person);
  if (whole !== undefined) return whole;
  const { initials, suffix } = initialsOf(givenName, familyName);
  const written = initials.map(({ letter, isJoined }, i) => `${isJoined ? "-" : i === 0 ? "" : " "}${letter}`).join("");
  return [familyName, written, suffix].filter((part) => part !== undefined && part !== "").join(", ");
}

/** Writes a name as `Doe JM` or `Doe JP Jr`. */
function vancouverName(person: Person): string {
  const { name, familyName, givenName } = person;
  const whole = familyName === undefined ? name : wholeName(person);
  if (whole !== undefined) return whole;
  const { initials, suffix } = initialsOf(givenName, familyName);
  const letters = initials.map(({ letter }) => letter.replace(/\.$/, "")).join("");
  return [familyName, letters, suffix?.replace(/\.$/, "")]
    .filter((part) => part !== undefined && part !== "")
    .join(" ");
}

/** `A`, `A, & B`, `A, B, & C`; of more than `max` the first ones and the last. */
function listWith(names: readonly string[], and: string, max: number): string {
  if (names.length > max) return `${names.slice(0, max - 1).join(", ")}, . . . ${names.at(-1)}`;
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")}${and}${names.at(-1)}`;
}
