import { LIMITS } from "../../core/limits.js";
import { analyse } from "../../query/text/analyse.js";

/** A word of an affiliation with its spelling. */
export interface AffiliationWord {
  readonly word: string;
  /** In capitals, like an acronym. */
  readonly isCapital: boolean;
  /** Followed by a full stop, like an abbreviation. */
  readonly isCut: boolean;
}

/** The text of an affiliation: its words, and its parts between commas and other breaks. */
export interface AffiliationText {
  readonly words: readonly AffiliationWord[];
  /** Each part as the index of its first word, and the index after its last word. */
  readonly parts: readonly { readonly from: number; readonly to: number }[];
}

const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi;

/** Addresses of e-mail and of web pages, which are ignored. */
const ADDRESS = /\S+@\S+|https?:\/\/\S+|www\.\S+/gi;

/** Separators of the parts of an affiliation. */
const BREAK = /[,;:|/()[\]{}<>\r\n\t]|\s[-–—]\s/u;

/** The number of a footnote in front of a name, without a blank: `1Kyungpook National University`. */
const FOOTNOTE = /^\d{1,2}(?=\p{Lu}\p{Ll})/u;

/** Splits an affiliation into words and parts. */
export function readAffiliation(text: string): AffiliationText {
  const plain = decodeEntities(text.slice(0, LIMITS.affiliationLengthMax))
    .replace(ADDRESS, " ")
    .replaceAll(" & ", " and ");
  const words: AffiliationWord[] = [];
  const parts: { from: number; to: number }[] = [];
  for (const part of plain.split(BREAK)) {
    const from = words.length;
    for (const token of part.split(/\s+/u)) {
      const written = token.replace(FOOTNOTE, "");
      const isCapital = /\p{Lu}.*\p{Lu}/u.test(written) && !/\p{Ll}/u.test(written);
      const isCut = /\p{Ll}\.$/u.test(written);
      for (const word of analyse(written)) words.push({ word, isCapital, isCut });
    }
    if (words.length > from) parts.push({ from, to: words.length });
  }
  return { words, parts };
}

function decodeEntities(text: string): string {
  return text.replace(ENTITY, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED_ENTITIES[name.toLowerCase()] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : " ";
  });
}

/** Words in names of organisations that do not distinguish them. */
const FUNCTION_WORDS = new Set([
  "a",
  "an",
  "and",
  "at",
  "for",
  "in",
  "of",
  "on",
  "s",
  "the",
  "to",
  "das",
  "dem",
  "den",
  "der",
  "die",
  "fur",
  "und",
  "zu",
  "d",
  "de",
  "des",
  "du",
  "en",
  "et",
  "l",
  "la",
  "le",
  "les",
  "pour",
  "da",
  "das",
  "del",
  "della",
  "di",
  "do",
  "dos",
  "e",
  "el",
  "i",
  "il",
  "las",
  "los",
  "para",
  "y",
  "het",
  "na",
  "og",
  "och",
  "v",
  "van",
  "ve",
  "voor",
  "w",
]);

/** Returns whether a word helps to identify an organisation. */
export const isSignificant = (word: string): boolean => !FUNCTION_WORDS.has(word) && !/^\p{N}+$/u.test(word);

/** Abbreviations with one usual meaning in names of organisations. */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ["univ", "university"],
  ["uni", "university"],
  ["inst", "institute"],
  ["natl", "national"],
  ["nat", "national"],
  ["tech", "technology"],
  ["technol", "technology"],
  ["hosp", "hospital"],
  ["acad", "academy"],
  ["coll", "college"],
  ["sci", "sciences"],
  ["med", "medical"],
  ["lab", "laboratory"],
  ["labs", "laboratories"],
  ["ctr", "center"],
  ["cent", "center"],
  ["res", "research"],
  ["agr", "agricultural"],
  ["fed", "federal"],
  ["intl", "international"],
  ["polytech", "polytechnic"],
]);

/** Returns the full word for an abbreviation, or the word itself. */
export const expandAbbreviation = (word: string): string => ABBREVIATIONS.get(word) ?? word;

/** Returns whether a word may be the beginning of a longer one. */
export const isBeginning = ({ word, isCut }: AffiliationWord): boolean =>
  ABBREVIATIONS.has(word) || (isCut && word.length > 2);
