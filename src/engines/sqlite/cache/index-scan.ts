/**
 * Scans of the index over all records are the source of every cached set and column. The same scan over some records
 * updates a cached view. A scan is plain data, which can be posted to another thread.
 */
import { fail } from "../../../core/errors.js";
import type { ReadableScope, RecordScope } from "../../../ports/search-index.js";
import type { Clause } from "../../../query/index-model/clause.js";
import { type DocIdRange, lowerBoundOfValue } from "../bitmaps/doc-id-set.js";
import { DATABASE_FILE } from "../connection/data-folder.js";
import type { Db } from "../connection/database.js";
import { ROWS_BETWEEN_CHECKS } from "../connection/deadline.js";
import type { ValueDictionary } from "../documents/dictionaries.js";
import { eachValue, findKeywords, findNumbers, keywordTest, type TakeValue } from "../documents/packed-values.js";
import { ELEMENT_BITS, elementRow } from "../documents/record-rows.js";

type Range = Extract<Clause, { kind: "range" }>;

/** A read of the index over all records, or over some of them. */
export type IndexScan =
  /** Records that match one of the FTS5 expressions. */
  | { readonly kind: "records"; readonly matches: readonly string[] }
  /** Elements that match one of the FTS5 expressions. */
  | { readonly kind: "elements"; readonly matches: readonly string[] }
  /** Records that a caller may see, or all of some models. */
  | { readonly kind: "visible"; readonly scope: RowScope }
  /** Rows with a keyword in a range. */
  | { readonly kind: "keywords"; readonly paths: readonly number[]; readonly range: Pick<Range, "from" | "to"> }
  /** All numbers (dates in microseconds) at a path. */
  | { readonly kind: "numbers"; readonly path: number }
  /** One number of each record: the smallest or the largest at the paths. */
  | { readonly kind: "extremes"; readonly paths: readonly number[]; readonly of: "smallest" | "largest" }
  /** All values of a facet's path, as rows of `key`. */
  | { readonly kind: "keys"; readonly path: number };

/** A scan whose result is a set. */
export type SetScan = Exclude<IndexScan, ColumnScan | { readonly kind: "extremes" }>;

/** A scan of all values at a path. */
export type ColumnScan = Extract<IndexScan, { kind: "numbers" | "keys" }>;

/**
 * The result of a scan. `rows` are rows of `rec` for "records" and "visible", and `record << 20 | element` for the
 * other scans, with element 0 for the record itself. They ascend or, if there are `values`, are in the order of the
 * values; each row occurs as often as it has values.
 */
export interface ScanResult {
  readonly rows: Float64Array;
  readonly values?: Float64Array | undefined;
}

/** Connection and time limit of a scan. */
export interface ScanContext {
  readonly db: Db;
  readonly keys: ValueDictionary;
  /** Checks the time limit. @throws BinderyError if the time is over */
  check(): void;
}

/** Returns the result as the open transaction sees it. @param among restricts it to these records */
export function runScan(scan: IndexScan, context: ScanContext, among?: readonly DocIdRange[]): ScanResult {
  if (among === undefined) return scanRange(scan, context);
  const parts = among.map((range) => scanRange(scan, context, range));
  return mergeResults(parts, scan);
}

/** Returns the whole result if the scan is a full-text query with at most `limit` rows, else undefined. */
export function runScanUpTo(scan: IndexScan, { db, check }: ScanContext, limit: number): ScanResult | undefined {
  if (scan.kind !== "records" && scan.kind !== "elements") return undefined;
  const table = scan.kind === "records" ? "leaf" : "elem";
  const rows: number[] = [];
  for (const match of scan.matches) {
    check();
    const statement = db.sql<number>(`SELECT rowid FROM ${table} WHERE ${table} MATCH ? LIMIT ?`).pluck();
    for (const row of statement.all(match, limit + 1 - rows.length)) rows.push(row);
    if (rows.length > limit) return undefined;
  }
  return { rows: ascending(rows, scan.matches.length > 1) };
}

