import type { CitedVocabularies } from "../../../query/index-model/cited-vocabularies.js";
import type { Clause } from "../../../query/index-model/clause.js";
import type { PathIds, TextBelow } from "../../../query/index-model/element-text.js";
import type { TextWeights } from "../../../query/index-model/leaves.js";
import {
  citesToken,
  elementToken,
  existsToken,
  siteToken,
  UNDECLARED,
} from "../../../query/index-model/record-tokens.js";
import type { RecordTest } from "../../../query/ranking/record-steps.js";
import type { DocIdSet } from "../bitmaps/doc-id-set.js";
import { EVERY_NUMBER, type NumberRange } from "../doc-values/numeric-column.js";
import { combined, inSeveral, phrase } from "../documents/fts-expression.js";
import type { ExpandWords } from "../lexicon/expand-words.js";
import { allPlans, anyPlan, EVERYTHING, NOTHING, notPlan } from "../plan/plan.js";
import { pathPhrases, type TextClause, textPhrases } from "./compile-leaf.js";
import { type ElementGroup, phrasesPlan, type RecordPlan } from "./record-plan.js";

type Of<K extends Clause["kind"]> = Extract<Clause, { kind: K }>;

/** Ids that `rec` has an index of its own for. */
export type RecordIdPath = "id" | "parent.id";

const isRecordId = (path: string): path is RecordIdPath => path === "id" || path === "parent.id";

export interface CompileContext extends PathIds, CitedVocabularies {
  /** Finds words in all records. */
  readonly expand: ExpandWords;
  readonly textBelow: TextBelow;
  /** Rows of the records with this id, or below the parent with it. */
  rowsWithId(path: RecordIdPath, id: string): DocIdSet;
  /** In values of which weights unfielded text is looked for, unless it stands under NOT; absent: in all. */
  readonly weights?: TextWeights;
}

/**
 * Compiles a clause for the tables of records.
 * @param group path of the array of objects whose elements the clause is about; absent: about records
 */
export function compileQuery(clause: Clause, context: CompileContext, group?: string): RecordPlan {
  const { idOf } = context;
  const known = (paths: readonly string[]): number[] => paths.map(idOf).filter((p) => p !== undefined);
  switch (clause.kind) {
    case "everything":
      return EVERYTHING;
    case "nothing":
      return NOTHING;
    case "exists":
      return phrasesPlan(
        known(clause.paths).map((p) => phrase([existsToken(p)])),
        group,
      );
    case "range":
      return isOneValue(clause) && clause.paths.every(isRecordId)
        ? withId(String(clause.from?.value), clause.paths, context, group)
        : range(clause, known(clause.paths));
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
      const path = idOf(clause.path);
      if (path === undefined) return NOTHING;
      const inside: ElementGroup = { path, of: compileQuery(clause.of, context, clause.path) };
      return { kind: "element", group: inside };
    }
    default: {
      const { place } = clause;
      if (place.in === "paths") {
        return phrasesPlan(
          known(place.paths).flatMap((p) => pathPhrases(clause, context.expand, p)),
          group,
        );
      }
      if (group !== undefined) return textInside(clause, group, context);
      return phrasesPlan(textPhrases(clause, context.expand, context.weights));
    }
  }
}

/** What the hits of a step of `bestmatch` have. */
export function compileTest(test: RecordTest, context: CompileContext): RecordPlan {
  if (test.kind === "everything") return EVERYTHING;
  if (test.kind === "token") return phrasesPlan([phrase([test.token], test.isPrefix)]);
  return compileQuery(test.clause, { ...context, weights: test.weights });
}

/** The text of an element is that of all values below it, which have their paths in its tokens. */
function textInside(clause: TextClause, group: string, context: CompileContext): RecordPlan {
  const alternatives = context.textBelow(group, context.weights).map(({ paths, models }): RecordPlan => {
    const phrases = paths.filter((p) => p !== UNDECLARED).flatMap((p) => pathPhrases(clause, context.expand, p));
    if (models === undefined || phrases.length === 0) return phrasesPlan(phrases, group);
    return { kind: "inModels", scan: { kind: "elements", matches: inSeveral(phrases) }, models };
  });
  return anyPlan([
    ...alternatives,
    ...(context.weights === undefined ? [undeclaredInside(clause, group, context)] : []),
  ]);
}

/** A value that no schema declares has no path of its own: the element that holds it must lie in the group. */
function undeclaredInside(clause: TextClause, group: string, context: CompileContext): RecordPlan {
  const paths = [context.idOf(group) ?? UNDECLARED, ...context.below(group)];
  const inside = paths.map((p) => phrase([elementToken(p)])).join(" OR ");
  const phrases = pathPhrases(clause, context.expand, UNDECLARED);
  if (phrases.length === 0) return NOTHING;
  return { kind: "elements", matches: inSeveral(phrases).map((words) => combined([words, inside], "AND")) };
}

function cites(clause: Of<"cites">, context: CompileContext, group?: string): RecordPlan {
  const { vocabularies, id, sites, within } = clause;
  return anyPlan(
    vocabularies.map((vocabulary): RecordPlan => {
      const itself = citesItself(vocabulary, clause, context, group);
      if (!within || !context.isHierarchical(vocabulary)) return itself;
      const places = sites ?? context.sitesOf(vocabulary).filter((site) => isInside(site, group));
      const paths = places.map((site) => context.idOf(`${site}.id`)).filter((p) => p !== undefined);
      // Keys are ids that stand for others now: an id that was replaced is found by itself.
      return paths.length === 0 ? NOTHING : anyPlan([{ kind: "within", paths, vocabulary, id }, itself]);
    }),
  );
}

function citesItself(
  vocabulary: string,
  { id, sites }: Of<"cites">,
  { idOf, below }: CompileContext,
  group?: string,
): RecordPlan {
  if (sites === undefined && group === undefined) return phrasesPlan([phrase([citesToken(vocabulary, id)])]);
  // No other path than that of a site has such a token.
  const places = sites?.map(idOf) ?? [idOf(group ?? ""), ...below(group ?? "")];
  const phrases = places.flatMap((p) => (p === undefined ? [] : [phrase([siteToken(p, vocabulary, id)])]));
  return phrasesPlan(phrases, group);
}

/** Does a path lie in the elements of the group? Only what does may be asked of them. */
function isInside(path: string, group: string | undefined): boolean {
  return group === undefined || path === group || path.startsWith(`${group}.`);
}

/** Does only one keyword lie in the range? */
const isOneValue = ({ type, from, to }: Of<"range">): boolean =>
  type === "keyword" && from?.inclusive === true && to?.inclusive === true && from.value === to.value;

/** No element of an array has an id of the record. */
function withId(id: string, paths: readonly RecordIdPath[], context: CompileContext, group?: string): RecordPlan {
  if (group !== undefined) return NOTHING;
  return anyPlan(paths.map((path): RecordPlan => ({ kind: "rows", rows: context.rowsWithId(path, id) })));
}

function range({ type, from, to }: Of<"range">, paths: readonly number[]): RecordPlan {
  if (paths.length === 0) return NOTHING;
  const ends = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  if (type === "keyword") return { kind: "keywords", paths, range: ends };
  const asked: NumberRange = {
    ...EVERY_NUMBER,
    ...(from === undefined ? {} : { from: Number(from.value), takesFrom: from.inclusive }),
    ...(to === undefined ? {} : { to: Number(to.value), takesTo: to.inclusive }),
  };
  return { kind: "numbers", paths, range: asked };
}
