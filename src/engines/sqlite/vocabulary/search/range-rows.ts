import { contentOf } from "../../../../core/terms/term-row.js";
import type { Bound, Clause } from "../../../../query/index-model/clause.js";
import { termLeaves } from "../../../../query/index-model/term-leaves.js";
import { compareKeywords, foldKeyword } from "../../../../query/text/analyse.js";
import {
  EMPTY_SET,
  intersect,
  MATCH_NONE,
  type MatchSet,
  matching,
  or,
  setOf,
  setOfSorted,
  toIds,
  union,
} from "../../bitmaps/doc-id-set.js";
import { rowsById } from "../store/term-reader.js";
import { distinctValues } from "./facet-column.js";
import { liveAmong } from "./live-docs.js";
import { phraseRows } from "./match-rows.js";
import { existsPhrase } from "./phrases.js";
import type { SearchContext } from "./search-context.js";

/** A clause for a range of values. */
export type Range = Extract<Clause, { kind: "range" }>;

/** Returns the rows with a value in the range. @param among the only rows that matter; others may be left out */
export function rangeRows(context: SearchContext, clause: Range, among: MatchSet): MatchSet {
  const { generation, vocabulary } = context;
  if (clause.type !== "keyword") {
    const { from, to } = clause;
    const statement = generation.sql<number>(
      `SELECT id FROM val_$g WHERE path = ? AND typeof(value) <> 'text'
       AND value ${from?.inclusive === false ? ">" : ">="} ? AND value ${to?.inclusive === false ? "<" : "<="} ?`,
    );
    const low = Number(from?.value ?? Number.NEGATIVE_INFINITY);
    const high = Number(to?.value ?? Number.POSITIVE_INFINITY);
    return matching(setOf(clause.paths.flatMap((path) => statement.pluck().all(path, low, high))));
  }
  const facets = new Set(vocabulary.facets.map((facet) => facet.path));
  const facetPaths = clause.paths.filter((path) => facets.has(path));
  const otherPaths = clause.paths.filter((path) => !facets.has(path));
  const sets = facetPaths.map((path) => rowsByKey(context, clause, path));
  if (otherPaths.length > 0) sets.push(rowsByContent(context, clause, otherPaths, among));
  return sets.reduce(union, MATCH_NONE);
}

/** Finds the rows by the distinct keys of a facet that are in the range. */
function rowsByKey(context: SearchContext, clause: Range, path: string): MatchSet {
  const keys = distinctValues(context.generation, path).filter((value) => typeof value === "string");
  const rows = context.generation.sql<number>("SELECT id FROM val_$g WHERE path = ? AND value = ?").pluck();
  const keysInRange = keys.filter((key) => isWithinBounds(foldKeyword(key), clause));
  return matching(setOf(keysInRange.flatMap((key) => rows.all(path, key))));
}

/** Number of terms that are read between two checks of the time limit. */
const TERMS_AT_ONCE = 500;

/** Finds the rows by reading the terms, because no table contains the values at these paths. */
function rowsByContent(context: SearchContext, clause: Range, paths: readonly string[], among: MatchSet): MatchSet {
  const { generation, vocabulary } = context;
  const withValue = paths.map((path) => phraseRows(context, existsPhrase(path), clause)).reduce(or, EMPTY_SET);
  const ids = toIds(liveAmong(context, intersect(among, matching(withValue))));
  const rowsInRange: number[] = [];
  for (let from = 0; from < ids.length; from += TERMS_AT_ONCE) {
    context.checkTime(clause);
    for (const row of rowsById(generation, ids.subarray(from, from + TERMS_AT_ONCE))) {
      const leaves = termLeaves(contentOf(row), vocabulary);
      const isInRange = leaves.some(
        ({ path, keyword }) =>
          path !== null &&
          keyword !== undefined &&
          paths.includes(path) &&
          isWithinBounds(foldKeyword(keyword), clause),
      );
      if (isInRange) rowsInRange.push(row.id);
    }
  }
  return matching(setOfSorted(new Uint32Array(rowsInRange)));
}

/** Returns whether a folded keyword is within the bounds. An absent bound does not restrict it. */
function isWithinBounds(
  folded: string,
  { from, to }: { readonly from?: Bound | undefined; readonly to?: Bound | undefined },
): boolean {
  if (from !== undefined) {
    const order = compareKeywords(folded, String(from.value));
    if (order < 0 || (order === 0 && !from.inclusive)) return false;
  }
  if (to === undefined) return true;
  const order = compareKeywords(folded, String(to.value));
  return order < 0 || (order === 0 && to.inclusive);
}
