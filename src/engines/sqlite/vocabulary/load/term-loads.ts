import { setTimeout as sleep } from "node:timers/promises";
import type { Catalog, Vocabulary } from "../../../../core/catalog/types.js";
import { BinderyError, fail } from "../../../../core/errors.js";
import type { LoadSummary, Store } from "../../../../ports/store.js";
import { termSignature } from "../../../../query/index-model/term-signature.js";
import type { Db } from "../../connection/database.js";
import { mapError } from "../../connection/map-error.js";
import type { Writer } from "../../connection/write-connection.js";
import type { TextBuilder } from "../store/build-texts.js";
import { currentGeneration } from "../store/generation.js";
import { isAbandoned } from "../store/make-generation.js";
import { openBulkLoader } from "./bulk-loader.js";
import { giveUpClaims } from "./claim.js";
import { dropGenerations } from "./drop-generations.js";
import { loadTerms, remakeGeneration } from "./load-terms.js";

/** How often it is looked whether a generation has to be made again. */
const LOOK_MS = 5_000;

/** Above so many items that were written one by one a generation is made again, in rank order. */
const DELTA_ROWS_MAX = 1_000;

/** Above so many subtrees that are no longer where they were it is made again too. */
const CUTS_MAX = 200;

/** How long closing waits for loads to notice it. */
const STOP_MS = 1_000;

/** Loads of vocabularies, and what is made again beside them. */
export interface TermLoads {
  readonly loadTerms: Store["loadTerms"];
  /** Runs what is due now; other calls wait for nothing. */
  maintain(): Promise<void>;
  /** Ends what runs: nothing of it stays. */
  stop(): Promise<void>;
}

/** Has the index of records follow the terms that loads changed. */
type FollowTerms = (isStopped: () => boolean) => Promise<void>;

/**
 * Starts looking after the generations of this store: removes those whose builder died, and makes again those that
 * have many delta rows, lost their hierarchy, or were made for another declaration. All in short transactions.
 * @param builder of the full-text tables of loads; absent: they are built on this thread
 */
export function startTermLoads(
  writer: Writer,
  catalog: Catalog,
  followTerms: FollowTerms,
  builder?: TextBuilder,
): TermLoads {
  const { background } = writer;
  const running = new Set<Promise<unknown>>();
  let isStopped = false;
  let isTending = false;
  const track = <T>(work: Promise<T>): Promise<T> => {
    const settled = work.catch(() => undefined).finally(() => running.delete(settled));
    running.add(settled);
    return work;
  };
  const stopped = (): boolean => isStopped;
  const maintain = async (): Promise<void> => {
    if (isTending || isStopped) return;
    isTending = true;
    try {
      await maintainGenerations(writer, catalog, stopped);
      background.onBackgroundSuccess("vocabulary-maintenance");
    } catch (error) {
      // There is a next time.
      if (!isGivenUp(error)) background.onBackgroundError("vocabulary-maintenance", mapError(error));
    } finally {
      isTending = false;
    }
  };
  const timer = setInterval(() => void track(maintain()), LOOK_MS).unref();
  return {
    loadTerms: async (vocabulary, items, options = {}) => {
      if (isStopped) throw fail("STORE_UNAVAILABLE", { reason: "the service is stopping" });
      const load = async (): Promise<LoadSummary> => {
        const summary = await loadTerms(writer, catalog, vocabulary, items, {
          ...options,
          isStopped: stopped,
          builder,
        });
        // When a load ends records are found by what it changed.
        if (options.dryRun !== true) await followTerms(stopped);
        return summary;
      };
      return await track(load());
    },
    maintain: () => track(maintain()),
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      if (running.size === 0) return;
      await writer
        .run(() => giveUpClaims(writer.db))
        .catch((error: unknown) => {
          background.onBackgroundError("vocabulary-maintenance", error);
        });
      await Promise.race([Promise.all(running), sleep(STOP_MS, undefined, { ref: false })]);
    },
  };
}

/** Did we give up ourselves, as another process does it, or as this one ends? What the file refuses has a cause. */
const isGivenUp = (error: unknown): boolean =>
  error instanceof BinderyError && error.code === "STORE_UNAVAILABLE" && error.cause === undefined;

async function maintainGenerations(writer: Writer, catalog: Catalog, isStopped: () => boolean): Promise<void> {
  if (hasLeftovers(writer.db)) {
    const loader = openBulkLoader(writer, isStopped);
    try {
      await dropGenerations(loader);
    } finally {
      loader.close();
    }
  }
  for (const vocabulary of catalog.vocabularies.values()) {
    if (!isStopped() && isWorn(writer.db, vocabulary)) await remakeGeneration(writer, vocabulary, isStopped);
  }
}

function hasLeftovers(db: Db): boolean {
  const others = db
    .sql<{ state: string; owner: string; touched: number }>(
      "SELECT state, owner, touched FROM generation WHERE state <> 'current'",
    )
    .all();
  return others.some(({ state, owner, touched }) => state === "dropping" || isAbandoned(owner, touched));
}

function isWorn(db: Db, vocabulary: Vocabulary): boolean {
  const generation = currentGeneration(db, vocabulary.name);
  if (generation === undefined) return false;
  const { next, ranked, nested, writes, signature } = generation;
  // Where parents lead in circles making it again mends nothing: there was a write since.
  const isUnnested = vocabulary.hierarchy && nested === 0 && writes > 0;
  const cuts = generation.sql<number>("SELECT count(*) FROM cut_$g").pluck().get() ?? 0;
  return next - 1 - ranked > DELTA_ROWS_MAX || cuts > CUTS_MAX || isUnnested || signature !== termSignature(vocabulary);
}
