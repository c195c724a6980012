import { countEdits } from "../../core/nearest.js";
import type { Bound, Clause, TextScope } from "../index-model/clause.js";
import type { LeafValue, RecordLeaves } from "../index-model/leaves.js";
import { compareKeywords, foldKeyword } from "../text/analyse.js";
import { compilePattern } from "../text/fits-pattern.js";

/** Words of a value that a clause is about: from number `from` up to `to`. */
export interface Match {
  readonly leaf: LeafValue;
  readonly from: number;
  /** `WHOLE`: all of the value, whether it has words or not. */
  readonly to: number;
}

export const WHOLE = Number.POSITIVE_INFINITY;

/** Is a term below another one? Only `within` asks. */
export type IsDescendant = (vocabulary: string, id: string, ancestor: string) => boolean;

/** Called while matches are looked for: throws if that may take no more time. */
export type CheckTime = () => void;

const NO_LIMIT: CheckTime = () => undefined;

/** Words that are compared between two looks at the clock. */
const WORDS_BETWEEN_CHECKS = 512;

/**
 * Where a clause is fulfilled in one record: of alternatives those that hold, of elements those that fulfil their
 * group, and nothing of what is negated. Undefined where the record does not fulfil it.
 */
export function findMatches(
  clause: Clause,
  record: RecordLeaves,
  isDescendant: IsDescendant,
  check: CheckTime = NO_LIMIT,
): readonly Match[] | undefined {
  return new Finder(record, isDescendant, check).find(clause, 0);
}

/** Every place that any part of a clause is about, whether the record fulfils all of it or not. */
export function findParts(
  clause: Clause,
  record: RecordLeaves,
  isDescendant: IsDescendant,
  check: CheckTime = NO_LIMIT,
): readonly Match[] {
  return new Finder(record, isDescendant, check).findParts(clause, 0);
}

/**
 * The elements of a list that fulfil what a clause asks of the list: its groups on it or below, and ranges of their
 * numbers. Of alternatives, those that hold. Numbers as in `RecordLeaves`; undefined where nothing is asked of it.
 */
export function findElements(
  clause: Clause,
  record: RecordLeaves,
  list: string,
  isDescendant: IsDescendant,
  check: CheckTime = NO_LIMIT,
): ReadonlySet<number> | undefined {
  const found = new Finder(record, isDescendant, check).findElements(clause, list, 0);
  return found && new Set(found);
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
        const known = this.#occurrences.get(word);
        if (known === undefined) this.#occurrences.set(word, [{ leaf, at }]);
        else known.push({ leaf, at });
      }
    }
  }

  /** @param part number of the element that is looked at, with everything in it; 0 is the record */
  find(clause: Clause, part: number): readonly Match[] | undefined {
    this.check();
    switch (clause.kind) {
      case "everything":
        return [];
      case "nothing":
        return undefined;
      case "all": {
        const found = clause.of.map((of) => this.find(of, part));
        return found.includes(undefined) ? undefined : found.flatMap((matches) => matches ?? []);
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
        return some(
          this.#leaves(clause.paths, part)
            .filter((leaf) => isInRange(leaf, clause))
            .map(whole),
        );
      case "cites":
        return this.#findCites(clause, part);
      default:
        return some(this.#findText(clause, part));
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
        const holding = clause.of.filter((of) => clause.kind === "all" || this.find(of, part) !== undefined);
        const found = holding.flatMap((of) => this.findElements(of, list, part) ?? []);
        return clause.of.some((of) => this.findElements(of, list, part) !== undefined) ? found : undefined;
      }
      case "element": {
        const { path, of } = clause;
        const fulfilling = this.#elements(path, part).filter((element) => this.find(of, element) !== undefined);
        if (path === list || path.startsWith(`${list}.`)) return fulfilling.flatMap((each) => this.#around(each, list));
        const inner = fulfilling.map((element) => this.findElements(of, list, element));
        return inner.every((found) => found === undefined) ? undefined : inner.flatMap((found) => found ?? []);
      }
      case "range": {
        if (!clause.paths.some((path) => path.startsWith(`${list}.`))) return undefined;
        const leaves = this.#leaves(clause.paths, part).filter((leaf) => isInRange(leaf, clause));
        return leaves.flatMap(({ element }) => this.#around(element, list));
      }
      default:
        return undefined;
    }
  }

  /** The element of a list that another one is or stands in. */
  #around(element: number, list: string): readonly number[] {
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

  /** A cited term is shown by its title, or by its id where it has none; an item by its id. */
  #findCites({ vocabularies, id, sites, within }: Node<"cites">, part: number): readonly Match[] | undefined {
    const found = this.record.cites.filter(
      (cited) =>
        vocabularies.includes(cited.vocabulary) &&
        (sites === undefined || sites.includes(cited.site)) &&
        (cited.id === id || (within && this.isDescendant(cited.vocabulary, cited.id, id))) &&
        this.#isIn(cited.element, part),
    );
    if (found.length === 0) return undefined;
    return found.flatMap(({ site, element }) => termNames(this.record, site, element)).map(whole);
  }

  #findText(clause: Text, part: number): readonly Match[] {
    const matches: Match[] = [];
    for (const [i, { leaf, at }] of this.#starts(clause).entries()) {
      if (i % WORDS_BETWEEN_CHECKS === 0) this.check();
      if (!isPlaced(leaf, clause.place) || !this.#isIn(leaf.element, part)) continue;
      const length = "words" in clause ? clause.words.length : 1;
      if ("words" in clause && !goesOn(leaf.words, at, clause)) continue;
      matches.push({ leaf, from: at, to: at + length });
    }
    return matches;
  }

  /** Where the first word of the clause stands, or one that is like it. */
  #starts(clause: Text): readonly Occurrence[] {
    if ("words" in clause && (clause.kind === "words" || clause.words.length > 1)) {
      return this.#occurrences.get(clause.words[0] ?? "") ?? [];
    }
    const isLike = likeness(clause);
    return [...this.#occurrences].flatMap(([word, occurrences], i) => {
      if (i % WORDS_BETWEEN_CHECKS === 0) this.check();
      return isLike(word) ? occurrences : [];
    });
  }
}

