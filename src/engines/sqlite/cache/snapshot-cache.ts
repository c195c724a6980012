import type { DocIdRange } from "../bitmaps/doc-id-set.js";
import { recordOf } from "../documents/element-row-id.js";
import type { ChangeLog } from "./change-log.js";
import { type IndexScan, mergeResults, runScan, runScanUpTo, type ScanContext, type ScanResult } from "./index-scan.js";
import type { LruCache } from "./lru-cache.js";

/** What cannot be said before these questions are answered. */
export class CacheMiss {
  constructor(readonly scans: readonly IndexScan[]) {}
}

/** All of several, or all that is missing. */
export function allOrMiss<T>(several: readonly (T | CacheMiss)[]): readonly T[] | CacheMiss {
  const missing = several.filter((one) => one instanceof CacheMiss);
  if (missing.length > 0) return new CacheMiss(missing.flatMap(({ scans: questions }) => questions));
  return several as readonly T[];
}

/** Something that is made of an answer and kept in memory. */
export interface CachedView<T> {
  readonly key: string;
  readonly scan: IndexScan;
  make(answer: ScanResult): T;
  /**
   * The value after the records in the ranges changed; undefined where making it anew is better.
   * @param found the answer for these records, as they are now
   */
  patch(value: T, ranges: readonly DocIdRange[], found: ScanResult): T | undefined;
  /** Memory that it takes. */
  bytesOf(value: T): number;
}

/** A value as it was after the change `seq`. */
interface Kept<T> {
  readonly seq: number;
  readonly value: T;
}

/** An answer that another thread got, as it was after the change `seq`. */
export interface LoadedScan extends ScanResult {
  readonly seq: number;
}

/** What one search was told, over all of its attempts. */
export interface SearchLoads {
  readonly loaded: Map<string, LoadedScan>;
  /** What was made and is too large for the memory. */
  readonly kept: Map<string, unknown>;
}

export interface SnapshotOptions extends ScanContext {
  readonly memory: LruCache;
  readonly changes: ChangeLog;
  readonly told: SearchLoads;
  /** Does another thread answer what takes long? Else it is asked here. */
  readonly loadsElsewhere: boolean;
  /** Rows up to which an answer is quicker asked for than kept. */
  readonly fewRows: number;
}

/** Asking again takes no longer than bringing what is kept up to date. */
const QUICK_MS = 1;

export const scanKey = (question: IndexScan): string => JSON.stringify(question);

/** Sets and columns as one read transaction sees them: kept ones brought up to date, others made. */
export class Snapshot {
  /** Number of the last change that the transaction sees. */
  readonly seq: number;

  constructor(readonly options: SnapshotOptions) {
    this.seq = options.changes.catchUp();
  }

  check(): void {
    this.options.check();
  }

  get<T>(thing: CachedView<T>): T | CacheMiss {
    return this.#kept(thing) ?? this.#made(thing);
  }

  /** As `get`, but never makes it of all records: of these only, where it is not kept. */
  getWithin<T>(thing: CachedView<T>, ranges: readonly DocIdRange[]): T {
    return this.#kept(thing) ?? thing.make(runScan(thing.scan, this.options, ranges));
  }

  /** As `get`; where there are few rows, they are asked for at once, and kept only if that was not quick. */
  getSet<T>(thing: CachedView<T>): T | CacheMiss {
    const kept = this.#kept(thing);
    if (kept !== undefined) return kept;
    const start = performance.now();
    const few = runScanUpTo(thing.scan, this.options, this.options.fewRows);
    if (few === undefined) return this.#made(thing);
    // A phrase of common words has few rows, and yet takes its time.
    const isQuick = performance.now() - start < QUICK_MS;
    return isQuick ? thing.make(few) : this.#keep(thing, thing.make(few));
  }

  #kept<T>(thing: CachedView<T>): T | undefined {
    const { told, memory, changes } = this.options;
    const kept = (told.kept.get(thing.key) as Kept<T> | undefined) ?? memory.get<Kept<T>>(thing.key);
    if (kept === undefined || kept.seq === this.seq) return kept?.value;
    const ranges = changes.since(kept.seq);
    const patched =
      ranges && (ranges.length === 0 ? kept.value : thing.patch(kept.value, ranges, this.#ask(thing, ranges)));
    if (patched === undefined) {
      told.kept.delete(thing.key);
      memory.remove(thing.key);
      return undefined;
    }
    return this.#keep(thing, patched);
  }

  #ask<T>({ scan: question }: CachedView<T>, ranges: readonly DocIdRange[]): ScanResult {
    return runScan(question, this.options, ranges);
  }

  #made<T>(thing: CachedView<T>): T | CacheMiss {
    const { told, loadsElsewhere } = this.options;
    const loaded = told.loaded.get(scanKey(thing.scan));
    if (loaded === undefined && loadsElsewhere) return new CacheMiss([thing.scan]);
    const answer = (loaded && this.#brought(thing.scan, loaded)) ?? runScan(thing.scan, this.options);
    return this.#keep(thing, thing.make(answer));
  }

  /** An answer of another moment, brought to this one; undefined where too much has changed. */
  #brought(question: IndexScan, answer: LoadedScan): ScanResult | undefined {
    if (answer.seq === this.seq) return answer;
    const ranges = this.options.changes.since(answer.seq);
    if (ranges === undefined || ranges.length === 0) return ranges && answer;
    return mergeResults([unchangedPart(question, answer, ranges), runScan(question, this.options, ranges)], question);
  }

  #keep<T>(thing: CachedView<T>, value: T): T {
    const { memory, told } = this.options;
    const kept: Kept<T> = { seq: this.seq, value };
    memory.set(thing.key, kept, thing.bytesOf(value));
    // What others may use too must not be kept twice: it changes in place.
    if (memory.get(thing.key) === undefined) told.kept.set(thing.key, kept);
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
