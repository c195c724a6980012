import type { Cache } from "../../../core/caches.js";
import { contiguousRanges, type DocIdRange } from "../bitmaps/doc-id-set.js";
import { lastChange } from "../connection/change-table.js";
import type { Db } from "../connection/database.js";
import { owningRecord } from "../documents/record-rows.js";
import { type IndexScan, mergeResults, runScan, runScanUpTo, type ScanContext, type ScanResult } from "./index-scan.js";
import { type MadeParts, MissingParts } from "./missing-parts.js";
import { type LoadedScan, type ScanLoader, scanKey, scanPart } from "./scan-loading.js";

/** A view of a scan's result that is kept in the cache: a set or a column. */
export interface CachedView<T> {
  readonly key: string;
  readonly scan: IndexScan;
  make(result: ScanResult): T;
  /**
   * Returns the value after the records in the ranges changed; undefined if making it again is better.
   * @param changedResult the result of the scan for these records in their current state
   */
  patch(value: T, ranges: readonly DocIdRange[], changedResult: ScanResult): T | undefined;
  /** Returns the memory of the value in bytes. */
  measureBytes(value: T): number;
}

/** A value as of the change `seq`. */
interface Entry<T> {
  readonly seq: number;
  readonly value: T;
  /** Whether the value is made again after a change, because updating it takes as long. */
  readonly isQuick: boolean;
}

interface SnapshotOptions extends ScanContext {
  readonly cache: Cache;
  readonly changes: ChangeLog;
  /** Parts that were made for this search. */
  readonly made: MadeParts;
  /** Views of this search that do not fit into the cache. */
  readonly uncached: Map<string, unknown>;
  /** Runs slow scans on another thread. If undefined, they run on this one. */
  readonly load: ScanLoader | undefined;
  /** Number of rows up to which a scan is faster than keeping its view up to date. */
  readonly fewRows: number;
}

/** Time of a scan up to which its view is made again after a change, because updating it takes as long. */
const QUICK_MS = 0.1;

/** Sets and columns as one read transaction sees them: cached ones are updated, others are made. */
export class Snapshot {
  /** Number of the last change that the transaction sees. */
  readonly seq: number;
  #lastRow: number | undefined;

  constructor(readonly options: SnapshotOptions) {
    this.seq = options.changes.catchUp();
  }

  check(): void {
    this.options.check();
  }

  /** Last row number of `rec`, an upper bound for the number of records. */
  get lastRow(): number {
    this.#lastRow ??= this.options.db.sql<number>("SELECT max(id) FROM rec").pluck().get() ?? 0;
    return this.#lastRow;
  }

  /** Returns the value of a view. @throws MissingParts */
  get<T>(view: CachedView<T>): T {
    return this.#cached(view) ?? this.#load(view);
  }

  /** Returns the value of a view like `get`; if it is not cached, only for the records in the ranges. */
  getWithin<T>(view: CachedView<T>, ranges: readonly DocIdRange[]): T {
    return this.#cached(view) ?? view.make(runScan(view.scan, this.options, ranges));
  }

  /** Returns a set like `get`. A scan of few rows runs immediately. */
  getSet<T>(view: CachedView<T>): T {
    const cached = this.#cached(view);
    if (cached !== undefined) return cached;
    const start = performance.now();
    const fewRowsResult = runScanUpTo(view.scan, this.options, this.options.fewRows);
    if (fewRowsResult === undefined) return this.#load(view);
    // A phrase of common words may have few rows and still be slow.
    const isQuick = performance.now() - start < QUICK_MS;
    return this.#put(view, view.make(fewRowsResult), isQuick);
  }

