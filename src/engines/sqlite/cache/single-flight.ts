import { type BackgroundReporter, WARNING_REPORTER } from "../../../core/background.js";
import { BinderyError, fail } from "../../../core/errors.js";
import type { IndexScan } from "./index-scan.js";
import { type LoadedScan, scanKey } from "./snapshot-cache.js";

/**
 * Has a question answered elsewhere.
 *
 * @param until milliseconds since 1970; after it nobody waits for the answer any more
 */
export type ScanLoader = (question: IndexScan, until: number) => Promise<LoadedScan>;

/**
 * Has a question answered for a search.
 *
 * @param name what of the query costs the time, in words that its author knows
 * @throws BinderyError QUERY_TOO_COSTLY when it takes too long; what the loader throws
 */
export type SharedScanLoader = (question: IndexScan, name: () => string) => Promise<LoadedScan>;

/**
 * A question that several searches wait for is asked once.
 *
 * @param limitMs how long each search waits: after that nobody would hear that it failed
 */
export function singleFlight(
  load: ScanLoader,
  limitMs: number,
  background: BackgroundReporter = WARNING_REPORTER,
): SharedScanLoader {
  const running = new Map<string, Promise<LoadedScan>>();
  const start = (key: string, question: IndexScan): Promise<LoadedScan> => {
    const loading = load(question, Date.now() + limitMs).finally(() => running.delete(key));
    running.set(key, loading);
    loading.then(
      () => background.onBackgroundSuccess("index-load"),
      (error: unknown) => isFault(error) && background.onBackgroundError("index-load", error),
    );
    return loading;
  };
  return (question, name) => {
    const key = scanKey(question);
    return within(running.get(key) ?? start(key, question), limitMs, name);
  };
}

/** A question that takes too long is the fault of who asked it. */
const isFault = (error: unknown): boolean => !(error instanceof BinderyError) || error.status >= 500;

async function within<T>(work: Promise<T>, limitMs: number, name: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(fail("QUERY_TOO_COSTLY", { clause: name() })), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
