import type {
  PlacedTerm,
  SourceTerm,
  SubtreeRequest,
  TermLineage,
  TermSubtree,
  TermTrees,
} from "../../../ports/index-documents.js";
import type { TermReference } from "../../../ports/store.js";
import { removeTimeLimits } from "../connection/long-statements.js";
import type { Sql } from "../connection/sql.js";
import { readMovedTerms, readSubtree } from "../terms/moved-terms.js";

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
  { vocabulary, id, limit, changed }: SubtreeRequest,
): Promise<TermSubtree | undefined> {
  const large = await readLargeTerms(sql, index, vocabulary);
  const reachable = large.has(id) ? [id] : await readSubtree(sql, vocabulary, [id], large, limit + 1);
  if (reachable === undefined) return undefined;
  const reachedRegions = reachable.filter((each) => large.has(each));
  if (reachedRegions.length === 0) return { ids: withoutId(reachable, id), regions: [], elsewhere: [] };

  const { getParentId } = await readLineage(
    sql,
    [...large].map((each) => ({ vocabulary, id: each })),
  );
  const isBelowAncestor = makeBelow(id, (at) => getParentId(vocabulary, at));
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
function makeBelow(ancestor: string, getParentId: (id: string) => string | undefined): (id: string) => boolean {
  const isBelowById = new Map<string, boolean>();
  return (id) => {
    const path: string[] = [];
    let current: string | undefined = id;
    while (current !== undefined && !isBelowById.has(current)) {
      path.push(current);
      isBelowById.set(current, false);
      current = getParentId(current);
      if (current === ancestor) break;
    }
    const isBelowAncestor = current !== undefined && (current === ancestor || isBelowById.get(current)!);
    for (const pathId of path) isBelowById.set(pathId, isBelowAncestor);
    return isBelowAncestor;
  };
}

/** SQL for some ids and their ancestors, each once, up to the large ones ($3). */
const SELECT_ANCESTORS = `WITH RECURSIVE large(ext) AS MATERIALIZED (SELECT unnest($3::text[]) COLLATE "C"),
  up(ext, parent) AS (
    SELECT t.ext, t.parent FROM unnest($2::text[]) a(ext) CROSS JOIN LATERAL (
      SELECT ext, parent FROM term WHERE vocabulary = $1 AND ext = a.ext AND parent IS NOT NULL OFFSET 0) t
    UNION SELECT t.ext, t.parent FROM up u CROSS JOIN LATERAL (
      SELECT ext, parent FROM term WHERE vocabulary = $1 AND ext = u.parent AND parent IS NOT NULL OFFSET 0) t
    WHERE NOT EXISTS (SELECT FROM large WHERE large.ext = u.parent))
  SELECT ext, parent FROM up`;

interface ParentLink {
  readonly ext: string;
  readonly parent: string;
}

/** Finds the nearest large terms in one snapshot of a vocabulary, and keeps what it has read. */
export class Regions {
  readonly #sql: Sql;
  readonly #vocabulary: string;
  readonly #large: ReadonlySet<string>;
  /** null: there is none. */
  readonly #known = new Map<string, string | null>();

  constructor(sql: Sql, vocabulary: string, large: ReadonlySet<string>) {
    this.#sql = sql;
    this.#vocabulary = vocabulary;
    this.#large = large;
  }

  /**
   * Returns a function that returns the region of each of these ids: the first large term among itself and its
   * ancestors.
   */
  async read(ids: readonly string[]): Promise<(id: string) => string | undefined> {
    const unreadIds = [...new Set(ids)].filter((id) => !this.#large.has(id) && !this.#known.has(id));
    if (unreadIds.length > 0 && this.#large.size > 0) {
      const links = await this.#sql.rows<ParentLink>(SELECT_ANCESTORS, [this.#vocabulary, unreadIds, [...this.#large]]);
      const parents = new Map(links.map(({ ext, parent }) => [ext, parent]));
      for (const id of unreadIds) this.#climb(id, parents);
    }
    return (id) => (this.#large.has(id) ? id : (this.#known.get(id) ?? undefined));
  }

  /** Computes the region of an id. A circle ends where it began. */
  #climb(id: string, parents: ReadonlyMap<string, string>): void {
    const path = new Set<string>();
    let current: string | undefined = id;
    while (current !== undefined && !this.#large.has(current) && !this.#known.has(current) && !path.has(current)) {
      path.add(current);
      current = parents.get(current);
    }
    const region =
      current === undefined ? null : this.#large.has(current) ? current : (this.#known.get(current) ?? null);
    for (const pathId of path) this.#known.set(pathId, region);
  }

  /** Returns terms with their regions. */
  async placed(terms: readonly SourceTerm[]): Promise<readonly PlacedTerm[]> {
    if (this.#large.size === 0) return terms;
    const findRegion = await this.read(terms.flatMap(({ content }) => content.parent ?? []));
    return terms.map((term) => {
      const { parent } = term.content;
      const region = parent === undefined ? undefined : findRegion(parent);
      return region === undefined ? term : { ...term, region };
    });
  }
}

/** SQL for all parents with their number of children and their own parent; most terms are not parents. */
const PARENTS = `SELECT c.ext, c.children, t.parent
  FROM (SELECT parent AS ext, count(*) AS children FROM term
    WHERE vocabulary = $1 AND parent IS NOT NULL GROUP BY parent) c
  LEFT JOIN term t ON t.vocabulary = $1 AND t.ext = c.ext`;

interface ParentRow {
  readonly ext: string;
  readonly children: number;
  readonly parent: string | null;
}

/**
 * Maximum number of large terms, because searches read the ancestors of each: of a chain of thousands the upper ones
 * suffice.
 */
const LARGE_MAX = 1_000;

/** Returns ids with more terms below them than `above`; they need not be terms. */
export async function findLargeTerms(sql: Sql, vocabulary: string, above: number): Promise<readonly string[]> {
  return selectLarge(await sql.rows<ParentRow>(PARENTS, [vocabulary]), above);
}

/**
 * Counts from the bottom: an id is added to its parent when everything below it is counted. In a circle that never
 * happens, so its ids only count the subtrees outside of it; searches are exact with any set of large terms.
 */
function selectLarge(rows: readonly ParentRow[], above: number): readonly string[] {
  const countById = new Map(rows.map(({ ext, children }) => [ext, children]));
  const parents = new Map(rows.flatMap(({ ext, parent }) => (parent === null ? [] : [[ext, parent] as const])));
  const uncounted = new Map<string, number>();
  for (const parent of parents.values()) uncounted.set(parent, (uncounted.get(parent) ?? 0) + 1);
  const counted = rows.map(({ ext }) => ext).filter((ext) => !uncounted.has(ext));
  for (let ext = counted.pop(); ext !== undefined; ext = counted.pop()) {
    const parent = parents.get(ext);
    if (parent === undefined) continue;
    countById.set(parent, countById.get(parent)! + countById.get(ext)!);
    const remaining = uncounted.get(parent)! - 1;
    uncounted.set(parent, remaining);
    if (remaining === 0) counted.push(parent);
  }
  const large = rows.map(({ ext }) => ext).filter((ext) => countById.get(ext)! > above);
  return large.sort((a, b) => countById.get(b)! - countById.get(a)!).slice(0, LARGE_MAX);
}

const LARGE = "SELECT large FROM index_vocabulary WHERE index = $1 AND vocabulary = $2";

/** Returns the large terms that the documents of an index were made with. */
async function readLargeTerms(sql: Sql, index: string, vocabulary: string): Promise<ReadonlySet<string>> {
  const row = await sql.row<{ readonly large: readonly string[] }>(LARGE, [index, vocabulary]);
  return new Set(row?.large);
}

/** Returns terms of one snapshot with the regions of an index. */
async function placedTerms(
  sql: Sql,
  index: string,
  vocabulary: string,
  terms: readonly SourceTerm[],
): Promise<readonly PlacedTerm[]> {
  return new Regions(sql, vocabulary, await readLargeTerms(sql, index, vocabulary)).placed(terms);
}

/** SQL for terms and their ancestors, each once, so that a circle ends. */
const ABOVE = `WITH RECURSIVE above(vocabulary, ext) AS (
    SELECT a.vocabulary COLLATE "C", a.ext COLLATE "C" FROM unnest($1::text[], $2::text[]) a(vocabulary, ext)
    UNION SELECT t.vocabulary, t.parent FROM above a CROSS JOIN LATERAL (
      SELECT vocabulary, parent FROM term WHERE vocabulary = a.vocabulary AND ext = a.ext LIMIT 1) t
    WHERE t.parent IS NOT NULL)
  SELECT above.vocabulary, above.ext, t.parent FROM above CROSS JOIN LATERAL (
    SELECT parent FROM term WHERE vocabulary = above.vocabulary AND ext = above.ext LIMIT 1) t
  WHERE t.parent IS NOT NULL`;

interface LineageRow {
  readonly vocabulary: string;
  readonly ext: string;
  readonly parent: string;
}

/** Returns the parents of terms and of their ancestors. */
async function readLineage(sql: Sql, terms: readonly TermReference[]): Promise<TermLineage> {
  const requested = new Map(terms.map(({ vocabulary, id }) => [termKey(vocabulary, id), { vocabulary, id }]));
  const values = [
    [...requested.values()].map(({ vocabulary }) => vocabulary),
    [...requested.values()].map(({ id }) => id),
  ];
  const rows = requested.size === 0 ? [] : await sql.rows<LineageRow>(ABOVE, values);
  const parents = new Map(rows.map(({ vocabulary, ext, parent }) => [termKey(vocabulary, ext), parent]));
  return { getParentId: (vocabulary, id) => parents.get(termKey(vocabulary, id)) };
}

const termKey = (vocabulary: string, id: string): string => `${vocabulary}/${id}`;