function scanRange(scan: IndexScan, context: ScanContext, among?: DocIdRange): ScanResult {
  switch (scan.kind) {
    case "records":
      return { rows: matchedRows("leaf", scan.matches, context, among) };
    case "elements":
      return { rows: matchedRows("elem", scan.matches, context, among && elementRange(among)) };
    case "visible": {
      const { where, params, inOrder } = scopeSql(scan.scope);
      const index = among === undefined && inOrder !== undefined ? `INDEXED BY ${inOrder}` : "";
      const bounds = among === undefined ? "" : "AND rec.id BETWEEN ? AND ?";
      const statement = context.db.sql<number>(
        `SELECT rec.id FROM rec ${index} WHERE ${where} ${bounds} ORDER BY rec.id`,
      );
      return { rows: Float64Array.from(statement.pluck().all(...params, ...(among ? [among.first, among.last] : []))) };
    }
    case "keywords":
      return { rows: ascending(keywordRows(scan, context, among), true) };
    case "extremes":
      return extremeNumbers(scan, context, among);
    case "numbers":
    case "keys":
      return runColumnScans([scan], context, among)[0]!;
  }
}

function extremeNumbers(
  scan: Extract<IndexScan, { kind: "extremes" }>,
  context: ScanContext,
  among?: DocIdRange,
): ScanResult {
  const isBetter = (value: number, best: number): boolean => (scan.of === "smallest" ? value < best : value > best);
  const numbers = { rows: [] as number[], values: [] as number[] };
  eachRecord(scan.paths, VALUES, context, among, ([id, vals]) => {
    let best: number | undefined;
    for (const path of scan.paths) {
      findNumbers(vals, path, (_, value) => {
        if (best === undefined || isBetter(value, best)) best = value;
      });
    }
    if (best === undefined) return;
    numbers.rows.push(elementRow(id, 0));
    numbers.values.push(best);
  });
  return sortResult(numbers, scan);
}

const elementRange = ({ first, last }: DocIdRange): DocIdRange => ({
  first: elementRow(first, 0),
  last: elementRow(last, 2 ** ELEMENT_BITS - 1),
});

function matchedRows(
  table: "leaf" | "elem",
  matches: readonly string[],
  { db, check }: ScanContext,
  among?: DocIdRange,
): Float64Array {
  const bounds = among === undefined ? "" : "AND rowid BETWEEN ? AND ?";
  const statement = db.sql<number>(`SELECT rowid FROM ${table} WHERE ${table} MATCH ? ${bounds}`).pluck();
  // FTS5 ignores a row id bound that is not an integer, and a JS number binds as REAL.
  const params = among === undefined ? [] : [BigInt(among.first), BigInt(among.last)];
  const rows: number[] = [];
  for (const match of matches) {
    check();
    const found = statement.all(match, ...params);
    if (matches.length === 1) return Float64Array.from(found);
    for (const row of found) rows.push(row);
  }
  return ascending(rows, true);
}

/** Number of paths above which nearly every record has one: reading all records is faster than looking up each path. */
const PATHS_LOOKED_UP_MAX = 64;

/** Columns that are read of each record. */
const VALUES = { columns: "rec.id, vals", from: "rec" } as const;
const VALUES_AND_TEXTS = {
  columns: "rec.id, vals, texts",
  from: "rec CROSS JOIN rec_text ON rec_text.id = rec.id",
} as const;

