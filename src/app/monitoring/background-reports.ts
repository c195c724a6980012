/** How outcomes of background work travel from the thread that does it to the process that keeps the log. */
import type {
  BackgroundReporter,
  BackgroundTask,
  LiveAuthorityName,
  LookupOutcome,
  ThreadEvent,
} from "../../core/background.js";
import { type PackedError, packError } from "../rpc/rpc.js";

/** One outcome, or several equal ones: fit to be posted to another thread or process. */
export type BackgroundReport =
  | { readonly kind: "error"; readonly task: BackgroundTask; readonly error: PackedError; readonly times: number }
  | { readonly kind: "success"; readonly task: BackgroundTask }
  | { readonly kind: "damage"; readonly error: PackedError }
  | { readonly kind: "lookup"; readonly authority: LiveAuthorityName; readonly outcome: LookupOutcome }
  | { readonly kind: "thread"; readonly thread: string; readonly event: ThreadEvent };

/** Takes reports. @param source the thread, or the process and its thread, that they come from */
export type ReportSink = (source: string, report: BackgroundReport) => void;

/** Returns the name of a thread or process in metrics: `loader` for "loader thread", `process` for "process 2". */
export function threadNamed(name: string): string {
  return name.replace(/^.*: /u, "").replace(/ thread$| \d+$/u, "");
}

/** Equal errors of a task are sent at most so often, with their number. */
const REPEAT_MS = 1_000;

/** Damages that are sent, each once: with so many it does not matter which others there are. */
const DAMAGES_MAX = 100;

/** What was last sent of a task; `text` is undefined after a success. */
interface Sent {
  readonly text: string | undefined;
  /** Equal errors since then. */
  waiting: number;
  error: unknown;
  timer: NodeJS.Timeout | undefined;
}

/**
 * A reporter that sends what is new: the first of equal errors at once, the others counted; of successes the first one
 * and those after an error.
 */
export function makeReporter(send: (report: BackgroundReport) => void): BackgroundReporter {
  const tasks = new Map<BackgroundTask, Sent>();
  const damages = new Set<string>();
  const flush = (task: BackgroundTask, sent: Sent): void => {
    clearTimeout(sent.timer);
    sent.timer = undefined;
    if (sent.waiting === 0) return;
    send({ kind: "error", task, error: packError(sent.error), times: sent.waiting });
    sent.waiting = 0;
  };
  return {
    onBackgroundError(task, error) {
      const text = error instanceof Error ? error.message : String(error);
      const sent = tasks.get(task);
      if (sent?.text === text) {
        sent.waiting += 1;
        sent.error = error;
        sent.timer ??= setTimeout(() => flush(task, sent), REPEAT_MS).unref();
        return;
      }
      if (sent !== undefined) flush(task, sent);
      tasks.set(task, { text, waiting: 0, error: undefined, timer: undefined });
      send({ kind: "error", task, error: packError(error), times: 1 });
    },
    onBackgroundSuccess(task) {
      const sent = tasks.get(task);
      if (sent !== undefined && sent.text === undefined) return;
      if (sent !== undefined) flush(task, sent);
      // The first one too: a thread before this one may have ended while the task failed.
      tasks.set(task, { text: undefined, waiting: 0, error: undefined, timer: undefined });
      send({ kind: "success", task });
    },
    onDamage(error) {
      if (damages.has(error.message) || damages.size >= DAMAGES_MAX) return;
      damages.add(error.message);
      send({ kind: "damage", error: packError(error) });
    },
    onLookup: (authority, outcome) => send({ kind: "lookup", authority, outcome }),
    onThread: (thread, event) => send({ kind: "thread", thread, event }),
  };
}
