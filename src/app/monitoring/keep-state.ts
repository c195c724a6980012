import type { Logger } from "pino";
import { Counter, Gauge, type Registry } from "prom-client";
import {
  BACKGROUND_TASKS,
  type BackgroundFailure,
  type BackgroundTask,
  type Damage,
  type IntegrityCheck,
  LIVE_AUTHORITIES,
  type LiveAuthorityName,
  LOOKUP_OUTCOMES,
  type LookupOutcome,
  type RefusedWrites,
  type ServiceState,
  THREAD_ENDS,
  type ThreadEvent,
  type UnavailableThread,
  WARNED_TASKS,
} from "../../core/background.js";
import type { CacheUsage } from "../../core/caches.js";
import { BinderyError, type ParamsOf } from "../../core/errors.js";
import { unpackError } from "../rpc/rpc.js";
import { type ReportSink, threadNamed } from "./background-reports.js";

/** Interval at which equal errors of a task are logged again, with their number. */
const LOG_AGAIN_MS = 60_000;

/** Maximum number of damages to keep. */
const DAMAGES_MAX = 100;

/** State of the whole service, kept in the first process. */
export interface StateKeeper {
  /** Logs and counts an outcome of background work. Keeps an error until the task succeeds. */
  readonly report: ReportSink;
  state(): ServiceState;
  noteCheck(check: IntegrityCheck): void;
  /** Returns the first error that reported damage of the file itself. */
  fileDamage(): BinderyError | undefined;
  /** Calls `listener` once, when damage of the file is found. */
  onFileDamage(listener: (error: BinderyError) => void): void;
}

/** A failing task. */
interface FailureEntry extends BackgroundFailure {
  /** Present if the store refuses writes. */
  readonly refused?: RefusedWrites | undefined;
  /** Number of errors that are not in the log yet. */
  readonly unlogged: number;
  readonly loggedAt: number;
}

/**
 * Makes a counter of requests to authorities by all threads and processes.
 * @param isUnavailable whether the last request of any thread to the authority failed
 */
function makeLookupCounter(
  registry: Registry,
  isUnavailable: (authority: LiveAuthorityName) => boolean,
): (authority: LiveAuthorityName, outcome: LookupOutcome) => void {
  const counter = new Counter({
    name: "bindery_lookups_total",
    help: "Requests to authorities for terms that are not loaded, by authority and outcome.",
    labelNames: ["authority", "outcome"],
    registers: [registry],
  });
  // Starts at 0, so that an alert on its growth sees the first request.
  for (const authority of LIVE_AUTHORITIES) {
    for (const outcome of LOOKUP_OUTCOMES) counter.labels(authority, outcome).inc(0);
  }
  new Gauge({
    name: "bindery_lookup_unavailable",
    help: "1 if the last request to an authority got no answer, else 0, by authority.",
    labelNames: ["authority"],
    registers: [registry],
    collect() {
      for (const authority of LIVE_AUTHORITIES) this.labels(authority).set(isUnavailable(authority) ? 1 : 0);
    },
  });
  return (authority, outcome) => counter.labels(authority, outcome).inc();
}

/**
 * Makes the keeper of the state of the service.
 *
 * @param registry receives `bindery_background_errors_total`, `bindery_writes_refused`, `bindery_damages`, and the
 *   metrics of `makeLookupCounter`, `trackThreads` and `measureCaches`
 */
export function keepState(logger: Logger, registry: Registry, now: () => number = Date.now): StateKeeper {
  const failures = new Map<string, FailureEntry>();
  const damages = keepDamages(logger, registry, now);
  let integrity: IntegrityCheck | undefined;
  const counter = new Counter({
    name: "bindery_background_errors_total",
    help: "Errors of background tasks, by task.",
    labelNames: ["task"],
    registers: [registry],
  });
  // Starts at 0, so that an alert on its growth sees the first error.
  for (const task of Object.keys(BACKGROUND_TASKS)) counter.labels(task).inc(0);
  const isUnavailable = (authority: LiveAuthorityName): boolean =>
    [...failures.values()].some(({ task }) => task === `lookup-${authority}`);
  measureWrites(registry, () => refusedWrites() !== undefined);
  const countLookup = makeLookupCounter(registry, isUnavailable);
  const threads = trackThreads(registry, now);
  const noteCaches = measureCaches(registry);

  const refusedWrites = (): RefusedWrites | undefined =>
    [...failures.values()].find(({ task }) => task === "writes")?.refused;

  const addReport: ReportSink = (source, report) => {
    if (report.kind === "damage") return damages.add(unpackError(report.error));
    if (report.kind === "lookup") return countLookup(report.authority, report.outcome);
    if (report.kind === "thread") return threads.note(source, report.thread, report.event);
    if (report.kind === "caches") return noteCaches(source, report.usage, report.thread);
    const { task } = report;
    const key = `${source} ${task}`;
    const previous = failures.get(key);
    if (report.kind === "success") {
      failures.delete(key);
      if (previous !== undefined) logger.info({ task, source }, `${BACKGROUND_TASKS[task]} works again.`);
      return;
    }
    const error = unpackError(report.error);
    damages.add(error);
    counter.labels(task).inc(report.times);
    const failure = makeFailure(previous, { ...report, source }, error, now());
    failures.set(key, failure);
    if (failure.unlogged > 0) return;
    const times = (previous?.unlogged ?? 0) + report.times;
    const cure = failure.refused?.cure === undefined ? "" : ` ${failure.refused.cure}`;
    const text = `${BACKGROUND_TASKS[task]} failed: ${error.message}${cure}`;
    logger.error({ err: error, task, source, ...(times === 1 ? {} : { times }) }, text);
  };
  return {
    report: addReport,
    noteCheck: (check) => {
      integrity = check;
    },
    fileDamage: damages.fileDamage,
    onFileDamage: damages.onFileDamage,
    state: () => {
      const refused = refusedWrites();
      return {
        damages: damages.all(),
        refusedWrites: refused,
        integrity,
        unavailableThreads: threads.unavailableThreads(),
        failures: [...failures.values()].map(({ unlogged: _, loggedAt: __, refused: ___, ...failure }) => failure),
      };
    },
  };
}

