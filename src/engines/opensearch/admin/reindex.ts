import { setTimeout as sleep } from "node:timers/promises";
import type { IndexSource, IndexState } from "../../../ports/index-source.js";
import type { OnProgress } from "../../../ports/store-admin.js";
import { shardsOf } from "../connection/indexes.js";
import { numberPaths } from "../documents/path-numbers.js";
import { addIndex, type BuildOptions, fillIndex, madeOf } from "../relay/build-index.js";
import { makeDocumentWriter } from "../relay/document-writer.js";
import { feedIndex } from "../relay/feed-index.js";
import { dropIndexSet, isUsable, recordsIndexOf } from "../relay/index-set.js";
import { newIndexName } from "../relay/new-index-name.js";

export interface ReindexOptions extends BuildOptions {
  /** Begins the names of all indexes of the service. */
  readonly prefix: string;
  /** How long searches may still ask the index that was asked before. */
  readonly retireMs?: number;
  /** Longer than a step of the relay takes. */
  readonly stepMs?: number;
}

/** What a reindex did. */
export interface Reindexed {
  /** The index that searches ask now. */
  readonly name: string;
  /** Was one completed that an earlier reindex had begun? */
  readonly wasResumed: boolean;
}

/** Longer than any search takes. A whole result that is still being sent ends with an error. */
const RETIRE_MS = 60_000;
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

async function makeAnother(options: ReindexOptions, onProgress: OnProgress, signal: AbortSignal): Promise<Reindexed> {
  const { source } = options;
  const before = await source.states();
  const begun = await findBegun(options, before);
  // What else was begun, or was left by one that was interrupted at its end, is nobody's any more.
  for (const state of before) if (!state.isCurrent && state !== begun) await drop(options, state, signal);
  const state = begun ?? (await add(options, before));
  await fillIndex(options, state, signal, onProgress);
  await bringLevel(options, state, signal, onProgress);
  await source.makeCurrent(state.name);
  onProgress({ what: "waiting for searches of the index before", done: 0, of: 0 });
  await sleep(options.retireMs ?? RETIRE_MS, undefined, { signal });
  for (const old of before) if (old.isCurrent) await drop(options, old, signal);
  return { name: state.name, wasResumed: begun !== undefined };
}

/** One that an earlier reindex has not completed, of what this catalog makes. */
async function findBegun(
  { client, catalog, shards }: ReindexOptions,
  states: readonly IndexState[],
): Promise<IndexState | undefined> {
  for (const state of states) {
    if (state.isCurrent || state.scanned === undefined || !isUsable(madeOf(state), catalog)) continue;
    if ((await shardsOf(client, recordsIndexOf(state.name))) === shards) return state;
  }
  return undefined;
}

async function add(options: ReindexOptions, states: readonly IndexState[]): Promise<IndexState> {
  const name = await newIndexName(options.client, options.prefix, states);
  await addIndex(options, name);
  return find(options.source, name);
}

async function find(source: IndexSource, name: string): Promise<IndexState> {
  const state = (await source.states()).find((each) => each.name === name);
  if (state === undefined) throw new Error(`The index ${name} was dropped while it was made.`);
  return state;
}

/** Feeds it what has changed since it was begun, as the relay of a service does, which may be running or not. */
async function bringLevel(
  options: ReindexOptions,
  { name, made }: IndexState,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<void> {
  const { source, client, catalog } = options;
  const numbers = numberPaths(catalog, madeOf({ made }).paths);
  const writer = makeDocumentWriter({ client, catalog, index: name, numbers });
  for (;;) {
    const state = await find(source, name);
    onProgress({ what: "changes since", done: state.applied, of: 0 });
    if (!(await feedIndex(options, state, writer, signal))) return;
  }
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
