import type { BinderyError } from "./error.js";

/** Seconds before the first retry, if the service names none; each further pause is twice as long. */
const FIRST_PAUSE_SECONDS = 0.5;

/**
 * Returns the seconds to wait before a failed request is repeated; undefined if a retry could do harm or is useless. A
 * request over the rate limit had no effect. Other requests may have had one: a GET can be repeated, and a POST has a
 * key.
 *
 * @param tries number of attempts
 */
export function pauseBefore(method: string, error: BinderyError, tries: number): number | undefined {
  const { status, code, retryAfter } = error;
  const isHarmless = method === "GET" || method === "POST";
  const isPassing = status === 503 || code === "UNREACHABLE" || code === "IDEMPOTENCY_KEY_BUSY";
  if (status !== 429 && !(isHarmless && isPassing)) return undefined;
  return retryAfter ?? FIRST_PAUSE_SECONDS * 2 ** (tries - 1);
}

/** Waits. @throws the reason of the signal */
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
