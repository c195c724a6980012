import type { Clause, TextClause } from "../../../query/index-model/clause.js";
import type { CitedVocabularies, PathIds, TextBelow } from "../../../query/index-model/indexed-paths.js";
import type { TextWeights } from "../../../query/index-model/leaves.js";
import {
  citesToken,
  elementToken,
  existsToken,
  siteToken,
  UNDECLARED,
  wordToken,
} from "../../../query/index-model/record-document.js";
import type { RecordStepTest } from "../../../query/ranking/record-steps.js";
import type { DocIdSet } from "../bitmaps/doc-id-set.js";
import { EVERY_NUMBER, type NumberRange } from "../doc-values/numeric-column.js";
import { anyPhrase, combine, phrase } from "../documents/fts-expression.js";
import type { ExpandWords } from "../lexicon/lexicon.js";
import { allPlans, anyPlan, EVERYTHING_PLAN, NOTHING_PLAN, notPlan } from "../plan/plan.js";
import { type ElementGroup, type KeyTest, phrasesPlan, type RecordPlan } from "./record-plan.js";

type ClauseOfKind<K extends Clause["kind"]> = Extract<Clause, { kind: K }>;

/** Paths of ids that have an index in `rec`. */
export type RecordIdPath = "id" | "parent.id";

const isRecordId = (path: string): path is RecordIdPath => path === "id" || path === "parent.id";

/** The look-ups that a compiler of clauses needs. */
export interface CompileContext extends PathIds, CitedVocabularies {
  /** Finds words in all records. */
  readonly expand: ExpandWords;
  readonly textBelow: TextBelow;
  /** Returns whether the values at a path are facet keys. */
  isKeyPath(path: string): boolean;
  /** Returns the rows of records with this id, or under the parent with it. */
  rowsWithId(path: RecordIdPath, id: string): DocIdSet;
  /** Weights of the values in which unfielded text is searched, except under NOT; undefined: all values. */
  readonly weights?: TextWeights;
}

/**
 * Compiles a clause for the tables of records.
 * @param group path of the array of objects whose elements the clause is about; undefined: it is about records
 */
export function compileQuery(clause: Clause, context: CompileContext, group?: string): RecordPlan {
  const { findPathId } = context;
  const knownPaths = (paths: readonly string[]): number[] => pathIds(paths, context);
  switch (clause.kind) {
    case "everything":
      return EVERYTHING_PLAN;
    case "nothing":
      return NOTHING_PLAN;
    case "exists":
      return phrasesPlan(
        knownPaths(clause.paths).map((p) => phrase([existsToken(p)])),
        group,
      );
    case "range":
      return clause.type === "keyword" && isOneValue(clause) && clause.paths.every(isRecordId)
        ? withId(String(clause.from?.value), clause.paths, context, group)
        : range(clause, context);
    case "cites":
      return cites(clause, context, group);
    case "all":
      return allPlans(clause.of.map((part) => compileQuery(part, context, group)));
    case "any":
      return anyPlan(clause.of.map((part) => compileQuery(part, context, group)));
    case "not": {
      const { weights: _, ...everywhere } = context;
      return notPlan(compileQuery(clause.of, everywhere, group));
    }
    case "element": {
      const path = findPathId(clause.path);
      if (path === undefined) return NOTHING_PLAN;
      const elementGroup: ElementGroup = { path, of: compileQuery(clause.of, context, clause.path) };
      return { kind: "element", group: elementGroup };
    }
    default: {
      const { place } = clause;
      if (place.in === "paths") {
        return phrasesPlan(
          knownPaths(place.paths).flatMap((p) => pathPhrases(clause, context.expand, p)),
          group,
        );
      }
      if (group !== undefined) return textInside(clause, group, context);
      return phrasesPlan(textPhrases(clause, context.expand, context.weights));
    }
  }
}

/** Compiles the test of a step of `bestmatch`. */
export function compileTest(test: RecordStepTest, context: CompileContext): RecordPlan {
  if (test.kind === "everything") return EVERYTHING_PLAN;
  if (test.kind === "token") return phrasesPlan([phrase([test.token], test.isPrefix)]);
  return compileQuery(test.clause, { ...context, weights: test.weights });
}

/** Compiles text within an element, which is the text of all values below it. Their paths are in its tokens. */
function textInside(clause: TextClause, group: string, context: CompileContext): RecordPlan {
  const alternatives = context.textBelow(group, context.weights).map(({ paths, models }): RecordPlan => {
    const phrases = paths.filter((p) => p !== UNDECLARED).flatMap((p) => pathPhrases(clause, context.expand, p));
    if (models === undefined || phrases.length === 0) return phrasesPlan(phrases, group);
    return { kind: "inModels", scan: { kind: "elements", matches: anyPhrase(phrases) }, models };
  });
  return anyPlan([
    ...alternatives,
    ...(context.weights === undefined ? [undeclaredInside(clause, group, context)] : []),
  ]);
}

/**
 * Compiles text at undeclared paths, which have no path of their own: the element with the value must lie in the group.
 */
function undeclaredInside(clause: TextClause, group: string, context: CompileContext): RecordPlan {
  const paths = [context.findPathId(group) ?? UNDECLARED, ...context.below(group)];
  const elementPhrases = paths.map((p) => phrase([elementToken(p)])).join(" OR ");
  const phrases = pathPhrases(clause, context.expand, UNDECLARED);
  if (phrases.length === 0) return NOTHING_PLAN;
  return { kind: "elements", matches: anyPhrase(phrases).map((words) => combine([words, elementPhrases], "AND")) };
}

