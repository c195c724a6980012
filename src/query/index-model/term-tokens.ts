/**
 * The tokens of the full-text tables of terms. Words of our analysis hold letters and digits only, so the signs below
 * occur in none of them; the tokenizer takes every character outside ASCII as part of a token.
 */
import { addAll } from "../../core/collections.js";
import type { LeafValue } from "./leaves.js";

/** Before the first word of a title, as a token of its own: finds titles by how they begin. A break as well. */
const START = "\uE000";

/** Between two values, so that no phrase crosses from one to the next. */
const BREAK = "\uE001";

/** Is it a word, and no token with a sign of ours? */
export const isWord = (token: string): boolean => !token.startsWith(START) && !token.startsWith(BREAK);

/** The token that begins a title. */
export const startToken = (word: string): string => START + word;

/** Opens each value of a path: the path has a value, and no phrase crosses it. */
export const existsToken = (path: string): string => `?${escapePath(path)}`;

/** A word in a value of a path. */
export const pathToken = (path: string, word: string): string => `${escapePath(path)}_${word}`;

/** The tokenizer folds ASCII capitals and splits at most signs: each path must still be one of its own. */
function escapePath(path: string): string {
  if (/^[a-z0-9.]*$/.test(path)) return path;
  return path.replace(/[^a-z0-9.]/gu, (sign) => `%${sign.codePointAt(0)!.toString(16)}%`);
}

/** Is this the path of a title, in any language? */
export function isTitle(path: string | null): boolean {
  return path === "title" || path?.startsWith("title.") === true;
}

/** What the full-text tables take of an item. */
export interface TermText {
  readonly title: string;
  readonly names: string;
  readonly rest: string;
  readonly paths: string;
}

export function termText(leaves: readonly LeafValue[]): TermText {
  const title: string[] = [];
  const names: string[] = [];
  const rest: string[] = [];
  const paths: string[] = [];
  const prefixes = new Map<string, string>();
  for (const { path, words } of leaves) {
    if (path !== null) {
      paths.push(existsToken(path));
      const prefix = prefixes.get(path) ?? pathToken(path, "");
      prefixes.set(path, prefix);
      for (const word of words) paths.push(prefix + word);
    }
    if (words.length === 0) continue;
    const column = isTitle(path) ? title : path === "synonyms" ? names : rest;
    column.push(isTitle(path) ? startToken(words[0]!) : BREAK);
    addAll(column, words);
  }
  return { title: title.join(" "), names: names.join(" "), rest: rest.join(" "), paths: paths.join(" ") };
}
