/**
 * Expressions for FTS5's MATCH (https://www.sqlite.org/fts5.html, section 3). Inside double quotes FTS5 reads no
 * operators, and our tokens hold no quote, so that a word is never more than a word.
 */
import { EVERY } from "./tokens.js";

/**
 * Finds no row, every row, or what the text says. `depth` counts its nested brackets. Where the text says every row
 * but some, `except` says which: subtracting them from something smaller is quicker.
 */
export type Match =
  | { readonly kind: "none" }
  | { readonly kind: "every" }
  | { readonly kind: "text"; readonly text: string; readonly depth: number; readonly except?: TextMatch };

type TextMatch = Extract<Match, { kind: "text" }>;

export const NONE: Match = { kind: "none" };
export const EVERY_ROW: Match = { kind: "every" };

/** FTS5's parser has a stack of 100 symbols, and each open bracket keeps three of them. */
const DEPTH_MAX = 24;

/** Columns of `leaf` that a text is looked for in; absent: all, of which only text columns hold bare words. */
export type Columns = "title" | "{title heavy}";

/** Tokens in a row. @param asPrefix the last one is only the beginning of a token */
export function phrase(tokens: readonly string[], asPrefix = false, columns?: Columns): Match {
  const text = `${columns === undefined ? "" : `${columns} : `}${quote(tokens.join(" "))}${asPrefix ? " *" : ""}`;
  return { kind: "text", text, depth: 0 };
}

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** As FTS5 takes it. */
export function matchText(match: Exclude<Match, { kind: "none" }>): string {
  return match.kind === "every" ? quote(EVERY) : match.text;
}

/** @returns undefined where the expression would be too deep for FTS5 */
export function anyOf(matches: readonly Match[]): Match | undefined {
  if (matches.some(({ kind }) => kind === "every")) return EVERY_ROW;
  const texts = matches.filter((match) => match.kind === "text");
  return join(texts, " OR ") ?? (texts.length === 0 ? NONE : undefined);
}

/** @returns undefined where the expression would be too deep for FTS5 */
export function allOf(matches: readonly Match[]): Match | undefined {
  if (matches.some(({ kind }) => kind === "none")) return NONE;
  const texts = matches.filter((match) => match.kind === "text");
  const positive = texts.filter((match) => match.except === undefined);
  const except = anyOf(texts.flatMap((match) => match.except ?? []));
  const all = join(positive, " AND ") ?? (positive.length === 0 ? EVERY_ROW : undefined);
  return all === undefined || except === undefined ? undefined : without(all, except);
}

/** Rows of the first without those of the second. @returns undefined where it would be too deep for FTS5 */
function without(match: Match, except: Match): Match | undefined {
  if (match.kind === "none" || except.kind === "every") return NONE;
  if (except.kind === "none") return match;
  if (match.kind === "every") return notOf(except);
  const depth = Math.max(match.depth, except.depth) + 1;
  return depth > DEPTH_MAX ? undefined : { kind: "text", text: `${bracket(match)} NOT ${bracket(except)}`, depth };
}

/** All other rows. @returns undefined where it would be too deep for FTS5 */
export function notOf(match: Match): Match | undefined {
  if (match.kind === "none") return EVERY_ROW;
  if (match.kind === "every") return NONE;
  if (match.except !== undefined) return match.except;
  const depth = match.depth + 1;
  if (depth > DEPTH_MAX) return undefined;
  return { kind: "text", text: `${quote(EVERY)} NOT ${bracket(match)}`, depth, except: match };
}

function join(texts: readonly TextMatch[], operator: string): Match | undefined {
  const unique = [...new Map(texts.map((match) => [match.text, match])).values()];
  if (unique.length <= 1) return unique[0];
  const depth = Math.max(...unique.map((match) => match.depth)) + 1;
  if (depth > DEPTH_MAX) return undefined;
  return { kind: "text", text: unique.map(bracket).join(operator), depth };
}

const bracket = ({ text, depth }: TextMatch): string => (depth === 0 ? text : `(${text})`);
