import type { LruCache } from "../cache/lru-cache.js";
import type { Db } from "../connection/database.js";
import type { ValueDictionary } from "../documents/value-dictionary.js";
import { currentGeneration } from "../vocabulary/store/generation.js";
import type { Lineage } from "../vocabulary/store/lineage.js";

/** Ids of a vocabulary at a path, of which those of an item and of all below it are wanted. */
interface WithinTerm {
  readonly path: number;
  readonly vocabulary: string;
  readonly id: string;
}

interface WithinContext {
  readonly db: Db;
  readonly keys: ValueDictionary;
  readonly lineage: Lineage;
  readonly cache: LruCache;
}

/** 1 for each row of `key` at the path that is the term or one below it. */
export function keysWithin(term: WithinTerm, { db, keys, lineage, cache }: WithinContext): Uint8Array {
  const { path, vocabulary, id } = term;
  const end = keys.end();
  const generation = currentGeneration(db, vocabulary);
  const state = `${generation?.g} ${generation?.writes}`;
  const name = `within ${JSON.stringify(term)}`;
  const kept = cache.get<{ readonly state: string; readonly counts: Uint8Array }>(name);
  const known = kept?.state === state ? kept.counts : new Uint8Array(0);
  if (known.length === end) return known;
  // Of items that stand where they stood, only what was not there is asked for.
  const at: number[] = [];
  for (let key = known.length; key < end; key++) if (keys.pathOf(key) === path) at.push(key);
  const below = lineage.descendantsAmong(vocabulary, id, at.map(keys.textOf));
  const counts = new Uint8Array(end);
  counts.set(known);
  for (const key of at) if (below.has(keys.textOf(key))) counts[key] = 1;
  cache.set(name, { state, counts }, end);
  return counts;
}