/** Calls `take` for each record that has a value at one of the paths, and possibly for others. */
function eachRecord(
  paths: readonly number[],
  read: typeof VALUES | typeof VALUES_AND_TEXTS,
  { db, check }: ScanContext,
  among: DocIdRange | undefined,
  take: (row: readonly [id: number, vals: Buffer, texts: Buffer]) => void,
): void {
  const isLookedUp = paths.length <= PATHS_LOOKED_UP_MAX;
  const bounds = among === undefined ? "" : `AND ${isLookedUp ? "leaf.rowid" : "rec.id"} BETWEEN ? AND ?`;
  const from = isLookedUp
    ? `leaf CROSS JOIN ${read.from} WHERE rec.id = leaf.rowid AND leaf MATCH ?`
    : `${read.from} WHERE true`;
  const statement = db.sql<[number, Buffer, Buffer]>(`SELECT ${read.columns} FROM ${from} ${bounds}`).raw();
  const match = isLookedUp ? [paths.map((path) => `"?${path}"`).join(" OR ")] : [];
  const params = among === undefined ? [] : [BigInt(among.first), BigInt(among.last)];
  let rowCount = 0;
  let record = 0;
  try {
    for (const row of statement.iterate(...match, ...params)) {
      if (rowCount++ % ROWS_BETWEEN_CHECKS === 0) check();
      record = row[0];
      take(row);
    }
  } catch (error) {
    throw isUnpackError(error) ? valuesDamaged(db, record, error) : error;
  }
}

/** Returns whether the error is one of reading beyond the end of packed values, or of a column of another type. */
const isUnpackError = (error: unknown): boolean => error instanceof RangeError || error instanceof TypeError;

function valuesDamaged(db: Db, row: number, cause: unknown): Error {
  const id = db.sql<string>("SELECT pid FROM rec WHERE id = ?").pluck().get(row) ?? `in row ${row}`;
  const part = `The index of the record "${id}" in ${DATABASE_FILE}`;
  return fail("STORE_DAMAGED", { part, reason: "its values cannot be unpacked", record: id }, cause);
}

function keywordRows(
  { paths, range }: Extract<IndexScan, { kind: "keywords" }>,
  context: ScanContext,
  among?: DocIdRange,
): number[] {
  const wantedPaths = new Set(paths);
  const test = keywordTest(range);
  const rows: number[] = [];
  eachRecord(paths, VALUES_AND_TEXTS, context, among, ([id, vals, texts]) => {
    findKeywords(
      { vals, texts },
      wantedPaths,
      test,
      context.keys.folded,
      (element) => void rows.push(elementRow(id, element)),
    );
  });
  return rows;
}

/** Scans several paths at once. Their values share a column, so this costs little more than one scan. */
export function runColumnScans(
  scans: readonly ColumnScan[],
  context: ScanContext,
  among?: DocIdRange,
): readonly ScanResult[] {
  const foundValues = { numbers: new Map<number, FoundValues>(), keys: new Map<number, FoundValues>() };
  for (const { kind, path } of scans) foundValues[kind].set(path, { rows: [], values: [] });
  let record = 0;
  const takeInto =
    (byPath: ReadonlyMap<number, FoundValues>): TakeValue =>
    (path, element, value) => {
      const at = byPath.get(path);
      if (at === undefined) return;
      at.rows.push(elementRow(record, element));
      at.values.push(value);
    };
  const takeNumber = takeInto(foundValues.numbers);
  const takeKey = takeInto(foundValues.keys);
  const paths = [...new Set(scans.map(({ path }) => path))];
  eachRecord(paths, VALUES, context, among, ([id, vals]) => {
    record = id;
    eachValue(vals, takeNumber, takeKey);
  });
  return scans.map((scan) => sortResult(foundValues[scan.kind].get(scan.path)!, scan));
}

/** Rows with their values. */
interface FoundValues {
  readonly rows: number[];
  readonly values: number[];
}

/** Sorts numbers by value and keys by row. */
function sortResult(
  { rows, values }: { readonly rows: ArrayLike<number>; readonly values: ArrayLike<number> },
  { kind }: IndexScan,
): ScanResult {
  const isByValue = kind !== "keys";
  const [sorted, movedCompanions] = isByValue ? sortedWith(values, rows) : sortedWith(rows, values);
  return isByValue ? { rows: movedCompanions, values: sorted } : { rows: sorted, values: movedCompanions };
}

/**
 * Sorts numbers together with their companions; equal numbers keep their order. Rows of records are usually sorted
 * already. Sorting with a comparison function is far slower.
 */
