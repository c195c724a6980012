import fc from "fast-check";

/** So many at once: most of the time that an engine in other processes takes is waiting for it. */
export const TOGETHER = 8;

/** So many random values, some at a time. */
export const severalOf = <T>(one: fc.Arbitrary<T>, count = TOGETHER): fc.Arbitrary<readonly T[]> =>
  fc.tuple(...Array.from({ length: count }, () => one));

/** Checks all of them at once, and waits for all before one fails: what is shrunk is then asked alone. */
export async function checkTogether<T>(all: readonly T[], check: (one: T) => Promise<void>): Promise<void> {
  const outcomes = await Promise.allSettled(all.map(check));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}

/** Checks as many random values, at least, of a seed. */
export async function assertAll<T>(
  one: fc.Arbitrary<T>,
  { count, seed }: { readonly count: number; readonly seed: number },
  check: (one: T) => Promise<void>,
): Promise<void> {
  const property = fc.asyncProperty(severalOf(one), (all) => checkTogether(all, check));
  await fc.assert(property, { numRuns: Math.ceil(count / TOGETHER), seed });
}
