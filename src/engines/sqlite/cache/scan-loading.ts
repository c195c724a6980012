import { setImmediate as nextTurn } from "node:timers/promises";
import { type BackgroundReporter, WARNING_REPORTER } from "../../../core/background.js";
import { BinderyError, fail } from "../../../core/errors.js";
import { lastChange } from "../connection/change-table.js";
import type { Db } from "../connection/database.js";
import { startDeadline } from "../connection/deadline.js";
import { reading } from "../connection/map-error.js";
import { makeValueDictionary } from "../documents/value-dictionary.js";
import {
  type ColumnScan,
  type IndexScan,
  runColumnScans,
  runScan,
  type ScanContext,
  type ScanResult,
} from "./index-scan.js";
import { type LoadedScan, scanKey } from "./snapshot-cache.js";

/**
 * Runs a scan on another thread.
 *
 * @param until milliseconds since 1970 after which the result is no longer needed
 */
export type ScanLoader = (scan: IndexScan, until: number) => Promise<LoadedScan>;

/**
 * Runs a scan for a search.
 *
 * @param name returns the part of the query that costs the time, in words that its author knows
 * @throws BinderyError QUERY_TOO_COSTLY or INDEX_LOADING if it takes too long; errors of the loader
 */
export type SharedScanLoader = (scan: IndexScan, name: () => string) => Promise<LoadedScan>;

/** Time that the result of a scan is kept for the next search after all searches that waited for it gave up. */
const UNCLAIMED_MS = 60_000;

/**
 * Runs a scan once for all searches that wait for it. A scan for words or bounds of a query ends when no search waits
 * for it any more. Other scans read what the catalog declares and run to their end, so that a retry finds them done
 * even on a slow machine.
 *
 * @param limitMs time that each search waits
 */
export function singleFlight(
  load: ScanLoader,
  limitMs: number,
  background: BackgroundReporter = WARNING_REPORTER,
): SharedScanLoader {
  const running = new Map<string, Promise<LoadedScan>>();
  const removeRunning = (key: string, loading: Promise<LoadedScan>): void => {
    if (running.get(key) === loading) running.delete(key);
  };
  const startScan = (key: string, scan: IndexScan): Promise<LoadedScan> => {
    const loading = load(scan, isQueryScan(scan) ? Date.now() + limitMs : Number.POSITIVE_INFINITY);
    running.set(key, loading);
    loading.then(
      () => {
        if (isQueryScan(scan)) removeRunning(key, loading);
        else setTimeout(removeRunning, UNCLAIMED_MS, key, loading).unref();
        background.onBackgroundSuccess("index-load");
      },
      (error: unknown) => {
        removeRunning(key, loading);
        if (isFault(error)) background.onBackgroundError("index-load", error);
      },
    );
    return loading;
  };
  return async (scan, name) => {
    const key = scanKey(scan);
    const makeLateError = (): BinderyError =>
      isQueryScan(scan) ? fail("QUERY_TOO_COSTLY", { clause: name() }) : fail("INDEX_LOADING");
    const loading = running.get(key) ?? startScan(key, scan);
    const result = await within(loading, limitMs, makeLateError);
    // The search caches the result from now on.
    removeRunning(key, loading);
    return result;
  };
}

const isQueryScan = ({ kind }: IndexScan): boolean => kind === "records" || kind === "elements" || kind === "keywords";

/** Returns whether the error is a fault. A scan that takes too long is not. */
const isFault = (error: unknown): boolean => !(error instanceof BinderyError) || error.status >= 500;

/** Waits for work with a time limit. @param late makes the error that is thrown if the work takes longer */
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

/**
 * Runs a scan. Its second parameter is the time (milliseconds since 1970) after which the result is no longer needed.
 */
type ScanRunner = (scan: IndexScan, until: number) => Promise<LoadedScan>;

/**
 * Makes a function that runs scans which searches of another thread miss in their cache, each in one read transaction.
 * Scans of the values at paths that arrive together (as for facets) run together, because they read the same rows.
 *
 * @param db a read connection
 * @throws BinderyError QUERY_TOO_COSTLY after the time
 */
export function makeScanRunner(db: Db): ScanRunner {
  const keys = makeValueDictionary(db);
  const inSnapshot = <T>(until: number, work: (context: ScanContext) => T): Promise<{ seq: number; found: T }> =>
    reading(() =>
      db.read(() => {
        const { check } = startDeadline(until - Date.now(), () => "the query");
        check();
        return { found: work({ db, keys, check }), seq: lastChange(db) };
      }),
    );
  let batch: Batch | undefined;
  const runInBatch = async (scan: ColumnScan, until: number): Promise<LoadedScan> => {
    batch ??= makeBatch(async (scans, lastUntil) => {
      batch = undefined;
      const { found: result, seq } = await inSnapshot(lastUntil, (context) => runColumnScans(scans, context));
      return result.map((scanResult) => ({ ...scanResult, seq }));
    });
    return batch.add(scan, until);
  };
  return async (scan, until) => {
    if (scan.kind === "numbers" || scan.kind === "keys") return runInBatch(scan, until);
    const { found: result, seq } = await inSnapshot(until, (context): ScanResult => runScan(scan, context));
    return { ...result, seq };
  };
}

/** Scans that arrived in one turn of the event loop. */
interface Batch {
  add(scan: ColumnScan, until: number): Promise<LoadedScan>;
}

function makeBatch(run: (scans: readonly ColumnScan[], until: number) => Promise<readonly LoadedScan[]>): Batch {
  const scans: ColumnScan[] = [];
  let lastUntil = 0;
  const results = nextTurn().then(() => run(scans, lastUntil));
  return {
    async add(scan, until) {
      lastUntil = Math.max(lastUntil, until);
      const place = scans.push(scan) - 1;
      return (await results)[place]!;
    },
  };
}
