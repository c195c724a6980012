/** What is counted of an index that lies beside the database. */
import { Counter, Gauge, type Registry } from "prom-client";
import type { IndexStatus } from "../../services/api/admin-services.js";
import type { Services } from "../../services/use-cases.js";

/** What the searches of a thread have met. */
interface SearchStats {
  readonly repeats: number;
  readonly overlay: { readonly records: number; readonly terms: number };
}

/** A thread that searches; `searchStats` is one of its calls. */
export interface SearchThread {
  call(name: string, args: readonly unknown[]): Promise<unknown>;
}

/** What knows of the index in the thread that answers HTTP, which searches as well. */
export interface IndexParts {
  readonly services: Pick<Services, "listIndexes">;
  readonly search?: { stats(): SearchStats };
}

/** Of the index that searches ask, or that is made. */
const INDEX_GAUGES: Readonly<Record<string, readonly [help: string, of: (index: IndexStatus) => number]>> = {
  bindery_index_behind_changes: ["Changes that the search index does not show yet.", (index) => index.behindChanges],
  bindery_index_behind_seconds: [
    "Age of the oldest change that the search index does not show yet.",
    (index) => index.behindSeconds,
  ],
  bindery_index_failures: ["Number of records and terms that OpenSearch refused.", (index) => index.refused],
};

/** @param threads those that search beside the one that answers HTTP */
export function measureIndex(
  registry: Registry,
  { services, search }: IndexParts,
  threads: Readonly<Record<"search" | "loader", SearchThread>>,
): void {
  for (const [name, [help, of]] of Object.entries(INDEX_GAUGES)) {
    new Gauge({
      name,
      help,
      aggregator: "max",
      registers: [registry],
      async collect() {
        const [index] = await services.listIndexes().catch(() => []);
        this.set(index === undefined ? Number.NaN : of(index));
      },
    });
  }
  measureSearches(registry, async () => {
    const asked = ["search", "loader"] as const;
    const said = await Promise.all(asked.map((name) => threads[name].call("searchStats", []).catch(() => undefined)));
    const all = [search?.stats(), ...said] as readonly (SearchStats | undefined)[];
    // A thread that is starting has searched nothing.
    return all.filter((stats) => stats !== undefined);
  });
}

/** @param read what each thread has met */
function measureSearches(registry: Registry, read: () => Promise<readonly SearchStats[]>): void {
  new Counter({
    name: "bindery_search_repeats_total",
    help: "Searches that were repeated because the index advanced during the search.",
    registers: [registry],
    async collect() {
      const all = await read();
      this.reset();
      this.inc(all.reduce((sum, { repeats }) => sum + repeats, 0));
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

/** How the relay of the index is that this node has. */
export interface RelayState {
  /** Of all nodes the one that leads feeds the index. */
  readonly leads: boolean;
  /** How long the last step took that fed anything; NaN: none did. */
  readonly stepSeconds: number;
}

/** @param read asks the thread of the relay */
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
