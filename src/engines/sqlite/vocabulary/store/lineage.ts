import type { Cache } from "../../../../core/caches.js";
import { lastChange } from "../../connection/change-table.js";
import type { Db } from "../../connection/database.js";
import { currentGeneration, type Generation } from "./generation.js";

/** Ancestors and descendants in a vocabulary, as the open read transaction sees them. Ids are case-sensitive. */
export interface Lineage {
  /** Returns those of `ids` that are the term or below it. Ids that are not terms are below nothing. */
  descendantsAmong(vocabulary: string, id: string, ids: readonly string[]): ReadonlySet<string>;
  /** Returns the ancestors of each id, nearest first; the last one may not be a term. A circle is walked once. */
  findAncestors(vocabulary: string, ids: readonly string[]): ReadonlyMap<string, readonly string[]>;
}

/** Parents by id, with all their ancestors; null: the term is a root, undefined: there is no such term. */
type Parents = Map<string, string | null | undefined>;

/** Cached parents of generation `g`, as of row `next` and the change `seq`. */
interface CachedParents {
  readonly parents: Parents;
  readonly g: number;
  readonly writes: number;
  readonly next: number;
  readonly seq: number;
}

/** Bytes of an entry: two ids and its place in the map. */
const ENTRY_BYTES = 200;

/** Makes the lineage. @param cache keeps parents that were read; later writes are read again */
export function makeLineage(db: Db, cache: Cache): Lineage {
  const parentsAbove = (vocabulary: string, ids: readonly string[]): Parents => {
    const generation = currentGeneration(db, vocabulary);
    if (generation === undefined) return new Map();
    const key = `lineage ${vocabulary}`;
    const cached = cache.get<CachedParents>(key);
    const parents = cached?.g === generation.g ? cached.parents : new Map();
    // Removed first, so that a failure leaves no partial value.
    cache.remove(key);
    const isCurrent = cached?.g === generation.g && cached.writes === generation.writes;
    if (!isCurrent && parents.size > 0) rereadChanged(db, generation, cached!, parents);
    readAncestors(generation, parents, ids);
    const { g, writes, next } = generation;
    const seq = isCurrent ? cached.seq : lastChange(db);
    cache.set(key, { parents, g, writes, next, seq } satisfies CachedParents, parents.size * ENTRY_BYTES);
    return parents;
  };
  return {
    descendantsAmong: (vocabulary, id, ids) => filterDescendants(id, ids, parentsAbove(vocabulary, ids)),
    findAncestors: (vocabulary, ids) => {
      const parents = parentsAbove(vocabulary, ids);
      return new Map(ids.map((id) => [id, listAncestors(id, parents)]));
    },
  };
}

/** Reads unknown parents of the ids, and their ancestors. */
function readAncestors(generation: Generation, parents: Parents, ids: readonly string[]): void {
  const statement = generation
    .sql<[string, string | null]>(
      `SELECT t.ext, t.parent FROM json_each(?) j CROSS JOIN ext_$g e ON e.ext = j.value
       CROSS JOIN term_$g t ON t.id = e.id WHERE t.ext = j.value COLLATE BINARY`,
    )
    .raw();
  let missing = ids.filter((id) => !parents.has(id));
  while (missing.length > 0) {
    for (const id of missing) parents.set(id, undefined);
    const rows = statement.all(JSON.stringify(missing));
    for (const [id, parent] of rows) parents.set(id, parent);
    const next = new Set(rows.flatMap(([, parent]) => (parent === null || parents.has(parent) ? [] : [parent])));
    missing = [...next];
  }
}

/**
 * Reads the parents of changed terms again. A write gives a term a row with a higher number; a removal leaves no row,
 * but a change of its own.
 */
function rereadChanged(db: Db, generation: Generation, cached: CachedParents, parents: Parents): void {
  const written = generation.sql<string>("SELECT ext FROM term_$g WHERE id >= ?").pluck().all(cached.next);
  const removed = db
    .sql<string>("SELECT id FROM change WHERE seq > ? AND kind = 'term' AND action = 'removed' AND place = ?")
    .pluck()
    .all(cached.seq, generation.vocabulary);
  const changed = [...new Set([...written, ...removed])].filter((id) => parents.delete(id));
  readAncestors(generation, parents, changed);
}

function filterDescendants(id: string, ids: readonly string[], parents: Parents): Set<string> {
  const isDescendant = new Map<string, boolean>([[id, true]]);
  const descendants = new Set<string>();
  for (const candidate of ids) {
    const path: string[] = [];
    let current: string | null | undefined = candidate;
    while (current !== null && current !== undefined && !isDescendant.has(current)) {
      // Reaching this id again means a circle.
      isDescendant.set(current, false);
      path.push(current);
      current = parents.get(current);
    }
    const isBelow = current !== null && current !== undefined && isDescendant.get(current) === true;
    if (isBelow) for (const ancestor of path) isDescendant.set(ancestor, true);
    if (isBelow) descendants.add(candidate);
  }
  return descendants;
}

function listAncestors(id: string, parents: Parents): string[] {
  const path = new Set<string>();
  for (
    let current = parents.get(id);
    current !== null && current !== undefined && current !== id;
    current = parents.get(current)
  ) {
    if (path.has(current)) break;
    path.add(current);
  }
  return [...path];
}