function cites(clause: ClauseOfKind<"cites">, context: CompileContext, group?: string): RecordPlan {
  const { vocabularies, id, sites } = clause;
  return anyPlan(
    vocabularies.map((vocabulary): RecordPlan => {
      const exact = citesItself(vocabulary, clause, context, group);
      if (!clause.within || !context.isHierarchical(vocabulary)) return exact;
      const sitePaths = sites ?? context.sitesOf(vocabulary).filter((site) => isInside(site, group));
      const within = keysPlan(
        sitePaths.map((site) => `${site}.id`),
        { kind: "within", vocabulary, id },
        context,
      );
      // Keys are ids that stand for others now: a replaced id is found by itself.
      return within === NOTHING_PLAN ? NOTHING_PLAN : anyPlan([within, exact]);
    }),
  );
}

function citesItself(
  vocabulary: string,
  { id, sites }: ClauseOfKind<"cites">,
  { findPathId, below }: CompileContext,
  group?: string,
): RecordPlan {
  if (sites === undefined && group === undefined) return phrasesPlan([phrase([citesToken(vocabulary, id)])]);
  // Only paths of sites have such tokens.
  const sitePaths = sites?.map(findPathId) ?? [findPathId(group ?? ""), ...below(group ?? "")];
  const phrases = sitePaths.flatMap((p) => (p === undefined ? [] : [phrase([siteToken(p, vocabulary, id)])]));
  return phrasesPlan(phrases, group);
}

/** Returns whether a path lies in the elements of the group, so that it may be tested on them. */
function isInside(path: string, group: string | undefined): boolean {
  return group === undefined || path === group || path.startsWith(`${group}.`);
}

/** Returns whether a range contains exactly one value. */
export const isOneValue = ({ from, to }: Pick<ClauseOfKind<"range">, "from" | "to">): boolean =>
  from?.inclusive === true && to?.inclusive === true && from.value === to.value;

/** Compiles a test of record ids. Elements of arrays have none. */
function withId(id: string, paths: readonly RecordIdPath[], context: CompileContext, group?: string): RecordPlan {
  if (group !== undefined) return NOTHING_PLAN;
  return anyPlan(paths.map((path): RecordPlan => ({ kind: "rows", rows: context.rowsWithId(path, id) })));
}

const pathIds = (paths: readonly string[], { findPathId }: PathIds): number[] =>
  paths.map(findPathId).filter((p) => p !== undefined);

function range({ paths, type, from, to }: ClauseOfKind<"range">, context: CompileContext): RecordPlan {
  if (type === "keyword") {
    const keyPaths = paths.filter(context.isKeyPath);
    const others = pathIds(
      paths.filter((path) => !context.isKeyPath(path)),
      context,
    );
    // A column of keys answers every value. Other texts are in no column, and are scanned for each value.
    return anyPlan([
      keysPlan(keyPaths, { kind: "range", from, to }, context),
      others.length === 0 ? NOTHING_PLAN : { kind: "keywords", paths: others, range: { from, to } },
    ]);
  }
  const numbers: NumberRange = {
    ...EVERY_NUMBER,
    ...(from === undefined ? {} : { from: Number(from.value), takesFrom: from.inclusive }),
    ...(to === undefined ? {} : { to: Number(to.value), takesTo: to.inclusive }),
  };
  const known = pathIds(paths, context);
  return known.length === 0 ? NOTHING_PLAN : { kind: "numbers", paths: known, range: numbers };
}

function keysPlan(paths: readonly string[], test: KeyTest, context: CompileContext): RecordPlan {
  const known = pathIds(paths, context);
  return known.length === 0 ? NOTHING_PLAN : { kind: "keys", paths: known, test };
}

/**
 * Returns whether the word contains characters that analysed words never have: signs of tokens, quotes, or capitals
 * that FTS5 would fold.
 */
const isInvalidWord = (word: string): boolean => word === "" || /[^0-9a-z\u0080-\u{10ffff}]/u.test(word);

/** Returns the phrases that find the words in any text, in the columns of the weights. */
function textPhrases(clause: TextClause, expand: ExpandWords, weights?: TextWeights): readonly string[] {
  return phrases(clause, expand, "", weights);
}

/** Returns the phrases that find the words at one path; each is one alternative. */
function pathPhrases(clause: TextClause, expand: ExpandWords, p: number): readonly string[] {
  return phrases(clause, expand, wordToken(p, ""));
}

/** Compiles the words to phrases. @param lead text before each word of the tokens */
function phrases(clause: TextClause, expand: ExpandWords, lead: string, weights?: TextWeights): readonly string[] {
  if (clause.kind === "words" || clause.kind === "prefix") {
    if (clause.words.length === 0 || clause.words.some(isInvalidWord)) return [];
    const tokens = clause.words.map((word) => lead + word);
    return [phrase(tokens, clause.kind === "prefix", weights)];
  }
  if (clause.kind === "wildcard" && isInvalidWord(clause.pattern.replace(/[*?]/gu, ""))) return [];
  return expand(clause).map((word) => phrase([lead + word], false, weights));
}
