/** Mechanisms that spare an authority: paced requests, few concurrent ones, few retries, and none after an outage. */
import { setTimeout as sleep } from "node:timers/promises";

/** Error: too many requests wait, or a request waited for too long. */
export class CrowdedError extends Error {
  override readonly name = "CrowdedError";
}

/** Error: nothing is sent now, after several consecutive failures. */
export class OpenCircuitError extends Error {
  override readonly name = "OpenCircuitError";
}

/**
 * Makes a function that resolves at the given rate, in the order of calls. @throws CrowdedError if the signal comes
 * first
 */
export function makePace(perSecond: number): (signal: AbortSignal) => Promise<void> {
  const gapMs = 1000 / perSecond;
  let nextStart = 0;
  return async (signal) => {
    const now = performance.now();
    const startAt = Math.max(now, nextStart);
    if (signal.aborted) throw new CrowdedError("it waited too long for its turn");
    nextStart = startAt + gapMs;
    await sleep(startAt - now, undefined, { signal }).catch((error: unknown) => {
      throw new CrowdedError("it waited too long for its turn", { cause: error });
    });
  };
}

/**
 * Makes a function that runs a limited number of works concurrently, the others in order of arrival.
 * @param waitingMax maximum number of waiting works
 * @throws CrowdedError if too many wait, or if the signal comes before the start
 */
export function makeGate(concurrentMax: number, waitingMax: number) {
  const waiting = new Set<() => void>();
  let running = 0;
  const enter = (signal: AbortSignal): Promise<void> => {
    if (running < concurrentMax) {
      running += 1;
      return Promise.resolve();
    }
    if (waiting.size >= waitingMax) return Promise.reject(new CrowdedError("too many questions wait"));
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(start);
        reject(new CrowdedError("it waited too long for its turn"));
      };
      // Takes over the place of a work that ended.
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
 * Makes a circuit breaker: after the given number of consecutive failures it is open, and nothing is done for a while;
 * then one attempt decides whether it closes.
 * @param isFailure whether an error is the fault of the other side; other errors change nothing
 * @throws OpenCircuitError while it is open; errors of `work`
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
  /** Maximum number of retries. */
  readonly max: number;
  /** Pause before the first retry; it doubles and varies by half. */
  readonly firstMs: number;
  /** Returns whether another attempt makes sense. */
  isWorth(error: unknown): boolean;
}

/**
 * Retries `work` if it failed, unless the signal came.
 * @throws the error of the last attempt that the signal did not end
 */
export async function retry<T>(
  work: () => Promise<T>,
  { max, firstMs, isWorth }: Retries,
  signal: AbortSignal,
): Promise<T> {
  let previousError: unknown;
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt > 0 && signal.aborted) throw previousError;
      previousError = error;
      if (attempt >= max || signal.aborted || !isWorth(error)) throw error;
      const pauseMs = firstMs * 2 ** attempt * (0.5 + Math.random());
      await sleep(pauseMs, undefined, { signal }).catch(() => {
        throw error;
      });
    }
  }
}
