import { fail } from "../../core/errors.js";
import type { Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import type { FieldLookup } from "../fields/field-lookup.js";
import { analyse, isUnspaced } from "../text/analyse.js";
import { isPrefixText, prefixWords } from "../text/pattern.js";
import { dropInvisible, makeSpanMapper, type Span } from "../text/positions.js";
import { spacedNumber } from "./leaf-nodes.js";
import { Parser } from "./parser.js";
import { allNodes, anyNodes, EVERYTHING_NODE, measureDepth, type Part, type QueryNode } from "./tree.js";

/** Result of parsing a query. */
interface ParsedQuery {
  readonly tree: QueryNode;
  /** Whether a part of the text was invalid and was interpreted in another way. `warnings` describe it. */
  readonly fallback: boolean;
  readonly warnings: readonly Warning[];
  /** Part of the text that each warning is about. */
  readonly places: ReadonlyMap<Warning, Span>;
  /** Parts of the text that the tree consists of. */
  readonly parts: readonly Part[];
}

/**
 * Parses the query language of docs/search-syntax.md. Any text is a query: invalid syntax is read as plain words.
 *
 * @throws BinderyError QUERY_TOO_LARGE, the only refusal
 */
export function parseQuery(text: string, fields: FieldLookup): ParsedQuery {
  // A code point has at most two units, so the code points of a very long text need not be counted.
  const points = text.length > 2 * LIMITS.queryCodePointsMax ? Number.POSITIVE_INFINITY : [...text].length;
  if (points > LIMITS.queryCodePointsMax) throw tooLarge("characters", LIMITS.queryCodePointsMax);
  const parser = new Parser(withoutQuestionMark(dropInvisible(text)), fields);
  const tree = parser.parse();
  if (parser.leaves > LIMITS.queryLeavesMax) throw tooLarge("clauses", LIMITS.queryLeavesMax);
  if (measureDepth(tree) > LIMITS.queryDepthMax) throw tooLarge("levels", LIMITS.queryDepthMax);
  const { fallback, warnings, places } = parser.notes;
  const restorePlace = makeSpanMapper(text);
  if (restorePlace === undefined) return { tree, fallback, warnings, places, parts: parser.parts };
  const moved = new Map([...places].map(([warning, span]) => [warning, restorePlace(span)]));
  return { tree, fallback, warnings, places: moved, parts: moveParts(parser.parts, restorePlace) };
}

/** Maps the positions of parts, at all depths, with `restorePlace`. Without recursion, so that no depth is too deep. */
function moveParts(parts: readonly Part[], restorePlace: (part: Part) => Part): readonly Part[] {
  const moved: Part[] = [];
  const lists: { readonly source: readonly Part[]; readonly target: Part[] }[] = [{ source: parts, target: moved }];
  // The loop also visits the lists that it appends.
  for (const { source, target } of lists) {
    for (const part of source) {
      const placed = restorePlace(part);
      if (placed.kind === "group") {
        const inner: Part[] = [];
        target.push({ ...placed, parts: inner });
        lists.push({ source: placed.parts, target: inner });
      } else target.push(placed);
    }
  }
  return moved;
}

/** Characters and operators of the syntax, except the marks at the end of a question. */
const SYNTAX = /[*?~:<>="\\]|&&|\|\||\b(?:AND|OR|NOT)\b/u;

/** Replaces the marks at the end of a question (three words or more) by blanks, because there `?` is not a wildcard. */
function withoutQuestionMark(text: string): string {
  const end = text.trimEnd().length;
  let start = end;
  while (text[start - 1] === "?" || text[start - 1] === "!") start--;
  const question = text.slice(0, start);
  const isQuestion = text.slice(start, end).includes("?") && !SYNTAX.test(question) && /\S\s+\S+\s+\S/u.test(question);
  return isQuestion ? question + " ".repeat(end - start) + text.slice(end) : text;
}

/**
 * Returns the tree of a text while it is typed, without syntax. All pieces between blanks must match, each as a phrase;
 * the last word is a prefix.
 */
export function parseSuggestText(text: string): QueryNode {
  const pieces = dropInvisible(text)
    .split(/\s+/u)
    .filter((piece) => analyse(piece).length > 0);
  const nodes = pieces.slice(0, LIMITS.queryLeavesMax).map((piece, i, all): QueryNode => {
    const words = prefixWords(piece);
    const isWhole = i < all.length - 1 || isUnspaced(words.at(-1) ?? "");
    if (isWhole) return { kind: "text", text: piece, quoted: false };
    return { kind: "prefix", text: isPrefixText(piece, words) ? piece : words.join(" ") };
  });
  const number = spacedNumber(text);
  const [words] = nodes.length > 0 ? [allNodes(nodes)!] : [EVERYTHING_NODE];
  return number === undefined ? words : anyNodes([words, number])!;
}

function tooLarge(limit: string, max: number): Error {
  const part = limit === "characters" ? "send a part of it" : "put it";
  const way = ` To find a text, ${part} in quotes (").`;
  const messages = [`A query can have at most ${max} ${limit}.${way}`];
  const issues = [{ field: "q", pointer: "/q", code: "PARAMETER_INVALID", messages }];
  return fail("QUERY_TOO_LARGE", { limit, max, issues });
}
