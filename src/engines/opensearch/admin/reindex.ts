import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { IndexState } from "../../../ports/index-source.js";
import type { OnProgress, Reindexed } from "../../../ports/store-admin.js";
import { shardsOf } from "../connection/indexes.js";
import { addIndex, type BuildOptions, bringLevel, fillIndex } from "../relay/build-index.js";
import { disownForeign } from "../relay/index-mark.js";
import { dropIndexSet, isUsable, madeBy, madeOf, recordsIndexOf } from "../relay/index-set.js";
import { newIndexName } from "../relay/new-index-name.js";
import { RETIRE_MS } from "../relay/old-indexes.js";

export interface ReindexOptions extends Omit<BuildOptions, "shards"> {
  /** Absent: as many as the index has that searches ask. */
  readonly shards?: number;
  /** Begins the names of all indexes of the service. */
  readonly prefix: string;
  /** How long searches may still ask the index that was asked before. */
  readonly retireMs?: number;
  /** Longer than a step of the relay takes. */
  readonly stepMs?: number;
}

const STEP_MS = 10_000;

/**
 * Makes a new index beside the one that searches ask, and has them ask it when it is level. Reads and writes go on.
 * What is interrupted goes on with the next reindex that asks for the same number of shards. Of several at a time, one
 * begins after the other.
 */
export async function reindex(
  options: ReindexOptions,
  onProgress: OnProgress,
  signal: AbortSignal = new AbortController().signal,
): Promise<Reindexed> {
  onProgress({ what: "preparing", done: 0, of: 0 });
  const lead = await options.source.leadership.lead("reindex", signal);
  if (lead === undefined) throw new Error("The reindex was ended before it began.");
  try {
    return await makeAnother(options, onProgress, AbortSignal.any([signal, lead.lost]));
  } finally {
    await lead.giveBack();
  }
}

/** Whose number of parts is known. */
type Building = ReindexOptions & { readonly shards: number };

async function makeAnother(asked: ReindexOptions, onProgress: OnProgress, signal: AbortSignal): Promise<Reindexed> {
  const { source, client } = asked;
  // One that the database was put back behind cannot be gone on with.
  await disownForeign(asked);
  const before = await source.states();
  const current = before.find(({ isCurrent }) => isCurrent);
  const options: Building = {
    ...asked,
    shards: asked.shards ?? (current && (await shardsOf(client, recordsIndexOf(current.name)))) ?? 1,
  };
  const begun = await findBegun(options, before);
  // What else was begun, or was left by one that was interrupted at its end, is nobody's any more. What is whole and of
  // another catalog services may ask that still have that one: whoever feeds indexes removes it later.
  const isOurs = (state: IndexState): boolean => isUsable(madeOf(state), asked.catalog);
  const isLeft = (state: IndexState): boolean => !state.isCurrent && state !== begun;
  for (const state of before.filter(isLeft)) {
    if (isOurs(state) || state.scanned !== undefined) await drop(options, state, signal);
  }
  const state = begun ?? (await add(options, before));
  await fillIndex(options, state, signal, onProgress);
  onProgress({ what: "what changed meanwhile", done: 0, of: 0 });
  await bringLevel(options, state.name, signal);
  await source.makeCurrent(state.name);
  if (current !== undefined && isOurs(current)) {
    onProgress({ what: "waiting for searches of the index before", done: 0, of: 0 });
    await sleep(options.retireMs ?? RETIRE_MS, undefined, { signal });
    await drop(options, current, signal);
  }
  return { name: state.name, wasResumed: begun !== undefined };
}

/** One that an earlier reindex has not completed, with all that this catalog declares. */
async function findBegun(
  { client, catalog, shards }: Building,
  states: readonly IndexState[],
): Promise<IndexState | undefined> {
  for (const state of states) {
    const made = madeOf(state);
    if (state.isCurrent || state.scanned === undefined || !isDeepStrictEqual(made, madeBy(catalog, made.paths)))
      continue;
    if ((await shardsOf(client, recordsIndexOf(state.name))) === shards) return state;
  }
  return undefined;
}

async function add(options: Building, states: readonly IndexState[]): Promise<IndexState> {
  const name = await newIndexName(options.client, options.prefix, states);
  await addIndex(options, name);
  return (await options.source.states()).find((state) => state.name === name)!;
}

/** First the store forgets it; whoever feeds it then ends its step: to write into what is gone would make it again. */
async function drop(
  { source, client, stepMs }: ReindexOptions,
  { name }: IndexState,
  signal: AbortSignal,
): Promise<void> {
  await source.dropIndex(name);
  await sleep(stepMs ?? STEP_MS, undefined, { signal });
  await dropIndexSet(client, name);
}
