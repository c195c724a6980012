/** Every command that writes, killed at random moments: the store is whole, and the command can be run again. */
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeProgram } from "../../src/cli/run.js";
import { type CommandResult, mainFile, ROOT, startBindery } from "../support/bindery.js";
import { seeded } from "../support/random.js";
import { runCommandHere } from "../support/run-command.js";
import { SEED } from "../support/seed.js";
import {
  countRows,
  KILLED_ELSEWHERE,
  type KillScenario,
  killSettings,
  makeKilledStore,
  type Place,
  READING,
  SCENARIOS,
} from "./kill-scenarios.js";

/** Number of kills, all commands together. The short run draws its commands by the seed of the day. */
const KILLS = process.env.TEST_LONG === "1" ? 200 : 6;
const { next: random, integer } = seeded(SEED);

/** A command that SIGTERM ends does so long before. */
const END_MS = 30_000;

let folder: string;
let input: string;
/** The lines of a dump of the store before the command. */
let linesBefore: readonly string[];
let lastEntry: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bindery-killed-commands-"));
  input = join(folder, "input");
  await makeKilledStore({ data: join(folder, "data"), input });
  linesBefore = dumpedLines(readFileSync(join(input, "whole.dump"), "utf8"));
  lastEntry = countRows(join(folder, "data"), "SELECT max(id) FROM audit");
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The lines of a dump that say something lasting. */
const dumpedLines = (dump: string): readonly string[] =>
  dump.split("\n").filter((line) => !/^$|^\{"(end|format)"|^\{"rows":"(counter|stale_term)"/.test(line));

describe("each command", () => {
  it("that writes has a scenario, or is interrupted by another test", () => {
    const reading = { config: () => expect.fail(), catalog: () => expect.fail(), failed: () => undefined };
    const known = [...READING, ...Object.keys(KILLED_ELSEWHERE), ...SCENARIOS.map(({ command }) => command)];
    expect(namesOf(makeProgram(reading)).toSorted()).toEqual(known.toSorted());
    for (const [command, file] of Object.entries(KILLED_ELSEWHERE)) {
      expect(readFileSync(join(ROOT, file), "utf8")).toContain(command);
    }
  });
});

/** The words of all commands that do something. */
const namesOf = ({ commands }: Command): readonly string[] =>
  commands.flatMap((each) =>
    each.commands.length === 0 ? [each.name()] : namesOf(each).map((name) => `${each.name()} ${name}`),
  );

/** Scenarios with the number of their kills: all get about as many, and which get one more is drawn. */
function drawKills(): readonly (readonly [string, number, KillScenario])[] {
  const from = integer(0, SCENARIOS.length - 1);
  return SCENARIOS.map((scenario, n) => {
    const turn = (n + from) % SCENARIOS.length;
    const kills = Math.floor(KILLS / SCENARIOS.length) + (turn < KILLS % SCENARIOS.length ? 1 : 0);
    return [scenario.command, kills, scenario] as const;
  }).filter(([, kills]) => kills > 0);
}

describe("the store", () => {
  it.each(drawKills())(
    "is whole after `bindery %s` was killed %i times",
    async (_command, kills, scenario) => {
      const timed = newPlace(scenario);
      const whole = await runAndKill(timed, scenario, undefined);
      expect([whole.code, whole.signal, whole.stderr]).toEqual([0, null, expect.any(String)]);
      expect(isDone(timed, scenario)).toBe(true);
      remove(timed);
      for (let kill = 0; kill < kills; kill++) await checkKill(scenario, whole);
    },
    1_800_000,
  );
});

/** One kill, and all that must hold after it. */
async function checkKill(scenario: KillScenario, whole: Pick<Ended, "touchedMs" | "ms">): Promise<void> {
  const place = newPlace(scenario);
  const signal = integer(1, 4) === 1 ? "SIGTERM" : "SIGKILL";
  // Three of four kills come after the first file was touched; before, the program starts.
  const isEarly = integer(1, 4) === 1;
  const ms = random() * (isEarly ? whole.ms : whole.ms - whole.touchedMs);
  const killed = await runAndKill(place, scenario, { signal, ms, sinceTouch: !isEarly });
  const about = `${scenario.command}: ${signal} ${Math.round(ms)} ms after its ${isEarly ? "start" : "first write"}`;

  const isLeft = !scenario.makesStore || readdirSync(place.data).some((name) => name.startsWith("bindery.sqlite"));
  const isServed = isLeft && (await serveOrRefuse(place, scenario, about));
  const wasDone = isDone(place, scenario);
  if (killed.code === 0 && scenario.command !== "serve") expect([about, wasDone]).toEqual([about, true]);
  if (isServed) await checkStore(place, scenario, about, wasDone);

  await runAgain(place, scenario, about, wasDone);
  expect([about, isDone(place, scenario)]).toEqual([about, true]);
  expect([about, await runHere(place, "verify")]).toEqual([about, expect.objectContaining({ code: 0 })]);
  expect([about, leftovers(place, scenario.command)]).toEqual([about, []]);
  remove(place);
}

function newPlace({ makesStore }: KillScenario): Place {
  const place = mkdtempSync(join(folder, "place-"));
  const [data, out] = [join(place, "data"), join(place, "out")];
  mkdirSync(out);
  if (makesStore) mkdirSync(data);
  else cpSync(join(folder, "data"), data, { recursive: true });
  return { data, out, input };
}

const remove = ({ data }: Place): void => rmSync(join(data, ".."), { recursive: true });

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  readonly ms: number;
  /** When the first file was written or made. */
  readonly touchedMs: number;
}

interface Kill {
  readonly signal: "SIGKILL" | "SIGTERM";
  readonly ms: number;
  readonly sinceTouch: boolean;
}

/** Runs the command and ends it. @param kill absent: it runs to its end; a service is ended once it serves */
async function runAndKill(place: Place, { command, args }: KillScenario, kill: Kill | undefined): Promise<Ended> {
  const line = [mainFile(), ...command.split(" "), ...args(place)];
  const begun = performance.now();
  const child = spawn(process.execPath, line, {
    env: killSettings(place.data),
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  let touchedMs = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const end = (signal: NodeJS.Signals, ms: number): void => {
    timer = setTimeout(() => child.kill(signal), ms);
  };
  const touched = (): void => {
    if (touchedMs < Number.POSITIVE_INFINITY) return;
    touchedMs = performance.now() - begun;
    if (kill?.sinceTouch) end(kill.signal, kill.ms);
  };
  const watchers = [place.data, place.out].map((path) => watch(path, touched));
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    if (command === "serve" && / serves http/.test(stderr) && kill === undefined) child.kill("SIGTERM");
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (command === "serve" && / serves http/.test(text)) child.kill(kill?.signal ?? "SIGTERM");
  });
  if (kill !== undefined && !kill.sinceTouch) end(kill.signal, kill.ms);
  const late = setTimeout(() => child.kill("SIGKILL"), 10 * END_MS);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.once("close", (...how) => resolve(how));
  });
  const ms = performance.now() - begun;
  for (const each of [timer, late]) clearTimeout(each);
  for (const each of watchers) each.close();
  expect(ms).toBeLessThan(10 * END_MS);
  return { code, signal, stderr, ms, touchedMs: Math.min(touchedMs, ms) };
}

