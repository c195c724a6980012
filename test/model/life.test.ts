import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { emptyWorld } from "../support/life/world.js";
import { SEED } from "../support/seed.js";
import { ON_POSTGRES, startService } from "../support/service.js";
import { makeCasting } from "./play.js";
import { COMMANDS_MAX, runSequences, SEQUENCES, some } from "./sequences.js";
import { rehearse, write } from "./write.js";

/** What is rare may need more of them with one seed than with another; the model alone is quick. */
const REHEARSALS_MAX = 3_000;
/** Of so many, the one that has most of what was not asked yet is sent. */
const REHEARSALS = 50;

const seen = new Map<string, number>();

/** What one sequence will come to, by the model. */
async function rehearseOne(seed: number): Promise<ReadonlyMap<string, number>> {
  const real = { seen: new Map<string, number>() };
  const property = fc.asyncProperty(fc.tuple(some(COMMANDS_MAX, rehearse)), async ([sequence]) => {
    await fc.asyncModelRun(() => ({ model: emptyWorld(), real }), sequence);
  });
  await fc.assert(property, { numRuns: 1, seed });
  return real.seen;
}

it("does and shows after each request what the model says", { timeout: 6_000_000 }, async () => {
  const service = await startService();
  onTestFinished(() => service.dispose());
  await runSequences(makeCasting(service, seen), SEQUENCES, [some(COMMANDS_MAX, write)]);
  expect((await service.cli("verify")).stdout).toContain("all agrees");
});

// On two nodes it takes minutes.
it.skipIf(ON_POSTGRES && process.env.TEST_LONG !== "1")(
  "was asked all that there is to ask",
  { timeout: 600_000 },
  async () => {
    const service = await startService();
    onTestFinished(() => service.dispose());
    const cast = makeCasting(service, seen);
    const missing = (): readonly string[] => ALL.filter((each) => !seen.has(each));
    for (let first = 1; first < REHEARSALS_MAX && missing().length > 0; first += REHEARSALS) {
      const rehearsed = await Promise.all(Array.from({ length: REHEARSALS }, (_, i) => rehearseOne(SEED + first + i)));
      const newOf = (i: number): number => missing().filter((each) => rehearsed[i]!.has(each)).length;
      const most = rehearsed.map((_, i) => i).reduce((best, i) => (newOf(i) > newOf(best) ? i : best));
      if (newOf(most) === 0) continue;
      await runSequences(cast, 1, [some(COMMANDS_MAX, write)], SEED + first + most);
      for (const each of rehearsed[most]!.keys()) expect([...seen.keys()]).toContain(each);
    }
    expect([...seen.keys()].sort()).toEqual(expect.arrayContaining(ALL));
  },
);

/** What any seed comes to, sooner or later. */
const ALL = [
  ...["create 201", "create 409", "repeat"],
  ...[200, 404, 412].map((status) => `replace ${status}`),
  ...[204, 404, 412].map((status) => `deleteDraft ${status}`),
  ...[202, 400, 404, 412].map((status) => `publish ${status}`),
  ...[200, 201, 403, 404, 412].map((status) => `edit ${status}`),
  ...[200, 201, 403, 404, 412].map((status) => `newVersion ${status}`),
  ...[204, 403, 404].map((status) => `retract ${status}`),
  ...[201, 400, 403, 404].map((status) => `share ${status}`),
  ...[204, 404].map((status) => `unshare ${status}`),
];
