/**
 * What a query means, over one record (or term) in memory: obviously right, and slow. Engines are validated by it.
 */

import type { Vocabulary } from "../../src/core/catalog/types.js";
import type { TermContent } from "../../src/core/term.js";
import type { Bound, Clause, TextScope } from "../../src/query/index-model/clause.js";
import type { LeafValue, RecordLeaves } from "../../src/query/index-model/leaves.js";
import { termLeaves } from "../../src/query/index-model/term-leaves.js";
import { analyse, compareKeywords, foldKeyword } from "../../src/query/text/analyse.js";

/** What a clause needs to know beyond the record. */
export interface World {
  /** Id of the item above, which need not be there; undefined for a root and for what the vocabulary lacks. */
  parentOf(vocabulary: string, id: string): string | undefined;
}

export const FLAT: World = { parentOf: () => undefined };

/** Returns whether a path of parents leads from the term to the other one. */
export function isDescendant(world: World, vocabulary: string, id: string, ancestor: string): boolean {
  const seen = new Set<string>();
  for (
    let at = world.parentOf(vocabulary, id);
    at !== undefined && !seen.has(at);
    at = world.parentOf(vocabulary, at)
  ) {
    if (at === ancestor) return true;
    seen.add(at);
  }
  return false;
}

/** Returns whether the record fulfils the clause. */
export function matches(clause: Clause, record: RecordLeaves, world: World = FLAT): boolean {
  return holds(clause, { record, world, element: 0 });
}

/** A term as records are validated: it cites itself. */
export function termAsRecord(content: TermContent, vocabulary: Vocabulary): RecordLeaves {
  const cites = [{ vocabulary: vocabulary.name, id: content.id, site: "", element: 0 }];
  return { elements: [], leaves: termLeaves(content, vocabulary), cites };
}

/** A part of a record: the element with everything that lies in it; 0 is the whole record. */
interface Part {
  readonly record: RecordLeaves;
  readonly world: World;
  readonly element: number;
  /** Weights of the leaves that clauses about all text look at; absent: all of them. */
  readonly weights?: readonly LeafValue["weight"][];
}

function holds(clause: Clause, part: Part): boolean {
  switch (clause.kind) {
    case "everything":
      return true;
    case "nothing":
      return false;
    case "all":
      return clause.of.every((of) => holds(of, part));
    case "any":
      return clause.of.some((of) => holds(of, part));
    case "not": {
      const { weights: _, ...whole } = part;
      return !holds(clause.of, whole);
    }
    case "element":
      return part.record.elements.some(
        ({ path }, i) => path === clause.path && isIn(i + 1, part) && holds(clause.of, { ...part, element: i + 1 }),
      );
    case "exists":
      return leavesIn(part).some((leaf) => isAt(leaf, clause.paths));
    case "cites":
      return part.record.cites.some(
        ({ vocabulary, id, site, element, isReplaced }) =>
          isIn(element, part) &&
          clause.vocabularies.includes(vocabulary) &&
          (clause.sites === undefined || clause.sites.includes(site)) &&
          (id === clause.id ||
            (clause.within && isReplaced !== true && isDescendant(part.world, vocabulary, id, clause.id))),
      );
    case "range":
      return leavesIn(part).some((leaf) => isAt(leaf, clause.paths) && isInRange(leaf, clause));
    default:
      return placed(clause.place, part).some((leaf) => hasText(leaf.words, clause));
  }
}

/** Returns whether the element lies in the part, or is the part itself. */
function isIn(element: number, part: Part): boolean {
  if (part.element === 0) return true;
  for (let at = element; at !== 0; at = part.record.elements[at - 1]!.parent) if (at === part.element) return true;
  return false;
}

/** The paths of a clause as sets, each made once: a name may stand for hundreds. */
const pathSets = new WeakMap<readonly string[], ReadonlySet<string>>();

function isAt({ path }: LeafValue, paths: readonly string[]): boolean {
  const set = pathSets.get(paths) ?? new Set(paths);
  pathSets.set(paths, set);
  return path !== null && set.has(path);
}

const leavesIn = (part: Part): readonly LeafValue[] =>
  part.element === 0 ? part.record.leaves : part.record.leaves.filter((leaf) => isIn(leaf.element, part));

function placed(place: TextScope, part: Part): readonly LeafValue[] {
  return leavesIn(part).filter((leaf) =>
    place.in === "text"
      ? !leaf.isFieldOnly && (part.weights === undefined || part.weights.includes(leaf.weight))
      : isAt(leaf, place.paths),
  );
}

