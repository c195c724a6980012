import type { Clause, TextScope } from "../index-model/clause.js";
import type { LeafValue, TextWeights } from "../index-model/leaves.js";
import { ancestorsOf } from "./ancestors.js";
import type { HeldRecord, ParentOf } from "./held-record.js";
import { compileRange } from "./range-test.js";
import { compileWords } from "./words-test.js";

/**
 * Does the part of a record hold it: the element with all that lies in it? 0 is the whole record.
 */
export type RecordTest = (record: HeldRecord, element: number) => boolean;

/**
 * Compiles what a clause means to a test of records in memory, for the few that an index does not have yet.
 * @param weights unfielded text is looked for in values of these only; absent: in all
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
      // What must not be there is looked for everywhere.
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
  const wanted: readonly string[] | undefined = weights;
  const isPlace = ({ isFieldOnly, weight }: LeafValue): boolean => !isFieldOnly && (wanted?.includes(weight) ?? true);
  return (record, element) =>
    record.leaves.some((leaf) => isPlace(leaf) && record.isIn(leaf.element, element) && test(leaf));
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
        (cite.id === id || (within && !cite.isReplaced && ancestorsOf(parentOf, cite.vocabulary, cite.id).has(id))),
    );
}
