import { compileCitation, compileLastWord, compileRange, hasWordsAt } from "../evaluate/compile-clause.js";
import type { IsDescendant, Occurrence, RecordInMemory } from "../evaluate/record-in-memory.js";
import type { Clause, TextClause, TextScope } from "../index-model/clause.js";
import type { LeafValue } from "../index-model/leaves.js";

/** Range of matching words in a value. */
export interface Match {
  readonly leaf: LeafValue;
  /** Index of the first word. */
  readonly from: number;
  /** Exclusive end, or `WHOLE_VALUE` for the whole value, which may have no words. */
  readonly to: number;
}

/** End of a match that is a whole value. */
export const WHOLE_VALUE = Number.POSITIVE_INFINITY;

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
  record: RecordInMemory,
  isDescendant: IsDescendant,
  check: CheckTime = NO_LIMIT,
): readonly Match[] | undefined {
  return new Finder(record, isDescendant, check).find(clause, 0);
}

/** Returns the matches of all positive subclauses, even if the record does not match the whole clause. */
export function findPartialMatches(
  clause: Clause,
  record: RecordInMemory,
  isDescendant: IsDescendant,
  check: CheckTime = NO_LIMIT,
): readonly Match[] {
  return new Finder(record, isDescendant, check).findPartialMatches(clause, 0);
}

/**
 * Returns the elements of a list that match the parts of a clause about the list: groups at or below it, and ranges of
 * values in it. Only matching alternatives count. Elements are numbered as in `RecordLeaves`. Undefined if the clause
 * has no part about the list.
 */
export function findElements(
  clause: Clause,
  record: RecordInMemory,
  list: string,
  isDescendant: IsDescendant,
  check: CheckTime = NO_LIMIT,
): ReadonlySet<number> | undefined {
  const elements = new Finder(record, isDescendant, check).findElements(clause, list, 0);
  return elements && new Set(elements);
}

class Finder {
  constructor(
    readonly record: RecordInMemory,
    readonly isDescendant: IsDescendant,
    readonly check: CheckTime,
  ) {}

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
        return unite(clause.of.map((of) => this.find(of, part)));
      case "not":
        return this.find(clause.of, part) === undefined ? [] : undefined;
      case "element":
        return unite(this.record.elementsAt(clause.path, part).map((element) => this.find(clause.of, element)));
      case "exists":
        return this.record.leavesAt(clause.paths, part).length > 0 ? [] : undefined;
      case "range":
        return nonEmpty(this.record.leavesAt(clause.paths, part).filter(compileRange(clause)).map(matchWhole));
      case "cites":
        return this.#findCites(clause, part);
      default:
        return nonEmpty(this.#findText(clause, part));
    }
  }

  findPartialMatches(clause: Clause, part: number): readonly Match[] {
    switch (clause.kind) {
      case "all":
      case "any":
        return clause.of.flatMap((of) => this.findPartialMatches(of, part));
      case "not":
        return [];
      case "element":
        return this.record
          .elementsAt(clause.path, part)
          .flatMap((element) => this.findPartialMatches(clause.of, element));
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
        const matching = this.record.elementsAt(path, part).filter((element) => this.find(of, element) !== undefined);
        if (path === list || path.startsWith(`${list}.`)) {
          return matching.flatMap((element) => this.#elementOf(list, element));
        }
        const inner = matching.map((element) => this.findElements(of, list, element));
        return inner.every((each) => each === undefined) ? undefined : inner.flatMap((each) => each ?? []);
      }
      case "range": {
        if (!clause.paths.some((path) => path.startsWith(`${list}.`))) return undefined;
        const leaves = this.record.leavesAt(clause.paths, part).filter(compileRange(clause));
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

  /** Finds citations. The match is the title of the cited term, or its id if it has no title; for a term, its id. */
  #findCites(clause: Extract<Clause, { kind: "cites" }>, part: number): readonly Match[] | undefined {
    const matches = compileCitation(clause, this.isDescendant);
    const citations = this.record.cites.filter((cite) => matches(cite) && this.record.isIn(cite.element, part));
    if (citations.length === 0) return undefined;
    return citations.flatMap(({ site, element }) => termNames(this.record, site, element)).map(matchWhole);
  }

  #findText(clause: TextClause, part: number): readonly Match[] {
    const before = "words" in clause ? clause.words.slice(0, -1) : [];
    const matches: Match[] = [];
    for (const [i, { leaf, at }] of this.#lastWords(clause).entries()) {
      if (i % WORDS_BETWEEN_CHECKS === 0) this.check();
      const from = at - before.length;
      if (!isInScope(leaf, clause.place) || !this.record.isIn(leaf.element, part)) continue;
      if (from >= 0 && hasWordsAt(leaf.words, from, before)) matches.push({ leaf, from, to: at + 1 });
    }
    return matches;
  }

  /** Returns the occurrences of words that match the last word of the clause. */
  #lastWords(clause: TextClause): readonly Occurrence[] {
    if (clause.kind === "words") return this.record.wordOccurrences(clause.words.at(-1) ?? "");
    const matchesWord = compileLastWord(clause);
    return [...this.record.occurrences].flatMap(([word, places], i) => {
      if (i % WORDS_BETWEEN_CHECKS === 0) this.check();
      return matchesWord(word) ? places : [];
    });
  }
}

/** Returns the leaves to mark for a cited term: its titles, or its id if it has none. */
export function termNames(record: Pick<RecordInMemory, "leaves">, site: string, element: number): readonly LeafValue[] {
  const siblings = record.leaves.filter((leaf) => leaf.element === element && leaf.path !== null);
  const titles = siblings.filter(({ path }) => path?.startsWith(`${site}.title`));
  return titles.length > 0 ? titles : siblings.filter(({ path }) => path === (site === "" ? "id" : `${site}.id`));
}

const matchWhole = (leaf: LeafValue): Match => ({ leaf, from: 0, to: WHOLE_VALUE });

const nonEmpty = (matches: readonly Match[]): readonly Match[] | undefined =>
  matches.length > 0 ? matches : undefined;

function unite(results: readonly (readonly Match[] | undefined)[]): readonly Match[] | undefined {
  const matching = results.filter((matches) => matches !== undefined);
  return matching.length === 0 ? undefined : matching.flat();
}

const isInScope = (leaf: LeafValue, place: TextScope): boolean =>
  place.in === "text" ? !leaf.isFieldOnly : leaf.path !== null && place.paths.includes(leaf.path);
