import { type Citable, citedUrl, ownDoi, type Person, type Site } from "../../core/citable/citable.js";

/**
 * Styles of citations. A reference to a data set has six parts (who, year, what, version, where, address), so a style
 * is a few lines: APA 7 (10.9), Vancouver (NLM, data sets), ACS (2020, data sets), DataCite's own recommendation.
 */
export const CITATION_STYLES = ["datacite", "apa", "vancouver", "acs"] as const;
export type CitationStyle = (typeof CITATION_STYLES)[number];

/** Titles of the styles, as their authors spell them. */
export const STYLE_TITLES: Readonly<Record<CitationStyle, string>> = {
  datacite: "DataCite",
  apa: "APA",
  vancouver: "Vancouver",
  acs: "ACS",
};

/** Returns a citation with the DOI of the record, or with the persistent address of its page if it has no DOI. */
export function writeCitation(record: Citable, site: Site, style: CitationStyle): string {
  const url = ownDoi(record)?.url ?? citedUrl(site, record);
  return STYLES[style](record, url).replaceAll(/\s+/g, " ").trim();
}

const STYLES: Readonly<Record<CitationStyle, (record: Citable, url: string) => string>> = {
  datacite: (record, url) => {
    const { year, title, version, publisher, resourceTypeGeneral } = record;
    const people = record.people.map((person) => wholeName(person) ?? person.name).join("; ");
    const work = `${begin(people)}(${year}): ${endSentence(title)}Version ${version}. `;
    return `${work}${endSentence(publisher)}${resourceTypeGeneral}. ${url}`;
  },
  apa: (record, url) => {
    const { year, title, version, publisher } = record;
    const people = joinNames(record.people.map(apaName), ", & ", 20);
    const work = `${title} (Version ${version}) [Data set]. `;
    return `${begin(endSentence(people))}(${year}). ${work}${endSentence(publisher)}${url}`;
  },
  vancouver: (record, url) => {
    const { title, version, publisher } = record;
    const shown = record.people.slice(0, 6).map(vancouverName);
    const people = [...shown, ...(record.people.length > 6 ? ["et al"] : [])].join(", ");
    const issued = vancouverDate(record.issued);
    const place = publisher === undefined ? `${issued}. ` : `${publisher}; ${issued}. `;
    return `${begin(endSentence(people))}${title} [dataset]. Version ${version}. ${place}Available from: ${url}`;
  },
  acs: (record, url) => {
    const { year, title, version, publisher } = record;
    const people = record.people.map(apaName).join("; ");
    const place = publisher === undefined ? "" : `${publisher}, `;
    const work = hasMark(title) ? `${title} Version ${version}` : `${title}, version ${version}`;
    return `${begin(endSentence(people))}${work}; ${place}${year}. ${url}`;
  },
};

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Writes a date as `2026 Mar 5`. A missing day or month is left out. */
function vancouverDate(date: string): string {
  const [year, month, day] = date.slice(0, 10).split("-");
  const parts = [year, month && MONTHS[Number(month) - 1], day && Number(day)];
  return parts.filter((part) => part !== undefined && part !== "").join(" ");
}

/** Returns a part that others follow, with a blank; "" if there is none. */
const begin = (part: string): string => (part === "" ? "" : `${part.trim()} `);

/** Returns whether a text ends with a full stop or another sentence mark. Closing quotes may follow it. */
const hasMark = (text: string): boolean => /[.?!…。？！]["'”’»]*$/u.test(text.trimEnd());

/** Adds a blank, and before it a full stop unless the part ends with a mark (`Inc.`, `J.`, `How?`). */
function endSentence(part: string | undefined): string {
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

/** Joins names: `A`, `A, & B`, `A, B, & C`; of more than `max` the first ones and the last. */
function joinNames(names: readonly string[], and: string, max: number): string {
  if (names.length > max) return `${names.slice(0, max - 1).join(", ")}, . . . ${names.at(-1)}`;
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")}${and}${names.at(-1)}`;
}

/** The initial of a given name in a citation. */
interface Initial {
  /** `J.`, or the whole name in a script without initials: `小明`. */
  readonly letter: string;
  /** Whether a hyphen joins it to the previous initial, as in `J.-P.`. */
  readonly isJoined: boolean;
}

/** Initials of a person, and the suffix of the name: `Jr.`, `III`. */
interface Initials {
  readonly initials: readonly Initial[];
  readonly suffix?: string;
}

/** Hyphens and dashes, breaking and non-breaking. */
const HYPHENS = /[\u2010-\u2015\u2212\ufe63\uff0d]/g;
/** Nickname in brackets or quotes. It is left out. */
const NICKNAME = /\([^()]*\)|["“”„«][^"“”„«»]*["“”»]/g;
const SUFFIX = /(?:,\s*|\s)(Jr|Sr|II|III|IV|2nd|3rd)(\.?)$/;
/** One name or initial, with the hyphen before it. Single blanks, full stops and hyphens separate them. */
const PART = /(-?) ?([^ .-]+)/gu;
/** Initials without full stops: `JRR`. */
const CAPITALS = /^\p{Lu}{2,3}$/u;
const SCRIPT_WITHOUT_INITIALS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Returns the initials of given names. `John Ronald Reuel`, `J. R. R.`, `J.R.R.` and `JRR` have the same three;
 * `Jean-Pierre` and `J.-P.` have two that a hyphen joins.
 *
 * @param familyName if it is in capitals, given names in capitals (`ANN`) are read as names, not as initials
 */
function initialsOf(givenName = "", familyName = ""): Initials {
  const plain = givenName
    .normalize("NFC")
    .replaceAll(HYPHENS, "-")
    .replaceAll(NICKNAME, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  const [behind, suffix, mark] = SUFFIX.exec(plain) ?? [];
  const given = behind === undefined ? plain : plain.slice(0, -behind.length);
  const hasCapitals = /\p{Ll}/u.test(familyName) && /^[\p{Lu}\s.-]{2,8}$/u.test(given);
  const initials = [...given.matchAll(PART)].flatMap(([, hyphen, name], i): readonly Initial[] => {
    const isJoined = hyphen === "-" && i > 0;
    if (hasCapitals && CAPITALS.test(name!)) {
      return [...name!].map((letter, at) => ({ letter: `${letter}.`, isJoined: isJoined && at === 0 }));
    }
    const letter = initialOf(name!);
    return letter === undefined ? [] : [{ letter, isJoined }];
  });
  return suffix === undefined ? { initials } : { initials, suffix: `${suffix}${mark}` };
}

/** Returns the first letter of a name with its accents, or undefined if the name has no letter. */
function initialOf(name: string): string | undefined {
  if (SCRIPT_WITHOUT_INITIALS.test(name)) return name;
  for (const { segment } of graphemes.segment(name)) if (/\p{L}/u.test(segment)) return `${segment.toUpperCase()}.`;
  return undefined;
}
