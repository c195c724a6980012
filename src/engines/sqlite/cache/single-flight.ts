import { type BackgroundReporter, WARNING_REPORTER } from "../../../core/background.js";
import { BinderyError, fail } from "../../../core/errors.js";
import type { IndexScan } from "./index-scan.js";
import { type LoadedScan, scanKey } from "./snapshot-cache.js";

/**
 * Runs a scan on another thread.
 *
 * @param until milliseconds since 1970; after it nobody waits for the result any more
 */
export type ScanLoader = (scan: IndexScan, until: number) => Promise<LoadedScan>;

/**
 * Runs a scan for a search.
 *
 * @param name what of the query costs the time, in words that its author knows
 * @throws BinderyError QUERY_TOO_COSTLY when it takes too long; what the loader throws
 */
export type SharedScanLoader = (scan: IndexScan, name: () => string) => Promise<LoadedScan>;

/**
 * A scan that several searches wait for is run once.
 *
 * @param limitMs how long each search waits: after that nobody would hear that it failed
 */
export function singleFlight(
  load: ScanLoader,
  limitMs: number,
  background: BackgroundReporter = WARNING_REPORTER,
): SharedScanLoader {
  const running = new Map<string, Promise<LoadedScan>>();
  const start = (key: string, scan: IndexScan): Promise<LoadedScan> => {
    const loading = load(scan, Date.now() + limitMs).finally(() => running.delete(key));
    running.set(key, loading);
    loading.then(
      () => background.onBackgroundSuccess("index-load"),
      (error: unknown) => isFault(error) && background.onBackgroundError("index-load", error),
    );
    return loading;
  };
  return (scan, name) => {
    const key = scanKey(scan);
    return within(running.get(key) ?? start(key, scan), limitMs, name);
  };
}

/** A scan that takes too long is the fault of the query. */
const isFault = (error: unknown): boolean => !(error instanceof BinderyError) || error.status >= 500;

/** @throws BinderyError QUERY_TOO_COSTLY where the work takes longer */
export async function within<T>(work: Promise<T>, limitMs: number, name: () => string): Promise<T> {
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
