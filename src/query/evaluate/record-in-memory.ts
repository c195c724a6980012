import { identifierForms, isIdentifierPath } from "../fields/identifiers.js";
import type { LeafValue, RecordLeaves } from "../index-model/leaves.js";
import { titleToken, wholeToken } from "../index-model/record-document.js";

/** Returns the id of the parent of a term; undefined for a root and for an unknown term. */
export type ParentOf = (vocabulary: string, id: string) => string | undefined;

type Cite = RecordLeaves["cites"][number];

/** Record in memory that many clauses are evaluated on. */
export class RecordInMemory {
  readonly leaves: readonly LeafValue[];
  readonly elements: RecordLeaves["elements"];
  readonly cites: readonly Cite[];
  readonly #byPath: ReadonlyMap<string, readonly LeafValue[]>;
  #tokens: readonly string[] | undefined;

  constructor({ leaves, elements, cites }: RecordLeaves) {
    this.leaves = leaves;
    this.elements = elements;
    this.cites = cites;
    this.#byPath = byPath(leaves);
  }

  /** Returns the leaves at a path. */
  at(path: string): readonly LeafValue[] {
    return this.#byPath.get(path) ?? [];
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

function byPath(leaves: readonly LeafValue[]): ReadonlyMap<string, readonly LeafValue[]> {
  const groups = new Map<string, LeafValue[]>();
  for (const leaf of leaves) {
    if (leaf.path === null) continue;
    const group = groups.get(leaf.path);
    if (group === undefined) groups.set(leaf.path, [leaf]);
    else group.push(leaf);
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
export function findAncestors(parentOf: ParentOf, vocabulary: string, id: string): ReadonlySet<string> {
  const above = new Set<string>();
  for (let at = parentOf(vocabulary, id); at !== undefined && at !== id && !above.has(at); ) {
    above.add(at);
    at = parentOf(vocabulary, at);
  }
  return above;
}
