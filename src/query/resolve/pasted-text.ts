/**
 * Pasted texts as queries. A title may look like syntax: `KD: a primer` queries a field, ` -a new approach` excludes a
 * word, `life?` ends with a wildcard. The query may then miss the record with this title.
 */
import { LIMITS } from "../../core/limits.js";
import { printQuery } from "../parse/print.js";
import type { QueryNode } from "../parse/tree.js";
import { analyse } from "../text/analyse.js";
import { hasMoreCodePoints } from "../text/positions.js";

/** Text of a query as one phrase. */
export interface PastedText {
  readonly tree: QueryNode;
  /** Whether its syntax also occurs in prose, and the text is not an ordinary query. */
  readonly isProse: boolean;
}

/** Syntax that is rare in queries: a question mark after a word, or a backslash before one. */
const PROSE = /[\p{L}\p{N}]\?(?=\s|$)|\\[\p{L}\p{N}]/u;

/** A word with a colon at its end. In queries, most are fields. */
const HEADING = /[\p{L}\p{N}]:$/u;

/** Signs and operators that are common in queries. */
const OPERATOR = /\s[-+!](?=\p{L})|\bNOT\b/u;

/** Minimum number of words outside of fields and NOT in a text with fields or operators that is prose. */
const PROSE_WORDS_MIN = 4;

/** A single word with a question mark at its end. */
const QUESTION = /^[^*?:]+\?+$/u;

/** Escape character. It escapes the next character, which may join two words. */
const BACKSLASH = "\\";

/**
 * Returns the text as a phrase. Undefined for a single word without a question mark, and if every text with the phrase
 * matches the query anyway.
 * @param isRepaired whether the syntax of the text is not that of a query, such as a bracket without its other half
 */
export function pastedText(text: string, tree: QueryNode, isRepaired = false): PastedText | undefined {
  const written = text.replace(/\s+/gu, " ").trim();
  const isEscaped = written.includes(BACKSLASH);
  if (!(written.includes(" ") || QUESTION.test(written) || isEscaped)) return undefined;
  if (!isEscaped && !mayMiss(tree)) return undefined;
  if (analyse(written).length === 0) return undefined;
  const phrase: QueryNode = { kind: "text", text: written, quoted: true };
  if (hasMoreCodePoints(printQuery(phrase), LIMITS.queryCodePointsMax)) return undefined;
  return { tree: phrase, isProse: isRepaired || isProse(written, tree) };
}

function isProse(text: string, tree: QueryNode): boolean {
  const headings = text.split(" ").filter((word) => HEADING.test(word));
  const fields = fieldsIn(tree);
  if (PROSE.test(text) || headings.some((word) => !fields.includes(fieldName(word)))) return true;
  return (headings.length > 0 || OPERATOR.test(text)) && countPlainWords(tree) >= PROSE_WORDS_MIN;
}

/** Returns the name of the field before a colon at the end of a word: `kd` for `(kd:`. */
const fieldName = (heading: string): string => heading.slice(0, -1).replace(/^[^\p{L}\p{N}]+/u, "");

function fieldsIn(node: QueryNode): readonly string[] {
  const own = "field" in node && node.field !== undefined ? [node.field] : [];
  return "of" in node ? [...own, ...[node.of].flat().flatMap(fieldsIn)] : own;
}

/** Returns the number of words without quotes and outside of fields and NOT. */
function countPlainWords(node: QueryNode): number {
  switch (node.kind) {
    case "all":
    case "any":
      return node.of.reduce((sum, of) => sum + countPlainWords(of), 0);
    case "text":
      return node.quoted || node.field !== undefined ? 0 : analyse(node.text).length;
    case "prefix":
    case "wildcard":
    case "fuzzy":
      return node.field === undefined ? 1 : 0;
    default:
      return 0;
  }
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
