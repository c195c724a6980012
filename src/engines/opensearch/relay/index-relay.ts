import { setTimeout as sleep } from "node:timers/promises";
import type { BackgroundReporter } from "../../../core/background.js";
import type { Json } from "../../../core/json.js";
import type { IndexState } from "../../../ports/index-source.js";
import { numberPaths } from "../documents/path-numbers.js";
import { addIndex, type BuildOptions, bringLevel, fillIndex } from "./build-index.js";
import { type DocumentWriter, makeDocumentWriter } from "./document-writer.js";
import { type Fed, feedIndex, type WrittenImports } from "./feed-index.js";
import { disownForeign, ForeignIndexError } from "./index-mark.js";
import { extendIndexSet, isUsable, madeBy, madeOf } from "./index-set.js";
import { newIndexName } from "./new-index-name.js";
import { OldGenerations } from "./old-generations.js";
import { OldIndexes } from "./old-indexes.js";

export interface RelayOptions extends BuildOptions {
  /** Begins the names of all indexes of the service. */
  readonly prefix: string;
  readonly background: BackgroundReporter;
  /** At least so long a step takes while there is work: each refresh makes segments that have to be merged. */
  readonly stepMs?: number;
  /** How long searches may still ask the index that was asked before. */
  readonly retireMs?: number;
}

/** The one that feeds the index, as long as it runs. */
export interface IndexRelay {
  /** How long the last step took that fed anything; undefined: none did yet. */
  stepSeconds(): number | undefined;
  /** Ends it, after what it is doing. */
  stop(): Promise<void>;
}

const STEP_MS = 250;
/** How often it is asked whether anything has changed. */
const LOOK_MS = 50;
/** How often it is asked whether the indexes are still those of the database, where nothing is written either. */
const OWN_MS = 1_000;
/** After an error it waits longer each time. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 5_000];

/** Feeds all indexes of the store from its changes, and makes the first one. Of all nodes one does it at a time. */
export function startIndexRelay(options: RelayOptions): IndexRelay {
  const ending = new AbortController();
  const { signal } = ending;
  const feeding = new Feeding(options, signal);
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
  let stepSeconds: number | undefined;
  const run = async (): Promise<void> => {
    for (let errors = 0; !signal.aborted; ) {
      try {
        const began = performance.now();
        const hasFed = await feeding.step();
        if (errors > 0) options.background.onBackgroundSuccess("search-index");
        errors = 0;
        const tookMs = performance.now() - began;
        if (hasFed) stepSeconds = tookMs / 1_000;
        await pause(hasFed ? (options.stepMs ?? STEP_MS) - tookMs : LOOK_MS);
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
  readonly #options: RelayOptions;
  readonly #signal: AbortSignal;
  /** Undefined: documents of this catalog are none for this index. */
  readonly #writers = new Map<string, DocumentWriter | undefined>();
  readonly #imports: WrittenImports = new Map();
  readonly #oldGenerations: OldGenerations;
  readonly #oldIndexes: OldIndexes;
  #ownedAt = Number.NEGATIVE_INFINITY;
  #isPrepared = false;

  constructor(options: RelayOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#oldGenerations = new OldGenerations(options.client, options.catalog);
    this.#oldIndexes = new OldIndexes(options);
  }

  /** @returns was there anything to do? */
  async step(): Promise<boolean> {
    await this.#lookWhoseTheyAre();
    if (!this.#isPrepared) await this.#prepare();
    // What follows its terms is fed like any change: only where nothing else waits, so that it never waits for much.
    return (await this.#feed()) || this.#tidyUp();
  }

  async #feed(): Promise<boolean> {
    const { source } = this.#options;
    const others = [...this.#writers].flatMap(([name, writer]) => (writer === undefined ? [name] : []));
    if (!(await source.isBehind(others))) return false;
    const fed = { ...this.#options, imports: this.#imports };
    let hasFed = false;
    for (const state of await source.states()) {
      const writer = this.#writerOf(state);
      if (writer && (await this.#feedUnlessDropped(fed, state, writer))) hasFed = true;
    }
    return hasFed;
  }

  /** Where a reindex drops an index that is being fed, nothing is wrong. */
  async #feedUnlessDropped(fed: Fed, state: IndexState, writer: DocumentWriter): Promise<boolean> {
    try {
      return await feedIndex(fed, state, writer, this.#signal);
    } catch (error) {
      const states = await this.#options.source.states();
      if (states.some(({ name }) => name === state.name)) throw error;
      return false;
    }
  }

  /** @throws ForeignIndexError: the database was put back, and the next step makes another index */
  async #lookWhoseTheyAre(): Promise<void> {
    const now = performance.now();
    if (now < this.#ownedAt + OWN_MS) return;
    const disowned = await disownForeign(this.#options);
    if (disowned.length > 0) {
      this.#isPrepared = false;
      // The next one may have the name of one that is lost.
      this.#writers.clear();
      throw new ForeignIndexError(disowned.join(", "));
    }
    this.#ownedAt = now;
  }

  async #tidyUp(): Promise<boolean> {
    const { source } = this.#options;
    await this.#oldGenerations.drop(source);
    await this.#oldIndexes.drop();
    return source.followSome();
  }

  /** Makes the index that searches ask, where there is none of this catalog. */
  async #prepare(): Promise<void> {
    const { source } = this.#options;
    const states = await source.states();
    const usable = states.filter((state) => isUsable(madeOf(state), this.#options.catalog));
    const current = usable.find(({ isCurrent }) => isCurrent);
    const whole = usable.find(({ scanned }) => scanned === undefined);
    if (current === undefined) await this.#make(whole ?? usable[0] ?? (await this.#add(states)));
    else await this.#extend(current);
    this.#isPrepared = true;
  }

  async #add(states: readonly IndexState[]): Promise<IndexState> {
    const { prefix, source, client } = this.#options;
    const name = await newIndexName(client, prefix, states);
    await addIndex(this.#options, name);
    return (await source.states()).find((state) => state.name === name)!;
  }

  /** Fills it, brings it level, and has searches ask it. */
  async #make(state: IndexState): Promise<void> {
    const { source } = this.#options;
    await this.#extend(state);
    if (state.scanned !== undefined) await fillIndex(this.#options, state, this.#signal);
    await bringLevel(this.#options, state.name, this.#signal);
    await source.makeCurrent(state.name);
  }

  /** The catalog may declare paths and vocabularies that the index lacks: no record and no term has them yet. */
  async #extend(state: IndexState): Promise<void> {
    const { source, catalog } = this.#options;
    const made = madeOf(state);
    const now = madeBy(catalog, made.paths);
    const terms = { ...made.terms, ...now.terms };
    if (now.paths.length === made.paths.length && Object.keys(terms).length === Object.keys(made.terms).length) return;
    await extendIndexSet(this.#options, state.name, numberPaths(catalog, made.paths));
    await source.noteMade(state.name, { ...now, terms } as unknown as Json);
  }

  #writerOf({ name, made }: IndexState): DocumentWriter | undefined {
    if (this.#writers.has(name)) return this.#writers.get(name);
    const { client, catalog } = this.#options;
    const was = madeOf({ made });
    const numbers = numberPaths(catalog, was.paths);
    const writer = isUsable(was, catalog) ? makeDocumentWriter({ client, catalog, index: name, numbers }) : undefined;
    this.#writers.set(name, writer);
    return writer;
  }
}
