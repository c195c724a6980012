/** Comparisons of data that is stored besides records: tombstones, counters, citations, shares. */
import { isJson } from "../../core/json.js";
import type { DraftUsage } from "../../ports/store.js";
import type { RepairUnit } from "./repair-rounds.js";
import type { Report } from "./report.js";

/** A tombstone, and the newest revision of a record with its id. */
export interface StoredTombstone {
  readonly id: string;
  readonly revision: number;
  readonly json: string;
  /** null if there is no such record. */
  readonly rowRevision: number | null;
}

/** Checks that only the tombstone of a retracted record is left. @param removal unit that removes the record */
export function compareTombstone<Units>(
  report: Report<Units>,
  { id, revision, json, rowRevision }: StoredTombstone,
  removal: RepairUnit<Units>,
): void {
  if (!isJson(json)) report.add({ check: "tombstone.body", where: id, expected: "JSON", found: "not JSON" });
  if (rowRevision === null) return;
  const finding = { check: "tombstone.rows", where: id, expected: "no record", found: `revision ${rowRevision}` };
  // Data written after the retraction must not be removed.
  report.add(finding, rowRevision <= revision ? removal : undefined);
}

/** A term whose citation counts differ from the rows of records. */
export interface WrongCitations {
  readonly vocabulary: string;
  readonly ext: string;
  /** Number of citing records among latest published ones. */
  readonly latest: number;
  /** Number of citing records among all others. */
  readonly others: number;
  readonly foundLatest: number;
  readonly foundOthers: number;
}

/** Reports wrong citation counts of a term. */
export function addWrongCitations<Units>(
  report: Report<Units>,
  { vocabulary, ext, latest, others, foundLatest, foundOthers }: WrongCitations,
  unit: RepairUnit<Units>,
): void {
  const expected = `${latest} latest and ${others} others`;
  const found = `${foundLatest} latest and ${foundOthers} others`;
  report.add({ check: "counters.citations", where: `${vocabulary}/${ext}`, expected, found }, unit);
}

/** An id that was never marked as assigned (`found` is null), or whose counter is below one of its revisions. */
export interface WrongCounter {
  readonly id: string;
  readonly least: number;
  /** Check that requires the minimum. */
  readonly check: "record.counter" | "tombstone.counter";
  readonly found: number | null;
}

/** Reports a wrong counter of an id. */
export function addWrongCounter<Units>(
  report: Report<Units>,
  { id, least, check, found }: WrongCounter,
  unit: RepairUnit<Units>,
): void {
  report.add({ check, where: id, expected: `at least ${least}`, found: found ?? "none" }, unit);
}

/** A user (by id) whose counts of drafts are wrong. */
export interface WrongUsage extends DraftUsage {
  readonly owner: string;
  readonly foundDrafts: number;
  readonly foundBytes: number;
}

/** Reports wrong counts of drafts of a user. */
export function addWrongUsage<Units>(
  report: Report<Units>,
  { owner, drafts, bytes, foundDrafts, foundBytes }: WrongUsage,
  unit: RepairUnit<Units>,
): void {
  const text = (count: number, size: number): string => `${count} drafts of ${size} bytes`;
  const [expected, found] = [text(drafts, bytes), text(foundDrafts, foundBytes)];
  report.add({ check: "counters.drafts", where: `user ${owner}`, expected, found }, unit);
}

/** Reports a share without a draft. */
export function addLeftShare<Units>(report: Report<Units>, draft: string, unit: RepairUnit<Units>): void {
  const finding = { check: "record.shares", where: draft, expected: "no share of a draft that is gone", found: "some" };
  report.add(finding, unit);
}
