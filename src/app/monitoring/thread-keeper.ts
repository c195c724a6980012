import { Counter, type Registry } from "prom-client";
import { type AwayThread, THREAD_ENDS, type ThreadEvent } from "../../core/background.js";
import { threadNamed } from "./background-reports.js";

/** Threads and processes that the service supervises, as metrics name them. */
const THREADS = ["search", "loader", "writer", "page", "preparing", "drawing", "process"] as const;

/** State of the threads and processes of the service. */
interface ThreadKeeper {
  /** @param source the thread, or the process and its thread, that says so */
  note(source: string, thread: string, event: ThreadEvent): void;
  /** Returns the threads and processes that do not answer now. */
  away(): readonly AwayThread[];
}

/** @param registry gets `bindery_thread_restarts_total` and `bindery_thread_calls_expired_total` */
export function keepThreads(registry: Registry, now: () => number): ThreadKeeper {
  const away = new Map<string, AwayThread>();
  const restarts = new Counter({
    name: "bindery_thread_restarts_total",
    help: "Threads and processes that ended or were killed, and were replaced.",
    labelNames: ["thread", "reason"],
    registers: [registry],
  });
  const expired = new Counter({
    name: "bindery_thread_calls_expired_total",
    help: "Calls that a thread or process did not answer in time.",
    labelNames: ["thread"],
    registers: [registry],
  });
  // From the start, so that an alert on their growth sees the first one.
  for (const thread of THREADS) {
    expired.labels(thread).inc(0);
    for (const reason of THREAD_ENDS) restarts.labels(thread, reason).inc(0);
  }
  return {
    note(source, thread, event) {
      const key = `${source} ${thread}`;
      if (event.kind === "expired") return expired.labels(thread).inc();
      if (event.kind === "ended") restarts.labels(thread, event.reason).inc();
      const isOwn = threadNamed(source) === thread;
      // The threads of one that ended ended with it.
      for (const [other, { source: from }] of away) {
        if (other === key || (isOwn && event.kind !== "silent" && from.startsWith(source))) away.delete(other);
      }
      if (event.kind === "ready") return;
      const isEnded = event.kind === "ended";
      const reason = isEnded ? event.reason : "silent";
      away.set(key, { thread, source, reason, isEnded, since: new Date(now()).toISOString() });
    },
    away: () => [...away.values()],
  };
}
