/** What stands beside records: tombstones, counters, citations, shares. */
import { isJson } from "../../core/json.js";
import type { DraftUsage } from "../../ports/store.js";
import type { RepairUnit } from "./repair-plan.js";
import type { Report } from "./report.js";

/** A tombstone, and the newest revision of a record with its id. */
export interface StoredTombstone {
  readonly id: string;
  readonly revision: number;
  readonly json: string;
  /** null: there is no such record. */
  readonly rowRevision: number | null;
}

/** Where a record was retracted only its tombstone is left. @param removal what takes the record away */
export function compareTombstone<Units>(
  report: Report<Units>,
  { id, revision, json, rowRevision }: StoredTombstone,
  removal: RepairUnit<Units>,
): void {
  if (!isJson(json)) report.add({ check: "tombstone.body", where: id, expected: "JSON", found: "not JSON" });
  if (rowRevision === null) return;
  const noted = { check: "tombstone.rows", where: id, expected: "no record", found: `revision ${rowRevision}` };
  // What was written after the retraction is nobody's to remove.
  report.add(noted, rowRevision <= revision ? removal : undefined);
}

/** A term whose citations are not counted as the rows of records have them. */
export interface WrongCitations {
  readonly vocabulary: string;
  readonly ext: string;
  /** By latest published records. */
  readonly latest: number;
  /** By all others. */
  readonly others: number;
  readonly foundLatest: number;
  readonly foundOthers: number;
}

export function addWrongCitations<Units>(
  report: Report<Units>,
  { vocabulary, ext, latest, others, foundLatest, foundOthers }: WrongCitations,
  again: RepairUnit<Units>,
): void {
  const expected = `${latest} latest and ${others} others`;
  const found = `${foundLatest} latest and ${foundOthers} others`;
  report.add({ check: "counters.citations", where: `${vocabulary}/${ext}`, expected, found }, again);
}

/** An id that was never marked as assigned (`found` is null), or whose counter is below a revision that it had. */
export interface WrongCounter {
  readonly id: string;
  readonly least: number;
  /** Why it must be so high. */
  readonly check: "record.counter" | "tombstone.counter";
  readonly found: number | null;
}

export function addWrongCounter<Units>(
  report: Report<Units>,
  { id, least, check, found }: WrongCounter,
  again: RepairUnit<Units>,
): void {
  report.add({ check, where: id, expected: `at least ${least}`, found: found ?? "none" }, again);
}

/** A user (by id) whose counts of drafts are wrong. */
export interface WrongUsage extends DraftUsage {
  readonly owner: string;
  readonly foundDrafts: number;
  readonly foundBytes: number;
}

export function addWrongUsage<Units>(
  report: Report<Units>,
  { owner, drafts, bytes, foundDrafts, foundBytes }: WrongUsage,
  again: RepairUnit<Units>,
): void {
  const text = (count: number, size: number): string => `${count} drafts of ${size} bytes`;
  const [expected, found] = [text(drafts, bytes), text(foundDrafts, foundBytes)];
  report.add({ check: "counters.drafts", where: `user ${owner}`, expected, found }, again);
}

/** A share ends with its draft. */
export function addLeftShare<Units>(report: Report<Units>, draft: string, again: RepairUnit<Units>): void {
  const noted = { check: "record.shares", where: draft, expected: "no share of a draft that is gone", found: "some" };
  report.add(noted, again);
}
