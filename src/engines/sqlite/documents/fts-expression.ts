import type { TextWeights } from "../../../query/index-model/leaves.js";

/**
 * Expressions for FTS5's MATCH (https://www.sqlite.org/fts5.html, section 3). Inside double quotes FTS5 reads no
 * operators, and our tokens hold no quote, so that a word is never more than a word. What is more than alternatives of
 * phrases is for the sets: an expression answers one leaf of a query.
 */

/**
 * Tokens in a row.
 * @param asPrefix the last one is only the beginning of a token
 * @param weights columns of `leaf` that are searched; absent: all, of which only text columns hold bare words
 */
export function phrase(tokens: readonly string[], asPrefix = false, weights?: TextWeights): string {
  return `${weights === undefined ? "" : filterOf(weights)}${quote(tokens.join(" "))}${asPrefix ? " *" : ""}`;
}

const filterOf = (columns: TextWeights): string =>
  columns.length === 1 ? `${columns[0]} : ` : `{${columns.join(" ")}} : `;

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Words in one expression; FTS5's parser keeps all of them on a stack. */
const ALTERNATIVES_MAX = 512;

/** One of the phrases, in as few expressions as may be. */
export function inSeveral(phrases: readonly string[]): readonly string[] {
  const unique = [...new Set(phrases)];
  const several: string[] = [];
  for (let i = 0; i < unique.length; i += ALTERNATIVES_MAX) {
    several.push(unique.slice(i, i + ALTERNATIVES_MAX).join(" OR "));
  }
  return several;
}

/** Both of two expressions. */
export const bothOf = (a: string, b: string): string => `(${a}) AND (${b})`;
