/** What is counted of a database that several services share. */
import { Counter, Gauge, type Registry } from "prom-client";
import type { RetryReason, StoreStats } from "../../ports/engine.js";

/** A thread with connections of its own; `storeStats` is one of its calls. */
interface StoreThread {
  call(name: string, args: readonly unknown[]): Promise<unknown>;
}

type Threads = Readonly<Record<"search" | "loader" | "writer", StoreThread>>;

/** @param local of the thread that answers HTTP */
export function measureStore(registry: Registry, local: () => StoreStats, threads: Threads): void {
  // A thread that is starting says nothing yet.
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

/** Several processes have one writer, and each of them asks it: it counts once. */
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
  for (const [what, name] of [
    ["count", "commits"],
    ["seconds", "commit_seconds"],
  ] as const) {
    new Counter({
      name: `bindery_store_${name}_total`,
      help: commits[what],
      ...ONCE,
      registers: [registry],
      async collect() {
        const stats = await read();
        if (stats === undefined) return;
        this.reset();
        this.inc(stats.commits[what]);
      },
    });
  }
}
