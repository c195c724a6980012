import type { Json } from "../../core/json.js";
import { isBody, type RecordBody, type RecordHead } from "../../core/record.js";
import { computeFlags, readFlags, type VersionState, withFlags } from "../../core/records/record-change.js";
import { formatInstant } from "../../core/time.js";
import type { RepairUnit, Report } from "./report.js";

/** Names a record for findings. */
export const recordStateName = (id: string, state: string): string => `${id} (${state})`;

/**
 * Reads the body of a record. @param isWritten returns whether the text is the one that was written
 * @returns undefined if it cannot be read
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

/** Records in the report that the catalog lacks the model of a record. */
export function noteUnknownModel(report: Report, model: string): void {
  report.note(`The catalog has no model ${model}: the index of its records is not compared.`);
}

/** Compares columns with those that a body produces. @param checkOf returns the check to which a column belongs */
export function compareColumns<Units>(
  report: Report<Units>,
  where: string,
  columns: Iterable<readonly [column: string, expected: unknown, found: unknown]>,
  unit: RepairUnit<Units>,
  checkOf: (column: string) => string = () => "record.columns",
): void {
  for (const [column, expected, found] of columns) {
    const finding = { expected: `${column} ${expected}`, found: `${column} ${found}` };
    report.compare({ check: checkOf(column), where, ...finding }, unit);
  }
}

/** A row under a parent. */
export interface StoredVersion extends VersionState {
  readonly head: RecordHead;
}

/** Converts the head of a body to a row under its parent. */
export const storedVersion = (head: RecordHead): StoredVersion => ({
  head,
  id: head.id,
  state: head.state,
  version: head.versions.index,
});

/**
 * Checks the versions under one parent: exactly the newest published one is the latest; each has the right flags for
 * draft, published, and followed by another; each has a place of its own.
 * @param versions the rows under the parent whose bodies can be read
 */
export function compareVersions<Units>(
  report: Report<Units>,
  parent: string,
  versions: readonly StoredVersion[],
  unit: RepairUnit<Units>,
): void {
  const check = "record.versions";
  const places = new Map<number, string>();
  for (const version of versions) {
    const { head, id, version: index } = version;
    const [expected, found] = [computeFlags(version, versions), readFlags(head)].map((flags) => JSON.stringify(flags));
    report.compare({ check, where: recordStateName(id, version.state), expected, found }, unit);
    const firstId = places.get(index) ?? id;
    places.set(index, firstId);
    const where = `version ${index} of ${parent}`;
    report.compare({ check, where, expected: `one id, ${firstId}`, found: `one id, ${id}` });
  }
}

/**
 * Returns the versions under a parent whose flags are wrong, with corrected heads: each has the next revision of its
 * id, and all rows of an id that change together have the same revision.
 * @param now microseconds
 * @param canChange returns whether a row may be rewritten
 * @param lastRevision returns the counter of an id, undefined if it has none
 */
export function withRightFlags<Version extends StoredVersion>(
  versions: readonly Version[],
  now: number,
  canChange: (head: RecordHead) => boolean,
  lastRevision: (id: string) => number | undefined,
): readonly (readonly [version: Version, head: RecordHead])[] {
  const newRevisions = new Map<string, number>();
  return versions.flatMap((version) => {
    const { id, head } = version;
    const flags = computeFlags(version, versions);
    if (!canChange(head) || JSON.stringify(flags) === JSON.stringify(readFlags(head))) return [];
    const revision_id = newRevisions.get(id) ?? (lastRevision(id) ?? head.revision_id) + 1;
    newRevisions.set(id, revision_id);
    return [[version, { ...withFlags(head, flags), updated: formatInstant(now), revision_id }] as const];
  });
}

/** Returns the body of a stored text, or the reason why it is not a body. */
export function readStoredBody(json: string): RecordBody | string {
  let value: Json;
  try {
    value = JSON.parse(json) as Json;
  } catch (error) {
    return `not JSON: ${(error as Error).message}`;
  }
  return isBody(value) ? value : "JSON, but not a record";
}