function sortedWith(
  by: ArrayLike<number>,
  companions: ArrayLike<number>,
): [sorted: Float64Array, movedCompanions: Float64Array] {
  const isSorted = (value: number, i: number): boolean => i === 0 || by[i - 1]! <= value;
  const sorted = Float64Array.from(by);
  if (sorted.every(isSorted)) return [sorted, Float64Array.from(companions)];
  sorted.sort();
  const movedCompanions = new Float64Array(sorted.length);
  const placedCount = new Uint32Array(sorted.length);
  for (let i = 0; i < by.length; i++) {
    const first = lowerBoundOfValue(sorted, by[i]!);
    movedCompanions[first + placedCount[first]!] = companions[i]!;
    placedCount[first]! += 1;
  }
  return [sorted, movedCompanions];
}

interface PlainResult {
  readonly rows: ArrayLike<number>;
  readonly values?: ArrayLike<number> | undefined;
}

/** Merges the results of several scans that have no row in common. */
export function mergeResults(parts: readonly PlainResult[], scan: IndexScan): ScanResult {
  const rows = parts.flatMap((part) => Array.from(part.rows));
  const hasValues = scan.kind === "numbers" || scan.kind === "extremes" || scan.kind === "keys";
  if (!hasValues) return { rows: ascending(rows, parts.length > 1) };
  return sortResult({ rows, values: parts.flatMap((part) => Array.from(part.values ?? [])) }, scan);
}

function ascending(rows: readonly number[], isMixed: boolean): Float64Array {
  return isMixed ? Float64Array.from(new Set(rows)).sort() : Float64Array.from(rows);
}

/** A set of rows: those that a caller may see, all of some models, or the drafts that a user owns. */
export type RowScope =
  | Exclude<RecordScope, ReadableScope>
  | { readonly kind: "models"; readonly models: readonly string[] }
  | { readonly kind: "ownDrafts"; readonly owner: string; readonly models: readonly string[] };

/** A row scope as an SQL condition on `rec` that its indexes answer. */
interface ScopeSql {
  readonly where: string;
  readonly params: readonly unknown[];
  /** Index that lists the visible rows in the order of their ids; undefined: SQLite's own choice is fastest. */
  readonly inOrder?: string;
}

function scopeSql(scope: RowScope): ScopeSql {
  const models = `rec.model IN (${scope.models.map(() => "?").join(", ")})`;
  switch (scope.kind) {
    case "models":
      return { where: models, params: scope.models, inOrder: "rec_seen" };
    case "public":
      return {
        where: `rec.state = 1${scope.allVersions ? "" : " AND rec.latest = 1"} AND ${models}`,
        params: scope.models,
        inOrder: scope.models.length === 1 && !scope.allVersions ? "rec_public" : "rec_seen",
      };
    case "owner": {
      const shown = scope.allVersions ? "rec.other_state = 0" : "(rec.latest = 1 AND rec.other_state = 0)";
      return {
        where: `rec.owner = ? AND (rec.state = 0 OR ${shown})${publishedSql(scope.isPublished)} AND ${models}`,
        params: [scope.owner, ...scope.models],
        inOrder: "rec_owner",
      };
    }
    case "ownDrafts":
      return {
        where: `rec.owner = ? AND rec.state = 0 AND ${models}`,
        params: [scope.owner, ...scope.models],
        inOrder: "rec_owner",
      };
    case "drafts":
      return {
        where: `rec.state = 0${publishedSql(scope.isPublished)} AND ${models}`,
        params: scope.models,
        inOrder: "rec_seen",
      };
    case "shared":
      return {
        where: `rec.state = 0 AND rec.pid IN (SELECT pid FROM access WHERE user = ?)${publishedSql(scope.isPublished)}
          AND ${models}`,
        params: [Number(scope.user), ...scope.models],
      };
  }
}

/** Returns the condition on the state of publication: `other_state` says that the other state of the record exists. */
function publishedSql(isPublished: boolean | undefined): string {
  if (isPublished === undefined) return "";
  return isPublished ? " AND (rec.state = 1 OR rec.other_state = 1)" : " AND rec.state = 0 AND rec.other_state = 0";
}
