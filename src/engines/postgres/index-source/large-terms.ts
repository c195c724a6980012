import type { Sql } from "../connection/sql.js";

/** All ids that are a parent of items, how many these are, and what is above each: most items are parents of none. */
const PARENTS = `SELECT c.ext, c.children, t.parent
  FROM (SELECT parent AS ext, count(*) AS children FROM term
    WHERE vocabulary = $1 AND parent IS NOT NULL GROUP BY parent) c
  LEFT JOIN term t ON t.vocabulary = $1 AND t.ext = c.ext`;

interface ParentRow {
  readonly ext: string;
  readonly children: number;
  readonly parent: string | null;
}

/** Searches read what stands above each of them: of a chain of thousands the upper ones will do. */
const LARGE_MAX = 1_000;

/** Ids with more than so many items below them; they need not be items. */
export async function findLargeTerms(sql: Sql, vocabulary: string, above: number): Promise<readonly string[]> {
  return largeOf(await sql.rows<ParentRow>(PARENTS, [vocabulary]), above);
}

/**
 * Counts from below: an id is added to the one above it when all below it are counted. In a circle that never comes, so
 * each of its ids has only what hangs on it; searches are exact with whatever ids are large.
 */
function largeOf(rows: readonly ParentRow[], above: number): readonly string[] {
  const below = new Map(rows.map(({ ext, children }) => [ext, children]));
  const parents = new Map(rows.flatMap(({ ext, parent }) => (parent === null ? [] : [[ext, parent] as const])));
  const uncounted = new Map<string, number>();
  for (const parent of parents.values()) uncounted.set(parent, (uncounted.get(parent) ?? 0) + 1);
  const counted = rows.map(({ ext }) => ext).filter((ext) => !uncounted.has(ext));
  for (let ext = counted.pop(); ext !== undefined; ext = counted.pop()) {
    const parent = parents.get(ext);
    if (parent === undefined) continue;
    below.set(parent, below.get(parent)! + below.get(ext)!);
    const left = uncounted.get(parent)! - 1;
    uncounted.set(parent, left);
    if (left === 0) counted.push(parent);
  }
  const large = rows.map(({ ext }) => ext).filter((ext) => below.get(ext)! > above);
  return large.sort((a, b) => below.get(b)! - below.get(a)!).slice(0, LARGE_MAX);
}

const LARGE = "SELECT large FROM index_vocabulary WHERE index = $1 AND vocabulary = $2";

/** Those that the documents of an index were made with. */
export async function largeTermsOf(sql: Sql, index: string, vocabulary: string): Promise<ReadonlySet<string>> {
  const row = await sql.row<{ readonly large: readonly string[] }>(LARGE, [index, vocabulary]);
  return new Set(row?.large);
}
