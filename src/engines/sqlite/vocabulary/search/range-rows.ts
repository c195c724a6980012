import { contentOf } from "../../../../core/terms/term-row.js";
import type { Clause } from "../../../../query/index-model/clause.js";
import { termLeaves } from "../../../../query/index-model/term-leaves.js";
import { foldKeyword } from "../../../../query/text/analyse.js";
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
import { valuesAt } from "./facet-column.js";
import { inBounds } from "./in-bounds.js";
import { liveAmong } from "./live-docs.js";
import { phraseRows } from "./match-rows.js";
import { existsPhrase } from "./phrases.js";
import type { SearchContext } from "./search-context.js";

export type Range = Extract<Clause, { kind: "range" }>;

/** Rows with a value in the range. @param among rows that count at all */
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
  const listed = clause.paths.filter((path) => facets.has(path));
  const unlisted = clause.paths.filter((path) => !facets.has(path));
  const byKey = listed.map((path) => keyRows(context, clause, path));
  return [...byKey, ...(unlisted.length === 0 ? [] : [readRows(context, clause, unlisted, among)])].reduce(
    union,
    MATCH_NONE,
  );
}

/** Distinct keys of a facet, each looked up by skipping from one to the next. */
function keyRows(context: SearchContext, clause: Range, path: string): MatchSet {
  const keys = valuesAt(context.generation, path).filter((value) => typeof value === "string");
  const rows = context.generation.sql<number>("SELECT id FROM val_$g WHERE path = ? AND value = ?").pluck();
  const wanted = keys.filter((key) => inBounds(foldKeyword(key), clause));
  return matching(setOf(wanted.flatMap((key) => rows.all(path, key))));
}

/** Items read between two looks at the clock. */
const ITEMS_AT_ONCE = 500;

/** What no table lists is read from the items themselves. */
function readRows(context: SearchContext, clause: Range, paths: readonly string[], among: MatchSet): MatchSet {
  const { generation, vocabulary } = context;
  const present = paths.map((path) => phraseRows(context, existsPhrase(path), clause)).reduce(or, EMPTY_SET);
  const ids = toIds(liveAmong(context, intersect(among, matching(present))));
  const fitting: number[] = [];
  for (let from = 0; from < ids.length; from += ITEMS_AT_ONCE) {
    context.checkTime(clause);
    for (const row of rowsById(generation, ids.subarray(from, from + ITEMS_AT_ONCE))) {
      const leaves = termLeaves(contentOf(row), vocabulary);
      const fits = leaves.some(
        ({ path, keyword }) =>
          path !== null && keyword !== undefined && paths.includes(path) && inBounds(foldKeyword(keyword), clause),
      );
      if (fits) fitting.push(row.id);
    }
  }
  return matching(setOfSorted(new Uint32Array(fitting)));
}
