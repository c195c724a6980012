import { nameOf } from "./compare-record.js";
import type { RepairUnit } from "./repair-plan.js";
import type { Report } from "./report.js";

/** Is told the changes in their order: none is missing, and their times never go back. */
export function makeChangeOrder(report: Report): (seq: number, time: number) => void {
  let [lastSeq, lastTime] = [0, 0];
  return (seq, time) => {
    report.progress("changes", seq);
    const noted = { check: "changes.order", where: `change ${seq}` };
    report.compare({ ...noted, expected: `number ${lastSeq + 1}`, found: `number ${seq}` });
    if (time < lastTime) report.add({ ...noted, expected: `time ${lastTime} or later`, found: `time ${time}` });
    [lastSeq, lastTime] = [seq, Math.max(time, lastTime)];
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
