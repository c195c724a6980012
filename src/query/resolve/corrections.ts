/** Corrections of misspelt words in a query. Pure. */

import { LIMITS } from "../../core/limits.js";
import { readNames, writeAsName } from "../fields/persons.js";
import { printQuery } from "../parse/print.js";
import { allNodes, type LeafNode, type QueryNode } from "../parse/tree.js";
import { analyse } from "../text/analyse.js";
import { locateWords } from "../text/locate-words.js";
import type { Span } from "../text/positions.js";

type TextLeaf = Extract<LeafNode, { kind: "text" | "prefix" }>;

/** A word that may be misspelt, with its span in the text of a leaf. */
export interface SuspectWord extends Span {
  readonly leaf: TextLeaf;
  readonly word: string;
}

/** Word that may be corrected. Shorter words, codes and numbers are similar to many others with another meaning. */
const CORRECTABLE = /^\p{L}{4,}$/u;

/** Returns whether a word may be misspelt, or may be the correction of a misspelt one. */
export const isCorrectable = (word: string): boolean => CORRECTABLE.test(word);

/**
 * Returns the words that may be misspelt in their order, each once for each field. They have at least four letters and
 * nothing else, are not long sequences, and are neither under NOT nor in a text that looks like an id. Prefixes are
 * included only in a tree of `parseSuggestText`.
 *
 * @param isTyped whether the tree comes from `parseSuggestText`
 */
export function suspectWords(tree: QueryNode, isTyped: boolean): readonly SuspectWord[] {
  const suspects = new Map<string, SuspectWord>();
  for (const leaf of positiveLeaves(tree)) {
    if (leaf.kind !== "text" && !(isTyped && leaf.kind === "prefix")) continue;
    if (leaf.text.includes(":")) continue;
    for (const { word, from, to } of locateWords(leaf.text)) {
      const key = JSON.stringify([word, leaf.field]);
      const isSuspect = isCorrectable(word) && [...word].length <= LIMITS.typoLettersMax;
      if (isSuspect && !suspects.has(key)) suspects.set(key, { leaf, word, from, to });
    }
  }
  return [...suspects.values()];
}

/**
 * Returns the query for one word alone, in its field and its groups.
 * @param text replacement of the word
 */
export function onlyWord(tree: QueryNode, { leaf, word }: SuspectWord, text = word): QueryNode {
  const alone: LeafNode = leaf.kind === "prefix" ? { ...leaf, text } : { ...leaf, text, quoted: text.includes(" ") };
  return within(tree, leaf, alone) ?? alone;
}

function within(node: QueryNode, leaf: LeafNode, alone: QueryNode): QueryNode | undefined {
  switch (node.kind) {
    case "all":
    case "any":
      for (const of of node.of) {
        const replaced = within(of, leaf, alone);
        if (replaced !== undefined) return replaced;
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

/** Returns the query with some words replaced, each by one or several words. The rest is unchanged. */
export function replaceWords(tree: QueryNode, words: ReadonlyMap<SuspectWord, string>): QueryNode {
  return mapLeaves(tree, (leaf) => {
    const own = [...words].filter(([suspect]) => suspect.leaf === leaf).sort(([a], [b]) => b.from - a.from);
    if (own.length === 0 || (leaf.kind !== "text" && leaf.kind !== "prefix")) return leaf;
    const text = own.reduce((left, [{ from, to }, word]) => left.slice(0, from) + word + left.slice(to), leaf.text);
    return leaf.kind === "text" && text.includes(" ") ? { ...leaf, text, quoted: true } : { ...leaf, text };
  });
}

/** Returns the queries in which a word is joined with the previous or next one: `lyso zyme` becomes `lysozyme`. */
export function joinedWords(tree: QueryNode, { leaf }: SuspectWord): readonly QueryNode[] {
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
  const [first, ...rest] = tree.kind === "all" ? tree.of : [tree];
  if (first?.kind !== "text" || (first.quoted && rest.length > 0)) return undefined;
  const texts = rest.map((node) => (node.kind === "text" && !node.quoted && node.field === undefined ? node.text : ""));
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

/** Returns the ways to split a word (`sodiumchloride`) into two of at least two letters. */
export function splitWord(word: string): readonly (readonly [string, string])[] {
  const letters = [...word];
  return letters
    .slice(0, -3)
    .map((_, i): readonly [string, string] => [letters.slice(0, i + 2).join(""), letters.slice(i + 2).join("")]);
}

/** Endings of plurals with the ending of the singular. */
const PLURALS: readonly (readonly [plural: RegExp, singular: string])[] = [
  [/ies$/u, "y"],
  [/(?<=x|ss|us|ch|sh)es$/u, ""],
  [/(?<![siu])s$/u, ""],
];
const SIBILANT = /(?:s|x|z|ch|sh)$/u;

/**
 * Returns the plural of an English singular, or the singular of a plural, by its ending: `antibody` for `antibodies`.
 * Because there is no stemming, a query for one form does not find the other.
 */
export function singularOrPlural(word: string): string {
  const rule = PLURALS.find(([plural]) => plural.test(word));
  if (rule !== undefined) return word.replace(...rule);
  if (/[^aeiou]y$/u.test(word)) return `${word.slice(0, -1)}ies`;
  return SIBILANT.test(word) ? `${word}es` : `${word}s`;
}

/**
 * Prints a corrected query. Words and phrases are separated by blanks, as people write them.
 * @param isTyped whether the text is for `suggest` instead of `q`
 */
export function printCorrected(tree: QueryNode, isTyped: boolean): string {
  const nodes = tree.kind === "all" ? tree.of : [tree];
  if (isTyped) return nodes.flatMap((node) => ("text" in node ? [node.text] : [])).join(" ");
  const isPlain = nodes.every((node) => node.kind === "text" && node.field === undefined);
  return isPlain ? nodes.map(printQuery).join(" ") : printQuery(tree);
}

/** Returns whether a text contains the words consecutively. */
export function hasPhrase(text: string, words: readonly string[]): boolean {
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