/** Makes the entry of a task after one or several equal errors. `unlogged` is 0 if they are to be logged now. */
function makeFailure(
  previous: FailureEntry | undefined,
  { task, source, times }: Pick<FailureEntry, "task" | "source" | "times">,
  error: Error,
  now: number,
): FailureEntry {
  const last = new Date(now).toISOString();
  const message = publicMessage(task, error);
  const refused = findRefusal(error);
  const isLogged = previous?.message !== message || now - previous.loggedAt >= LOG_AGAIN_MS;
  return {
    task,
    source,
    message,
    last,
    first: previous?.first ?? last,
    times: (previous?.times ?? 0) + times,
    refused,
    unlogged: isLogged ? 0 : previous.unlogged + times,
    loggedAt: isLogged ? now : previous.loggedAt,
  };
}

/** Keeps the damages of the store. They remain until the service restarts with an intact file. */
function keepDamages(logger: Logger, registry: Registry, now: () => number) {
  const damages = new Map<string, Damage>();
  const listeners: ((error: BinderyError) => void)[] = [];
  let fileDamage: BinderyError | undefined;
  new Gauge({
    name: "bindery_damages",
    help: "Damaged parts of the store (the file, or records).",
    registers: [registry],
    collect() {
      this.set(damages.size);
    },
  });
  return {
    all: () => [...damages.values()],
    fileDamage: () => fileDamage,
    onFileDamage: (listener: (error: BinderyError) => void) => void listeners.push(listener),
    add(error: Error): void {
      if (!(error instanceof BinderyError) || error.code !== "STORE_DAMAGED") return;
      const { part, reason, record, row } = error.params as unknown as ParamsOf<"STORE_DAMAGED">;
      const isFileDamage = record === undefined && row === undefined;
      if (isFileDamage && fileDamage === undefined) {
        fileDamage = error;
        for (const listener of listeners) listener(error);
      }
      if (damages.has(part) || damages.size >= DAMAGES_MAX) return;
      damages.set(part, { part, reason, record, row, since: new Date(now()).toISOString() });
      logger.error({ err: error }, isFileDamage ? `${error.message} Writes are refused from now on.` : error.message);
    },
  };
}

/** Returns the reason and the cure of an error by which the store refuses a write, or undefined for other errors. */
function findRefusal(error: Error): RefusedWrites | undefined {
  if (!(error instanceof BinderyError) || error.code !== "STORE_UNAVAILABLE") return undefined;
  return error.params as unknown as RefusedWrites;
}

function measureWrites(registry: Registry, areRefused: () => boolean): void {
  new Gauge({
    name: "bindery_writes_refused",
    help: "1 while nothing can be written into the store, else 0.",
    registers: [registry],
    collect() {
      this.set(areRefused() ? 1 : 0);
    },
  });
}

/** Returns a message that is safe to publish: errors outside of the catalogue can contain anything. */
function publicMessage(task: BackgroundTask, error: Error): string {
  const isSafe = WARNED_TASKS.has(task) || (error instanceof BinderyError && error.status !== 500);
  return isSafe ? error.message : "An unexpected error; see the log.";
}

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
  unavailableThreads(): readonly UnavailableThread[];
}

/**
 * Tracks the states of supervised threads and processes, for metrics and `/readyz`.
 * @param registry receives `bindery_thread_restarts_total` and `bindery_thread_calls_expired_total`
 */
function trackThreads(registry: Registry, now: () => number): ThreadTracker {
  const unavailable = new Map<string, UnavailableThread>();
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
function measureCaches(registry: Registry): NoteCaches {
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