  #cached<T>(view: CachedView<T>): T | undefined {
    const { uncached, cache, changes } = this.options;
    const entry = (uncached.get(view.key) as Entry<T> | undefined) ?? cache.get<Entry<T>>(view.key);
    if (entry === undefined || entry.seq === this.seq) return entry?.value;
    if (entry.isQuick) return undefined;
    const ranges = changes.since(entry.seq);
    const patched =
      ranges &&
      (ranges.length === 0 ? entry.value : view.patch(entry.value, ranges, runScan(view.scan, this.options, ranges)));
    if (patched === undefined) {
      uncached.delete(view.key);
      cache.remove(view.key);
      return undefined;
    }
    return this.#put(view, patched);
  }

  #load<T>(view: CachedView<T>): T {
    const { made, load } = this.options;
    const loaded = made.get<LoadedScan>(scanKey(view.scan));
    if (loaded === undefined && load !== undefined) throw new MissingParts([scanPart(view.scan, load)]);
    const result = (loaded && this.#upToDate(view.scan, loaded)) ?? runScan(view.scan, this.options);
    return this.#put(view, view.make(result));
  }

  /** Returns a result updated to this snapshot; undefined if too much has changed. */
  #upToDate(scan: IndexScan, result: LoadedScan): ScanResult | undefined {
    if (result.seq === this.seq) return result;
    const ranges = this.options.changes.since(result.seq);
    if (ranges === undefined || ranges.length === 0) return ranges && result;
    return mergeResults([unchangedPart(scan, result, ranges), runScan(scan, this.options, ranges)], scan);
  }

  #put<T>(view: CachedView<T>, value: T, isQuick = false): T {
    const { cache, uncached } = this.options;
    const entry: Entry<T> = { seq: this.seq, value, isQuick };
    cache.set(view.key, entry, view.measureBytes(value));
    // A value in the shared cache must not be kept twice, because it changes in place.
    if (cache.get(view.key) === undefined) uncached.set(view.key, entry);
    return value;
  }
}

function unchangedPart({ kind }: IndexScan, { rows, values }: ScanResult, ranges: readonly DocIdRange[]): ScanResult {
  const isRecord = kind === "records" || kind === "visible";
  const isUnchanged = (row: number): boolean => {
    const record = isRecord ? row : owningRecord(row);
    return !ranges.some(({ first, last }) => record >= first && record <= last);
  };
  const keptValues = values?.filter((_, i) => isUnchanged(rows[i]!));
  return { rows: rows.filter(isUnchanged), values: keptValues };
}

/** Log of changed rows of `rec` by the numbers of their changes, from which caches are updated. */
export interface ChangeLog {
  /** Reads the changes that the open transaction sees. @returns the number of the last one */
  catchUp(): number;
  /**
   * Returns the rows that changed after the change `seq`, as ascending ranges; undefined if they are unknown, or so
   * many that reading everything is faster.
   */
  since(seq: number): readonly DocIdRange[] | undefined;
}

/** Maximum number of changes in memory. */
const CHANGES_MAX = 20_000;

/** Maximum number of ranges that are read one by one. */
const RANGES_MAX = 500;

/** SQL for changes with the rows of all states of their record: a new draft hides its published state. */
const CHANGED_ROWS = `SELECT c.seq, c.rec, r.id FROM change c LEFT JOIN rec r ON r.pid = c.id
  WHERE c.seq > ? AND c.kind = 'record' AND c.rec IS NOT NULL ORDER BY c.seq`;

/** Makes the log. @param db a read connection */
export function makeChangeLog(db: Db): ChangeLog {
  let lastSeq: number | undefined;
  /** The log has all changes after this one. */
  let completeAfter = 0;
  let changes: { readonly seq: number; readonly row: number }[] = [];
  const rangesBySeq = new Map<number, readonly DocIdRange[] | undefined>();

  const read = (from: number): void => {
    for (const [seq, row, otherRow] of db.sql<[number, number, number | null]>(CHANGED_ROWS).raw().iterate(from)) {
      changes.push({ seq, row });
      if (otherRow !== null && otherRow !== row) changes.push({ seq, row: otherRow });
    }
    const surplus = changes.length - CHANGES_MAX;
    if (surplus <= 0) return;
    completeAfter = changes[surplus - 1]!.seq;
    changes = changes.slice(surplus);
  };

  return {
    catchUp() {
      const currentSeq = lastChange(db);
      if (currentSeq === lastSeq) return currentSeq;
      rangesBySeq.clear();
      if (lastSeq === undefined || currentSeq - lastSeq > CHANGES_MAX) {
        changes = [];
        completeAfter = currentSeq;
      } else read(lastSeq);
      lastSeq = currentSeq;
      return currentSeq;
    },
    since(seq) {
      if (!rangesBySeq.has(seq)) {
        const rows = changes.filter((change) => change.seq > seq).map(({ row }) => row);
        rangesBySeq.set(seq, seq < completeAfter ? undefined : changedRanges(rows));
      }
      return rangesBySeq.get(seq);
    },
  };
}

function changedRanges(rows: readonly number[]): readonly DocIdRange[] | undefined {
  const ranges = contiguousRanges(Float64Array.from(new Set(rows)).sort());
  return ranges.length > RANGES_MAX ? undefined : ranges;
}
