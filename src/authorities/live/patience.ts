/** How one authority is spared: requests paced, few at once, tried again rarely, and not at all after an outage. */
import { setTimeout as sleep } from "node:timers/promises";

/** More questions wait than may, or one waited for too long. */
export class CrowdedError extends Error {
  override readonly name = "CrowdedError";
}

/** Nothing is asked for now, after several failures in a row. */
export class OpenCircuitError extends Error {
  override readonly name = "OpenCircuitError";
}

/** Lets through so many a second, each after the one before. @throws CrowdedError where the signal comes first */
export function makePace(perSecond: number): (signal: AbortSignal) => Promise<void> {
  const gapMs = 1000 / perSecond;
  let next = 0;
  return async (signal) => {
    const now = performance.now();
    const turn = Math.max(now, next);
    if (signal.aborted) throw new CrowdedError("it waited too long for its turn");
    next = turn + gapMs;
    await sleep(turn - now, undefined, { signal }).catch((error: unknown) => {
      throw new CrowdedError("it waited too long for its turn", { cause: error });
    });
  };
}

/**
 * Runs so many at once, the others in the order in which they came.
 * @param waitingMax how many of them may wait
 * @throws CrowdedError for one too many, and where the signal comes before its turn
 */
export function makeGate(atOnce: number, waitingMax: number) {
  const waiting = new Set<() => void>();
  let running = 0;
  const enter = (signal: AbortSignal): Promise<void> => {
    if (running < atOnce) {
      running += 1;
      return Promise.resolve();
    }
    if (waiting.size >= waitingMax) return Promise.reject(new CrowdedError("too many questions wait"));
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(start);
        reject(new CrowdedError("it waited too long for its turn"));
      };
      // It takes over the place of the one that ended.
      const start = (): void => {
        waiting.delete(start);
        signal.removeEventListener("abort", leave);
        resolve();
      };
      signal.addEventListener("abort", leave, { once: true });
      waiting.add(start);
    });
  };
  const end = (): void => {
    const [next] = waiting;
    if (next !== undefined) next();
    else running -= 1;
  };
  return async <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    await enter(signal);
    return work().finally(end);
  };
}

/**
 * A circuit breaker: after so many failures in a row it is open, and nothing is done for a while; then one attempt
 * decides whether it closes.
 * @param isFailure is an error the other side's fault? Others change nothing.
 * @throws OpenCircuitError while it is open; what `work` throws
 */
export function makeBreaker(failuresMax: number, openMs: number, isFailure: (error: unknown) => boolean) {
  let failures = 0;
  let openUntil = 0;
  let isTrying = false;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    const wasOpen = failures >= failuresMax;
    if (wasOpen && (isTrying || performance.now() < openUntil)) {
      throw new OpenCircuitError(`it failed ${failures} times in a row and is not asked for now`);
    }
    isTrying = wasOpen;
    try {
      const result = await work();
      failures = 0;
      return result;
    } catch (error) {
      if (isFailure(error)) {
        failures += 1;
        openUntil = performance.now() + openMs;
      }
      throw error;
    } finally {
      if (wasOpen) isTrying = false;
    }
  };
}

interface Retries {
  /** After the first attempt. */
  readonly max: number;
  /** Pause before the first of them; it doubles, and varies by half. */
  readonly firstMs: number;
  /** Is another attempt worth it? */
  isWorth(error: unknown): boolean;
}

/**
 * Does `work` again where it failed, unless the signal came.
 * @throws what the last attempt threw that the signal did not end
 */
export async function tryAgain<T>(
  work: () => Promise<T>,
  { max, firstMs, isWorth }: Retries,
  signal: AbortSignal,
): Promise<T> {
  let before: unknown;
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt > 0 && signal.aborted) throw before;
      before = error;
      if (attempt >= max || signal.aborted || !isWorth(error)) throw error;
      const pauseMs = firstMs * 2 ** attempt * (0.5 + Math.random());
      await sleep(pauseMs, undefined, { signal }).catch(() => {
        throw error;
      });
    }
  }
}
