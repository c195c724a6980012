import { LIMITS } from "../../core/limits.js";

/**
 * Version of the text analysis. Raise it with every change of the indexed words or values. Indexes store it, and the
 * service rebuilds indexes of another version. Version 3 drops invisible characters, reads the increment sign as a
 * delta, knows units with look-alike characters, and adds the other forms of project numbers.
 */
export const ANALYSIS_VERSION = 3;

/**
 * Splits a text into words, for the indexes and queries of all engines. Normalises to NFKC, folds case, removes
 * diacritics, and splits at everything that is neither letter nor digit. There are no stemming and no stop words.
 *
 * @returns words of letters and digits only, at most `LIMITS.wordLengthMax` UTF-16 units each, in text order.
 *          Analysing a word returns the word itself.
 * @see docs/search-syntax.md
 */
export function analyse(text: string): string[] {
  return isAscii(text) ? splitAscii(text) : splitAny(text);
}

/** Folds a keyword for comparison in ranges: case and diacritics as in words, single blanks, with signs. */
export function foldKeyword(text: string): string {
  const folded = isAscii(text) ? text.toLowerCase() : fold(text);
  return folded.replace(/\s+/gu, " ").trim();
}

/** Compares two folded keywords by code point, which is the order of their UTF-8 bytes. */
export function compareKeywords(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return codePointRank(x) - codePointRank(y);
  }
  return a.length - b.length;
}

/** Returns the rank of a UTF-16 unit. Surrogates encode the highest code points. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Returns whether a text has only ASCII characters. */
export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}

/** Splits ASCII text, in a tenth of the time of `splitAny`. A deposit has thousands of values, mostly ASCII. */
function splitAscii(text: string): string[] {
  const lower = text.toLowerCase();
  const words: string[] = [];
  let start = -1;
  for (let i = 0; i <= lower.length; i++) {
    const unit = i < lower.length ? lower.charCodeAt(i) : 0;
    if ((unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57)) {
      if (start < 0) start = i;
    } else if (start >= 0) {
      words.push(lower.slice(start, Math.min(i, start + LIMITS.wordLengthMax)));
      start = -1;
    }
  }
  return words;
}

/** Names of the Greek letters from alpha on, in the order of their code points. */
const GREEK_LETTERS = (
  "alpha,beta,gamma,delta,epsilon,zeta,eta,theta,iota,kappa,lambda,mu,nu," +
  "xi,omicron,pi,rho,final sigma,sigma,tau,upsilon,phi,chi,psi,omega"
).split(",");
const ALPHA = 0x3b1;

/** Letters with a stroke that people read as a diacritic, although Unicode does not decompose them. */
const STROKES: ReadonlyMap<string, string> = new Map([
  ["ø", "o"],
  ["ł", "l"],
  ["đ", "d"],
  ["ħ", "h"],
  ["ŧ", "t"],
]);

// Marks are removed, except Japanese voicing marks, which distinguish letters: ga is not ka. Invisible characters (soft
// hyphens, zero-width joiners, marks of direction) are removed too, so that they do not separate words.
const MARKS = /(?![\u3099\u309A])[\p{M}\p{Default_Ignorable_Code_Point}]/gu;
/** Increment sign, which people use as a capital delta. */
const INCREMENT = "\u2206";
const STROKED = /[øłđħŧ]/gu;
const NO_WORD = /[^\p{L}\p{N}]+/gu;
const MICRO = /(?<!\p{Script=Greek})μ(?=\p{Script=Latin})/gu;
const LONE_GREEK = /(?<!\p{Script=Greek})[α-ω](?!\p{Script=Greek})/gu;
const UNSPACED =
  /(?=\p{L})[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/gu;

/** Returns whether a word is one character of a script without blanks. It is then a whole word, never a prefix. */
export const isUnspaced = (word: string): boolean => word !== "" && word.replace(UNSPACED, "") === "";

/**
 * Replacements that separate the words of a folded text by blanks, in this order. `locate-words.ts` runs the same steps
 * and tracks the position of each character.
 */
export const SPLIT_STEPS: readonly (readonly [what: RegExp, by: (match: string) => string])[] = [
  [NO_WORD, () => " "],
  [MICRO, () => "u"],
  [LONE_GREEK, (letter) => ` ${GREEK_LETTERS[letter.charCodeAt(0) - ALPHA]} `],
  [UNSPACED, (letter) => ` ${letter} `],
];

function splitAny(text: string): string[] {
  const spaced = SPLIT_STEPS.reduce((left, [what, by]) => left.replace(what, by), fold(text));
  return spaced.split(" ").flatMap((word) => (word === "" ? [] : [cutWord(word)]));
}

/** Folds case and diacritics. Case is folded three times, because ß has two letters only in upper case. */
export function fold(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(INCREMENT, "δ")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .normalize("NFKD")
    .replace(MARKS, "")
    .normalize("NFKC")
    .replace(STROKED, (letter) => STROKES.get(letter)!);
}

/**
 * Cuts a word to its maximum length. Never splits a surrogate pair, and never leaves a single Greek letter of several
 * at the end, because it would be another word.
 */
export function cutWord(word: string): string {
  if (word.length <= LIMITS.wordLengthMax) return word;
  const short = word.slice(0, LIMITS.wordLengthMax).replace(/[\uD800-\uDBFF]$/u, "");
  return short.replace(/(?<!\p{Script=Greek})[α-ω]$/u, "");
}
