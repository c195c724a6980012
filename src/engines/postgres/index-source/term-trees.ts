import type { Below, BelowRequest, TermTrees } from "../../../ports/index-trees.js";
import { removeTimeLimits } from "../connection/long-statements.js";
import type { Sql } from "../connection/sql.js";
import { readMovedTerms, readSubtree } from "../terms/moved-terms.js";
import { findLargeTerms, placedTerms, Regions, readLargeTerms, readLineage } from "./regions.js";

/** Numbers of generations by the names of the index and of the vocabulary, with a blank between them. */
type Generations = Readonly<Record<string, number>>;

/** Makes the hierarchies of a snapshot. @param index the index that searches use; "" if there is none */
export function makeTermTrees(sql: Sql, index: string, generations: Generations): TermTrees {
  return {
    generationOf: (name, vocabulary) => generations[`${name} ${vocabulary}`] ?? 0,
    lineageOf: (terms) => readLineage(sql, terms),
    findLargeTerms: async (vocabulary, above) => {
      await removeTimeLimits(sql);
      return findLargeTerms(sql, vocabulary, above);
    },
    placed: (vocabulary, terms, of = index) => placedTerms(sql, of, vocabulary, terms),
    below: (request) => below(sql, index, request),
    belowMoved: (vocabulary) => belowMoved(sql, index, vocabulary),
  };
}

/**
 * Returns the terms below an id in terms of an index of a vocabulary; undefined if they cannot be described by `limit`
 * ids.
 *
 * Each document has the *region* of its term: its nearest large ancestor, among the large terms that the index was made
 * with. For any set of large terms, a term other than A is below A if and only if its region is A or below A, if A is
 * large; or it is reached from A going down without passing a large term, or its region is reached in this way or below
 * such a term. The relations of large terms and the reached terms are read from this view S of the store; so only the
 * region in the document of x may be outdated. Regions of terms that are judged apart from the index are read from S
 * too.
 *
 * Let x be any other term, whose document was made from a view V, and let x, x1, ..., xk be the path from x up to its
 * region xk in S. If the document has another region, some of x, ..., x(k-1) got another parent after V; not x, which
 * has not changed. Let xj be the first of them: x(j-1) was its child before and after. A write that gives a term
 * another parent while it keeps a child marks it as moved, in the same transaction (`noteMoved`). While the mark
 * exists, x is reached from xj going down without passing a large term, so its region is that of xj, read from S. When
 * the mark is removed, x has been marked as changed (`followMoved`): its document is made from a later view, or it is
 * judged apart from the index.
 */
async function below(
  sql: Sql,
  index: string,
  { vocabulary, id, limit, changed }: BelowRequest,
): Promise<Below | undefined> {
  const large = await readLargeTerms(sql, index, vocabulary);
  const reachable = large.has(id) ? [id] : await readSubtree(sql, vocabulary, [id], large, limit + 1);
  if (reachable === undefined) return undefined;
  const reachedRegions = reachable.filter((each) => large.has(each));
  if (reachedRegions.length === 0) return { ids: withoutId(reachable, id), regions: [], elsewhere: [] };

  const { parentOf } = await readLineage(
    sql,
    [...large].map((each) => ({ vocabulary, id: each })),
  );
  const isBelowAncestor = makeBelow(id, (at) => parentOf(vocabulary, at));
  const regions = new Set([...large].filter((each) => each === id || isBelowAncestor(each)));
  const movedIds = (await readMovedTerms(sql, vocabulary)).filter((each) => !large.has(each));
  const parents = changed.flatMap(({ parent }) => parent ?? []);
  const findRegion = await new Regions(sql, vocabulary, large).read([...movedIds, ...parents]);
  const isInside = (at: string): boolean => regions.has(findRegion(at) ?? "");
  const [belowMovedInside, elsewhere] = [
    await readSubtree(sql, vocabulary, movedIds.filter(isInside), large, limit),
    await readSubtree(
      sql,
      vocabulary,
      movedIds.filter((each) => !isInside(each)),
      large,
      limit,
    ),
  ];
  if (belowMovedInside === undefined || elsewhere === undefined) return undefined;
  const changedBelow = changed.filter(({ parent }) => parent !== undefined && isInside(parent));
  const ids = new Set([...reachable, ...belowMovedInside, ...changedBelow.map((each) => each.id)]);
  return { ids: withoutId([...ids], id), regions: [...regions], elsewhere };
}

/** Returns the terms below moved terms, see `TermTrees.belowMoved`. */
async function belowMoved(sql: Sql, index: string, vocabulary: string): Promise<ReadonlySet<string>> {
  const large = await readLargeTerms(sql, index, vocabulary);
  const moved = (await readMovedTerms(sql, vocabulary)).filter((each) => !large.has(each));
  return new Set(await readSubtree(sql, vocabulary, moved, large, Number.MAX_SAFE_INTEGER - 1));
}

const withoutId = (ids: readonly string[], id: string): readonly string[] => ids.filter((each) => each !== id);

/**
 * Makes a test whether an id is below an ancestor. Results for the ids on the way are kept. A circle ends where it
 * began.
 */
function makeBelow(ancestor: string, parentOf: (id: string) => string | undefined): (id: string) => boolean {
  const isBelowById = new Map<string, boolean>();
  return (id) => {
    const path: string[] = [];
    let current: string | undefined = id;
    while (current !== undefined && !isBelowById.has(current)) {
      path.push(current);
      isBelowById.set(current, false);
      current = parentOf(current);
      if (current === ancestor) break;
    }
    const isBelowAncestor = current !== undefined && (current === ancestor || isBelowById.get(current)!);
    for (const pathId of path) isBelowById.set(pathId, isBelowAncestor);
    return isBelowAncestor;
  };
}
