import type { Bound, Clause, TextClause, TextScope } from "../index-model/clause.js";
import type { LeafValue, TextWeights } from "../index-model/leaves.js";
import { bestMatchRecordSteps, type RecordStepTest } from "../ranking/record-steps.js";
import { compareKeywords, foldKeyword } from "../text/analyse.js";
import { makeEditTest } from "../text/edit-distance.js";
import { compileWildcards } from "../text/pattern.js";
import type { IsDescendant, LeafCitation, RecordInMemory } from "./record-in-memory.js";

/** Returns whether a part of a record matches. */
export type RecordTest = (record: RecordInMemory, part: number) => boolean;

/**
 * Compiles a clause to a test of records in memory, for the few that an index does not have yet.
 * @param weights words without a field match only in values of these weights; absent: in all values
 */
export function compileClause(clause: Clause, isDescendant: IsDescendant, weights?: TextWeights): RecordTest {
  const compile = (of: Clause): RecordTest => compileClause(of, isDescendant, weights);
  switch (clause.kind) {
    case "everything":
      return () => true;
    case "nothing":
      return () => false;
    case "all": {
      const tests = clause.of.map(compile);
      return (record, part) => tests.every((test) => test(record, part));
    }
    case "any": {
      const tests = clause.of.map(compile);
      return (record, part) => tests.some((test) => test(record, part));
    }
    case "not": {
      // A negated clause matches values of all weights.
      const test = compileClause(clause.of, isDescendant);
      return (record, part) => !test(record, part);
    }
    case "element": {
      const test = compile(clause.of);
      return (record, part) => record.elementsAt(clause.path, part).some((element) => test(record, element));
    }
    case "exists":
      return someLeaf(clause.paths, () => true);
    case "range":
      return someLeaf(clause.paths, compileRange(clause));
    case "cites": {
      const test = compileCitation(clause, isDescendant);
      return (record, part) => record.cites.some((cite) => record.isIn(cite.element, part) && test(cite));
    }
    default: {
      const test = compileWords(clause);
      return someText(clause.place, weights, ({ words }) => test(words));
    }
  }
}

type LeafTest = (leaf: LeafValue) => boolean;

function someLeaf(paths: readonly string[], test: LeafTest): RecordTest {
  return (record, part) =>
    paths.some((path) => record.at(path).some((leaf) => record.isIn(leaf.element, part) && test(leaf)));
}

/** Returns the test whether a value in a scope passes a test. @param weights see `compileClause` */
export function someText(place: TextScope, weights: TextWeights | undefined, test: LeafTest): RecordTest {
  if (place.in === "paths") return someLeaf(place.paths, test);
  const allowed: readonly string[] | undefined = weights;
  const isText = ({ isFieldOnly, weight }: LeafValue): boolean => !isFieldOnly && (allowed?.includes(weight) ?? true);
  return (record, part) => record.leaves.some((leaf) => isText(leaf) && record.isIn(leaf.element, part) && test(leaf));
}

/** Compiles a clause about citations to a test of one citation. */
export function compileCitation(
  { vocabularies, id, sites, within }: Extract<Clause, { kind: "cites" }>,
  isDescendant: IsDescendant,
): (cite: LeafCitation) => boolean {
  return (cite) =>
    vocabularies.includes(cite.vocabulary) &&
    (sites === undefined || sites.includes(cite.site)) &&
    (cite.id === id || (within && !cite.isReplaced && isDescendant(cite.vocabulary, cite.id, id)));
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

/** Compiles a clause about text to a test of the words of one value. */
function compileWords(clause: TextClause): (words: readonly string[]) => boolean {
  const matchesLast = compileLastWord(clause);
  if (!("words" in clause)) return (words) => words.some(matchesLast);
  const before = clause.words.slice(0, -1);
  return (words) => {
    for (let end = before.length; end < words.length; end++) {
      if (matchesLast(words[end]!) && hasWordsAt(words, end - before.length, before)) return true;
    }
    return false;
  };
}

/** Compiles a clause about text to a test of one word; of a phrase, to a test of its last word. */
export function compileLastWord(clause: TextClause): (word: string) => boolean {
  switch (clause.kind) {
    case "words": {
      const last = clause.words.at(-1);
      return (word) => word === last;
    }
    case "prefix": {
      const last = clause.words.at(-1) ?? "";
      return (word) => word.startsWith(last);
    }
    case "wildcard":
      return compileWildcards(clause.pattern).test;
    case "fuzzy":
      return makeEditTest(clause.word, clause.edits);
  }
}

/** Returns whether a text has a sequence of words at the word `at`. */
export function hasWordsAt(words: readonly string[], at: number, sequence: readonly string[]): boolean {
  for (let i = 0; i < sequence.length; i++) if (words[at + i] !== sequence[i]) return false;
  return true;
}

/** Makes a function that returns the step of a record in the order `bestmatch`. The record must match the clause. */
export function makeBestStep(
  search: { readonly clause: Clause; readonly plain?: readonly string[] | undefined },
  isDescendant: IsDescendant,
): (record: RecordInMemory) => number {
  const steps = bestMatchRecordSteps(search).map(({ number, test }) => ({
    number,
    passes: compileTest(test, isDescendant),
  }));
  return (record) => steps.find(({ passes }) => passes(record, 0))!.number;
}

function compileTest(test: RecordStepTest, isDescendant: IsDescendant): RecordTest {
  switch (test.kind) {
    case "everything":
      return () => true;
    case "clause":
      return compileClause(test.clause, isDescendant, test.weights);
    case "token": {
      const { token, isPrefix } = test;
      return ({ tokens }) => tokens.some((each) => (isPrefix ? each.startsWith(token) : each === token));
    }
  }
}
