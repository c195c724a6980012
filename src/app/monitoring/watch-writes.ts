import type { BackgroundReporter } from "../../core/background.js";
import { BinderyError } from "../../core/errors.js";
import { startSteps } from "../../engines/background/run-steps.js";
import type { Store } from "../../ports/store.js";

/** How often it is looked whether writes work again. */
const LOOK_MS = 5_000;

/**
 * Has the operator told while nothing can be written (task `writes`). Where a transaction is refused because of the
 * store, and not of what it writes, a write is checked; while that fails too, it is checked again and again, so that
 * the error ends soon after its cause, whether or not anybody writes meanwhile.
 */
export function watchWrites(store: Store, background: BackgroundReporter, lookMs = LOOK_MS): Store {
  let checking: { stop(): Promise<void> } | undefined;
  let isClosed = false;
  const check = (): void => {
    if (checking !== undefined || isClosed) return;
    const step = async (): Promise<"done"> => {
      await store.checkWrites();
      checking = undefined;
      return "done";
    };
    checking = startSteps("writes", background, step, lookMs);
  };
  return {
    ...store,
    transaction: async (...asked) => {
      try {
        return await store.transaction(...asked);
      } catch (error) {
        if (error instanceof BinderyError && error.code === "STORE_UNAVAILABLE") check();
        throw error;
      }
    },
    close: async () => {
      isClosed = true;
      await checking?.stop();
      await store.close();
    },
  };
}
