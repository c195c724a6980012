import type { AuditEntry } from "../../core/audit-entry.js";
import { LIMITS } from "../../core/limits.js";
import type { Finding, FindingPlace, OnProgress, Repair, Verification } from "../../ports/store-admin.js";

/** A finding of a check. */
interface Noted {
  readonly check: string;
  readonly where: string;
  readonly expected: unknown;
  readonly found: unknown;
}

/** Places of checks that concern more than stored data. */
const PLACES: Readonly<Record<string, FindingPlace>> = {
  "index.text": "between",
  "index.rows": "between",
  "index.values": "between",
  "index.strays": "between",
  "index.words": "index",
  "index.available": "index",
  "index.records": "between",
  "index.terms": "between",
  "items.text": "between",
  "items.keys": "between",
  "items.lineage": "between",
  "items.saved": "index",
};

/** Maximum length of texts of findings. */
const TEXT_LENGTH_MAX = 200;

/** Minimum interval between two progress reports. */
const PROGRESS_MS = 100;

/** Numbers of verified records, terms and changes. */
export type Counted = Pick<Verification, "records" | "terms" | "changes" | "lastChange">;

/**
 * Collects the findings of one verification, and the units that would repair them.
 * @typeParam Units what the engine can rebuild
 */
export class Report<Units = object> {
  readonly plan: RepairPlan<Units>;
  readonly #findings: Finding[] = [];
  readonly #counts: Record<string, number> = {};
  readonly #leftOut: string[] = [];
  readonly #notes = new Map<string, number>();
  readonly #onProgress: OnProgress;
  #reportedAt = 0;

  /** @param plan empty */
  constructor(plan: RepairPlan<Units>, onProgress: OnProgress) {
    this.plan = plan;
    this.#onProgress = onProgress;
  }

  /** Adds a finding. @param unit what has to be rebuilt; undefined: it cannot be rebuilt from stored data */
  add({ check, where, expected, found }: Noted, unit?: RepairUnit<Units>): void {
    this.#counts[check] = (this.#counts[check] ?? 0) + 1;
    if (unit !== undefined) this.rebuild(unit);
    if (this.#findings.length >= LIMITS.findingsMax) return;
    const isMendable = unit !== undefined;
    const place = PLACES[check] ?? "store";
    this.#findings.push({
      place,
      check,
      where,
      expected: findingText(expected),
      found: findingText(found),
      isMendable,
    });
  }

  /** Adds a finding if the values differ. */
  compare(finding: Noted, unit?: RepairUnit<Units>): void {
    if (finding.expected !== finding.found) this.add(finding, unit);
  }

  /** Plans to rebuild a unit. */
  rebuild<Kind extends keyof Units>([kind, name]: readonly [kind: Kind, name: Units[Kind]]): void {
    this.plan[kind].add(name);
  }

  /** Records a vocabulary that is indexed for another declaration or analysis. */
  leaveOut(vocabulary: string): void {
    this.#leftOut.push(vocabulary);
  }

  /** Records something else that is not compared. Repeated texts are counted. */
  note(text: string): void {
    this.#notes.set(text, (this.#notes.get(text) ?? 0) + 1);
  }

  /** Begins one of the checks. */
  begin(check: string): void {
    this.#reportedAt = 0;
    this.progress(check, 0);
  }

  progress(what: string, done: number, of = 0): void {
    const now = performance.now();
    if (now - this.#reportedAt < PROGRESS_MS) return;
    this.#reportedAt = now;
    this.#onProgress({ what, done, of });
  }

  /** Returns the result. */
  summary(counted: Counted): Verification {
    const notes = [...this.#notes].map(([text, times]) => (times === 1 ? text : `${text} (${times} times)`));
    return { ...counted, findings: this.#findings, counts: this.#counts, leftOut: this.#leftOut, notes };
  }
}

function findingText(value: unknown): string {
  const text = typeof value === "string" ? value : Buffer.isBuffer(value) ? `${value.length} bytes` : String(value);
  return text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}…` : text;
}

/** The result of a verification, with the plan that would repair it. */
export interface Verified<Plan extends object> {
  readonly verification: Verification;
  readonly plan: Plan;
}

/** Number of repairs of each kind. */
export type RepairCounts = Record<string, number>;

/** Maximum number of rounds: each rebuilds what the previous one left, or what was found behind its repairs. */
const ROUNDS_MAX = 4;

/** A unit that a repair rebuilds: its kind, and its name. @typeParam Units the type of the names of each kind */
export type RepairUnit<Units> = { [K in keyof Units]: readonly [kind: K, name: Units[K]] }[keyof Units];

/** All units that a repair has to rebuild. */
export type RepairPlan<Units> = { readonly [K in keyof Units]: Set<Units[K]> };

const isPlanned = (plan: object): boolean =>
  Object.values(plan as Readonly<Record<string, ReadonlySet<unknown>>>).some(({ size }) => size > 0);

/**
 * Verifies, rebuilds and verifies again until everything that can be repaired agrees. A repair that is interrupted can
 * be run again.
 * @param repair rebuilds what is planned. `round` is from 1
 */
export async function repairInRounds<Plan extends object>(
  verify: () => Verified<Plan> | Promise<Verified<Plan>>,
  repair: (found: Verified<Plan>, round: number) => Promise<RepairCounts>,
): Promise<Repair> {
  const first = await verify();
  const repaired: RepairCounts = {};
  let latest = first;
  for (let round = 1; round <= ROUNDS_MAX && isPlanned(latest.plan); round++) {
    const counts = await repair(latest, round);
    for (const [kind, times] of Object.entries(counts)) repaired[kind] = (repaired[kind] ?? 0) + times;
    latest = await verify();
  }
  return { before: first.verification, repaired, after: latest.verification };
}

/** Returns the counts that are not 0. */
export const nonZeroCounts = (counts: RepairCounts): RepairCounts =>
  Object.fromEntries(Object.entries(counts).filter(([, times]) => times > 0));

/** Returns a line of the audit log for each kind of repair that was done. */
export const repairEntries = (counts: RepairCounts): readonly AuditEntry[] =>
  Object.entries(counts).map(([place, times]) => ({ action: "store.repair", kind: "store", place, times }));
