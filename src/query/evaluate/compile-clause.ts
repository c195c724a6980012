import type { Bound, Clause, TextScope } from "../index-model/clause.js";
import type { LeafValue, TextWeights } from "../index-model/leaves.js";
import { bestMatchSteps, type RecordStepTest } from "../ranking/record-steps.js";
import { compareKeywords, foldKeyword } from "../text/analyse.js";
import { makeEditTest } from "../text/edit-distance.js";
import { compilePattern } from "../text/pattern.js";
import { findAncestors, type ParentOf, type RecordInMemory } from "./record-in-memory.js";

/** Returns whether a part of a record matches: an element with all its contents, or the whole record (0). */
export type RecordTest = (record: RecordInMemory, element: number) => boolean;

/**
 * Compiles a clause to a test of records in memory, for the few that an index does not have yet.
 * @param weights words without a field match only in values of these weights; absent: in all values
 */
export function compileClause(clause: Clause, parentOf: ParentOf, weights?: TextWeights): RecordTest {
  const compile = (of: Clause): RecordTest => compileClause(of, parentOf, weights);
  switch (clause.kind) {
    case "everything":
      return () => true;
    case "nothing":
      return () => false;
    case "all": {
      const tests = clause.of.map(compile);
      return (record, element) => tests.every((test) => test(record, element));
    }
    case "any": {
      const tests = clause.of.map(compile);
      return (record, element) => tests.some((test) => test(record, element));
    }
    case "not": {
      // A negated clause matches values of all weights.
      const test = compileClause(clause.of, parentOf);
      return (record, element) => !test(record, element);
    }
    case "element":
      return someElement(clause.path, compile(clause.of));
    case "exists":
      return someLeaf(clause.paths, () => true);
    case "range":
      return someLeaf(clause.paths, compileRange(clause));
    case "cites":
      return cites(clause, parentOf);
    default: {
      const test = compileWords(clause);
      return someText(clause.place, weights, ({ words }) => test(words));
    }
  }
}

function someElement(path: string, test: RecordTest): RecordTest {
  return (record, outer) =>
    record.elements.some((element, i) => element.path === path && record.isIn(i + 1, outer) && test(record, i + 1));
}

type LeafTest = (leaf: LeafValue) => boolean;

function someLeaf(paths: readonly string[], test: LeafTest): RecordTest {
  return (record, element) =>
    paths.some((path) => record.at(path).some((leaf) => record.isIn(leaf.element, element) && test(leaf)));
}

function someText(place: TextScope, weights: TextWeights | undefined, test: LeafTest): RecordTest {
  if (place.in === "paths") return someLeaf(place.paths, test);
  const allowed: readonly string[] | undefined = weights;
  const isText = ({ isFieldOnly, weight }: LeafValue): boolean => !isFieldOnly && (allowed?.includes(weight) ?? true);
  return (record, element) =>
    record.leaves.some((leaf) => isText(leaf) && record.isIn(leaf.element, element) && test(leaf));
}

function cites(
  { vocabularies, id, sites, within }: Extract<Clause, { kind: "cites" }>,
  parentOf: ParentOf,
): RecordTest {
  return (record, outer) =>
    record.cites.some(
      (cite) =>
        record.isIn(cite.element, outer) &&
        vocabularies.includes(cite.vocabulary) &&
        (sites === undefined || sites.includes(cite.site)) &&
        (cite.id === id || (within && !cite.isReplaced && findAncestors(parentOf, cite.vocabulary, cite.id).has(id))),
    );
}

/** Compiles a range to a test of one value. */
export function compileRange({
  type,
  from,
  to,
}: Pick<Extract<Clause, { kind: "range" }>, "type" | "from" | "to">): (leaf: LeafValue) => boolean {
  return ({ number, keyword }) => {
    const value = type === "keyword" ? keyword && foldKeyword(keyword) : number;
    if (value === undefined) return false;
    return isWithin(from, from === undefined ? 0 : compare(value, from.value)) && isWithin(to, negated(value, to));
  };
}

/** Returns whether a value is within a bound. @param order above 0 if the value is on the inner side of the bound */
const isWithin = (bound: Bound | undefined, order: number): boolean =>
  bound === undefined || order > 0 || (order === 0 && bound.inclusive);

const negated = (value: string | number, to: Bound | undefined): number =>
  to === undefined ? 0 : -compare(value, to.value);

const compare = (value: string | number, bound: string | number): number =>
  typeof value === "number" ? value - Number(bound) : compareKeywords(value, String(bound));

type TextClause = Extract<Clause, { place: TextScope }>;

/** Compiles a clause about text to a test of the words of one value. */
function compileWords(clause: TextClause): (words: readonly string[]) => boolean {
  switch (clause.kind) {
    case "words":
      return (words) => hasRow(words, clause.words, (word, last) => word === last);
    case "prefix":
      return (words) => hasRow(words, clause.words, (word, last) => word.startsWith(last));
    case "wildcard": {
      const pattern = compilePattern(clause.pattern);
      return (words) => words.some((word) => pattern.test(word));
    }
    case "fuzzy": {
      const isNear = makeEditTest(clause.word, clause.edits);
      return (words) => words.some((word) => isNear(word));
    }
  }
}

/** Returns whether words contain a phrase. `fits` compares the last word of the phrase. */
function hasRow(
  words: readonly string[],
  phrase: readonly string[],
  fits: (word: string, last: string) => boolean,
): boolean {
  const end = phrase.length - 1;
  for (let first = 0; first + end < words.length; first++) {
    if (!fits(words[first + end]!, phrase[end]!)) continue;
    let at = 0;
    while (at < end && words[first + at] === phrase[at]) at++;
    if (at === end) return true;
  }
  return false;
}

/** Makes a function that returns the step of `bestmatch` of a record. The record must match the clause. */
export function makeBestStep(
  search: { readonly clause: Clause; readonly plain?: readonly string[] },
  parentOf: ParentOf,
): (record: Parameters<RecordTest>[0]) => number {
  const steps = bestMatchSteps(search).map(({ number, test }) => ({ number, passes: compileTest(test, parentOf) }));
  return (record) => steps.find(({ passes }) => passes(record, 0))!.number;
}

function compileTest(test: RecordStepTest, parentOf: ParentOf): RecordTest {
  switch (test.kind) {
    case "everything":
      return () => true;
    case "clause":
      return compileClause(test.clause, parentOf, test.weights);
    case "token": {
      const { token, isPrefix } = test;
      return ({ tokens }) => tokens.some((each) => (isPrefix ? each.startsWith(token) : each === token));
    }
  }
}
