import { describe, expect, it } from "vitest";
import { CACHE_NAMES } from "../../core/caches.js";
import { CACHING_ROLES, cacheBudget, type EngineRole } from "./engine-role.js";

const MEGABYTE = 2 ** 20;

/** Returns the budgets of all caches of some roles. */
const budgetsOf = (roles: readonly EngineRole[], cacheMb: number): number[] =>
  roles.flatMap((role) => CACHE_NAMES.map((name) => cacheBudget(name, role, cacheMb)));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

describe("cacheBudget", () => {
  it.each([7, 64, 512, 1_048_576])("divides exactly %d MB among the caches of all threads", (cacheMb) => {
    const budgets = budgetsOf(CACHING_ROLES, cacheMb);
    expect(budgets.every((bytes) => Number.isSafeInteger(bytes) && bytes >= 0)).toBe(true);
    expect(sum(budgets)).toBe(cacheMb * MEGABYTE);
  });

  it("leaves a megabyte for look-ups and drawings with a setting of 0, and nothing for the others", () => {
    expect(sum(budgetsOf(CACHING_ROLES, 0))).toBe(MEGABYTE);
    expect(cacheBudget("drawings", "http", 0)).toBe(MEGABYTE / 4);
    expect(cacheBudget("lookups", "search", 0)).toBe(MEGABYTE / 4);
  });

  it("gives most to searches, little to other threads, and nothing to the relay and commands", () => {
    expect(cacheBudget("views", "search", 512)).toBeGreaterThan(200 * MEGABYTE);
    expect(cacheBudget("answers", "http", 512)).toBe(64 * MEGABYTE);
    expect(sum(budgetsOf(["loader"], 512))).toBe(49 * MEGABYTE);
    expect(sum(budgetsOf(["reader"], 1024))).toBe(64 * MEGABYTE);
    expect(sum(budgetsOf(["relay", "command"], 512))).toBe(0);
  });

  it("gives records and terms that were shown last half of a small cache", () => {
    expect(cacheBudget("shown", "loader", 16)).toBe(cacheBudget("views", "loader", 16));
    expect(cacheBudget("shown", "reader", 2_048)).toBe(24 * MEGABYTE);
  });
});
