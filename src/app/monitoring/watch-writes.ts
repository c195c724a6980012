import type { BackgroundReporter } from "../../core/background.js";
import { BinderyError } from "../../core/errors.js";
import { startSteps } from "../../engines/background/run-steps.js";
import type { Store } from "../../ports/store.js";

/** Pause after a failed check of writes. */
const RETRY_MS = 5_000;

/**
 * Reports while nothing can be written, as the task `writes`. After a transaction that the store refused, it checks
 * whether a write works, and repeats the check until it succeeds. Therefore, the error ends soon after its cause, even
 * if nobody writes meanwhile. Transactions that fail because of their content are ignored.
 */
export function watchWrites(store: Store, background: BackgroundReporter, retryMs = RETRY_MS): Store {
  let writeCheck: { stop(): Promise<void> } | undefined;
  let isClosed = false;
  const check = (): void => {
    if (writeCheck !== undefined || isClosed) return;
    const step = async (): Promise<"done"> => {
      await store.checkWrites();
      writeCheck = undefined;
      return "done";
    };
    writeCheck = startSteps("writes", background, step, retryMs);
  };
  return {
    ...store,
    transaction: async (...args) => {
      try {
        return await store.transaction(...args);
      } catch (error) {
        if (error instanceof BinderyError && error.code === "STORE_UNAVAILABLE") check();
        throw error;
      }
    },
    close: async () => {
      isClosed = true;
      await writeCheck?.stop();
      await store.close();
    },
  };
}
