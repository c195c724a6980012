/**
 * The tokens that an index holds of records and of their elements. Words of our analysis hold letters and digits only,
 * so a sign in front keeps every other kind of token apart, and none begins like a word: a prefix query over words
 * never walks through tokens of paths. `p` is the id of a path.
 */
import { createHash } from "node:crypto";

/** Stands between the values of a text column, so that no phrase crosses from one to the next. */
export const BREAK = "?";

/** Opens each value of a path: the path has a value, and no phrase crosses it. */
export const existsToken = (p: number): string => `?${p}`;

/** Stands for the path of values that no schema declares, in the rows of elements. Ids of paths begin with 1. */
export const UNDECLARED = 0;

/** A word in a value of a path. */
export const wordToken = (p: number, word: string): string => `_${p}_${word}`;

/** An element of the array of objects at a path. */
export const elementToken = (p: number): string => `@${p}`;

/** A declared key of a facet, by its row in `key`. */
export const keyToken = (key: number): string => `#${key}`;

/** Cites the term, anywhere. */
export const citesToken = (vocabulary: string, id: string): string => `~${vocabulary}:${escapeId(id)}`;

/** Cites the term at a site. */
export const siteToken = (p: number, vocabulary: string, id: string): string => atSite(p, citesToken(vocabulary, id));

/** The same, of what `citesToken` gave. */
export const atSite = (p: number, cites: string): string => `~${p}${cites}`;

/** Longest whole value that is its own token, in UTF-16 units; longer ones are digested. */
const WHOLE_LENGTH_MAX = 200;

/** A whole value that identifies, by its words in order. */
export function wholeToken(words: readonly string[]): string {
  const whole = words.join("_");
  if (whole.length <= WHOLE_LENGTH_MAX) return `=w${whole}`;
  return `=#${createHash("sha256").update(whole).digest("hex")}`;
}

/**
 * A whole title by its words in order. It ends with a sign, so that the titles which begin with some words are the
 * tokens which begin with this one.
 */
export const titleToken = (words: readonly string[]): string => `=t${words.join("_")}_`;

/** The tokenizer folds ASCII capitals and splits at signs: each id must still be a token of its own. */
function escapeId(id: string): string {
  let escaped = "";
  for (const sign of id) escaped += ASCII_ESCAPED[sign.charCodeAt(0)] ?? escapeSign(sign);
  return escaped;
}

function escapeSign(sign: string): string {
  if (/^[a-z0-9]$/u.test(sign)) return sign;
  if (/^[A-Z]$/u.test(sign)) return `^${sign.toLowerCase()}`;
  return [...Buffer.from(sign, "utf8")].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

/** By their code. */
const ASCII_ESCAPED: readonly string[] = Array.from({ length: 128 }, (_, code) =>
  escapeSign(String.fromCharCode(code)),
);

/** Tokens as one text, in the order in which phrases meet them. */
export const joinTokens = (tokens: readonly string[]): string => tokens.join(" ");
