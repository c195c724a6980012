import { Counter, Gauge, type Registry } from "prom-client";
import { type AwayThread, THREAD_ENDS, type ThreadEvent } from "../../core/background.js";
import type { CacheUsage } from "../../core/caches.js";
import { threadNamed } from "./background-reports.js";

/** Names of the supervised threads and processes in metrics. */
const THREADS = [
  "search",
  "loader",
  "writer",
  "page",
  "preparing",
  "drawing",
  "webhook relay",
  "index relay",
  "process",
];

/** States of the supervised threads and processes. */
interface ThreadTracker {
  /** Records an event. @param source the thread, or the process and its thread, that reports it */
  note(source: string, thread: string, event: ThreadEvent): void;
  /** Returns the threads and processes that do not respond now. */
  unavailableThreads(): readonly AwayThread[];
}

/**
 * Tracks the states of supervised threads and processes, for metrics and `/readyz`.
 * @param registry receives `bindery_thread_restarts_total` and `bindery_thread_calls_expired_total`
 */
export function trackThreads(registry: Registry, now: () => number): ThreadTracker {
  const unavailable = new Map<string, AwayThread>();
  const restarts = new Counter({
    name: "bindery_thread_restarts_total",
    help: "Threads and processes that ended or were killed, and were replaced.",
    labelNames: ["thread", "reason"],
    registers: [registry],
  });
  const expiredCalls = new Counter({
    name: "bindery_thread_calls_expired_total",
    help: "Calls that a thread or process did not answer in time.",
    labelNames: ["thread"],
    registers: [registry],
  });
  // They start at 0, so that an alert on their growth sees the first event.
  for (const thread of THREADS) {
    expiredCalls.labels(thread).inc(0);
    for (const reason of THREAD_ENDS) restarts.labels(thread, reason).inc(0);
  }
  return {
    note(source, thread, event) {
      const key = `${source} ${thread}`;
      if (event.kind === "expired") return expiredCalls.labels(thread).inc();
      if (event.kind === "ended") restarts.labels(thread, event.reason).inc();
      const isOwn = threadNamed(source) === thread;
      // A thread ends together with the threads that it started.
      for (const [otherKey, { source: otherSource }] of unavailable) {
        const isChild = isOwn && event.kind !== "silent" && otherSource.startsWith(source);
        if (otherKey === key || isChild) unavailable.delete(otherKey);
      }
      if (event.kind === "ready") return;
      const isEnded = event.kind === "ended";
      const reason = isEnded ? event.reason : "silent";
      unavailable.set(key, { thread, source, reason, isEnded, since: new Date(now()).toISOString() });
    },
    unavailableThreads: () => [...unavailable.values()],
  };
}

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
