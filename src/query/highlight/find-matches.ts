import { compileRange } from "../evaluate/compile-clause.js";
import type { Clause, TextScope } from "../index-model/clause.js";
import type { LeafValue, RecordLeaves } from "../index-model/leaves.js";
import { makeEditTest } from "../text/edit-distance.js";
import { compilePattern } from "../text/pattern.js";

/** Matching words of a value, by their number in it. */
export interface Match {
  readonly leaf: LeafValue;
  readonly from: number;
  /** Exclusive end, or `WHOLE` for the whole value, which may have no words. */
  readonly to: number;
}

export const WHOLE = Number.POSITIVE_INFINITY;

/** Returns whether a term is a descendant of another one. Only needed for clauses with `within`. */
export type IsDescendant = (vocabulary: string, id: string, ancestor: string) => boolean;

/** Throws if the time limit for marking matches has passed. */
export type CheckTime = () => void;

const NO_LIMIT: CheckTime = () => undefined;

/** Number of words that are compared between two calls of CheckTime. */
const WORDS_BETWEEN_CHECKS = 512;

/**
 * Returns the places at which a record matches a clause: those of the matching alternatives and of the matching
 * elements of groups, but none of negated clauses. Undefined if the record does not match.
 */
export function findMatches(
  clause: Clause,
  record: RecordLeaves,
  isDescendant: IsDescendant,
  check: CheckTime = NO_LIMIT,
): readonly Match[] | undefined {
  return new Finder(record, isDescendant, check).find(clause, 0);
}

/** Returns the matches of all parts of a clause, even if the record does not match the whole clause. */
export function findParts(
  clause: Clause,
  record: RecordLeaves,
  isDescendant: IsDescendant,
  check: CheckTime = NO_LIMIT,
): readonly Match[] {
  return new Finder(record, isDescendant, check).findParts(clause, 0);
}

/**
 * Returns the elements of a list that match the parts of a clause about the list: groups at or below it, and ranges of
 * values in it. Only matching alternatives count. Elements are numbered as in `RecordLeaves`. Undefined if the clause
 * has no part about the list.
 */
export function findElements(
  clause: Clause,
  record: RecordLeaves,
  list: string,
  isDescendant: IsDescendant,
  check: CheckTime = NO_LIMIT,
): ReadonlySet<number> | undefined {
  const elements = new Finder(record, isDescendant, check).findElements(clause, list, 0);
  return elements && new Set(elements);
}

type Node<K extends Clause["kind"]> = Extract<Clause, { kind: K }>;
type Text = Node<"words" | "prefix" | "wildcard" | "fuzzy">;

interface Occurrence {
  readonly leaf: LeafValue;
  /** Number of the word in its value. */
  readonly at: number;
}

class Finder {
  readonly #occurrences = new Map<string, Occurrence[]>();

  constructor(
    readonly record: RecordLeaves,
    readonly isDescendant: IsDescendant,
    readonly check: CheckTime,
  ) {
    for (const leaf of record.leaves) {
      for (const [at, word] of leaf.words.entries()) {
        const occurrences = this.#occurrences.get(word);
        if (occurrences === undefined) this.#occurrences.set(word, [{ leaf, at }]);
        else occurrences.push({ leaf, at });
      }
    }
  }

