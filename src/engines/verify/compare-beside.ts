/** Comparisons of data that is stored besides records: tombstones, counters, citations, shares, changes. */
import { type ChangeKind, isPublicChange } from "../../core/feed/feed.js";
import { isJson } from "../../core/json.js";
import type { DraftUsage } from "../../ports/store.js";
import { recordStateName } from "./compare-record.js";
import type { RepairUnit, Report } from "./report.js";

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

/** Columns of a row of `change` that give its place in the order. */
export interface NumberedChange {
  readonly seq: number;
  readonly time: number;
  readonly kind: ChangeKind;
  readonly state: string | null;
  /** The public number. Earlier versions gave drafts one too. */
  readonly shown: number | null;
}

/**
 * Makes a function that checks the changes in their order: none is missing, times never decrease, each public change
 * has a public number, and public numbers increase.
 */
export function makeChangeOrder(report: Report): (change: NumberedChange) => void {
  let [lastSeq, lastTime, lastShown] = [0, 0, 0];
  return ({ seq, time, kind, state, shown }) => {
    report.progress("changes", seq);
    const finding = { check: "changes.order", where: `change ${seq}` };
    report.compare({ ...finding, expected: `number ${lastSeq + 1}`, found: `number ${seq}` });
    if (time < lastTime) report.add({ ...finding, expected: `time ${lastTime} or later`, found: `time ${time}` });
    const isNumbered = shown === null ? !isPublicChange({ kind, state: state ?? "" }) : shown > lastShown;
    const found = shown === null ? "no public number" : `public number ${shown}`;
    if (!isNumbered) report.add({ ...finding, expected: `public number ${lastShown + 1} or later`, found });
    [lastSeq, lastTime, lastShown] = [seq, Math.max(time, lastTime), Math.max(shown ?? 0, lastShown)];
  };
}

/** The change that the last change of a record or term should be. */
export interface MissingChange {
  readonly kind: "record" | "term";
  readonly action: string;
  /** Model or vocabulary. */
  readonly place: string;
  readonly id: string;
  readonly state?: string | null;
  readonly revision: number;
}

/**
 * Reports a record or term whose last change has another revision, or a deleted one whose last change is not its
 * removal.
 */
export function addMissingChange<Units>(
  report: Report<Units>,
  { kind, action, place, id, state, revision }: MissingChange,
  found: string,
  unit: RepairUnit<Units>,
): void {
  const removed = action === "removed" ? "removed, " : "";
  const finding = { expected: `last change: ${removed}revision ${revision}`, found };
  if (kind === "term") report.add({ check: "changes.terms", where: `${place}/${id}`, ...finding }, unit);
  else report.add({ check: "changes.records", where: recordStateName(id, state ?? ""), ...finding }, unit);
}

/** Reports an import without entries. */
export function addEmptyImport(report: Report, seq: number): void {
  const finding = { check: "changes.imports", where: `change ${seq}` };
  report.add({ ...finding, expected: "the entries of the import", found: "none" });
}

/** Reports entries of imports and loads that did not succeed. */
export function addLeftEntries<Units>(
  report: Report<Units>,
  origin: "import" | "load",
  number: number,
  unit: RepairUnit<Units>,
): void {
  const [where, found] =
    origin === "load"
      ? [`history of load ${number}`, "entries of no load"]
      : [`import ${number}`, "entries of no change"];
  report.add({ check: "changes.imports", where, expected: "no entries", found }, unit);
}
