import { identifierForms, isIdentifierPath } from "../fields/identifier-forms.js";
import type { LeafValue, RecordLeaves } from "../index-model/leaves.js";
import { titleToken, wholeToken } from "../index-model/record-tokens.js";

/** The id above an item of a hierarchy; undefined for a root, and for what is no item. */
export type ParentOf = (vocabulary: string, id: string) => string | undefined;

export type Cite = RecordLeaves["cites"][number];

/** A record in memory, of which one asks again and again what holds of it. */
export class HeldRecord {
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

  at(path: string): readonly LeafValue[] {
    return this.#byPath.get(path) ?? [];
  }

  /** Does an element lie in another one, or is it the same? All lie in the record itself, which is 0. */
  isIn(element: number, outer: number): boolean {
    if (outer === 0) return true;
    // Elements are numbered in the order of the document: none lies in one that comes after it.
    let at = element;
    while (at > outer) at = this.elements[at - 1]!.parent;
    return at === outer;
  }

  /** Whole titles and identifiers, as an index has them. */
  get tokens(): readonly string[] {
    this.#tokens ??= this.leaves.flatMap(tokensOf);
    return this.#tokens;
  }
}

function byPath(leaves: readonly LeafValue[]): ReadonlyMap<string, readonly LeafValue[]> {
  const found = new Map<string, LeafValue[]>();
  for (const leaf of leaves) {
    if (leaf.path === null) continue;
    const some = found.get(leaf.path);
    if (some === undefined) found.set(leaf.path, [leaf]);
    else some.push(leaf);
  }
  return found;
}

function tokensOf({ path, weight, words, keyword, isFieldOnly }: LeafValue): readonly string[] {
  const isTitle = weight === "title" && words.length > 0 && !isFieldOnly;
  const titles = isTitle ? [titleToken(words)] : [];
  if (path === null || keyword === undefined || !isIdentifierPath(path)) return titles;
  return [...titles, ...identifierForms(keyword).map(wholeToken)];
}
