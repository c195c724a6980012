import { type ChangeKind, isPublicChange } from "../../core/feed/feed.js";
import { nameOf } from "./compare-record.js";
import type { RepairUnit } from "./repair-plan.js";
import type { Report } from "./report.js";

/** Columns of a row of `change` that give its place in the order. */
export interface NumberedChange {
  readonly seq: number;
  readonly time: number;
  readonly kind: ChangeKind;
  readonly state: string | null;
  /** The public number. Older versions gave drafts one too. */
  readonly shown: number | null;
}

/**
 * Checks the changes in their order: none is missing, their times never decrease, each public change has a public
 * number, and these numbers increase.
 */
export function makeChangeOrder(report: Report): (change: NumberedChange) => void {
  let [lastSeq, lastTime, lastShown] = [0, 0, 0];
  return ({ seq, time, kind, state, shown }) => {
    report.progress("changes", seq);
    const noted = { check: "changes.order", where: `change ${seq}` };
    report.compare({ ...noted, expected: `number ${lastSeq + 1}`, found: `number ${seq}` });
    if (time < lastTime) report.add({ ...noted, expected: `time ${lastTime} or later`, found: `time ${time}` });
    const isNumbered = shown === null ? !isPublicChange({ kind, state: state ?? "" }) : shown > lastShown;
    const found = shown === null ? "no public number" : `public number ${shown}`;
    if (!isNumbered) report.add({ ...noted, expected: `public number ${lastShown + 1} or later`, found });
    [lastSeq, lastTime, lastShown] = [seq, Math.max(time, lastTime), Math.max(shown ?? 0, lastShown)];
  };
}

/** The change that should be the last of a record or an item. */
export interface MissingChange {
  readonly kind: "record" | "term";
  readonly action: string;
  /** Model or vocabulary. */
  readonly place: string;
  readonly id: string;
  readonly state?: string | null;
  readonly revision: number;
}

/** The last change names the revision of what is there, and of what is gone that it was removed. */
export function addMissingChange<Units>(
  report: Report<Units>,
  { kind, action, place, id, state, revision }: MissingChange,
  found: string,
  again: RepairUnit<Units>,
): void {
  const removed = action === "removed" ? "removed, " : "";
  const noted = { expected: `last change: ${removed}revision ${revision}`, found };
  if (kind === "term") report.add({ check: "changes.terms", where: `${place}/${id}`, ...noted }, again);
  else report.add({ check: "changes.records", where: nameOf(id, state ?? ""), ...noted }, again);
}

/** An import that says nothing of what it changed. */
export function addEmptyImport(report: Report, seq: number): void {
  const noted = { check: "changes.imports", where: `change ${seq}` };
  report.add({ ...noted, expected: "the entries of the import", found: "none" });
}

/** What belongs to imports and loads that never came to be. */
export function addLeftEntries<Units>(
  report: Report<Units>,
  of: "import" | "load",
  number: number,
  again: RepairUnit<Units>,
): void {
  const [where, found] =
    of === "load" ? [`history of load ${number}`, "entries of no load"] : [`import ${number}`, "entries of no change"];
  report.add({ check: "changes.imports", where, expected: "no entries", found }, again);
}
