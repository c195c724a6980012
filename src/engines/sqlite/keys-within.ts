import type { TallyContext } from "./tally.js";
import { currentGeneration } from "./terms/generation.js";

/** Ids of a vocabulary at a path, of which those of an item and of all below it are wanted. */
export interface WithinQuestion {
  readonly path: number;
  readonly vocabulary: string;
  readonly id: string;
}

/** 1 for each row of `key` at the path that is the term or one below it. */
export function keysWithin(question: WithinQuestion, { db, keys, lineage, memory }: TallyContext): Uint8Array {
  const { path, vocabulary, id } = question;
  const end = keys.end();
  const generation = currentGeneration(db, vocabulary);
  const state = [end, generation?.g, generation?.writes].join(" ");
  const name = `within ${JSON.stringify(question)}`;
  const kept = memory.get<{ readonly state: string; readonly counts: Uint8Array }>(name);
  if (kept?.state === state) return kept.counts;
  const at: number[] = [];
  for (let key = 0; key < end; key++) if (keys.pathOf(key) === path) at.push(key);
  const below = lineage.descendantsAmong(vocabulary, id, at.map(keys.textOf));
  const counts = new Uint8Array(end);
  for (const key of at) if (below.has(keys.textOf(key))) counts[key] = 1;
  memory.keep(name, { state, counts }, end);
  return counts;
}
