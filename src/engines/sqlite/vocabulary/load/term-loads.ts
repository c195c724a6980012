import { setTimeout as sleep } from "node:timers/promises";
import type { Catalog, Vocabulary } from "../../../../core/catalog/types.js";
import { BinderyError, fail } from "../../../../core/errors.js";
import type { LoadSummary, Store } from "../../../../ports/store.js";
import { termSignature } from "../../../../query/index-model/term-document.js";
import type { Db } from "../../connection/database.js";
import { mapError } from "../../connection/map-error.js";
import type { Writer } from "../../connection/write-connection.js";
import type { TextBuilder } from "../store/build-texts.js";
import { currentGeneration, isAbandoned } from "../store/generation.js";
import { openBulkLoader } from "./bulk-loader.js";
import { giveUpClaims } from "./claim.js";
import { dropGenerations } from "./drop-generations.js";
import { loadTerms, remakeGeneration } from "./load-terms.js";

/** Interval between checks whether a generation has to be remade. */
const MAINTENANCE_INTERVAL_MS = 5_000;

/** Number of terms written one by one after which a generation is remade in rank order. */
const DELTA_ROWS_MAX = 1_000;

/** Number of moved subtrees after which a generation is remade. */
const CUTS_MAX = 200;

/** Time that closing waits for loads to stop. */
const STOP_MS = 1_000;

/** Loads of vocabularies, and maintenance of their generations. */
export interface TermLoads {
  readonly loadTerms: Store["loadTerms"];
  /** Runs maintenance that is due now. */
  maintain(): Promise<void>;
  /** Stops running loads, which leave nothing behind. */
  stop(): Promise<void>;
}

/** Updates the index of records that cite changed terms. */
type FollowTerms = (isStopped: () => boolean) => Promise<void>;

/**
 * Starts maintenance of the generations of this store: removes those whose builder was killed, and remakes those that
 * have many delta rows, lost their hierarchy, or were made for another declaration, all in short transactions.
 * @param builder of the full-text tables of loads; if undefined, this thread builds them
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
  let isMaintaining = false;
  const track = <T>(work: Promise<T>): Promise<T> => {
    const settled = work.catch(() => undefined).finally(() => running.delete(settled));
    running.add(settled);
    return work;
  };
  const hasStopped = (): boolean => isStopped;
  const maintain = async (): Promise<void> => {
    if (isMaintaining || isStopped) return;
    isMaintaining = true;
    try {
      await maintainGenerations(writer, catalog, hasStopped);
      background.onBackgroundSuccess("vocabulary-maintenance");
    } catch (error) {
      // Maintenance is repeated later.
      if (!isGivenUp(error)) background.onBackgroundError("vocabulary-maintenance", mapError(error));
    } finally {
      isMaintaining = false;
    }
  };
  const timer = setInterval(() => void track(maintain()), MAINTENANCE_INTERVAL_MS).unref();
  return {
    loadTerms: async (vocabulary, items, options = {}) => {
      if (isStopped) throw fail("STORE_UNAVAILABLE", { reason: "the service is stopping" });
      const load = async (): Promise<LoadSummary> => {
        const summary = await loadTerms(writer, catalog, vocabulary, items, {
          ...options,
          isStopped: hasStopped,
          builder,
        });
        // After a load, records are found by the changed terms.
        if (options.dryRun !== true) await followTerms(hasStopped);
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

/**
 * Returns whether the work gave up because of another process or because this one ends. Errors of the file have a
 * cause.
 */
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
  const unfinished = db
    .sql<{ state: string; owner: string; touched: number }>(
      "SELECT state, owner, touched FROM generation WHERE state <> 'current'",
    )
    .all();
  return unfinished.some(({ state, owner, touched }) => state === "dropping" || isAbandoned(owner, touched));
}

function isWorn(db: Db, vocabulary: Vocabulary): boolean {
  const generation = currentGeneration(db, vocabulary.name);
  if (generation === undefined) return false;
  const { next, ranked, nested, writes, signature } = generation;
  // Remaking does not help while parents lead in circles; there was a write since.
  const isUnnested = vocabulary.hierarchy && nested === 0 && writes > 0;
  const cuts = generation.sql<number>("SELECT count(*) FROM cut_$g").pluck().get() ?? 0;
  // Generations of an earlier version have no posting lists.
  const hasNoPostings = ranked > 0 && generation.sql("SELECT 1 FROM postings_$g LIMIT 1").get() === undefined;
  const isOfOtherIndex = signature !== termSignature(vocabulary) || hasNoPostings;
  return next - 1 - ranked > DELTA_ROWS_MAX || cuts > CUTS_MAX || isUnnested || isOfOtherIndex;
}