type Text = Extract<Clause, { place: TextScope }>;

function hasText(words: readonly string[], clause: Text): boolean {
  switch (clause.kind) {
    case "words":
      return words.some((_, i) => clause.words.every((word, k) => words[i + k] === word));
    case "prefix":
      return words.some((_, i) =>
        clause.words.every((word, k) =>
          k < clause.words.length - 1 ? words[i + k] === word : words[i + k]?.startsWith(word),
        ),
      );
    case "wildcard":
      return words.some((word) => likeness(clause.pattern).test(word));
    case "fuzzy":
      return words.some((word) => isWithin(clause.edits, clause.word, word));
  }
}

/** So many letters more or less are so many edits at least, and need no table. */
function isWithin(edits: number, one: string, other: string): boolean {
  const [a, b] = [[...one], [...other]];
  return Math.abs(a.length - b.length) <= edits && editsBetween(a, b) <= edits;
}

/** `?` is one character (code point), `*` any number of them. A pattern has no other signs. */
function likeness(pattern: string): RegExp {
  return new RegExp(`^${pattern.replaceAll("*", "[\\s\\S]*").replaceAll("?", "[\\s\\S]")}$`, "u");
}

/** Insertions, deletions, replacements and swaps of neighbours, each letter touched once. */
export function editsBetween(a: readonly string[], b: readonly string[]): number {
  const rows: number[][] = [];
  for (let i = 0; i <= a.length; i++) {
    rows.push([]);
    for (let j = 0; j <= b.length; j++) {
      const ways = [Math.max(i, j)];
      if (i > 0) ways.push(rows[i - 1]![j]! + 1);
      if (j > 0) ways.push(rows[i]![j - 1]! + 1);
      if (i > 0 && j > 0) ways.push(rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) ways.push(rows[i - 2]![j - 2]! + 1);
      rows[i]![j] = Math.min(...ways);
    }
  }
  return rows[a.length]![b.length]!;
}

type Range = Extract<Clause, { kind: "range" }>;

function isInRange(leaf: LeafValue, { type, from, to }: Range): boolean {
  const value = type === "keyword" ? leaf.keyword : leaf.number;
  if (value === undefined) return false;
  const isAbove = from === undefined || order(value, from) > 0 || (from.inclusive && order(value, from) === 0);
  const isBelow = to === undefined || order(value, to) < 0 || (to.inclusive && order(value, to) === 0);
  return isAbove && isBelow;
}

function order(value: string | number, bound: Bound): number {
  return typeof value === "number"
    ? value - Number(bound.value)
    : compareKeywords(foldKeyword(value), `${bound.value}`);
}

const IDENTIFIERS = ["id", "identifiers", "external_identifier", "external_databases", "additional_identifiers"];

/** The words of an identifier: whole, without the host of its URL, without its prefix. */
function identifierWords(value: string): readonly string[] {
  const local = value.replace(/^https?:\/\/[^/\s]+\//iu, "");
  return [value, local, local.replace(/^[a-z][a-z0-9._-]*:/iu, "")].map((form) => analyse(form).join(" "));
}

/**
 * The step of `bestmatch` of a record that matches, 1 is best: an identifier is q as a whole, a title is, a title
 * begins with it, all is in titles, in titles and heavy fields, anywhere.
 * @see docs/search-syntax.md, "Ranking"
 */
export function bestmatchStep(
  clause: Clause,
  plain: readonly string[] | undefined,
  record: RecordLeaves,
  world: World = FLAT,
): number {
  if (plain !== undefined && plain.length > 0) {
    const begins = ({ words }: LeafValue): boolean => plain.every((word, i) => words[i] === word);
    const equals = (leaf: LeafValue): boolean => begins(leaf) && leaf.words.length === plain.length;
    const titles = record.leaves.filter((leaf) => leaf.weight === "title");
    const isNamed = ({ path }: LeafValue): boolean => IDENTIFIERS.includes(path?.split(".").at(-1) ?? "");
    const names = ({ keyword = "" }: LeafValue): boolean => identifierWords(keyword).includes(plain.join(" "));
    if (record.leaves.some((leaf) => isNamed(leaf) && names(leaf))) return 1;
    if (titles.some(equals)) return 2;
    if (titles.some(begins)) return 3;
  }
  const whole = { record, world, element: 0 };
  if (holds(clause, { ...whole, weights: ["title"] })) return 4;
  return holds(clause, { ...whole, weights: ["title", "heavy"] }) ? 5 : 6;
}
