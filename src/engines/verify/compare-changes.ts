import { type ChangeKind, isPublicChange } from "../../core/feed/feed.js";
import { nameOf } from "./compare-record.js";
import type { RepairUnit } from "./repair-rounds.js";
import type { Report } from "./report.js";

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
  else report.add({ check: "changes.records", where: nameOf(id, state ?? ""), ...finding }, unit);
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
