import { Gauge, type Registry } from "prom-client";
import type { CacheUsage } from "../../core/caches.js";
import { threadNamed } from "./background-reports.js";

/** Records the memory of the caches of a thread: of `thread`, which `source` started, or of `source` itself. */
type NoteCaches = (source: string, usage: readonly CacheUsage[], thread: string | undefined) => void;

/**
 * Makes a function that records the memory of caches. Values of threads with the same name in several processes are
 * added.
 *
 * @param registry receives `bindery_cache_bytes` and `bindery_cache_limit_bytes`
 */
export function measureCaches(registry: Registry): NoteCaches {
  const threads = new Map<string, { readonly thread: string; readonly usage: readonly CacheUsage[] }>();
  const addGauge = (name: string, help: string, getBytes: (usage: CacheUsage) => number): void => {
    new Gauge({
      name,
      help,
      labelNames: ["cache", "thread"],
      registers: [registry],
      collect() {
        this.reset();
        for (const { thread, usage } of threads.values()) {
          for (const cache of usage) this.labels(cache.name, thread).inc(getBytes(cache));
        }
      },
    });
  };
  addGauge("bindery_cache_bytes", "Memory of caches in bytes, by cache and thread.", ({ bytes }) => bytes);
  addGauge(
    "bindery_cache_limit_bytes",
    "Memory that caches may use in bytes, by cache and thread; a part of BINDERY_CACHE_MB.",
    ({ budget }) => budget,
  );
  return (source, usage, thread) =>
    void threads.set(`${source} ${thread ?? ""}`, { thread: thread ?? threadNamed(source), usage });
}
