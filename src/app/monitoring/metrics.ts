import { statSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from "prom-client";
import { isShared } from "../../config/derived.js";
import type { Config } from "../../config/schema.js";
import { freeBytes } from "../../engines/files/disk-files.js";
import type { RetryReason, StoreStats } from "../../ports/engine.js";
import type { OperatorServices } from "../../services/use-cases.js";
import { type IndexParts, measureIndex, type SearchThread } from "./index-metrics.js";

/** A thread that runs calls. */
interface MeasuredThread extends SearchThread {
  /** Returns the number of calls that are not answered yet. */
  waiting(): number;
}

const FILES = { database: "bindery.sqlite", log: "bindery.sqlite-wal" } as const;

/**
 * Adds the metrics of this process.
 * @param threads the threads that run its services, by name
 * @param local the parts of the thread that answers HTTP
 */
export function measureProcess(
  registry: Registry,
  config: Config,
  threads: Readonly<Record<"search" | "loader" | "writer" | "pages", MeasuredThread>>,
  local: IndexParts & {
    readonly clockOffset?: (() => Promise<number>) | undefined;
    readonly storeStats?: (() => StoreStats) | undefined;
    readonly services: Pick<OperatorServices, "countStaleTerms">;
  },
): void {
  const { data, searchUrl } = config;
  collectDefaultMetrics({ register: registry });
  const { clockOffset, storeStats } = local;
  // First, because queries of the other metrics also wait for a connection and would be counted.
  if (storeStats !== undefined) measureStore(registry, storeStats, threads);
  new Gauge({
    name: "bindery_calls_waiting",
    help: "Calls that wait for a thread or run on it.",
    labelNames: ["thread"],
    registers: [registry],
    collect() {
      for (const [thread, { waiting }] of Object.entries(threads)) this.labels(thread).set(waiting());
    },
  });
  new Gauge({
    name: "bindery_reindex_pending",
    help: "Changed terms whose citing records are not indexed again yet.",
    aggregator: "max",
    registers: [registry],
    async collect() {
      // /readyz reports a store that cannot be read; here the value is NaN.
      this.set(await local.services.countStaleTerms().catch(() => Number.NaN));
    },
  });
  if (clockOffset !== undefined) measureClock(registry, clockOffset);
  if (searchUrl !== "") measureIndex(registry, local, threads);
  if (!isShared(config)) measureDisk(registry, data);
  new Gauge({
    name: "bindery_file_bytes",
    help: "Sizes of the database and of its write-ahead log.",
    labelNames: ["file"],
    aggregator: "max",
    registers: [registry],
    collect() {
      for (const [file, name] of Object.entries(FILES)) this.labels(file).set(fileSize(join(data, name)));
    },
  });
}

/** Interval of the checks of this thread, and the shortest block that counts, in milliseconds. */
const CHECK_MS = 10;
const BLOCKED_MS = 20;

/**
 * Measures how long this thread was blocked by one task, and logs it at level debug.
 * @returns a function that stops the measurement
 */
export function watchBlocks(registry: Registry, logger: Pick<Logger, "debug">): () => void {
  const blocked = new Histogram({
    name: "bindery_http_blocked_seconds",
    help: "Times for which the HTTP thread was blocked for more than 20 ms.",
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  });
  let last = performance.now();
  const check = (): void => {
    const now = performance.now();
    const ms = now - last - CHECK_MS;
    last = now;
    if (ms < BLOCKED_MS) return;
    blocked.observe(ms / 1000);
    logger.debug({ ms: Math.round(ms) }, "The HTTP thread was blocked.");
  };
  const timer = setInterval(check, CHECK_MS).unref();
  return () => clearInterval(timer);
}

function measureDisk(registry: Registry, data: string): void {
  new Gauge({
    name: "bindery_disk_free_bytes",
    help: "Free space for the service on the disk of its data folder.",
    aggregator: "min",
    registers: [registry],
    collect() {
      this.set(freeBytes(data) ?? Number.NaN);
    },
  });
}

function measureClock(registry: Registry, read: () => Promise<number>): void {
  new Gauge({
    name: "bindery_clock_offset_seconds",
    help: "How far the clock of this machine is ahead of that of the database.",
    aggregator: "max",
    registers: [registry],
    async collect() {
      this.set(await read().catch(() => Number.NaN));
    },
  });
}

/** Joins the metrics of several processes into one text. @param all results of `Registry.getMetricsAsJSON` */
export function joinMetrics(all: Parameters<typeof AggregatorRegistry.aggregate>[0]): Promise<string> {
  return AggregatorRegistry.aggregate(all).metrics();
}

function fileSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** A thread with its own connections. It handles the call `storeStats`. */
interface StoreThread {
  call(name: string, args: readonly unknown[]): Promise<unknown>;
}

type Threads = Readonly<Record<"search" | "loader" | "writer", StoreThread>>;

/** Adds the metrics of the store. @param local returns the statistics of the thread that answers HTTP */
function measureStore(registry: Registry, local: () => StoreStats, threads: Threads): void {
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
