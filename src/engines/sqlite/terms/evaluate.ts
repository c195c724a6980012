import { fail } from "../../../core/errors.js";
import { foldKeyword } from "../../../query/analyse.js";
import type { Clause } from "../../../query/clause.js";
import { termLeaves } from "../../../query/term-leaves.js";
import { inBounds } from "./in-bounds.js";
import { compileMatch, splitPaths, type TextColumns } from "./match-words.js";
import { findRow } from "./put-row.js";
import { ALL_ROWS, complement, intersect, NO_ROWS, type RowSet, rowSet, union, unsortedSet } from "./row-set.js";
import { similarRows } from "./similar-words.js";
import { rowsById } from "./term-reader.js";
import { contentOf } from "./term-row.js";
import { allRows, matchRows, type SearchContext } from "./term-search.js";

/**
 * The rows that fulfil a clause.
 * @param columns restricts unfielded text, but for what is negated
 * @throws BinderyError QUERY_TOO_COSTLY; FEATURE_UNSUPPORTED for what the manifest denies
 */
export function evaluate(context: SearchContext, clause: Clause, columns: TextColumns = "all"): RowSet {
  context.checkTime(clause);
  const match = compileMatch(context, clause, columns);
  if (match !== undefined) {
    return { ids: matchRows(context, match.table, match.expression, clause), except: false };
  }
  switch (clause.kind) {
    case "everything":
      return ALL_ROWS;
    case "nothing":
      return NO_ROWS;
    case "all":
      return evaluateAll(context, clause.of, columns);
    case "any":
      return clause.of.map((part) => evaluate(context, part, columns)).reduce(union, NO_ROWS);
    case "not":
      return complement(evaluate(context, clause.of));
    case "words":
    case "prefix":
      return acrossTables(context, clause, columns);
    case "wildcard":
    case "fuzzy":
      return similarRows(context, clause, columns);
    case "range":
      return rangeRows(context, clause, ALL_ROWS);
    case "cites": {
      if (clause.within) throw fail("FEATURE_UNSUPPORTED", { feature: "descendants of a term" });
      const isHere = clause.sites === undefined && clause.vocabularies.includes(context.vocabulary.name);
      const row = isHere ? findRow(context.generation, clause.id) : undefined;
      return row === undefined ? NO_ROWS : rowSet([row.id]);
    }
    case "element":
    case "exists":
      return NO_ROWS;
  }
}

/** What one table answers is asked for in one go; what has to read the items comes last, on what is left. */
function evaluateAll(context: SearchContext, of: readonly Clause[], columns: TextColumns): RowSet {
  const groups = new Map<string, Clause[]>();
  for (const part of of) {
    const asked = part.kind === "not" ? undefined : compileMatch(context, part, columns);
    const name = asked?.table ?? (part.kind === "range" ? "last" : "apart");
    groups.set(name, [...(groups.get(name) ?? []), part]);
  }
  let rows = ALL_ROWS;
  const isOver = (): boolean => !rows.except && rows.ids.length === 0;
  for (const table of ["term_fts", "term_at"]) {
    const parts = groups.get(table);
    if (parts === undefined || isOver()) continue;
    const together: Clause = parts.length === 1 ? parts[0]! : { kind: "all", of: parts };
    rows = intersect(rows, evaluate(context, together, columns));
  }
  for (const part of groups.get("apart") ?? []) {
    if (!isOver()) rows = intersect(rows, evaluate(context, part, columns));
  }
  for (const part of groups.get("last") ?? []) {
    if (!isOver()) rows = intersect(rows, rangeRows(context, part as Range, rows));
  }
  return rows;
}

/** Some of the paths are columns of one table, some tokens of the other. */
function acrossTables(
  context: SearchContext,
  clause: Extract<Clause, { kind: "words" | "prefix" }>,
  columns: TextColumns,
): RowSet {
  if (clause.place.in === "text" || clause.place.paths.length === 0) return NO_ROWS;
  const { paths } = splitPaths(context, clause.place.paths);
  const apart = clause.place.paths.filter((path) => !paths.includes(path));
  return [paths, apart]
    .map((some) => evaluate(context, { ...clause, place: { in: "paths", paths: some } }, columns))
    .reduce(union);
}

type Range = Extract<Clause, { kind: "range" }>;

/** @param among rows that count at all */
function rangeRows(context: SearchContext, clause: Range, among: RowSet): RowSet {
  const { generation, vocabulary } = context;
  if (clause.type !== "keyword") {
    const { from, to } = clause;
    const statement = generation.sql<number>(
      `SELECT id FROM val_$g WHERE path = ? AND typeof(value) <> 'text'
       AND value ${from?.inclusive === false ? ">" : ">="} ? AND value ${to?.inclusive === false ? "<" : "<="} ?`,
    );
    const low = Number(from?.value ?? Number.NEGATIVE_INFINITY);
    const high = Number(to?.value ?? Number.POSITIVE_INFINITY);
    return unsortedSet(clause.paths.flatMap((path) => statement.pluck().all(path, low, high)));
  }
  const facets = new Set(vocabulary.facets.map((facet) => facet.path));
  const listed = clause.paths.filter((path) => facets.has(path));
  const unlisted = clause.paths.filter((path) => !facets.has(path));
  const byKey = listed.map((path) => keyRows(context, clause, path));
  return [...byKey, ...(unlisted.length === 0 ? [] : [readRows(context, clause, unlisted, among)])].reduce(
    union,
    NO_ROWS,
  );
}

/** Distinct keys of a facet, each looked up by skipping from one to the next. */
function keyRows({ generation }: SearchContext, clause: Range, path: string): RowSet {
  const keys = generation
    .sql<string>(
      `WITH RECURSIVE k(value) AS (
         SELECT min(value) FROM val_$g WHERE path = @path AND typeof(value) = 'text'
         UNION ALL
         SELECT (SELECT min(v.value) FROM val_$g v WHERE v.path = @path AND v.value > k.value) FROM k
         WHERE k.value IS NOT NULL)
       SELECT value FROM k WHERE value IS NOT NULL`,
    )
    .pluck()
    .all({ path });
  const rows = generation.sql<number>("SELECT id FROM val_$g WHERE path = ? AND value = ?").pluck();
  const wanted = keys.filter((key) => inBounds(foldKeyword(key), clause));
  return unsortedSet(wanted.flatMap((key) => rows.all(path, key)));
}

/** Items read between two looks at the clock. */
const ITEMS_AT_ONCE = 500;

/** What no table lists is read from the items themselves. */
function readRows(context: SearchContext, clause: Range, paths: readonly string[], among: RowSet): RowSet {
  const { generation, vocabulary } = context;
  const present = evaluate(context, { kind: "exists", paths });
  const rest = intersect(among, present);
  const ids = rest.except ? intersect({ ids: allRows(context), except: false }, rest).ids : rest.ids;
  const found: number[] = [];
  for (let from = 0; from < ids.length; from += ITEMS_AT_ONCE) {
    context.checkTime(clause);
    for (const row of rowsById(generation, ids.subarray(from, from + ITEMS_AT_ONCE))) {
      const leaves = termLeaves(contentOf(row), vocabulary);
      const fits = leaves.some(
        ({ path, keyword }) =>
          path !== null && keyword !== undefined && paths.includes(path) && inBounds(foldKeyword(keyword), clause),
      );
      if (fits) found.push(row.id);
    }
  }
  return rowSet(found);
}
