import type { LruCache } from "../../cache/lru-cache.js";
import { lastChange } from "../../connection/change-table.js";
import type { Db } from "../../connection/database.js";
import { currentGeneration, type Generation } from "./generation.js";

/** Who stands above whom in a vocabulary, as the open read transaction sees it. Ids are compared letter by letter. */
export interface Lineage {
  /** Those of `ids` that are the item or lie below it. Ids that are no items lie below nothing. */
  descendantsAmong(vocabulary: string, id: string, ids: readonly string[]): ReadonlySet<string>;
  /** What stands above each id, nearest first; the last may be the name of no item. A circle is walked once. */
  ancestorsOf(vocabulary: string, ids: readonly string[]): ReadonlyMap<string, readonly string[]>;
}

/** Parents by id, with all that stand above them; null: the item is a root, undefined: there is no such item. */
type Parents = Map<string, string | null | undefined>;

/** Parents as they were: of generation `g`, before row `next` was written and up to the change `seq`. */
interface Known {
  readonly parents: Parents;
  readonly g: number;
  readonly writes: number;
  readonly next: number;
  readonly seq: number;
}

/** What an entry takes in memory: two ids and its place in the map. */
const ENTRY_BYTES = 200;

/** @param cache keeps the parents that were asked for; what was written since is read anew */
export function makeLineage(db: Db, cache: LruCache): Lineage {
  const parentsAbove = (vocabulary: string, ids: readonly string[]): Parents => {
    const generation = currentGeneration(db, vocabulary);
    if (generation === undefined) return new Map();
    const key = `lineage ${vocabulary}`;
    const kept = cache.get<Known>(key);
    const parents = kept?.g === generation.g ? kept.parents : new Map();
    // Whatever fails half way must not be kept.
    cache.remove(key);
    const isCurrent = kept?.g === generation.g && kept.writes === generation.writes;
    if (!isCurrent && parents.size > 0) readAgain(db, generation, kept!, parents);
    climb(generation, parents, ids);
    const { g, writes, next } = generation;
    const seq = isCurrent ? kept.seq : lastChange(db);
    cache.set(key, { parents, g, writes, next, seq } satisfies Known, parents.size * ENTRY_BYTES);
    return parents;
  };
  return {
    descendantsAmong: (vocabulary, id, ids) => below(id, ids, parentsAbove(vocabulary, ids)),
    ancestorsOf: (vocabulary, ids) => {
      const parents = parentsAbove(vocabulary, ids);
      return new Map(ids.map((id) => [id, above(id, parents)]));
    },
  };
}

/** Reads the parents of the ids that are not known yet, and all above them. */
function climb(generation: Generation, parents: Parents, ids: readonly string[]): void {
  const statement = generation
    .sql<[string, string | null]>(
      `SELECT t.ext, t.parent FROM json_each(?) j CROSS JOIN ext_$g e ON e.ext = j.value
       CROSS JOIN term_$g t ON t.id = e.id WHERE t.ext = j.value COLLATE BINARY`,
    )
    .raw();
  let unknown = ids.filter((id) => !parents.has(id));
  while (unknown.length > 0) {
    for (const id of unknown) parents.set(id, undefined);
    const found = statement.all(JSON.stringify(unknown));
    for (const [id, parent] of found) parents.set(id, parent);
    const next = new Set(found.flatMap(([, parent]) => (parent === null || parents.has(parent) ? [] : [parent])));
    unknown = [...next];
  }
}

/** A write gives an item a row above all others; only a removal leaves no row, but it is a change of its own. */
function readAgain(db: Db, generation: Generation, kept: Known, parents: Parents): void {
  const written = generation.sql<string>("SELECT ext FROM term_$g WHERE id >= ?").pluck().all(kept.next);
  const removed = db
    .sql<string>("SELECT id FROM change WHERE seq > ? AND kind = 'term' AND action = 'removed' AND place = ?")
    .pluck()
    .all(kept.seq, generation.vocabulary);
  const changed = [...new Set([...written, ...removed])].filter((id) => parents.delete(id));
  climb(generation, parents, changed);
}

function below(id: string, ids: readonly string[], parents: Parents): Set<string> {
  const known = new Map<string, boolean>([[id, true]]);
  const found = new Set<string>();
  for (const asked of ids) {
    const path: string[] = [];
    let at: string | null | undefined = asked;
    while (at !== null && at !== undefined && !known.has(at)) {
      // Whoever comes by here again walks in a circle.
      known.set(at, false);
      path.push(at);
      at = parents.get(at);
    }
    const isBelow = at !== null && at !== undefined && known.get(at) === true;
    if (isBelow) for (const passed of path) known.set(passed, true);
    if (isBelow) found.add(asked);
  }
  return found;
}

function above(id: string, parents: Parents): string[] {
  const path = new Set<string>();
  for (let at = parents.get(id); at !== null && at !== undefined && at !== id; at = parents.get(at)) {
    if (path.has(at)) break;
    path.add(at);
  }
  return [...path];
}
