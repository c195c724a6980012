import { expect, it, onTestFinished } from "vitest";
import { crashes } from "../model/commands.js";
import { makeCasting } from "../model/play.js";
import { COMMANDS_MAX, runSequences, some } from "../model/sequences.js";
import { write } from "../model/write.js";
import { startBindery } from "../support/bindery.js";

const KILLS = process.env.TEST_LONG === "1" ? 300 : 2;

it("goes on from where the model says after a kill between requests or during one", {
  timeout: 6_000_000,
}, async () => {
  const crash = crashes().map((command) => [command]);
  const server = await startBindery();
  onTestFinished(() => server.dispose());
  const kill = (): Promise<unknown> => server.end("SIGKILL");
  const asked = new Map<string, number>();
  await runSequences(makeCasting(server, asked, kill), KILLS, [
    some(COMMANDS_MAX / 2, write),
    crash,
    some(COMMANDS_MAX / 2, write),
  ]);
  expect(asked.size).toBeGreaterThan(0);
});
