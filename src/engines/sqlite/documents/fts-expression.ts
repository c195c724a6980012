/**
 * Expressions for FTS5's MATCH (https://www.sqlite.org/fts5.html, section 3). Inside double quotes FTS5 reads no
 * operators, and our tokens hold no quote, so that a word is never more than a word.
 */

/**
 * Tokens in a row.
 * @param asPrefix the last one is only the beginning of a token
 * @param columns those that are searched; absent: all of the table
 */
export function phrase(tokens: readonly string[], asPrefix = false, columns?: readonly string[]): string {
  return `${columns === undefined ? "" : filterOf(columns)}${quote(tokens.join(" "))}${asPrefix ? " *" : ""}`;
}

const filterOf = (columns: readonly string[]): string =>
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

/** All of the expressions, or any of them. */
export const combined = (expressions: readonly string[], operator: "AND" | "OR"): string =>
  expressions.length === 1 ? expressions[0]! : expressions.map((each) => `(${each})`).join(` ${operator} `);
