/** Misspelt words of a query: which ones may be, and the query with others in their place. Pure. */

import { LIMITS } from "../../core/limits.js";
import { readNames, writeAsName } from "../fields/persons.js";
import { printQuery } from "../parse/print.js";
import { allNodes, type LeafNode, type QueryNode } from "../parse/tree.js";
import { analyse } from "../text/analyse.js";
import { locateWords } from "../text/locate-words.js";

type TextLeaf = Extract<LeafNode, { kind: "text" | "prefix" }>;

/** A word of a leaf, from `start` up to `end` of its text. */
export interface Suspect {
  readonly leaf: TextLeaf;
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** Below this every word is near to every other one; codes and numbers are near to others that mean something else. */
const MISSPELT = /^\p{L}{4,}$/u;

/** May the word be misspelt, or stand in the place of one that is? */
export const isSpelt = (word: string): boolean => MISSPELT.test(word);

/**
 * Words that may be misspelt, in their order, each once for each field: words of four letters or more (but no long
 * sequences) and nothing but letters, neither under NOT nor in what looks like an id. Beginnings of words only where
 * they were typed as words.
 *
 * @param isTyped is the tree one of `suggestTree`?
 */
export function suspectWords(tree: QueryNode, isTyped: boolean): readonly Suspect[] {
  const suspects = new Map<string, Suspect>();
  for (const leaf of positiveLeaves(tree)) {
    if (leaf.kind !== "text" && !(isTyped && leaf.kind === "prefix")) continue;
    if (leaf.text.includes(":")) continue;
    for (const { word, start, end } of locateWords(leaf.text)) {
      const key = JSON.stringify([word, leaf.field]);
      const mayBeWrong = isSpelt(word) && [...word].length <= LIMITS.typoLettersMax;
      if (mayBeWrong && !suspects.has(key)) suspects.set(key, { leaf, word, start, end });
    }
  }
  return [...suspects.values()];
}

/**
 * The query for one of its words alone: in its field, and in the groups that it stands in.
 * @param text what to ask for in place of the word
 */
export function onlyWord(tree: QueryNode, { leaf, word }: Suspect, text = word): QueryNode {
  const alone: LeafNode = leaf.kind === "prefix" ? { ...leaf, text } : { ...leaf, text, quoted: text.includes(" ") };
  return within(tree, leaf, alone) ?? alone;
}

function within(node: QueryNode, leaf: LeafNode, alone: QueryNode): QueryNode | undefined {
  switch (node.kind) {
    case "all":
    case "any":
      for (const of of node.of) {
        const found = within(of, leaf, alone);
        if (found !== undefined) return found;
      }
      return undefined;
    case "not":
      return undefined;
    case "group": {
      const of = within(node.of, leaf, alone);
      return of && { ...node, of };
    }
    default:
      return node === leaf ? alone : undefined;
  }
}

/** The query with other words, or several words in a row, in place of some. All else stays as it was written. */
export function replaceWords(tree: QueryNode, words: ReadonlyMap<Suspect, string>): QueryNode {
  return mapLeaves(tree, (leaf) => {
    const own = [...words].filter(([suspect]) => suspect.leaf === leaf).sort(([a], [b]) => b.start - a.start);
    if (own.length === 0 || (leaf.kind !== "text" && leaf.kind !== "prefix")) return leaf;
    const text = own.reduce((left, [{ start, end }, word]) => left.slice(0, start) + word + left.slice(end), leaf.text);
    return leaf.kind === "text" && text.includes(" ") ? { ...leaf, text, quoted: true } : { ...leaf, text };
  });
}

/** The queries in which a word and its neighbour are one (`lyso zyme`). */
export function joinedWords(tree: QueryNode, { leaf }: Suspect): readonly QueryNode[] {
  if (tree.kind !== "all") return [];
  const at = tree.of.indexOf(leaf);
  return [at - 1, at].flatMap((first) => {
    const [a, b] = [tree.of[first], tree.of[first + 1]];
    if (at < 0 || !isPlainWord(a) || !isPlainWord(b) || a.field !== b.field) return [];
    const joined = allNodes(tree.of.toSpliced(first, 2, { ...b, text: a.text + b.text }));
    return joined === undefined ? [] : [joined];
  });
}

const isPlainWord = (node: QueryNode | undefined): node is TextLeaf =>
  (node?.kind === "prefix" || (node?.kind === "text" && !node.quoted)) && /^\p{L}+$/u.test(node.text);

/** Returns the query with all words as one name in quotes (`"Z. Müller"`); undefined if they cannot be a name. */
export function asOneName(tree: QueryNode): QueryNode | undefined {
  const [first, ...others] = tree.kind === "all" ? tree.of : [tree];
  if (first?.kind !== "text" || (first.quoted && others.length > 0)) return undefined;
  const texts = others.map((node) =>
    node.kind === "text" && !node.quoted && node.field === undefined ? node.text : "",
  );
  const text = [first.text, ...texts].join(" ");
  if (texts.includes("") || readNames(text).length === 0) return undefined;
  return { ...first, text: writeAsName(text), quoted: true };
}

/**
 * Returns the query with the words of its text fields searched anywhere (`method:trypsin` becomes `trypsin`); undefined
 * if it has no such field. Values that begin with a digit keep their field.
 */
export function withoutFields(tree: QueryNode): QueryNode | undefined {
  const widened = widen(tree);
  return widened === tree ? undefined : widened;
}

function widen(node: QueryNode): QueryNode {
  if (node.kind === "all" || node.kind === "any") {
    const of = node.of.map(widen);
    return of.every((each, i) => each === node.of[i]) ? node : { kind: node.kind, of };
  }
  if ((node.kind !== "text" && node.kind !== "prefix") || node.field === undefined) return node;
  if (!/^\p{L}/u.test(node.text)) return node;
  const { field: _, ...anywhere } = node;
  return anywhere;
}

/** The ways to take a word for two (`sodiumchloride`), each of them two letters or more. */
export function splitWord(word: string): readonly (readonly [string, string])[] {
  const letters = [...word];
  return letters
    .slice(0, -3)
    .map((_, i): readonly [string, string] => [letters.slice(0, i + 2).join(""), letters.slice(i + 2).join("")]);
}

/** Endings of plurals that are more than an s, with what a singular has there. */
const PLURALS: readonly (readonly [plural: RegExp, singular: string])[] = [
  [/ies$/u, "y"],
  [/(?<=x|ss|us|ch|sh)es$/u, ""],
  [/(?<![siu])s$/u, ""],
];
const SIBILANT = /(?:s|x|z|ch|sh)$/u;

/**
 * The plural of an English singular, or the singular of a plural, by its ending: `antibody` of `antibodies`. There is
 * no stemming, so texts that have the one are not found by the other.
 */
export function otherNumber(word: string): string {
  const found = PLURALS.find(([plural]) => plural.test(word));
  if (found !== undefined) return word.replace(...found);
  if (/[^aeiou]y$/u.test(word)) return `${word.slice(0, -1)}ies`;
  return SIBILANT.test(word) ? `${word}es` : `${word}s`;
}

/**
 * A query as text to be sent in place of another: words and phrases side by side as people write them.
 * @param isTyped text for `suggest` instead of `q`
 */
export function printCorrected(tree: QueryNode, isTyped: boolean): string {
  const nodes = tree.kind === "all" ? tree.of : [tree];
  if (isTyped) return nodes.flatMap((node) => ("text" in node ? [node.text] : [])).join(" ");
  const isPlain = nodes.every((node) => node.kind === "text" && node.field === undefined);
  return isPlain ? nodes.map(printQuery).join(" ") : printQuery(tree);
}

/** Do the words stand in a row in a text? */
export function holdsPhrase(text: string, words: readonly string[]): boolean {
  return ` ${analyse(text).join(" ")} `.includes(` ${words.join(" ")} `);
}

function positiveLeaves(node: QueryNode): readonly LeafNode[] {
  switch (node.kind) {
    case "all":
    case "any":
      return node.of.flatMap(positiveLeaves);
    case "group":
      return positiveLeaves(node.of);
    case "not":
      return [];
    default:
      return [node];
  }
}

function mapLeaves(node: QueryNode, change: (leaf: LeafNode) => LeafNode): QueryNode {
  switch (node.kind) {
    case "all":
    case "any":
      return { ...node, of: node.of.map((of) => mapLeaves(of, change)) };
    case "group":
    case "not":
      return { ...node, of: mapLeaves(node.of, change) };
    default:
      return change(node);
  }
}