  /** Finds matches in a part of the record. @param part number of the element with its contents; 0 is the record */
  find(clause: Clause, part: number): readonly Match[] | undefined {
    this.check();
    switch (clause.kind) {
      case "everything":
        return [];
      case "nothing":
        return undefined;
      case "all": {
        const results = clause.of.map((of) => this.find(of, part));
        return results.includes(undefined) ? undefined : results.flatMap((matches) => matches ?? []);
      }
      case "any":
        return united(clause.of.map((of) => this.find(of, part)));
      case "not":
        return this.find(clause.of, part) === undefined ? [] : undefined;
      case "element":
        return united(this.#elements(clause.path, part).map((element) => this.find(clause.of, element)));
      case "exists":
        return this.#leaves(clause.paths, part).length > 0 ? [] : undefined;
      case "range":
        return nonEmpty(this.#leaves(clause.paths, part).filter(compileRange(clause)).map(matchWhole));
      case "cites":
        return this.#findCites(clause, part);
      default:
        return nonEmpty(this.#findText(clause, part));
    }
  }

  findParts(clause: Clause, part: number): readonly Match[] {
    switch (clause.kind) {
      case "all":
      case "any":
        return clause.of.flatMap((of) => this.findParts(of, part));
      case "not":
        return [];
      case "element":
        return this.#elements(clause.path, part).flatMap((element) => this.findParts(clause.of, element));
      default:
        return this.find(clause, part) ?? [];
    }
  }

  findElements(clause: Clause, list: string, part: number): readonly number[] | undefined {
    switch (clause.kind) {
      case "all":
      case "any": {
        const matching = clause.of.filter((of) => clause.kind === "all" || this.find(of, part) !== undefined);
        const elements = matching.flatMap((of) => this.findElements(of, list, part) ?? []);
        return clause.of.some((of) => this.findElements(of, list, part) !== undefined) ? elements : undefined;
      }
      case "element": {
        const { path, of } = clause;
        const matching = this.#elements(path, part).filter((element) => this.find(of, element) !== undefined);
        if (path === list || path.startsWith(`${list}.`)) {
          return matching.flatMap((element) => this.#elementOf(list, element));
        }
        const inner = matching.map((element) => this.findElements(of, list, element));
        return inner.every((each) => each === undefined) ? undefined : inner.flatMap((each) => each ?? []);
      }
      case "range": {
        if (!clause.paths.some((path) => path.startsWith(`${list}.`))) return undefined;
        const leaves = this.#leaves(clause.paths, part).filter(compileRange(clause));
        return leaves.flatMap(({ element }) => this.#elementOf(list, element));
      }
      default:
        return undefined;
    }
  }

  /** Returns the element of a list that contains another element or is equal to it. */
  #elementOf(list: string, element: number): readonly number[] {
    for (let at = element; at !== 0; at = this.record.elements[at - 1]!.parent) {
      if (this.record.elements[at - 1]!.path === list) return [at];
    }
    return [];
  }

  #elements(path: string, part: number): readonly number[] {
    return this.record.elements.flatMap((element, i) =>
      element.path === path && this.#isIn(i + 1, part) ? i + 1 : [],
    );
  }

  #isIn(element: number, part: number): boolean {
    for (let at = element; at !== 0; at = this.record.elements[at - 1]!.parent) if (at === part) return true;
    return part === 0;
  }

  #leaves(paths: readonly string[], part: number): readonly LeafValue[] {
    return this.record.leaves.filter(
      ({ path, element }) => path !== null && paths.includes(path) && this.#isIn(element, part),
    );
  }

  /** Finds citations. The match is the title of the cited term, or its id if it has no title; for a term, its id. */
  #findCites({ vocabularies, id, sites, within }: Node<"cites">, part: number): readonly Match[] | undefined {
    const citations = this.record.cites.filter(
      (cited) =>
        vocabularies.includes(cited.vocabulary) &&
        (sites === undefined || sites.includes(cited.site)) &&
        (cited.id === id || (within && this.isDescendant(cited.vocabulary, cited.id, id))) &&
        this.#isIn(cited.element, part),
    );
    if (citations.length === 0) return undefined;
    return citations.flatMap(({ site, element }) => termNames(this.record, site, element)).map(matchWhole);
  }

  #findText(clause: Text, part: number): readonly Match[] {
    const matches: Match[] = [];
    for (const [i, { leaf, at }] of this.#starts(clause).entries()) {
      if (i % WORDS_BETWEEN_CHECKS === 0) this.check();
      if (!isInScope(leaf, clause.place) || !this.#isIn(leaf.element, part)) continue;
      const length = "words" in clause ? clause.words.length : 1;
      if ("words" in clause && !hasPhraseAt(leaf.words, at, clause)) continue;
      matches.push({ leaf, from: at, to: at + length });
    }
    return matches;
  }

  /** Returns the occurrences of words that the first word of the clause matches. */
  #starts(clause: Text): readonly Occurrence[] {
    if ("words" in clause && (clause.kind === "words" || clause.words.length > 1)) {
      return this.#occurrences.get(clause.words[0] ?? "") ?? [];
    }
    const matchesWord = makeWordTest(clause);
    return [...this.#occurrences].flatMap(([word, occurrences], i) => {
      if (i % WORDS_BETWEEN_CHECKS === 0) this.check();
      return matchesWord(word) ? occurrences : [];
    });
  }
}

/** Returns the leaves to mark for a cited term: its titles, or its id if it has none. */
export function termNames(record: RecordLeaves, site: string, element: number): readonly LeafValue[] {
  const siblings = record.leaves.filter((leaf) => leaf.element === element && leaf.path !== null);
  const titles = siblings.filter(({ path }) => path?.startsWith(`${site}.title`));
  return titles.length > 0 ? titles : siblings.filter(({ path }) => path === (site === "" ? "id" : `${site}.id`));
}

const matchWhole = (leaf: LeafValue): Match => ({ leaf, from: 0, to: WHOLE });

const nonEmpty = (matches: readonly Match[]): readonly Match[] | undefined =>
  matches.length > 0 ? matches : undefined;

function united(results: readonly (readonly Match[] | undefined)[]): readonly Match[] | undefined {
  const matching = results.filter((matches) => matches !== undefined);
  return matching.length === 0 ? undefined : matching.flat();
}

const isInScope = (leaf: LeafValue, place: TextScope): boolean =>
  place.in === "text" ? !leaf.isFieldOnly : leaf.path !== null && place.paths.includes(leaf.path);

function makeWordTest(clause: Text): (word: string) => boolean {
  switch (clause.kind) {
    case "wildcard":
      return compilePattern(clause.pattern).test;
    case "fuzzy":
      return makeEditTest(clause.word, clause.edits);
    default:
      return (word) => word.startsWith(clause.words[0] ?? "");
  }
}

function hasPhraseAt(words: readonly string[], at: number, { kind, words: phrase }: Node<"words" | "prefix">): boolean {
  return phrase.every((word, i) => {
    const other = words[at + i];
    return kind === "prefix" && i === phrase.length - 1 ? other?.startsWith(word) : other === word;
  });
}
