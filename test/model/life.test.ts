import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { startBindery } from "../support/bindery.js";
import { emptyWorld } from "../support/life/world.js";
import { SEED } from "../support/seed.js";
import { startService } from "../support/service.js";
import { type Command, crashes, type Perform, writes } from "./commands.js";
import { observeAll } from "./observe.js";
import { makeCasting, type Play } from "./play.js";
import { rehearse, write } from "./write.js";

const SEQUENCES = process.env.TEST_LONG === "1" ? 3_000 : 10;
const COMMANDS_MAX = 40;
/** What is rare may need more of them with one seed than with another; the model alone is quick. */
const REHEARSALS_MAX = 3_000;
/** Of so many, the one that has most of what was not asked yet is sent. */
const REHEARSALS = 50;

const seen = new Map<string, number>();

type Sequence<Real = Play> = fc.Arbitrary<Iterable<Command<Real>>>;

/** So many commands at most, as few as 0. */
function some<Real>(max: number, perform: Perform<Real>): Sequence<Real> {
  return fc.commands([writes(perform)], { maxCommands: max, size: "max" });
}

/** Runs random sequences of so many parts; a failure says the seed and the shortest sequence that fails. */
async function runSequences(
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
  await runSequences(makeCasting(service, seen), (SEQUENCES * 9) / 10, [some(COMMANDS_MAX, write)]);
});

it("goes on from where it was after a crash between requests or during one", { timeout: 6_000_000 }, async () => {
  const crash = crashes().map((command) => [command]);
  const server = await startBindery();
  onTestFinished(() => server.dispose());
  const kill = (): Promise<unknown> => server.end("SIGKILL");
  await runSequences(makeCasting(server, seen, kill), SEQUENCES / 10, [
    some(COMMANDS_MAX / 2, write),
    crash,
    some(COMMANDS_MAX / 2, write),
  ]);
});

it("was asked all that there is to ask", { timeout: 600_000 }, async () => {
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
});

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
