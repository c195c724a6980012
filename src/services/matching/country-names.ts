import { nameKey } from "../../query/index-model/term-document.js";
import { analyse } from "../../query/text/analyse.js";
import type { AffiliationWord } from "./affiliation-text.js";

/** Languages of the names of countries in addresses. */
const LANGUAGES = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "pt",
  "nl",
  "pl",
  "cs",
  "sk",
  "da",
  "nb",
  "sv",
  "fi",
  "hu",
  "ro",
  "tr",
  "ru",
  "uk",
  "ja",
  "zh",
  "ko",
];

/** Regions of Unicode's list that are not countries: groups of countries, and codes for tests. */
const NO_COUNTRIES = new Set(["EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"]);

/** Returns whether a code is current. Codes that were replaced by another one are not. */
const isCurrent = (code: string): boolean => new Intl.Locale(`und-${code}`).region === code;

/** Names that are not in Unicode's list, by the code of the country (ISO 3166). */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  AE: ["UAE", "U.A.E."],
  CI: ["Ivory Coast"],
  CN: ["PRC", "PR China", "P.R. China", "People's Republic of China", "Peoples Republic of China", "Mainland China"],
  CZ: ["Czech Republic", "Česká republika"],
  GB: ["UK", "U.K.", "Great Britain", "England", "Scotland", "Wales", "Northern Ireland"],
  HK: ["Hong Kong"],
  IE: ["Republic of Ireland"],
  IR: ["Islamic Republic of Iran"],
  KR: ["Korea", "Republic of Korea"],
  MO: ["Macau", "Macao"],
  NL: ["The Netherlands", "Holland"],
  RU: ["Russian Federation"],
  SA: ["KSA"],
  TR: ["Turkey", "Türkiye"],
  TW: ["Taiwan ROC"],
  US: ["USA", "U.S.A.", "US", "U.S.", "United States of America"],
  VN: ["Viet Nam"],
};

/** Maximum number of words in the name of a country. */
const WORDS_MAX = 6;

/** Names of up to three Latin letters, which are countries in capitals only: `us`, `uk`. */
const SHORT = /^[a-z]{1,3}$/;

/** Finds countries in texts, by their names in several languages. */
export interface CountryNames {
  /** The code (ISO 3166) of the country that a whole text names. */
  countryCode(name: string): string | undefined;
  /** Finds the countries in a text: the code, the index of the first word, and the index after the last word. */
  find(words: readonly AffiliationWord[]): readonly CountryMention[];
}

/** A country that a text names, with the range of its words. */
export interface CountryMention {
  readonly code: string;
  readonly from: number;
  readonly to: number;
}

/** Makes the look-up of countries. */
export function makeCountryNames(): CountryNames {
  const codes = new Map<string, string>();
  const add = (name: string, code: string): void => {
    const key = nameKey(analyse(name));
    if (key !== undefined && !codes.has(key)) codes.set(key, code);
  };
  for (const [code, names] of Object.entries(OTHER_NAMES)) for (const name of names) add(name, code);
  for (const language of LANGUAGES) {
    const regions = new Intl.DisplayNames(language, { type: "region", fallback: "none" });
    for (const code of CODES) {
      const name = regions.of(code);
      if (name !== undefined) add(name, code);
    }
  }
  return {
    countryCode: (name) => codes.get(nameKey(analyse(name)) ?? ""),
    find: (words) => findCountries(words, codes),
  };
}

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const CODES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
  (code) => !NO_COUNTRIES.has(code) && isCurrent(code),
);

/** Finds countries by their longest names: Papua New Guinea does not contain Guinea. */
function findCountries(words: readonly AffiliationWord[], codes: ReadonlyMap<string, string>): CountryMention[] {
  const mentions: CountryMention[] = [];
  for (let from = 0; from < words.length; from++) {
    for (let to = Math.min(words.length, from + WORDS_MAX); to > from; to--) {
      const run = words.slice(from, to);
      const code = codes.get(run.map(({ word }) => word).join(" "));
      const isShort = SHORT.test(run.map(({ word }) => word).join(""));
      if (code === undefined || (isShort && !run.every(({ isCapital }) => isCapital))) continue;
      mentions.push({ code, from, to });
      from = to - 1;
      break;
    }
  }
  return mentions;
}
