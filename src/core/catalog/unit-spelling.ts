/**
 * How the spellings of a unit are told to be one. A spelling is read as a product of words with exponents:
 * `M⁻¹s⁻¹`, `1/Ms`, `/M/s`, `M^-1 s^-1` and `per molar per second` are all M to the power of -1 times s to that of -1.
 */
import type { Unit, UnitSpellings, Units } from "./unit-types.js";

type Words = Pick<UnitSpellings, "words" | "looseWords">;

/** The unit that a text names, in any spelling; undefined where it names none. */
export function findUnit({ units, spellings }: Units, text: string): Unit | undefined {
  const name = spellings.words.get(text) ?? spellings.keys.get(unitKey(text, spellings));
  return name === undefined ? undefined : units.get(name);
}

/** Longer texts are no units. In UTF-16 units. */
export const UNIT_LENGTH_MAX = 64;

/** Hyphens, dashes and minus signs that are read as a minus, for use in a character class. */
export const DASHES = String.raw`\-\u2010-\u2014\u2212\ufe63\uff0d`;

const DASH = new RegExp(`[${DASHES}]`, "gu");

/** Replaces each dash by an ASCII hyphen. */
export const plainDashes = (text: string): string => text.replace(DASH, "-");

/** Characters that people type or paste in place of a degree sign before C or F, such as `º`, `o` and `⁰`. */
const DEGREES = /(?<!\p{L})[º˚ᵒ⁰∘◦o](?=\s?[CF](?!\p{L}))/gu;

/** Blank that text copied from a PDF has before a raised minus: `M −1 s −1`. */
const APART = /(?<=\p{L})\s(?=−\d)/gu;

const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Normalises a unit: replaces look-alike characters by one of them, micro by `u`, and product signs by blanks. */
export function cleanUnit(text: string): string {
  return plainDashes(
    text.replace(INVISIBLE, "").replace(DEGREES, "°").replace(/[º˚]/gu, "°").replace(APART, "").normalize("NFKC"),
  )
    .replace(/[∕⁄]/gu, "/")
    .replace(/μ(?=\p{L})/gu, "u")
    .replaceAll("**", "^")
    .replace(/\^\{([+-]?\d+)\}/gu, "^$1")
    .replace(/[\p{Cc}\s·⋅∙•×.*]+/gu, " ")
    .replace(/°\s+/gu, "°")
    .trim();
}

/** Is this spelling one word, so that it may stand in others? */
export const isUnitWord = (cleaned: string): boolean => /^[°\p{L}\p{M}]+$/u.test(cleaned);

/** Case means nothing in words of four letters and more; in symbols only that of m and M (milli and mega) does. */
export function looseKey(word: string): string {
  return word.length >= 4 ? word.toLowerCase() : word.replace(/[^mM]/gu, (letter) => letter.toLowerCase());
}

/**
 * What all spellings of a unit have in common: its words with their exponents in a fixed order, or, where it is no
 * product of words (`% (w/v)`), its signs without blanks.
 */
export function unitKey(text: string, words: Words): string {
  const cleaned = cleanUnit(text);
  if (cleaned.length > UNIT_LENGTH_MAX) return "";
  const exponents = readProduct(cleaned, words);
  const factors = [...(exponents ?? [])].filter(([, exponent]) => exponent !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
  if (factors.length === 0) return `=${cleaned.replace(/\s/gu, "").toLowerCase()}`;
  return factors.map(([word, exponent]) => `${word}^${exponent}`).join(" ");
}

const EXPONENT = String.raw`(?:\^?([+-]?\d{1,2}))?`;
const TOKEN = new RegExp(String.raw`\s*(?:(\/)|(\()|(\))${EXPONENT}|([\u00b0\p{L}\p{M}]+)${EXPONENT})`, "uy");

/**
 * Exponents by word; undefined where the text is no product of words, each of which stands there once. What follows a
 * slash is divided by; the exponent of a bracket is that of all words in it: `(M s)^-1`.
 */
function readProduct(text: string, words: Words): ReadonlyMap<string, number> | undefined {
  const exponents = new Map<string, number>();
  const product = text.replace(/^1\s*(?=\/)/u, "").replace(/\^?\(([+-]?\d{1,2})\)/gu, "^$1");
  const token = new RegExp(TOKEN);
  /** Number of words before each open bracket. */
  const brackets: number[] = [];
  let sign = 1;
  while (token.lastIndex < product.length) {
    const found = token.exec(product);
    if (found === null) return undefined;
    const [, slash, opening, closing, bracketPower, word, exponent] = found;
    if (slash !== undefined || word?.toLowerCase() === "per") sign = -1;
    else if (opening !== undefined) brackets.push(exponents.size);
    else if (closing !== undefined) {
      const inside = [...exponents].slice(brackets.pop() ?? exponents.size);
      for (const [part, power] of inside) exponents.set(part, power * Number(bracketPower ?? 1));
    } else {
      const parts = wordsIn(word!, words);
      // Only the last of several words that stand in a row has the exponent.
      for (const [i, part] of parts.entries()) {
        const power = i === parts.length - 1 ? Number(exponent ?? 1) : 1;
        if (exponents.has(part)) return undefined;
        exponents.set(part, sign * power);
      }
    }
  }
  return exponents;
}

/** The units that letters in a row stand for, `Ms` is M and s; the letters themselves where they are none. */
function wordsIn(letters: string, words: Words): readonly string[] {
  const known = words.words.get(letters) ?? words.looseWords.get(looseKey(letters));
  return known === undefined ? (splitWords(letters, words.words) ?? [looseKey(letters)]) : [known];
}

const SPLIT_LENGTH_MAX = 12;

function splitWords(letters: string, words: Words["words"]): readonly string[] | undefined {
  if (letters === "") return [];
  if (letters.length > SPLIT_LENGTH_MAX) return undefined;
  for (let length = letters.length; length > 0; length--) {
    const first = words.get(letters.slice(0, length));
    const rest = first === undefined ? undefined : splitWords(letters.slice(length), words);
    if (first !== undefined && rest !== undefined) return [first, ...rest];
  }
  return undefined;
}
