import type { BackgroundReporter, BackgroundTask } from "../../core/background.js";
import type { Leadership } from "../../ports/engine.js";

/** What runs until it is stopped. */
export interface Running {
  stop(): Promise<void>;
}

/**
 * Runs what only one of several services may do: it begins when this one leads, ends when that is lost, and begins
 * again when it leads again.
 * @param task what it leads in, and of which errors are told
 * @param leadership absent: this service is alone
 */
export function whileLeading(
  task: BackgroundTask,
  leadership: Leadership | undefined,
  background: BackgroundReporter,
  start: () => Running,
): Running {
  if (leadership === undefined) return start();
  const ending = new AbortController();
  const run = async (): Promise<void> => {
    for (;;) {
      const lead = await leadership.lead(task, ending.signal);
      if (lead === undefined) return;
      const running = start();
      await aborted(AbortSignal.any([ending.signal, lead.lost]));
      await running.stop();
      await lead.giveBack();
      if (ending.signal.aborted) return;
    }
  };
  const done = run().catch((error: unknown) => background.onBackgroundError(task, error));
  return {
    stop: async () => {
      ending.abort();
      await done;
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
