import { LIMITS } from "../../core/limits.js";
import type { ChangeServices } from "../api/change-services.js";
import type { Deps } from "../context/deps.js";
import { decodePlace } from "./change-cursor.js";

/** How often it is looked whether anything changed, while anybody waits: once for all who do. */
const LOOK_MS = 100;

interface Waiter {
  readonly seq: number;
  readonly caller: string;
  wake(): void;
}

/** Waits until something changes after a place in the feed. Nobody waits: nothing is looked at. */
export function makeAwaitChange({
  store,
  background,
}: Pick<Deps, "store" | "background">): ChangeServices["awaitChange"] {
  const waiters = new Set<Waiter>();
  let timer: NodeJS.Timeout | undefined;

  const look = async (): Promise<void> => {
    const last = await store.changes.head().then(
      ({ seq }) => {
        background.onBackgroundSuccess("change-feed");
        return seq;
      },
      (error: unknown) => {
        // It ends the waiting: what is read next says why.
        background.onBackgroundError("change-feed", error);
        return Number.MAX_SAFE_INTEGER;
      },
    );
    for (const waiter of [...waiters]) if (last > waiter.seq) waiter.wake();
  };
  const leave = (waiter: Waiter): void => {
    waiters.delete(waiter);
    if (waiters.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  const mayWait = (caller: string): boolean => {
    if (waiters.size >= LIMITS.changeWaitersMax) return false;
    const own = [...waiters].filter((waiter) => waiter.caller === caller);
    return own.length < LIMITS.changeWaitersPerCallerMax;
  };

  return async ({ since, waitMs, caller }, signal) => {
    const { seq } = decodePlace(since);
    if (signal.aborted || waitMs === 0) return true;
    if (!mayWait(caller)) return false;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(late);
        signal.removeEventListener("abort", wake);
        leave(waiter);
        resolve();
      };
      const waiter = { seq, caller, wake };
      const late = setTimeout(wake, waitMs);
      signal.addEventListener("abort", wake);
      waiters.add(waiter);
      timer ??= setInterval(() => void look(), LOOK_MS);
    });
    return true;
  };
}
