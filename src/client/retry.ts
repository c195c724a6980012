import type { BinderyError } from "./error.js";

/** Seconds before the first further try where the service names none; each next pause is twice as long. */
const FIRST_PAUSE_SECONDS = 0.5;

/**
 * Seconds to wait before a failed request is sent again; undefined where that could do harm or no good. What was
 * refused for its rate did nothing. Else the request may have been done: a GET does nothing twice, and a POST has
 * its key.
 *
 * @param tries how often it was sent
 */
export function pauseBefore(method: string, error: BinderyError, tries: number): number | undefined {
  const { status, code, retryAfter } = error;
  const isHarmless = method === "GET" || method === "POST";
  const isPassing = status === 503 || code === "UNREACHABLE" || code === "IDEMPOTENCY_KEY_BUSY";
  if (status !== 429 && !(isHarmless && isPassing)) return undefined;
  return retryAfter ?? FIRST_PAUSE_SECONDS * 2 ** (tries - 1);
}

/** @throws the signal's reason */
export function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1_000);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
