import { setTimeout as sleep } from "node:timers/promises";
import type { BackgroundReporter, BackgroundTask } from "../../core/background.js";

/** After a failure (a full disk) it waits so long. */
const RETRY_MS = 10_000;

/** How long closing waits for a step to notice it. */
const STOP_MS = 1_000;

/**
 * Runs a step of background work again and again. What fails is reported and tried again; what is not done when it is
 * stopped is left to the next start.
 *
 * @param step ends soon, or when the signal is aborted; returns the pause before the next one in milliseconds, or
 *   "done" where none is to follow
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
