import { LIMITS } from "../../core/limits.js";

/**
 * Version of the text analysis. Raise it with every change of the indexed words or values. Indexes store it, and the
 * service rebuilds indexes of another version. Version 3 drops invisible characters, reads the increment sign as a
 * delta, knows units with look-alike characters, and adds the other forms of project numbers.
 */
export const ANALYSIS_VERSION = 3;

/**
 * The words of a text: for indexes and for queries of every engine, so that they cannot differ. NFKC, case folded,
 * diacritics removed, split at everything that is neither letter nor digit; no stemming, no stop words.
 *
 * @returns words of letters and digits only, at most `LIMITS.wordLengthMax` UTF-16 units each, in text order.
 *          Analysing a word gives the word itself.
 * @see docs/search-syntax.md
 */
export function analyse(text: string): string[] {
  return isAscii(text) ? splitAscii(text) : splitAny(text);
}

/** A keyword as ranges compare it: folded as words are, blanks trimmed and made one; signs stay. */
export function foldKeyword(text: string): string {
  const folded = isAscii(text) ? text.toLowerCase() : fold(text);
  return folded.replace(/\s+/gu, " ").trim();
}

/** Order of two folded keywords by code point, as UTF-8 bytes have it: below, at or above 0. */
export function compareKeywords(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return codePointRank(x) - codePointRank(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all others. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}

/** Most text is ASCII, and a deposit analyses thousands of values: this way costs a tenth of the other. */
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

const GREEK_LETTERS = [
  ...["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu"],
  ...["xi", "omicron", "pi", "rho", "final sigma", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"],
];
const ALPHA = 0x3b1;

/** Letters whose stroke or missing dot Unicode does not take apart, though people read it as a diacritic. */
const STROKES: ReadonlyMap<string, string> = new Map([
  ...([
    ["ø", "o"],
    ["ł", "l"],
    ["đ", "d"],
    ["ħ", "h"],
    ["ŧ", "t"],
  ] as const),
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

/** Is this word one character of a text without blanks? Then nothing of it can follow: the next one is another word. */
export const isUnspaced = (word: string): boolean => word !== "" && word.replace(UNSPACED, "") === "";

/**
 * What makes words of a folded text, one step after the other: words stand between blanks then. `locate-words.ts` runs
 * the same steps and keeps where everything came from.
 */
export const SPLIT_STEPS: readonly (readonly [what: RegExp, by: (found: string) => string])[] = [
  [NO_WORD, () => " "],
  [MICRO, () => "u"],
  [LONE_GREEK, (letter) => ` ${GREEK_LETTERS[letter.charCodeAt(0) - ALPHA]} `],
  [UNSPACED, (letter) => ` ${letter} `],
];

function splitAny(text: string): string[] {
  const spaced = SPLIT_STEPS.reduce((left, [what, by]) => left.replace(what, by), fold(text));
  return spaced.split(" ").flatMap((word) => (word === "" ? [] : [cutWord(word)]));
}

/** Lower, upper and lower case: only the upper case of ß is two letters, and only its lower case has an upper one. */
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
 * A word within its greatest length. Never cut within a surrogate pair, and never so that one Greek letter is left of
 * several: it would be another word.
 */
export function cutWord(word: string): string {
  if (word.length <= LIMITS.wordLengthMax) return word;
  const short = word.slice(0, LIMITS.wordLengthMax).replace(/[\uD800-\uDBFF]$/u, "");
  return short.replace(/(?<!\p{Script=Greek})[α-ω]$/u, "");
}
