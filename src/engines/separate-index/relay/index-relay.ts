import { setTimeout as sleep } from "node:timers/promises";
import type { BackgroundReporter } from "../../../core/background.js";
import type { IndexState } from "../../../ports/index-source.js";
import { addIndex, type BuildOptions, bringLevel, fillIndex } from "./build-index.js";
import { type DocumentWriter, makeDocumentWriter } from "./document-writer.js";
import { type FeedContext, feedIndex, type WrittenImports } from "./feed-index.js";
import { dropForeignIndexes, extendIndexSet, ForeignIndexError } from "./index-set.js";
import { newIndexName, OldGenerations, OldIndexes } from "./old-indexes.js";

/** Options of the index relay. */
interface IndexRelayOptions extends BuildOptions {
  /** Prefix of the names of all indexes of the service. */
  readonly prefix: string;
  readonly background: BackgroundReporter;
  /** Minimum time of a step while there is work: each refresh makes segments that have to be merged. */
  readonly stepMs?: number;
  /** Time for which searches may still use the previous index. */
  readonly retireMs?: number;
}

/** The running relay, which feeds the index. */
export interface IndexRelay {
  /** Returns the duration of the last step that fed anything; undefined if there was none. */
  stepSeconds(): number | undefined;
  /** Stops the relay after its current work. */
  stop(): Promise<void>;
}

const STEP_MS = 250;
/** Interval between checks for changes. */
const CHECK_INTERVAL_MS = 50;
/** Interval between checks whether the indexes still belong to the database, also without writes. */
const OWNERSHIP_INTERVAL_MS = 1_000;
/** Pauses after consecutive errors. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 5_000];

/**
 * Starts the relay, which feeds all indexes of the store from its changes and makes the first one. Only one node at a
 * time runs it.
 */
export function startIndexRelay(options: IndexRelayOptions): IndexRelay {
  const ending = new AbortController();
  const { signal } = ending;
  const feeding = new Feeding(options, signal);
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
  let stepSeconds: number | undefined;
  const run = async (): Promise<void> => {
    for (let errors = 0; !signal.aborted; ) {
      try {
        const startedAt = performance.now();
        const hasFed = await feeding.step();
        if (errors > 0) options.background.onBackgroundSuccess("search-index");
        errors = 0;
        const durationMs = performance.now() - startedAt;
        if (hasFed) stepSeconds = durationMs / 1_000;
        await pause(hasFed ? (options.stepMs ?? STEP_MS) - durationMs : CHECK_INTERVAL_MS);
      } catch (error) {
        if (signal.aborted) return;
        options.background.onBackgroundError("search-index", error);
        await pause(PAUSES_MS[Math.min(errors, PAUSES_MS.length - 1)]!);
        errors += 1;
      }
    }
  };
  const done = run();
  return {
    stepSeconds: () => stepSeconds,
    stop: async () => {
      ending.abort();
      await done;
    },
  };
}

class Feeding {
  readonly #options: IndexRelayOptions;
  readonly #signal: AbortSignal;
  /** Undefined: this catalog cannot write documents for the index. */
  readonly #writers = new Map<string, DocumentWriter | undefined>();
  readonly #imports: WrittenImports = new Map();
  readonly #oldGenerations: OldGenerations;
  readonly #oldIndexes: OldIndexes;
  #ownedAt = Number.NEGATIVE_INFINITY;
  #isPrepared = false;

  constructor(options: IndexRelayOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#oldGenerations = new OldGenerations(options.driver, options.catalog);
    this.#oldIndexes = new OldIndexes(options);
  }

  /** Runs one step. @returns whether there was anything to do */
  async step(): Promise<boolean> {
    await this.#lookWhoseTheyAre();
    if (!this.#isPrepared) await this.#prepare();
    // Reindexing after changed terms comes last, so that other changes do not wait for it.
    return (await this.#feed()) || this.#tidyUp();
  }

  async #feed(): Promise<boolean> {
    const { source } = this.#options;
    const unsupported = [...this.#writers].flatMap(([name, writer]) => (writer === undefined ? [name] : []));
    if (!(await source.isBehind(unsupported))) return false;
    const context = { ...this.#options, imports: this.#imports };
    let hasFed = false;
    for (const state of await source.states()) {
      const writer = this.#writerOf(state);
      if (writer && (await this.#feedUnlessDropped(context, state, writer))) hasFed = true;
    }
    return hasFed;
  }

  /** Feeds an index. An error is ignored if a reindex dropped the index meanwhile. */
  async #feedUnlessDropped(context: FeedContext, state: IndexState, writer: DocumentWriter): Promise<boolean> {
    try {
      return await feedIndex(context, state, writer, this.#signal);
    } catch (error) {
      const states = await this.#options.source.states();
      if (states.some(({ name }) => name === state.name)) throw error;
      return false;
    }
  }

  /**
   * Checks that the indexes belong to the database. @throws ForeignIndexError if the database was restored; the next
   * step makes another index
   */
  async #lookWhoseTheyAre(): Promise<void> {
    const now = performance.now();
    if (now < this.#ownedAt + OWNERSHIP_INTERVAL_MS) return;
    const disowned = await dropForeignIndexes(this.#options);
    if (disowned.length > 0) {
      this.#isPrepared = false;
      // The next index may have the name of a lost one.
      this.#writers.clear();
      throw new ForeignIndexError(disowned.join(", "), this.#options.driver);
    }
    this.#ownedAt = now;
  }

  async #tidyUp(): Promise<boolean> {
    const { source } = this.#options;
    await this.#oldGenerations.drop(source);
    await this.#oldIndexes.drop();
    return source.followSome();
  }

  /** Makes the index that searches use, if there is none of this catalog. */
  async #prepare(): Promise<void> {
    const { source, format } = this.#options;
    const states = await source.states();
    const usable = states.filter(({ made }) => format.isUsable(made));
    const current = usable.find(({ isCurrent }) => isCurrent);
    const complete = usable.find(({ scanned }) => scanned === undefined);
    if (current === undefined) await this.#make(complete ?? usable[0] ?? (await this.#add(states)));
    else await this.#extend(current);
    this.#isPrepared = true;
  }

  async #add(states: readonly IndexState[]): Promise<IndexState> {
    const { prefix, source, driver } = this.#options;
    const name = await newIndexName(driver, prefix, states);
    await addIndex(this.#options, name);
    return (await source.states()).find((state) => state.name === name)!;
  }

  /** Fills an index, brings it level, and makes it current. */
  async #make(state: IndexState): Promise<void> {
    const { source } = this.#options;
    await this.#extend(state);
    if (state.scanned !== undefined) await fillIndex(this.#options, state, this.#signal);
    await bringLevel(this.#options, state.name, this.#signal);
    await source.makeCurrent(state.name);
  }

  /** Adds paths and vocabularies of the catalog that the index lacks, for which there are no records or terms yet. */
  async #extend({ name, made }: IndexState): Promise<void> {
    const { source, format } = this.#options;
    const extended = format.extend(made);
    if (extended === undefined) return;
    await extendIndexSet(this.#options, name, extended);
    await source.noteMade(name, extended);
  }

  #writerOf(state: IndexState): DocumentWriter | undefined {
    const { name, made } = state;
    if (this.#writers.has(name)) return this.#writers.get(name);
    const writer = this.#options.format.isUsable(made) ? makeDocumentWriter(this.#options, state) : undefined;
    this.#writers.set(name, writer);
    return writer;
  }
}
