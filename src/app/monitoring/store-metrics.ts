/** Metrics of a database that several nodes share. */
import { Counter, Gauge, type Registry } from "prom-client";
import type { RetryReason, StoreStats } from "../../ports/engine.js";

/** A thread with its own connections. It handles the call `storeStats`. */
interface StoreThread {
  call(name: string, args: readonly unknown[]): Promise<unknown>;
}

type Threads = Readonly<Record<"search" | "loader" | "writer", StoreThread>>;

/** Adds the metrics of the store. @param local returns the statistics of the thread that answers HTTP */
export function measureStore(registry: Registry, local: () => StoreStats, threads: Threads): void {
  // The call fails while a thread is starting.
  const read = (thread: keyof Threads): Promise<StoreStats | undefined> =>
    threads[thread].call("storeStats", []).catch(() => undefined) as Promise<StoreStats | undefined>;
  new Gauge({
    name: "bindery_store_pool_waiting",
    help: "Operations that wait for a connection to the database, by thread.",
    labelNames: ["thread"],
    aggregator: "max",
    registers: [registry],
    async collect() {
      this.labels("http").set(local().waiting);
      for (const thread of ["search", "loader", "writer"] as const) {
        this.labels(thread).set((await read(thread))?.waiting ?? 0);
      }
    },
  });
  measureTransactions(registry, () => read("writer"));
}

/** All processes report the numbers of the one writer, so that they must not be added up. */
const ONCE = { aggregator: "max" } as const;

function measureTransactions(registry: Registry, read: () => Promise<StoreStats | undefined>): void {
  new Counter({
    name: "bindery_store_retries_total",
    help: "Transactions that were repeated because of a conflict, by reason.",
    labelNames: ["reason"],
    ...ONCE,
    registers: [registry],
    async collect() {
      const retries = (await read())?.retries;
      if (retries === undefined) return;
      this.reset();
      for (const [reason, count] of Object.entries(retries) as [RetryReason, number][]) this.labels(reason).inc(count);
    },
  });
  const commits = {
    count: "Number of commits.",
    seconds: "Total duration of commits.",
  } as const;
  for (const [measure, name] of [
    ["count", "commits"],
    ["seconds", "commit_seconds"],
  ] as const) {
    new Counter({
      name: `bindery_store_${name}_total`,
      help: commits[measure],
      ...ONCE,
      registers: [registry],
      async collect() {
        const stats = await read();
        if (stats === undefined) return;
        this.reset();
        this.inc(stats.commits[measure]);
      },
    });
  }
}
