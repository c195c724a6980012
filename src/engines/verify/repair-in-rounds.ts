import type { AuditEntry } from "../../core/audit-entry.js";
import type { Repair, Verification } from "../../ports/store-admin.js";
import { isPlanned } from "./repair-plan.js";

/** What was found, and what would repair it. */
export interface Verified<Plan extends object> {
  readonly verification: Verification;
  readonly plan: Plan;
}

/** How often each kind of repair was done. */
export type RepairCounts = Record<string, number>;

/** What one round leaves, or what was found behind what it repaired, the next one rebuilds. */
const ROUNDS_MAX = 4;

/**
 * Verifies, rebuilds and verifies again, until all agrees that can. What a kill interrupts the next repair finds.
 * @param repair makes again what was planned. `round` is from 1
 */
export async function repairInRounds<Plan extends object>(
  verify: () => Verified<Plan> | Promise<Verified<Plan>>,
  repair: (found: Verified<Plan>, round: number) => Promise<RepairCounts>,
): Promise<Repair> {
  const first = await verify();
  const repaired: RepairCounts = {};
  let last = first;
  for (let round = 1; round <= ROUNDS_MAX && isPlanned(last.plan); round++) {
    const counts = await repair(last, round);
    for (const [kind, times] of Object.entries(counts)) repaired[kind] = (repaired[kind] ?? 0) + times;
    last = await verify();
  }
  return { before: first.verification, repaired, after: last.verification };
}

/** The counts of what was done at all. */
export const doneOf = (counts: RepairCounts): RepairCounts =>
  Object.fromEntries(Object.entries(counts).filter(([, times]) => times > 0));

/** A line of the audit log for each kind of repair that was done. */
export const repairEntries = (done: RepairCounts): readonly AuditEntry[] =>
  Object.entries(done).map(([place, times]) => ({ action: "store.repair", kind: "store", place, times }));
