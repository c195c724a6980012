/**
 * Texts that are pasted as queries. A title may look like syntax: `KD: a primer` queries a field, ` -a new approach`
 * excludes a word, `life?` ends with a wildcard. Then its own record may not be among the hits.
 */
import { LIMITS } from "../../core/limits.js";
import { printQuery } from "../parse/print.js";
import type { QueryNode } from "../parse/tree.js";
import { analyse } from "../text/analyse.js";
import { hasMoreCodePoints } from "../text/code-points.js";

/** The text of a query as one phrase. */
export interface PastedText {
  readonly tree: QueryNode;
  /** Is its syntax of the kind that prose has too? */
  readonly isProse: boolean;
}

/** A colon or a question mark after a word, a sign before one, a negation in capitals, a backslash. */
const PROSE = /[\p{L}\p{N}][:?](?=\s|$)|\s[-+!](?=\p{L})|\bNOT\b|\\[\p{L}\p{N}]/u;

/** A single word with a question mark at its end. */
const QUESTION = /^[^*?:]+\?+$/u;

/** It escapes what follows, so that the words on both sides become one. */
const BACKSLASH = "\\";

/**
 * Returns the text as a phrase. Undefined if it is a single word without a question mark, or if everything that
 * contains the phrase matches the query anyway.
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

/** May the query miss a value that contains its text? Words and phrases without a field do not. */
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
 * Returns the words to compare with whole titles. A text in capitals (`STRUCTURE AND FUNCTION`) has words that were
 * read as operators; so may a text with OR.
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
