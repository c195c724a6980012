import { analyse, isUnspaced } from "./analyse.js";

/** Letters in place of `*` and `?` while a text is analysed. */
interface StandIns {
  readonly many: string;
  readonly one: string;
}

/** Two syllables of Vai: the analysis keeps them as letters, and few texts contain them. */
const USUAL_STAND_INS: StandIns = { many: "\ua500", one: "\ua501" };
const FIRST_SYLLABLE = 0xa500;

/** Returns letters that a text does not contain: its own letters must not become wildcards. */
function standInsFor(text: string): StandIns {
  if (!/[\ua500\ua501]/u.test(text)) return USUAL_STAND_INS;
  const syllables = Array.from({ length: 256 }, (_, i) => String.fromCharCode(FIRST_SYLLABLE + i));
  const [many, one] = syllables.filter((syllable) => !text.includes(syllable));
  return many === undefined || one === undefined ? USUAL_STAND_INS : { many, one };
}

/** An analysed part of a text with wildcards. */
export type PatternPart =
  | { readonly kind: "words"; readonly words: readonly string[] }
  /** Consecutive words; the last one is a prefix of a word. */
  | { readonly kind: "prefix"; readonly words: readonly string[] }
  /** One word with `*` and `?`. */
  | { readonly kind: "wildcard"; readonly pattern: string }
  /** A text that begins with a wildcard. No index can look it up. */
  | { readonly kind: "refused" }
  /** A single `*` between signs (`IL-*`), which has no effect. */
  | { readonly kind: "idle" };

/** A text with the positions of escaped characters, which are not wildcards. */
export interface MarkedText {
  readonly text: string;
  readonly isEscaped: (index: number) => boolean;
}

/** Returns whether a text contains a wildcard. */
export function hasWildcard({ text, isEscaped }: MarkedText): boolean {
  return [...text.matchAll(/[*?]/gu)].some(({ index }) => !isEscaped(index));
}

/**
 * Returns the parts of a text with wildcards. Wildcards count as letters, so that `mono?ith` is one word. Consecutive
 * words before a final `*` are one part with it (`IL-6*`); otherwise each word is a part.
 */
export function analysePattern(marked: MarkedText): readonly PatternPart[] {
  const standIns = standInsFor(marked.text);
  const letters = marked.text.replace(/[*?]/gu, (sign, index: number) => {
    if (marked.isEscaped(index)) return " ";
    return sign === "*" ? standIns.many : standIns.one;
  });
  const isIdle = (word: string | undefined): boolean => word?.replaceAll(standIns.many, "") === "";
  const all = analyse(letters);
  const words = all.filter((word) => !isIdle(word));
  if (isIdle(all[0])) return [{ kind: "refused" }];
  // After an ideograph, a `*` is not idle: any text may follow the phrase anyway.
  const isAnyIdle = all.some((word, i) => isIdle(word) && !isUnspaced(all[i - 1] ?? ""));
  return [...wordParts(words, standIns), ...(isAnyIdle ? [{ kind: "idle" } as const] : [])];
}

function wordParts(words: readonly string[], standIns: StandIns): readonly PatternPart[] {
  const patterns = words.filter((word) => word.includes(standIns.many) || word.includes(standIns.one));
  if (patterns.length === 0) return words.length === 0 ? [] : [{ kind: "words", words }];
  if (patterns.length === 1 && patterns[0] === words.at(-1) && isPrefix(patterns[0]!, standIns)) {
    return [{ kind: "prefix", words: words.map((word) => word.replaceAll(standIns.many, "")) }];
  }
  return words.map((word) => wordPart(word, standIns));
}

/** Returns the words of a text whose last word is a prefix. */
export function prefixWords(text: string): readonly string[] {
  const { many } = standInsFor(text);
  return analyse(text + many)
    .map((word) => word.replaceAll(many, ""))
    .filter((word) => word !== "");
}

/** Returns whether a text with a `*` at its end has exactly these words, the last one as a prefix. */
export function isPrefixText(text: string, words: readonly string[]): boolean {
  const [part, nextPart] = analysePattern({ text: `${text}*`, isEscaped: (index) => index < text.length });
  return part?.kind === "prefix" && nextPart === undefined && part.words.join(" ") === words.join(" ");
}

function wordPart(word: string, standIns: StandIns): PatternPart {
  const { many, one } = standIns;
  if (word.startsWith(many) || word.startsWith(one)) return { kind: "refused" };
  if (isPrefix(word, standIns)) return { kind: "prefix", words: [word.replaceAll(many, "")] };
  const pattern = word.replaceAll(many, "*").replaceAll(one, "?").replace(/\*+/gu, "*");
  return /[*?]/u.test(pattern) ? { kind: "wildcard", pattern } : { kind: "words", words: [word] };
}

/** Returns whether a word is letters before one or more `*`. */
function isPrefix(word: string, { many, one }: StandIns): boolean {
  const text = word.slice(0, word.indexOf(many));
  return (
    text !== "" && word.includes(many) && !text.includes(one) && word.slice(text.length).replaceAll(many, "") === ""
  );
}

/** Compiled pattern, in which `*` matches any characters and `?` one character (code point). */
interface Pattern {
  /** Text of the pattern. */
  readonly source: string;
  test(word: string): boolean;
}

/**
 * Compiles a pattern. A regular expression would take years for `a*a*a*a*b`. This matcher never backtracks beyond the
 * last `*`, so its time is at most proportional to the product of both lengths.
 */
export function compileWildcards(source: string): Pattern {
  const signs = [...source];
  return { source, test: (word) => fits(signs, [...word]) };
}

function fits(signs: readonly string[], characters: readonly string[]): boolean {
  let sign = 0;
  let at = 0;
  // Position of the last `*`, and the end of the characters that it matches so far.
  let star = -1;
  let reach = 0;
  while (at < characters.length) {
    if (signs[sign] === "*") {
      star = sign;
      reach = at;
      sign += 1;
    } else if (sign < signs.length && (signs[sign] === "?" || signs[sign] === characters[at])) {
      sign += 1;
      at += 1;
    } else if (star >= 0) {
      reach += 1;
      at = reach;
      sign = star + 1;
    } else {
      return false;
    }
  }
  while (signs[sign] === "*") sign += 1;
  return sign === signs.length;
}
