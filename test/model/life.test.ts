import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { startBindery } from "../support/bindery.js";
import { emptyWorld } from "../support/life/world.js";
import { SEED } from "../support/seed.js";
import { startService } from "../support/service.js";
import { type Command, crashes, writes } from "./commands.js";
import { observeAll } from "./observe.js";
import { makeCasting, type Play } from "./play.js";

const SEQUENCES = process.env.TEST_LONG === "1" ? 3_000 : 80;
const COMMANDS_MAX = 40;

const seen = new Map<string, number>();

type Sequence = fc.Arbitrary<Iterable<Command>>;

/** So many commands at most, as few as 0. */
function some(max: number): Sequence {
  return fc.commands([writes()], { maxCommands: max, size: "max" });
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

it("does and shows after each request what the model says", { timeout: 6_000_000 }, async () => {
  const service = await startService();
  onTestFinished(() => service.dispose());
  await runSequences(makeCasting(service, seen), (SEQUENCES * 9) / 10, [some(COMMANDS_MAX)]);
});

it("goes on from where it was after a crash between requests or during one", { timeout: 6_000_000 }, async () => {
  const crash = crashes().map((command) => [command]);
  const server = await startBindery();
  onTestFinished(() => server.dispose());
  const kill = (): Promise<unknown> => server.end("SIGKILL");
  await runSequences(makeCasting(server, seen, kill), SEQUENCES / 10, [
    some(COMMANDS_MAX / 2),
    crash,
    some(COMMANDS_MAX / 2),
  ]);
});

it("was asked all that there is to ask", { timeout: 600_000 }, async () => {
  const service = await startService();
  onTestFinished(() => service.dispose());
  const cast = makeCasting(service, seen);
  // What is rare may need more sequences with one seed than with another.
  for (let n = 1; n <= 12 && ALL.some((each) => !seen.has(each)); n++) {
    await runSequences(cast, 20, [some(COMMANDS_MAX)], SEED + n);
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
