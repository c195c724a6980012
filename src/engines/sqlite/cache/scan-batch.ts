import { setImmediate as nextTurn } from "node:timers/promises";
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
import type { LoadedScan } from "./snapshot-cache.js";

/** Takes the time (milliseconds since 1970) after which nobody waits for the result any more. */
type ScanRunner = (scan: IndexScan, until: number) => Promise<LoadedScan>;

/**
 * Runs the scans that searches of another thread miss in their cache, each in one read transaction. Scans of the values
 * at paths that come together (facets do) are run together: they read the same rows.
 *
 * @param db a reading connection
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
    batch ??= makeBatch(async (scans, last) => {
      batch = undefined;
      const { found, seq } = await inSnapshot(last, (context) => runColumnScans(scans, context));
      return found.map((one) => ({ ...one, seq }));
    });
    return batch.add(scan, until);
  };
  return async (scan, until) => {
    if (scan.kind === "numbers" || scan.kind === "keys") return runInBatch(scan, until);
    const { found, seq } = await inSnapshot(until, (context): ScanResult => runScan(scan, context));
    return { ...found, seq };
  };
}

/** Scans that came in one turn of the event loop. */
interface Batch {
  add(scan: ColumnScan, until: number): Promise<LoadedScan>;
}

function makeBatch(run: (scans: readonly ColumnScan[], until: number) => Promise<readonly LoadedScan[]>): Batch {
  const scans: ColumnScan[] = [];
  let last = 0;
  const results = nextTurn().then(() => run(scans, last));
  return {
    async add(scan, until) {
      last = Math.max(last, until);
      const place = scans.push(scan) - 1;
      return (await results)[place]!;
    },
  };
}
