import { identifierForms, isIdentifierPath } from "../fields/identifiers.js";
import type { LeafValue, RecordLeaves } from "../index-model/leaves.js";
import { titleToken, wholeToken } from "../index-model/record-document.js";

/** Returns the id of the parent of a term; undefined for a root and for an unknown term. */
export type ParentOf = (vocabulary: string, id: string) => string | undefined;

/** Returns whether a term is a descendant of another one. */
export type IsDescendant = (vocabulary: string, id: string, ancestor: string) => boolean;

/** A citation of a term in a record. */
export type LeafCitation = RecordLeaves["cites"][number];

/** Position of a word: the value, and the index of the word in it. */
export interface Occurrence {
  readonly leaf: LeafValue;
  readonly at: number;
}

/** Number of words that are looked up by scans before all words are grouped. */
const SCANS_MAX = 8;

/**
 * Record in memory that clauses are evaluated on. A term is a record without elements that cites itself. A *part* of it
 * is an element with all its contents, by its number, or the whole record (0).
 */
export class RecordInMemory implements RecordLeaves {
  readonly leaves: readonly LeafValue[];
  readonly elements: RecordLeaves["elements"];
  readonly cites: readonly LeafCitation[];
  #byPath: ReadonlyMap<string, readonly LeafValue[]> | undefined;
  #occurrences: ReadonlyMap<string, readonly Occurrence[]> | undefined;
  #scans = 0;
  #tokens: readonly string[] | undefined;

  constructor({ leaves, elements, cites }: RecordLeaves) {
    this.leaves = leaves;
    this.elements = elements;
    this.cites = cites;
  }

  /** Returns the leaves at a path. */
  at(path: string): readonly LeafValue[] {
    this.#byPath ??= groupByPath(this.leaves);
    return this.#byPath.get(path) ?? [];
  }

  /** Returns the elements of a list that are in a part of the record, or are that part. */
  elementsAt(path: string, part: number): readonly number[] {
    return this.elements.flatMap((element, i) => (element.path === path && this.isIn(i + 1, part) ? i + 1 : []));
  }

  /** Returns the leaves at some paths in a part of the record. */
  leavesAt(paths: readonly string[], part: number): readonly LeafValue[] {
    return paths.flatMap((path) => this.at(path).filter(({ element }) => this.isIn(element, part)));
  }

  /** The words of all values, with their places in document order. */
  get occurrences(): ReadonlyMap<string, readonly Occurrence[]> {
    this.#occurrences ??= groupByWord(this.leaves);
    return this.#occurrences;
  }

  /** Returns the places of a word in document order. For a few words, a scan of all values is faster than grouping. */
  wordOccurrences(word: string): readonly Occurrence[] {
    if (this.#occurrences === undefined && ++this.#scans <= SCANS_MAX) return scanForWord(this.leaves, word);
    return this.occurrences.get(word) ?? [];
  }

  /** Returns whether an element is equal to another one or in it. Element 0 is the record, which contains all. */
  isIn(element: number, outer: number): boolean {
    if (outer === 0) return true;
    // Elements are numbered in document order, so no element is in a later one.
    let at = element;
    while (at > outer) at = this.elements[at - 1]!.parent;
    return at === outer;
  }

  /** Tokens of whole titles and identifiers, as in an index. */
  get tokens(): readonly string[] {
    this.#tokens ??= this.leaves.flatMap(wholeTokens);
    return this.#tokens;
  }
}

function groupByPath(leaves: readonly LeafValue[]): ReadonlyMap<string, readonly LeafValue[]> {
  const groups = new Map<string, LeafValue[]>();
  for (const leaf of leaves) {
    if (leaf.path === null) continue;
    const group = groups.get(leaf.path);
    if (group === undefined) groups.set(leaf.path, [leaf]);
    else group.push(leaf);
  }
  return groups;
}

function scanForWord(leaves: readonly LeafValue[], word: string): readonly Occurrence[] {
  const places: Occurrence[] = [];
  for (const leaf of leaves) {
    for (let at = leaf.words.indexOf(word); at >= 0; at = leaf.words.indexOf(word, at + 1)) places.push({ leaf, at });
  }
  return places;
}

function groupByWord(leaves: readonly LeafValue[]): ReadonlyMap<string, readonly Occurrence[]> {
  const groups = new Map<string, Occurrence[]>();
  for (const leaf of leaves) {
    for (const [at, word] of leaf.words.entries()) {
      const group = groups.get(word);
      if (group === undefined) groups.set(word, [{ leaf, at }]);
      else group.push({ leaf, at });
    }
  }
  return groups;
}

function wholeTokens({ path, weight, words, keyword, isFieldOnly }: LeafValue): readonly string[] {
  const isTitle = weight === "title" && words.length > 0 && !isFieldOnly;
  const titles = isTitle ? [titleToken(words)] : [];
  if (path === null || keyword === undefined || !isIdentifierPath(path)) return titles;
  return [...titles, ...identifierForms(keyword).map(wholeToken)];
}

/** Returns the ancestors of a term, nearest first, without the term itself even in a loop. */
export function findAncestors(getParentId: ParentOf, vocabulary: string, id: string): ReadonlySet<string> {
  const above = new Set<string>();
  for (let at = getParentId(vocabulary, id); at !== undefined && at !== id && !above.has(at); ) {
    above.add(at);
    at = getParentId(vocabulary, at);
  }
  return above;
}

/** Makes the test whether a term is a descendant of another one. */
export const makeDescendantTest =
  (getParentId: ParentOf): IsDescendant =>
  (vocabulary, id, ancestor) =>
    findAncestors(getParentId, vocabulary, id).has(ancestor);
