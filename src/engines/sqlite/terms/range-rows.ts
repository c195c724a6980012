import { foldKeyword } from "../../../query/analyse.js";
import type { Clause } from "../../../query/clause.js";
import { termLeaves } from "../../../query/term-leaves.js";
import { found, intersect, NOTHING_FOUND, type RowSet, union } from "../row-set.js";
import { either, idsOf, NO_ROWS, rowsOf, rowsOfAny } from "../rows.js";
import { valuesAt } from "./facet-column.js";
import { inBounds } from "./in-bounds.js";
import { liveAmong } from "./live-rows.js";
import { phraseRows } from "./match-rows.js";
import { existsPhrase } from "./match-words.js";
import { rowsById } from "./term-reader.js";
import { contentOf } from "./term-row.js";
import type { SearchContext } from "./term-search.js";

export type Range = Extract<Clause, { kind: "range" }>;

/** Rows with a value in the range. @param among rows that count at all */
export function rangeRows(context: SearchContext, clause: Range, among: RowSet): RowSet {
  const { generation, vocabulary } = context;
  if (clause.type !== "keyword") {
    const { from, to } = clause;
    const statement = generation.sql<number>(
      `SELECT id FROM val_$g WHERE path = ? AND typeof(value) <> 'text'
       AND value ${from?.inclusive === false ? ">" : ">="} ? AND value ${to?.inclusive === false ? "<" : "<="} ?`,
    );
    const low = Number(from?.value ?? Number.NEGATIVE_INFINITY);
    const high = Number(to?.value ?? Number.POSITIVE_INFINITY);
    return found(rowsOfAny(clause.paths.flatMap((path) => statement.pluck().all(path, low, high))));
  }
  const facets = new Set(vocabulary.facets.map((facet) => facet.path));
  const listed = clause.paths.filter((path) => facets.has(path));
  const unlisted = clause.paths.filter((path) => !facets.has(path));
  const byKey = listed.map((path) => keyRows(context, clause, path));
  return [...byKey, ...(unlisted.length === 0 ? [] : [readRows(context, clause, unlisted, among)])].reduce(
    union,
    NOTHING_FOUND,
  );
}

/** Distinct keys of a facet, each looked up by skipping from one to the next. */
function keyRows(context: SearchContext, clause: Range, path: string): RowSet {
  const keys = valuesAt(context, path).filter((value) => typeof value === "string");
  const rows = context.generation.sql<number>("SELECT id FROM val_$g WHERE path = ? AND value = ?").pluck();
  const wanted = keys.filter((key) => inBounds(foldKeyword(key), clause));
  return found(rowsOfAny(wanted.flatMap((key) => rows.all(path, key))));
}

/** Items read between two looks at the clock. */
const ITEMS_AT_ONCE = 500;

/** What no table lists is read from the items themselves. */
function readRows(context: SearchContext, clause: Range, paths: readonly string[], among: RowSet): RowSet {
  const { generation, vocabulary } = context;
  const present = paths.map((path) => phraseRows(context, existsPhrase(path), clause)).reduce(either, NO_ROWS);
  const ids = idsOf(liveAmong(context, intersect(among, found(present))));
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
  return found(rowsOf(Uint32Array.from(fitting)));
}
