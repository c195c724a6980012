import { addAll } from "../../../core/arrays.js";
import type { DocIdRange } from "../bitmaps/doc-id-set.js";
import { recordOf } from "../documents/element-row-id.js";
import type { ChangeLog } from "./change-log.js";
import { type IndexScan, mergeResults, runScan, runScanUpTo, type ScanContext, type ScanResult } from "./index-scan.js";
import type { LruCache } from "./lru-cache.js";

/** Thrown where a search needs scans that are not cached: another thread runs them, and the search begins again. */
export class CacheMiss extends Error {
  constructor(readonly scans: readonly IndexScan[]) {
    super("Scans of the index are not cached.");
  }
}

/** What `get` returns, or the cache miss that it throws: for a search that may be able to do without it. */
export function orMiss<T>(get: () => T): T | CacheMiss {
  try {
    return get();
  } catch (error) {
    if (error instanceof CacheMiss) return error;
    throw error;
  }
}

/** `get` of each. @throws CacheMiss with the scans of all that miss, so that they are loaded together */
export function getAll<T, R>(several: readonly T[], get: (one: T) => R): R[] {
  const found: R[] = [];
  const scans: IndexScan[] = [];
  for (const one of several) {
    const result = orMiss(() => get(one));
    if (result instanceof CacheMiss) addAll(scans, result.scans);
    else found.push(result);
  }
  if (scans.length > 0) throw new CacheMiss(scans);
  return found;
}

/** A view of a scan's result that is kept in the cache: a set, a column. */
export interface CachedView<T> {
  readonly key: string;
  readonly scan: IndexScan;
  make(result: ScanResult): T;
  /**
   * The value after the records in the ranges changed; undefined where making it anew is better.
   * @param found the result of the scan for these records, as they are now
   */
  patch(value: T, ranges: readonly DocIdRange[], found: ScanResult): T | undefined;
  /** Memory that it takes. */
  bytesOf(value: T): number;
}

/** A value as it was after the change `seq`. */
interface Entry<T> {
  readonly seq: number;
  readonly value: T;
}

/** The result of a scan that another thread ran, as it was after the change `seq`. */
export interface LoadedScan extends ScanResult {
  readonly seq: number;
}

/** What was loaded for one search, over all of its attempts. */
export interface SearchLoads {
  readonly loaded: Map<string, LoadedScan>;
  /** Views that were made and do not fit into the cache. */
  readonly uncached: Map<string, unknown>;
}

interface SnapshotOptions extends ScanContext {
  readonly cache: LruCache;
  readonly changes: ChangeLog;
  readonly loads: SearchLoads;
  /** Does another thread run the scans that take long? Else they are run here. */
  readonly loadsElsewhere: boolean;
  /** Rows up to which a scan is quicker than keeping its view up to date. */
  readonly fewRows: number;
}

/** A scan that takes no longer than bringing a cached view up to date is not cached. */
const QUICK_MS = 0.1;

export const scanKey = (scan: IndexScan): string => JSON.stringify(scan);

/** Sets and columns as one read transaction sees them: cached ones brought up to date, others made. */
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

  /** The last row of `rec`: there are at most so many records. */
  get lastRow(): number {
    this.#lastRow ??= this.options.db.sql<number>("SELECT max(id) FROM rec").pluck().get() ?? 0;
    return this.#lastRow;
  }

  /** @throws CacheMiss */
  get<T>(view: CachedView<T>): T {
    return this.#cached(view) ?? this.#load(view);
  }

  /** As `get`, but never makes it of all records: of these only, where it is not cached. */
  getWithin<T>(view: CachedView<T>, ranges: readonly DocIdRange[]): T {
    return this.#cached(view) ?? view.make(runScan(view.scan, this.options, ranges));
  }

  /** As `get`; a scan of few rows is run at once, and its view is cached only if that was not quick. */
  getSet<T>(view: CachedView<T>): T {
    const cached = this.#cached(view);
    if (cached !== undefined) return cached;
    const start = performance.now();
    const few = runScanUpTo(view.scan, this.options, this.options.fewRows);
    if (few === undefined) return this.#load(view);
    // A phrase of common words has few rows, and yet takes its time.
    const isQuick = performance.now() - start < QUICK_MS;
    return isQuick ? view.make(few) : this.#put(view, view.make(few));
  }

  #cached<T>(view: CachedView<T>): T | undefined {
    const { loads, cache, changes } = this.options;
    const entry = (loads.uncached.get(view.key) as Entry<T> | undefined) ?? cache.get<Entry<T>>(view.key);
    if (entry === undefined || entry.seq === this.seq) return entry?.value;
    const ranges = changes.since(entry.seq);
    const patched =
      ranges &&
      (ranges.length === 0 ? entry.value : view.patch(entry.value, ranges, runScan(view.scan, this.options, ranges)));
    if (patched === undefined) {
      loads.uncached.delete(view.key);
      cache.remove(view.key);
      return undefined;
    }
    return this.#put(view, patched);
  }

  #load<T>(view: CachedView<T>): T {
    const { loads, loadsElsewhere } = this.options;
    const loaded = loads.loaded.get(scanKey(view.scan));
    if (loaded === undefined && loadsElsewhere) throw new CacheMiss([view.scan]);
    const result = (loaded && this.#upToDate(view.scan, loaded)) ?? runScan(view.scan, this.options);
    return this.#put(view, view.make(result));
  }

  /** The result of another snapshot, brought to this one; undefined where too much has changed. */
  #upToDate(scan: IndexScan, result: LoadedScan): ScanResult | undefined {
    if (result.seq === this.seq) return result;
    const ranges = this.options.changes.since(result.seq);
    if (ranges === undefined || ranges.length === 0) return ranges && result;
    return mergeResults([unchangedPart(scan, result, ranges), runScan(scan, this.options, ranges)], scan);
  }

  #put<T>(view: CachedView<T>, value: T): T {
    const { cache, loads } = this.options;
    const entry: Entry<T> = { seq: this.seq, value };
    cache.set(view.key, entry, view.bytesOf(value));
    // What others may use too must not be kept twice: it changes in place.
    if (cache.get(view.key) === undefined) loads.uncached.set(view.key, entry);
    return value;
  }
}

function unchangedPart({ kind }: IndexScan, { rows, values }: ScanResult, ranges: readonly DocIdRange[]): ScanResult {
  const isRecord = kind === "records" || kind === "visible";
  const stays = (row: number): boolean => {
    const record = isRecord ? row : recordOf(row);
    return !ranges.some(({ first, last }) => record >= first && record <= last);
  };
  const kept = values?.filter((_, i) => stays(rows[i]!));
  return { rows: rows.filter(stays), ...(kept === undefined ? {} : { values: kept }) };
}
