import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { OPERATOR } from "../../../core/actor.js";
import type { IndexState, SourceView } from "../../../ports/index-source.js";
import type { Store } from "../../../ports/store.js";
import type { IndexStatus, OnProgress, Reindexed, StoreAdmin } from "../../../ports/store-admin.js";
import { nonZeroCounts, repairEntries, repairInRounds } from "../../verify/report.js";
import { recordsIndexOf } from "../driver/index-driver.js";
import { addIndex, type BuildOptions, bringLevel, fillIndex } from "../relay/build-index.js";
import { dropForeignIndexes, dropIndexSet } from "../relay/index-set.js";
import { newIndexName, RETIRE_MS } from "../relay/old-indexes.js";
import { joinVerifications, repairIndex, type VerifyIndexOptions, verifyIndex } from "./verify-index.js";

interface IndexAdminOptions extends VerifyIndexOptions {
  readonly prefix: string;
  readonly overlayMax: number;
  readonly largeAbove: number;
  /** Opens a view like `openView`, even if the index is unavailable. */
  openAny(): Promise<SourceView>;
}

/**
 * Adds the administration of an index to that of its store. The store comes first, because the index is derived from
 * it.
 */
export function withIndexAdmin(admin: StoreAdmin, store: Store, options: IndexAdminOptions): StoreAdmin {
  return {
    ...admin,
    indexes: async () => {
      const view = await options.openAny();
      await view.close();
      const isCurrent = ({ name }: IndexStatus): boolean => name === view.index?.name;
      const indexes = [...(await admin.indexes())].sort((a, b) => Number(isCurrent(b)) - Number(isCurrent(a)));
      return indexes.map((index) => {
        const isFarBehind = index.behindChanges > options.overlayMax;
        return { ...index, isCurrent: isCurrent(index), isFarBehind };
      });
    },
    reindex: (request, onProgress) => reindex({ ...options, ...request }, onProgress),
    verify: async (onProgress) => {
      const verified = await admin.verify(onProgress);
      return joinVerifications(verified, (await verifyIndex(options, onProgress)).verification);
    },
    repair: async (onProgress) => {
      const storeRepair = await admin.repair(onProgress);
      const indexRepair = await repairInRounds(
        () => verifyIndex(options, onProgress),
        async ({ plan }) => {
          const repaired = nonZeroCounts(await repairIndex(options, plan));
          await store.transaction(async (tx) => {
            for (const entry of repairEntries(repaired)) await tx.audit(OPERATOR, entry);
          });
          return repaired;
        },
      );
      return {
        before: joinVerifications(storeRepair.before, indexRepair.before),
        repaired: { ...storeRepair.repaired, ...indexRepair.repaired },
        after: joinVerifications(storeRepair.after, indexRepair.after),
      };
    },
  };
}

/** Options of a reindex. */
export interface ReindexOptions extends Omit<BuildOptions, "shards"> {
  /** Default: the number of shards of the current index. */
  readonly shards?: number;
  /** Prefix of the names of all indexes of the service. */
  readonly prefix: string;
  /** Time for which searches may still use the previous index. */
  readonly retireMs?: number;
  /** Longer than a step of the relay takes. */
  readonly stepMs?: number;
}

const STEP_MS = 10_000;

/**
 * Makes a new index next to the current one, and makes it current when it is level. Reads and writes continue. An
 * interrupted reindex continues with the next call for the same number of shards. Of several concurrent calls, one runs
 * after the other.
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
    return await buildReplacement(options, onProgress, AbortSignal.any([signal, lead.lost]));
  } finally {
    await lead.giveBack();
  }
}

/** Options with a known number of shards. */
type ReindexPlan = ReindexOptions & { readonly shards: number };

async function buildReplacement(
  request: ReindexOptions,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Reindexed> {
  const { source, driver, format } = request;
  // An index from a later state than the restored database cannot be continued.
  await dropForeignIndexes(request);
  const states = await source.states();
  const current = states.find(({ isCurrent }) => isCurrent);
  const options: ReindexPlan = {
    ...request,
    shards: request.shards ?? (current && (await driver.countShards(recordsIndexOf(current.name)))) ?? 1,
  };
  const unfinished = await findUnfinished(options, states);
  // Other unfinished indexes, and those of a reindex that was interrupted at its end, are unused. A complete index of
  // another catalog may still be used by services with that catalog: the relay removes it later.
  const isOurs = ({ made }: IndexState): boolean => format.isUsable(made);
  const isUnused = (state: IndexState): boolean => !state.isCurrent && state !== unfinished;
  for (const state of states.filter(isUnused)) {
    if (isOurs(state) || state.scanned !== undefined) await dropIndex(options, state, signal);
  }
  const state = unfinished ?? (await addNewIndex(options, states));
  await fillIndex(options, state, signal, onProgress);
  onProgress({ what: "what changed meanwhile", done: 0, of: 0 });
  await bringLevel(options, state.name, signal);
  await source.makeCurrent(state.name);
  if (current !== undefined && isOurs(current)) {
    onProgress({ what: "waiting for searches of the index before", done: 0, of: 0 });
    await sleep(options.retireMs ?? RETIRE_MS, undefined, { signal });
    await dropIndex(options, current, signal);
  }
  return { name: state.name, wasResumed: unfinished !== undefined };
}

/** Returns an index with everything that this catalog declares, which an earlier reindex has not completed. */
async function findUnfinished(
  { driver, format, shards }: ReindexPlan,
  states: readonly IndexState[],
): Promise<IndexState | undefined> {
  for (const state of states) {
    if (state.isCurrent || state.scanned === undefined || !isDeepStrictEqual(state.made, format.define(state.made)))
      continue;
    if ((await driver.countShards(recordsIndexOf(state.name))) === shards) return state;
  }
  return undefined;
}

async function addNewIndex(options: ReindexPlan, states: readonly IndexState[]): Promise<IndexState> {
  const name = await newIndexName(options.driver, options.prefix, states);
  await addIndex(options, name);
  return (await options.source.states()).find((state) => state.name === name)!;
}

/**
 * Drops an index. The store forgets it first, and the relay then ends its step: a write into a dropped index would
 * create it again.
 */
async function dropIndex(
  { source, driver, stepMs }: ReindexOptions,
  { name }: IndexState,
  signal: AbortSignal,
): Promise<void> {
  await source.dropIndex(name);
  await sleep(stepMs ?? STEP_MS, undefined, { signal });
  await dropIndexSet(driver, name);
}
