import type { RecordBody, RecordHead } from "../../core/record.js";
import { flagsIn, flagsOf, type VersionState, withFlags } from "../../core/records/version-flags.js";
import { formatInstant } from "../../core/time.js";
import type { RepairUnit } from "./repair-plan.js";
import type { Report } from "./report.js";
import { readStoredBody } from "./stored-body.js";

/** A record as findings name it. */
export const nameOf = (id: string, state: string): string => `${id} (${state})`;

/**
 * Reads the body of a record. @param isWritten is the text what was written? absent: nobody can say
 * @returns undefined where it cannot be read
 */
export function compareBody(
  report: Report,
  where: string,
  json: string | null,
  isWritten: (json: string, body: RecordBody) => boolean = () => true,
): RecordBody | undefined {
  const add = (expected: string, found: string): undefined =>
    void report.add({ check: "record.body", where, expected, found });
  if (json === null) return add("a body", "none");
  const body = readStoredBody(json);
  if (typeof body === "string") return add("the record as JSON", body);
  return isWritten(json, body) ? body : add("what was written", "a text with another checksum");
}

export function noteUnknownModel(report: Report, model: string): void {
  report.note(`The catalog has no model ${model}: the index of its records is not compared.`);
}

/** Compares columns with those that a body makes. @param checkOf the check that a column belongs to */
export function compareColumns<Units>(
  report: Report<Units>,
  where: string,
  columns: Iterable<readonly [column: string, expected: unknown, found: unknown]>,
  again: RepairUnit<Units>,
  checkOf: (column: string) => string = () => "record.columns",
): void {
  for (const [column, expected, found] of columns) {
    const noted = { expected: `${column} ${expected}`, found: `${column} ${found}` };
    report.compare({ check: checkOf(column), where, ...noted }, again);
  }
}

/** A row under a parent. */
export interface StoredVersion extends VersionState {
  readonly head: RecordHead;
}

export const storedVersion = (head: RecordHead): StoredVersion => ({
  ...{ head, id: head.id, state: head.state, version: head.versions.index },
});

/**
 * Of all versions under one parent the newest published one, and no other, is the latest; each says rightly whether it
 * is a draft, published, and followed by another; no two have one place.
 * @param all the rows under the parent whose bodies can be read
 */
export function compareVersions<Units>(
  report: Report<Units>,
  parent: string,
  all: readonly StoredVersion[],
  again: RepairUnit<Units>,
): void {
  const check = "record.versions";
  const places = new Map<number, string>();
  for (const version of all) {
    const { head, id, version: index } = version;
    const [expected, found] = [flagsOf(version, all), flagsIn(head)].map((flags) => JSON.stringify(flags));
    report.compare({ check, where: nameOf(id, version.state), expected, found }, again);
    const other = places.get(index) ?? id;
    places.set(index, other);
    const where = `version ${index} of ${parent}`;
    report.compare({ check, where, expected: `one id, ${other}`, found: `one id, ${id}` });
  }
}

/**
 * The versions under a parent whose flags are wrong, with the heads that they should have: each has the next revision
 * of its id, and all rows of an id that change together take the same number.
 * @param now microseconds
 * @param canChange may a row be rewritten as it stands?
 * @param lastRevision of an id; absent: it has no counter
 */
export function withRightFlags<Version extends StoredVersion>(
  all: readonly Version[],
  now: number,
  canChange: (head: RecordHead) => boolean,
  lastRevision: (id: string) => number | undefined,
): readonly (readonly [version: Version, head: RecordHead])[] {
  const raised = new Map<string, number>();
  return all.flatMap((version) => {
    const { id, head } = version;
    const flags = flagsOf(version, all);
    if (!canChange(head) || JSON.stringify(flags) === JSON.stringify(flagsIn(head))) return [];
    const revision_id = raised.get(id) ?? (lastRevision(id) ?? head.revision_id) + 1;
    raised.set(id, revision_id);
    return [[version, { ...withFlags(head, flags), updated: formatInstant(now), revision_id }] as const];
  });
}
