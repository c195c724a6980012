import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Bindery, startBindery } from "../support/bindery.js";
import { emptyWorld, type World } from "../support/life/world.js";
import { type Command, crashes, writes } from "./commands.js";
import { crash } from "./crash.js";
import { observeAll } from "./observe.js";
import { makeCasting, type Play } from "./play.js";

const SEQUENCES = process.env.TEST_LONG === "1" ? 3_000 : 150;
const SEED = Number(process.env.TEST_SEED ?? 20_261_121);
const COMMANDS_MAX = 24;

let bindery: Bindery;
let cast: () => Promise<Play>;
const seen = new Map<string, number>();

beforeAll(async () => {
  bindery = await startBindery();
  cast = makeCasting(bindery, seen);
});
afterAll(() => bindery.dispose());

/** Runs random sequences; a failure says the seed and the shortest sequence that fails. */
async function runSequences(
  count: number,
  commands: fc.Arbitrary<Command>,
  atEnd: (play: Play, world: World) => Promise<void>,
): Promise<void> {
  const sequences = fc.commands([commands], { maxCommands: COMMANDS_MAX, size: "max" });
  const property = fc.asyncProperty(sequences, async (sequence) => {
    const begun = { model: emptyWorld(), real: await cast() };
    await fc.asyncModelRun(async () => begun, sequence);
    await atEnd(begun.real, begun.model);
  });
  await fc.assert(property, { numRuns: count, seed: SEED });
}

it("does and shows after each request what the model says", { timeout: 6_000_000 }, async () => {
  await runSequences((SEQUENCES * 9) / 10, writes(), observeAll);
});

it("goes on from where it was after a crash between requests or during one", { timeout: 6_000_000 }, async () => {
  const commands = fc.oneof({ weight: 12, arbitrary: writes() }, { weight: 1, arbitrary: crashes() });
  await runSequences(SEQUENCES / 10, commands, (play, world) => {
    return play.crashes > 0 ? observeAll(play, world) : crash(play, world);
  });
});

it("was asked all that there is to ask", () => {
  expect([...seen.keys()].sort()).toEqual(expect.arrayContaining(ALL));
});

const ALL = [
  ...["create 201", "create 401", "repeat", "crash"],
  ...[200, 401, 403, 404, 412].map((status) => `replace ${status}`),
  ...[204, 403, 404, 412].map((status) => `deleteDraft ${status}`),
  ...[202, 400, 403, 404, 412].map((status) => `publish ${status}`),
  ...[200, 201, 403, 404, 410].map((status) => `edit ${status}`),
  ...[200, 201, 403, 404, 410].map((status) => `newVersion ${status}`),
  ...[204, 403, 404, 410, 412].map((status) => `retract ${status}`),
  ...[200, 201, 400, 403, 404].map((status) => `share ${status}`),
  ...[204, 403, 404].map((status) => `unshare ${status}`),
];
