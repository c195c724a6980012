/** Reports of background work, sent from the thread that does it to the process that writes the log. */
import type {
  BackgroundReporter,
  BackgroundTask,
  LiveAuthorityName,
  LookupOutcome,
  ThreadEvent,
} from "../../core/background.js";
import type { CacheUsage } from "../../core/caches.js";
import { type PackedError, packError } from "../rpc/rpc.js";

/** One outcome, or several equal errors. Can be posted to another thread or process. */
export type BackgroundReport =
  | { readonly kind: "error"; readonly task: BackgroundTask; readonly error: PackedError; readonly times: number }
  | { readonly kind: "success"; readonly task: BackgroundTask }
  | { readonly kind: "damage"; readonly error: PackedError }
  | { readonly kind: "lookup"; readonly authority: LiveAuthorityName; readonly outcome: LookupOutcome }
  | { readonly kind: "thread"; readonly thread: string; readonly event: ThreadEvent }
  | { readonly kind: "caches"; readonly usage: readonly CacheUsage[]; readonly thread: string | undefined };

/** Receives reports. @param source the thread, or the process and its thread, that sent the report */
export type ReportSink = (source: string, report: BackgroundReport) => void;

/** Returns the name of a thread or process in metrics: `loader` for "loader thread", `process` for "process 2". */
export function threadNamed(name: string): string {
  return name.replace(/^.*: /u, "").replace(/ thread$| \d+$/u, "");
}

/** Interval at which equal errors of a task are sent, with their number. */
const REPEAT_MS = 1_000;

/** Maximum number of damages to send. Each is sent once; with so many, further ones do not matter. */
const DAMAGES_MAX = 100;

/** The last report of a task. */
interface TaskReport {
  /** Message of the error; undefined after a success. */
  readonly text: string | undefined;
  /** Number of equal errors since then that were not sent. */
  unsent: number;
  error: unknown;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Makes a reporter that sends only news. The first of equal errors is sent at once, the number of others once per
 * `REPEAT_MS`. A success is sent if it is the first one or follows an error.
 */
export function makeReporter(send: (report: BackgroundReport) => void): BackgroundReporter {
  const tasks = new Map<BackgroundTask, TaskReport>();
  const damages = new Set<string>();
  const lastUsages = new Map<string | undefined, string>();
  const flush = (task: BackgroundTask, report: TaskReport): void => {
    clearTimeout(report.timer);
    report.timer = undefined;
    if (report.unsent === 0) return;
    send({ kind: "error", task, error: packError(report.error), times: report.unsent });
    report.unsent = 0;
  };
  return {
    onBackgroundError(task, error) {
      const text = error instanceof Error ? error.message : String(error);
      const last = tasks.get(task);
      if (last?.text === text) {
        last.unsent += 1;
        last.error = error;
        last.timer ??= setTimeout(() => flush(task, last), REPEAT_MS).unref();
        return;
      }
      if (last !== undefined) flush(task, last);
      tasks.set(task, { text, unsent: 0, error: undefined, timer: undefined });
      send({ kind: "error", task, error: packError(error), times: 1 });
    },
    onBackgroundSuccess(task) {
      const last = tasks.get(task);
      if (last !== undefined && last.text === undefined) return;
      if (last !== undefined) flush(task, last);
      // The first success is sent too, because the task may have failed in an earlier thread that this one replaces.
      tasks.set(task, { text: undefined, unsent: 0, error: undefined, timer: undefined });
      send({ kind: "success", task });
    },
    onDamage(error) {
      if (damages.has(error.message) || damages.size >= DAMAGES_MAX) return;
      damages.add(error.message);
      send({ kind: "damage", error: packError(error) });
    },
    onLookup: (authority, outcome) => send({ kind: "lookup", authority, outcome }),
    onThread: (thread, event) => send({ kind: "thread", thread, event }),
    onCaches(usage, thread) {
      const text = JSON.stringify(usage);
      if (text === lastUsages.get(thread)) return;
      lastUsages.set(thread, text);
      send({ kind: "caches", usage, thread });
    },
  };
}
