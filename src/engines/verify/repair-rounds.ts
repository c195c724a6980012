import type { AuditEntry } from "../../core/audit-entry.js";
import type { Repair, Verification } from "../../ports/store-admin.js";

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
