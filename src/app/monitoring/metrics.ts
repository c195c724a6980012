import { statSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Histogram, type Registry } from "prom-client";
import { isShared } from "../../config/derived.js";
import type { Config } from "../../config/schema.js";
import { freeBytes } from "../../engines/files/disk-files.js";
import type { StoreStats } from "../../ports/engine.js";
import type { OperatorServices } from "../../services/use-cases.js";
import { type IndexParts, measureIndex, type SearchThread } from "./index-metrics.js";
import { measureStore } from "./store-metrics.js";

/** Something that calls wait for. */
interface Waited extends SearchThread {
  /** Calls that were not answered yet. */
  waiting(): number;
}

const FILES = { database: "bindery.sqlite", log: "bindery.sqlite-wal" } as const;

/**
 * Adds what this process counts of itself.
 * @param threads what runs its services, by name
 * @param local says how far indexes are
 */
export function measureProcess(
  registry: Registry,
  config: Config,
  threads: Readonly<Record<"search" | "loader" | "writer" | "pages", Waited>>,
  local: IndexParts & {
    readonly clockOffset?: () => Promise<number>;
    readonly storeStats?: () => StoreStats;
    readonly services: Pick<OperatorServices, "countStaleTerms">;
  },
): void {
  const { data, searchUrl } = config;
  collectDefaultMetrics({ register: registry });
  const { clockOffset, storeStats } = local;
  // First: what others read of the store to be collected waits as well.
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
      // A store that cannot be read is told by /readyz; here it is no number.
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
      for (const [file, name] of Object.entries(FILES)) this.labels(file).set(sizeOf(join(data, name)));
    },
  });
}

/** Interval of the checks of this thread, and the shortest block that counts, in milliseconds. */
const LOOK_MS = 10;
const BLOCKED_MS = 20;

/**
 * Measures how long this thread was blocked by one task, and logs it at level debug.
 * @returns a function that ends this
 */
export function watchBlocks(registry: Registry, logger: Pick<Logger, "debug">): () => void {
  const blocked = new Histogram({
    name: "bindery_http_blocked_seconds",
    help: "Times for which the HTTP thread was blocked for more than 20 ms.",
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  });
  let last = performance.now();
  const look = (): void => {
    const now = performance.now();
    const ms = now - last - LOOK_MS;
    last = now;
    if (ms < BLOCKED_MS) return;
    blocked.observe(ms / 1000);
    logger.debug({ ms: Math.round(ms) }, "The HTTP thread was blocked.");
  };
  const timer = setInterval(look, LOOK_MS).unref();
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

/** The metrics of several processes, as `Registry.getMetricsAsJSON` gave them, as one text. */
export function joinMetrics(all: Parameters<typeof AggregatorRegistry.aggregate>[0]): Promise<string> {
  return AggregatorRegistry.aggregate(all).metrics();
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
