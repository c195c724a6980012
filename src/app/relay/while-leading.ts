import type { BackgroundReporter, BackgroundTask } from "../../core/background.js";
import type { Leadership } from "../../ports/engine.js";

/** A task that runs until it is stopped. */
export interface StoppableTask {
  stop(): Promise<void>;
}

/**
 * Runs a task that only one of several services may run. The task starts when this service becomes the leader, stops
 * when the leadership is lost, and starts again with the next leadership.
 *
 * @param task name of the task for the leadership and for reports of errors
 * @param leadership absent: there is only this service, and the task runs at once
 */
export function runWhileLeading(
  task: BackgroundTask,
  leadership: Leadership | undefined,
  background: BackgroundReporter,
  start: () => StoppableTask,
): StoppableTask {
  if (leadership === undefined) return start();
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    for (;;) {
      const lead = await leadership.lead(task, stopping.signal);
      if (lead === undefined) return;
      const runningTask = start();
      await waitForAbort(AbortSignal.any([stopping.signal, lead.lost]));
      await runningTask.stop();
      await lead.giveBack();
      if (stopping.signal.aborted) return;
    }
  };
  const done = run().catch((error: unknown) => background.onBackgroundError(task, error));
  return {
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
