import { setTimeout as sleep } from "node:timers/promises";
import type { BackgroundReporter, BackgroundTask } from "../../core/background.js";

/** Pause after a failure (a full disk). */
const RETRY_MS = 10_000;

/** Time that closing waits for a step to stop. */
const STOP_MS = 1_000;

/**
 * Runs a step of background work repeatedly. Failures are reported and retried; unfinished work is left to the next
 * start.
 *
 * @param step ends soon, or when the signal is aborted; returns the pause before the next one in milliseconds, or
 * "done" if there is none
 * @param retryMs pause after a failure
 */
export function startSteps(
  task: BackgroundTask,
  background: BackgroundReporter,
  step: (signal: AbortSignal) => Promise<number | "done">,
  retryMs = RETRY_MS,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (ms: number): Promise<unknown> => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        const next = await step(signal);
        background.onBackgroundSuccess(task);
        if (next === "done") return;
        await pause(next);
      } catch (error) {
        if (signal.aborted) return;
        background.onBackgroundError(task, error);
        await pause(retryMs);
      }
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await Promise.race([running, sleep(STOP_MS, undefined, { ref: false })]);
    },
  };
}
