import fc from "fast-check";
import { emptyWorld } from "../support/life/world.js";
import { SEED } from "../support/seed.js";
import { ON_POSTGRES } from "../support/service.js";
import { type Command, type Perform, writes } from "./commands.js";
import { observeAll } from "./observe.js";
import type { Play } from "./play.js";

/** On two nodes a sequence takes several times as long. */
export const SEQUENCES = process.env.TEST_LONG === "1" ? (ON_POSTGRES ? 300 : 2_700) : ON_POSTGRES ? 2 : 9;
export const COMMANDS_MAX = 40;

type Sequence<Real = Play> = fc.Arbitrary<Iterable<Command<Real>>>;

/** So many commands at most, as few as 0. */
export function some<Real>(max: number, perform: Perform<Real>): Sequence<Real> {
  return fc.commands([writes(perform)], { maxCommands: max, size: "max" });
}

/** Runs random sequences of so many parts; a failure says the seed and the shortest sequence that fails. */
export async function runSequences(
  cast: () => Promise<Play>,
  count: number,
  parts: readonly Sequence[],
  seed = SEED,
): Promise<void> {
  const property = fc.asyncProperty(fc.tuple(...parts), async (sequence) => {
    const begun = { model: emptyWorld(), real: await cast() };
    for (const part of sequence) await fc.asyncModelRun(() => begun, part);
    await observeAll(begun.real, begun.model);
  });
  await fc.assert(property, { numRuns: count, seed });
}