/** Starts the service. @returns whether it serves; else it refused, and its words name the command and the cure */
async function serveOrRefuse({ data }: Place, { makesStore }: KillScenario, about: string): Promise<boolean> {
  try {
    const service = await startBindery({ data, env: { BINDERY_WEBHOOK_PRIVATE: "on" } });
    expect([about, (await service.client.get("/readyz")).status]).toEqual([about, 200]);
    expect([about, (await service.end("SIGTERM")).code]).toEqual([about, 0]);
    await service.dispose();
    return true;
  } catch (error) {
    if (makesStore === undefined) throw new Error(`${about}: ${String(error)}`);
    expect(String(error)).toMatch(/`bindery (load|restore)`.* did not finish.*run it again/s);
    return false;
  }
}

/** Nothing is damaged; what was there is there; an effect and its audit entry come together. */
async function checkStore(place: Place, scenario: KillScenario, about: string, wasDone: boolean): Promise<void> {
  const verified = await runHere(place, "verify");
  expect([about, verified]).toEqual([about, expect.objectContaining({ code: 0 })]);
  if (scenario.makesStore) return;
  const after = new Set(dumpedLines((await runHere(place, "dump")).stdout));
  const missing = linesBefore.filter((line) => !after.has(line) && !scenario.changes?.test(line));
  expect([about, missing]).toEqual([about, []]);
  if (scenario.action === undefined) return;
  const sql = `SELECT count(*) FROM audit WHERE id > ${lastEntry} AND action = '${scenario.action}'`;
  expect([about, countRows(place.data, sql) > 0]).toEqual([about, wasDone]);
}

function isDone(place: Place, { effect }: KillScenario): boolean {
  return typeof effect === "function" ? effect(place) : countRows(place.data, effect) > 0;
}

/** The command succeeds, or says that it has nothing to do. */
async function runAgain(place: Place, scenario: KillScenario, about: string, wasDone: boolean): Promise<void> {
  const { command, args, repeated } = scenario;
  if (command === "serve") return;
  const { code, stderr } = await runHere(place, ...command.split(" "), ...args(place));
  if (wasDone && repeated !== undefined)
    expect([about, code, stderr]).toEqual([about, 1, expect.stringMatching(repeated)]);
  else expect([about, code, stderr]).toEqual([about, 0, expect.any(String)]);
}

const runHere = ({ data }: Place, ...args: readonly string[]): Promise<CommandResult> =>
  runCommandHere(args, killSettings(data));

/**
 * Files that no command leaves when it ends well. A service that follows a killed one keeps its marker until a check of
 * the whole file has passed, which the test does not await.
 */
function leftovers({ data, out }: Place, command: string): readonly string[] {
  const kept = command === "serve" ? /^server\.running$/ : /^$/;
  const inData = readdirSync(data).filter(
    (name) => !/^(bindery\.sqlite(-wal|-shm)?|bindery\.key|server\.lock)$/.test(name) && !kept.test(name),
  );
  const inOut = existsSync(out) ? readdirSync(out).filter((name) => !/^(new\.(backup|dump)|catalog)$/.test(name)) : [];
  return [...inData, ...inOut];
}
