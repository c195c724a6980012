import { type BackgroundReporter, WARNING_REPORTER } from "../../../core/background.js";
import { BinderyError, fail } from "../../../core/errors.js";
import type { IndexScan } from "./index-scan.js";
import { type LoadedScan, scanKey } from "./snapshot-cache.js";

/**
 * Runs a scan on another thread.
 *
 * @param until milliseconds since 1970: after it the result is of no use to anybody
 */
export type ScanLoader = (scan: IndexScan, until: number) => Promise<LoadedScan>;

/**
 * Runs a scan for a search.
 *
 * @param name what of the query costs the time, in words that its author knows
 * @throws BinderyError QUERY_TOO_COSTLY or INDEX_LOADING when it takes too long; what the loader throws
 */
export type SharedScanLoader = (scan: IndexScan, name: () => string) => Promise<LoadedScan>;

/** How long the result of a scan is kept for the next search after all that waited for it have given up. */
const UNCLAIMED_MS = 60_000;

/**
 * A scan that several searches wait for is run once. One that a query's words or bounds ask for ends when nobody waits
 * for it any more. All others read what the catalog declares: they run to their end, so that whoever asks again in time
 * finds them done, however slow the machine is.
 *
 * @param limitMs how long each search waits
 */
export function singleFlight(
  load: ScanLoader,
  limitMs: number,
  background: BackgroundReporter = WARNING_REPORTER,
): SharedScanLoader {
  const running = new Map<string, Promise<LoadedScan>>();
  const forget = (key: string, loading: Promise<LoadedScan>): void => {
    if (running.get(key) === loading) running.delete(key);
  };
  const start = (key: string, scan: IndexScan): Promise<LoadedScan> => {
    const loading = load(scan, isOfQuery(scan) ? Date.now() + limitMs : Number.POSITIVE_INFINITY);
    running.set(key, loading);
    loading.then(
      () => {
        if (isOfQuery(scan)) forget(key, loading);
        else setTimeout(forget, UNCLAIMED_MS, key, loading).unref();
        background.onBackgroundSuccess("index-load");
      },
      (error: unknown) => {
        forget(key, loading);
        if (isFault(error)) background.onBackgroundError("index-load", error);
      },
    );
    return loading;
  };
  return async (scan, name) => {
    const key = scanKey(scan);
    const late = (): BinderyError =>
      isOfQuery(scan) ? fail("QUERY_TOO_COSTLY", { clause: name() }) : fail("INDEX_LOADING");
    const loading = running.get(key) ?? start(key, scan);
    const result = await within(loading, limitMs, late);
    // The search keeps it in its cache from now on.
    forget(key, loading);
    return result;
  };
}

const isOfQuery = ({ kind }: IndexScan): boolean => kind === "records" || kind === "elements" || kind === "keywords";

/** A scan that takes too long is the fault of the query. */
const isFault = (error: unknown): boolean => !(error instanceof BinderyError) || error.status >= 500;

/** @param late makes the error that is thrown where the work takes longer */
export async function within<T>(work: Promise<T>, limitMs: number, late: () => BinderyError): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
