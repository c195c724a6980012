import { analyse, isUnspaced } from "./analyse.js";

/** Two letters that no analysis changes and that nobody writes: they stand for `*` and `?` while a text is analysed. */
const MANY = "\ua500";
const ONE = "\ua501";

/** A part of a text with wildcards, analysed. */
export type PatternPart =
  | { readonly kind: "words"; readonly words: readonly string[] }
  /** The last word is only the beginning of one. */
  | { readonly kind: "prefix"; readonly words: readonly string[] }
  /** One word with `*` and `?`. */
  | { readonly kind: "wildcard"; readonly pattern: string }
  /** It begins with a wildcard: no index can look that up. */
  | { readonly kind: "refused" }
  /** A `*` that is alone between signs (`IL-*`): it says nothing. */
  | { readonly kind: "idle" };

/** A character of a text and whether it was escaped, so that it is only text. */
export interface MarkedText {
  readonly text: string;
  readonly isEscaped: (index: number) => boolean;
}

/** Does a wildcard stand in the text? */
export function hasWildcard({ text, isEscaped }: MarkedText): boolean {
  return [...text.matchAll(/[*?]/gu)].some(({ index }) => !isEscaped(index));
}

/**
 * The parts of a text with wildcards. Wildcards count as letters, so that `mono?ith` stays one word. Words that stand
 * in a row before a final `*` are one part with it (`IL-6*`); else each word is a part.
 */
export function analysePattern(marked: MarkedText): readonly PatternPart[] {
  const letters = marked.text.replace(/[*?]/gu, (sign, index: number) => {
    if (marked.isEscaped(index)) return " ";
    return sign === "*" ? MANY : ONE;
  });
  const all = analyse(letters);
  const words = all.filter((word) => !isIdle(word));
  if (isIdle(all[0])) return [{ kind: "refused" }];
  // After a character that is a word by itself it says what is so anyway: a phrase goes on.
  const isAnyIdle = all.some((word, i) => isIdle(word) && !isUnspaced(all[i - 1] ?? ""));
  return [...partsOf(words), ...(isAnyIdle ? [{ kind: "idle" } as const] : [])];
}

const isIdle = (word: string | undefined): boolean => word?.replaceAll(MANY, "") === "";

function partsOf(words: readonly string[]): readonly PatternPart[] {
  const wild = words.filter((word) => word.includes(MANY) || word.includes(ONE));
  if (wild.length === 0) return words.length === 0 ? [] : [{ kind: "words", words }];
  if (wild.length === 1 && wild[0] === words.at(-1) && isPrefix(wild[0]!)) {
    return [{ kind: "prefix", words: words.map((word) => word.replaceAll(MANY, "")) }];
  }
  return words.map(partOf);
}

/** The words of a text whose last one is the beginning of a word. */
export function prefixWords(text: string): readonly string[] {
  return analyse(text + MANY)
    .map((word) => word.replaceAll(MANY, ""))
    .filter((word) => word !== "");
}

/** Does the text, as it was written, begin exactly these words? */
export function isPrefixText(text: string, words: readonly string[]): boolean {
  const [part, other] = analysePattern({ text: `${text}*`, isEscaped: (index) => index < text.length });
  return part?.kind === "prefix" && other === undefined && part.words.join(" ") === words.join(" ");
}

function partOf(word: string): PatternPart {
  if (word.startsWith(MANY) || word.startsWith(ONE)) return { kind: "refused" };
  if (isPrefix(word)) return { kind: "prefix", words: [word.replaceAll(MANY, "")] };
  const pattern = word.replaceAll(MANY, "*").replaceAll(ONE, "?").replace(/\*+/gu, "*");
  return /[*?]/u.test(pattern) ? { kind: "wildcard", pattern } : { kind: "words", words: [word] };
}

const isPrefix = (word: string): boolean =>
  word.endsWith(MANY) && !word.startsWith(MANY) && /^[^\ua500\ua501]+\ua500+$/u.test(word);
