/** Metrics of the OpenSearch index, its overlay, and the relay that feeds it. */
import { Counter, Gauge, type Registry } from "prom-client";
import type { IndexStatus } from "../../services/api/admin.js";
import type { Services } from "../../services/use-cases.js";

/** Statistics of the searches of a thread. */
interface SearchStats {
  readonly repeats: number;
  readonly overlay: { readonly records: number; readonly terms: number };
}

/** A thread that searches. It handles the call `searchStats`. */
export interface SearchThread {
  call(name: string, args: readonly unknown[]): Promise<unknown>;
}

/** Sources of the metrics in the thread that answers HTTP, which searches too. */
export interface IndexParts {
  readonly services: Pick<Services, "listIndexes">;
  readonly search?: { stats(): SearchStats } | undefined;
}

/** Gauges of the index that searches use or, before there is one, of the index that is being filled. */
const INDEX_GAUGES: Readonly<Record<string, readonly [help: string, read: (index: IndexStatus) => number]>> = {
  bindery_index_behind_changes: ["Changes that the search index does not show yet.", (index) => index.behindChanges],
  bindery_index_behind_seconds: [
    "Age of the oldest change that the search index does not show yet.",
    (index) => index.behindSeconds,
  ],
  bindery_index_failures: ["Number of records and terms that OpenSearch refused.", (index) => index.refused],
};

/** Adds the metrics of the index. @param threads the threads that search, except the one that answers HTTP */
export function measureIndex(
  registry: Registry,
  { services, search }: IndexParts,
  threads: Readonly<Record<"search" | "loader", SearchThread>>,
): void {
  for (const [name, [help, read]] of Object.entries(INDEX_GAUGES)) {
    new Gauge({
      name,
      help,
      aggregator: "max",
      registers: [registry],
      async collect() {
        const [index] = await services.listIndexes().catch(() => []);
        this.set(index === undefined ? Number.NaN : read(index));
      },
    });
  }
  measureSearches(registry, async () => {
    const names = ["search", "loader"] as const;
    const remoteStats = await Promise.all(
      names.map((name) => threads[name].call("searchStats", []).catch(() => undefined)),
    );
    const allStats = [search?.stats(), ...remoteStats] as readonly (SearchStats | undefined)[];
    // The call fails while a thread is starting, which has searched nothing yet.
    return allStats.filter((stats) => stats !== undefined);
  });
}

/** Adds the metrics of searches. @param read returns the statistics of each thread */
function measureSearches(registry: Registry, read: () => Promise<readonly SearchStats[]>): void {
  new Counter({
    name: "bindery_search_repeats_total",
    help: "Searches that were repeated because the index advanced during the search.",
    registers: [registry],
    async collect() {
      const allStats = await read();
      this.reset();
      this.inc(allStats.reduce((sum, { repeats }) => sum + repeats, 0));
    },
  });
  for (const kind of ["records", "terms"] as const) {
    new Gauge({
      name: `bindery_overlay_${kind}`,
      help: `Changed ${kind} that the last searches evaluated themselves, because the index lacked them.`,
      aggregator: "max",
      registers: [registry],
      async collect() {
        this.set((await read()).reduce((most, { overlay }) => Math.max(most, overlay[kind]), 0));
      },
    });
  }
}

/** State of the index relay of this node. */
export interface RelayState {
  /** Only the leader among all nodes feeds the index. */
  readonly leads: boolean;
  /** Duration of the last step that fed changes; NaN if there was none. */
  readonly stepSeconds: number;
}

/** Adds the metrics of the relay. @param read asks its thread for the state */
export function measureRelay(registry: Registry, read: () => Promise<RelayState>): void {
  const state = (): Promise<RelayState> => read().catch(() => ({ leads: false, stepSeconds: Number.NaN }));
  new Gauge({
    name: "bindery_relay_leader",
    help: "Whether this node feeds the search index: 1 or 0.",
    registers: [registry],
    async collect() {
      this.set((await state()).leads ? 1 : 0);
    },
  });
  new Gauge({
    name: "bindery_relay_cycle_seconds",
    help: "Duration of the last step that fed the search index.",
    registers: [registry],
    async collect() {
      this.set((await state()).stepSeconds);
    },
  });
}
