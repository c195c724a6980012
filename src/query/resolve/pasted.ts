/**
 * Pasted texts as queries. A title may look like syntax: `KD: a primer` queries a field, ` -a new approach` excludes a
 * word, `life?` ends with a wildcard. The query may then miss the record with this title.
 */
import { LIMITS } from "../../core/limits.js";
import { printQuery } from "../parse/print.js";
import type { QueryNode } from "../parse/tree.js";
import { analyse } from "../text/analyse.js";
import { hasMoreCodePoints } from "../text/code-points.js";

/** Text of a query as one phrase. */
export interface PastedText {
  readonly tree: QueryNode;
  /** Whether its syntax also occurs in prose. */
  readonly isProse: boolean;
}

/** Syntax that occurs in prose: a colon or question mark after a word, a sign before one, NOT, a backslash. */
const PROSE = /[\p{L}\p{N}][:?](?=\s|$)|\s[-+!](?=\p{L})|\bNOT\b|\\[\p{L}\p{N}]/u;

/** A single word with a question mark at its end. */
const QUESTION = /^[^*?:]+\?+$/u;

/** Escape character. It escapes the next character, which may join two words. */
const BACKSLASH = "\\";

/**
 * Returns the text as a phrase. Undefined for a single word without a question mark, and if every text with the phrase
 * matches the query anyway.
 */
export function pastedText(text: string, tree: QueryNode): PastedText | undefined {
  const written = text.replace(/\s+/gu, " ").trim();
  const isEscaped = written.includes(BACKSLASH);
  if (!(written.includes(" ") || QUESTION.test(written) || isEscaped)) return undefined;
  if (!isEscaped && !mayMiss(tree)) return undefined;
  if (analyse(written).length === 0) return undefined;
  const phrase: QueryNode = { kind: "text", text: written, quoted: true };
  if (hasMoreCodePoints(printQuery(phrase), LIMITS.queryCodePointsMax)) return undefined;
  return { tree: phrase, isProse: PROSE.test(written) };
}

/** Returns whether a value with the text of the query may not match it. Words and phrases without a field always do. */
function mayMiss(node: QueryNode): boolean {
  switch (node.kind) {
    case "everything":
      return false;
    case "text":
    case "prefix":
    case "fuzzy":
      return node.field !== undefined;
    case "all":
      return node.of.some(mayMiss);
    case "any":
      return node.of.every(mayMiss);
    default:
      return true;
  }
}

/**
 * Returns the words to compare with whole titles. In a text in capitals (`STRUCTURE AND FUNCTION`) or with OR,
 * operators count as words.
 *
 * @param plain see `ResolvedQuery`
 */
export function titleWords(
  text: string,
  tree: QueryNode,
  plain: readonly string[] | undefined,
): readonly string[] | undefined {
  if ((plain !== undefined && /\p{Ll}/u.test(text)) || mayMiss(tree)) return plain;
  const words = analyse(text);
  return words.length < 2 ? plain : words;
}