/** Leaves that show a cited term: its titles, or else its id. */
export function termNames(record: RecordLeaves, site: string, element: number): readonly LeafValue[] {
  const beside = record.leaves.filter((leaf) => leaf.element === element && leaf.path !== null);
  const titles = beside.filter(({ path }) => path?.startsWith(`${site}.title`));
  return titles.length > 0 ? titles : beside.filter(({ path }) => path === (site === "" ? "id" : `${site}.id`));
}

const whole = (leaf: LeafValue): Match => ({ leaf, from: 0, to: WHOLE });

const some = (matches: readonly Match[]): readonly Match[] | undefined => (matches.length > 0 ? matches : undefined);

function united(found: readonly (readonly Match[] | undefined)[]): readonly Match[] | undefined {
  const holding = found.filter((matches) => matches !== undefined);
  return holding.length === 0 ? undefined : holding.flat();
}

const isPlaced = (leaf: LeafValue, place: TextScope): boolean =>
  place.in === "text" ? !leaf.isFieldOnly : leaf.path !== null && place.paths.includes(leaf.path);

function likeness(clause: Text): (word: string) => boolean {
  switch (clause.kind) {
    case "wildcard":
      return compilePattern(clause.pattern).test;
    case "fuzzy": {
      const wanted = [...clause.word];
      return (word) => {
        const letters = [...word];
        return Math.abs(letters.length - wanted.length) <= clause.edits && countEdits(letters, wanted) <= clause.edits;
      };
    }
    default:
      return (word) => word.startsWith(clause.words[0] ?? "");
  }
}

function goesOn(words: readonly string[], at: number, { kind, words: wanted }: Node<"words" | "prefix">): boolean {
  return wanted.every((word, i) => {
    const found = words[at + i];
    return kind === "prefix" && i === wanted.length - 1 ? found?.startsWith(word) : found === word;
  });
}

function isInRange(leaf: LeafValue, { type, from, to }: Node<"range">): boolean {
  const value = type === "keyword" ? leaf.keyword : leaf.number;
  if (value === undefined) return false;
  const order = ({ value: end }: Bound): number =>
    typeof value === "number" ? value - Number(end) : compareKeywords(foldKeyword(value), String(end));
  const isAbove = from === undefined || order(from) > 0 || (from.inclusive && order(from) === 0);
  const isBelow = to === undefined || order(to) < 0 || (to.inclusive && order(to) === 0);
  return isAbove && isBelow;
}
