/** Clauses about words, also about adjacent words that may be one word in a text. */
import type { Leaf } from "../../core/catalog/types.js";
import { type Clause, NOTHING, rowOfWords, type TextScope } from "../index-model/clause.js";
import type { QueryNode } from "../parse/tree.js";
import { analyse } from "../text/analyse.js";
import { mayAttach } from "../text/greek-spellings.js";
import { prefixWords } from "../text/pattern.js";

export type TextNode = Extract<QueryNode, { kind: "text" | "prefix" | "wildcard" | "fuzzy" }>;

/** Maximum length of a word with the default fuzzy distance 1. Longer words have 2. */
const SHORT_WORD_LENGTH = 5;

/** Returns the clause of a text node in the searched text. */
export function textClause(node: TextNode, place: TextScope): Clause {
  switch (node.kind) {
    case "text":
      return rowOfWords(analyse(node.text), place);
    case "prefix":
      return rowOfWords(prefixWords(node.text), place, "prefix");
    case "wildcard":
      return { kind: "wildcard", place, pattern: node.pattern };
    case "fuzzy": {
      const word = analyse(node.text)[0] ?? "";
      const edits = node.edits ?? ([...word].length <= SHORT_WORD_LENGTH ? 1 : 2);
      return { kind: "fuzzy", place, word, edits };
    }
  }
}

/** Returns a clause that matches consecutive words in one of the leaves. */
export const wordsIn = (words: readonly string[], leaves: readonly Leaf[]): Clause =>
  leaves.length === 0 ? NOTHING : rowOfWords(words, { in: "paths", paths: leaves.map((leaf) => leaf.path) });

/** Maximum number of adjacent words that may be one word in a text (`NF kappa B`). */
const NEIGHBOURS_MAX = 4;

/**
 * Returns the ways to read adjacent nodes of an AND that texts may write as one word because of a Greek letter:
 * `delta G` is also written `deltaG`. Each way is a list of nodes that must all match. The first way has the nodes
 * themselves; it is the only one if the node at `first` cannot be attached to the next.
 */
export function waysToAttach(nodes: readonly QueryNode[], first: number): readonly [QueryNode[], ...QueryNode[][]] {
  let ways: [QueryNode[], ...QueryNode[][]] = [[nodes[first]!]];
  for (const node of nodes.slice(first + 1, first + NEIGHBOURS_MAX)) {
    if (!areNeighbours(nodes[first + ways[0].length - 1]!, node)) break;
    const attached = ways.map((way) => [...way.slice(0, -1), attach(way.at(-1)!, node)]);
    ways = [[...ways[0], node], ...ways.slice(1).map((way) => [...way, node]), ...attached];
  }
  return ways;
}

type WordNode = Extract<QueryNode, { kind: "text" | "prefix" }>;

function areNeighbours(node: QueryNode, next: QueryNode): boolean {
  if (node.kind !== "text" || node.quoted || (next.kind !== "text" && next.kind !== "prefix")) return false;
  if ((next.kind === "text" && next.quoted) || node.field !== next.field) return false;
  const words = next.kind === "prefix" ? prefixWords(next.text) : analyse(next.text);
  return mayAttach(analyse(node.text).at(-1) ?? "", words[0] ?? "");
}

/** Joins two nodes to one phrase, whose Greek spellings include the attached form. */
function attach(node: QueryNode, next: QueryNode): QueryNode {
  const [{ text, ...first }, last] = [node as WordNode, next as WordNode];
  const field = first.field === undefined ? {} : { field: first.field };
  const phrase = `${text} ${last.text}`;
  return last.kind === "prefix"
    ? { kind: "prefix", ...field, text: phrase }
    : { kind: "text", ...field, text: phrase, quoted: false };
}
