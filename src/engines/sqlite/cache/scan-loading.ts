import { setImmediate as nextTurn } from "node:timers/promises";
import { lastChange } from "../connection/change-table.js";
import type { Db } from "../connection/database.js";
import { startDeadline } from "../connection/deadline.js";
import { runRead } from "../connection/map-error.js";
import { makeValueDictionary } from "../documents/dictionaries.js";
import {
  type ColumnScan,
  type IndexScan,
  runColumnScans,
  runScan,
  type ScanContext,
  type ScanResult,
} from "./index-scan.js";
import type { MissingPart } from "./missing-parts.js";

/**
 * Runs a scan, on another thread.
 *
 * @param until milliseconds since 1970 after which the result is no longer needed
 */
export type ScanLoader = (scan: IndexScan, until: number) => Promise<LoadedScan>;

/** Returns the missing part that is made by a scan on another thread. */
export function scanPart(scan: IndexScan, load: ScanLoader): MissingPart {
  const isOfQuery = scan.kind === "records" || scan.kind === "elements" || scan.kind === "keywords";
  return { key: scanKey(scan), isOfQuery, make: (until) => load(scan, until) };
}

/** Names a scan. */
export const scanKey = (scan: IndexScan): string => JSON.stringify(scan);

/** The result of a scan on another thread, as of the change `seq`. */
export interface LoadedScan extends ScanResult {
  readonly seq: number;
}

/**
 * Makes a function that runs scans which searches of another thread miss in their cache, each in one read transaction.
 * Scans of the values at paths that arrive together (as for facets) run together, because they read the same rows.
 *
 * @param db a read connection
 * @throws BinderyError QUERY_TOO_COSTLY if a scan is not finished at `until`
 */
export function makeScanRunner(db: Db): ScanLoader {
  const keys = makeValueDictionary(db);
  const runInSnapshot = <T>(until: number, work: (context: ScanContext) => T): Promise<{ seq: number; result: T }> =>
    runRead(() =>
      db.read(() => {
        const { check } = startDeadline(until - Date.now(), () => "the query");
        check();
        return { result: work({ db, keys, check }), seq: lastChange(db) };
      }),
    );
  let batch: Batch | undefined;
  const runInBatch = async (scan: ColumnScan, until: number): Promise<LoadedScan> => {
    batch ??= makeBatch(async (scans, lastUntil) => {
      batch = undefined;
      const { result, seq } = await runInSnapshot(lastUntil, (context) => runColumnScans(scans, context));
      return result.map((scanResult) => ({ ...scanResult, seq }));
    });
    return batch.add(scan, until);
  };
  return async (scan, until) => {
    if (scan.kind === "numbers" || scan.kind === "keys") return runInBatch(scan, until);
    const { result, seq } = await runInSnapshot(until, (context): ScanResult => runScan(scan, context));
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
