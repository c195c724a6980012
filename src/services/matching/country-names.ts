import { nameKey } from "../../query/index-model/term-keys.js";
import { analyse } from "../../query/text/analyse.js";
import type { AffiliationWord } from "./affiliation-text.js";

/** Languages in which people write the countries of their addresses. */
const LANGUAGES = [
  ...["en", "de", "fr", "es", "it", "pt", "nl", "pl", "cs", "sk", "da", "nb", "sv", "fi", "hu", "ro", "tr", "ru", "uk"],
  ...["ja", "zh", "ko"],
];

/** Regions of the list that are no countries: groups of them, and codes for tests. */
const NO_COUNTRIES = new Set(["EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"]);

/** A code of its own? Others stand for countries that have a new one. */
const isCurrent = (code: string): boolean => new Intl.Locale(`und-${code}`).region === code;

/** Names that Unicode does not list, by the code of the country (ISO 3166). */
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

/** Words in the longest name of a country. */
const WORDS_MAX = 6;

/** Names of so few Latin letters are countries in capitals only: `us`, `uk`. */
const SHORT = /^[a-z]{1,3}$/;

/** Finds countries in texts, by their names in several languages. */
export interface CountryNames {
  /** The code (ISO 3166) of the country that a whole text names. */
  codeOf(name: string): string | undefined;
  /** Where countries are named: code, first word and the one behind the last. */
  find(words: readonly AffiliationWord[]): readonly CountryMention[];
}

export interface CountryMention {
  readonly code: string;
  readonly from: number;
  readonly to: number;
}

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
    codeOf: (name) => codes.get(nameKey(analyse(name)) ?? ""),
    find: (words) => findCountries(words, codes),
  };
}

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const CODES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
  (code) => !NO_COUNTRIES.has(code) && isCurrent(code),
);

/** The longest names win: Guinea is not named in Papua New Guinea. */
function findCountries(words: readonly AffiliationWord[], codes: ReadonlyMap<string, string>): CountryMention[] {
  const found: CountryMention[] = [];
  for (let from = 0; from < words.length; from++) {
    for (let to = Math.min(words.length, from + WORDS_MAX); to > from; to--) {
      const some = words.slice(from, to);
      const code = codes.get(some.map(({ word }) => word).join(" "));
      const isShort = SHORT.test(some.map(({ word }) => word).join(""));
      if (code === undefined || (isShort && !some.every(({ isCapital }) => isCapital))) continue;
      found.push({ code, from, to });
      from = to - 1;
      break;
    }
  }
  return found;
}
