/**
 * Expressions for FTS5's MATCH (https://www.sqlite.org/fts5.html, section 3). Inside double quotes FTS5 reads no
 * operators, and tokens contain no quotes, so a word cannot become an operator.
 */

/**
 * Returns the expression for consecutive tokens.
 * @param asPrefix whether the last one is a token prefix
 * @param columns those that are searched; undefined: all of the table
 */
export function phrase(tokens: readonly string[], asPrefix = false, columns?: readonly string[]): string {
  return `${columns === undefined ? "" : columnFilter(columns)}${quote(tokens.join(" "))}${asPrefix ? " *" : ""}`;
}

const columnFilter = (columns: readonly string[]): string =>
  columns.length === 1 ? `${columns[0]} : ` : `{${columns.join(" ")}} : `;

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Maximum number of phrases in one expression; FTS5's parser keeps all of them on a stack. */
const ALTERNATIVES_MAX = 512;

/** Returns expressions that together find any of the phrases, as few as possible. */
export function anyPhrase(phrases: readonly string[]): readonly string[] {
  const unique = [...new Set(phrases)];
  const alternatives: string[] = [];
  for (let i = 0; i < unique.length; i += ALTERNATIVES_MAX) {
    alternatives.push(unique.slice(i, i + ALTERNATIVES_MAX).join(" OR "));
  }
  return alternatives;
}

/** Returns an expression for all or any of the expressions. */
export const combine = (expressions: readonly string[], operator: "AND" | "OR"): string =>
  expressions.length === 1 ? expressions[0]! : expressions.map((expression) => `(${expression})`).join(` ${operator} `);
