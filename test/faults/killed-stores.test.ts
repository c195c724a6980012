/** Commands that make a store or a copy of one, killed at random moments: whole, as before, or refused with words. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { openPool } from "../../src/engines/postgres/index.js";
import { type CommandResult, mainFile, ROOT, runProgram, settings, startBindery } from "../support/bindery.js";
import { newStore } from "../support/new-store.js";
import { seeded } from "../support/random.js";
import { dropDatabase, HAS_POSTGRES, newDatabase } from "../support/services/postgres.js";

const ROUNDS = process.env.TEST_LONG === "1" ? 40 : 3;
const { next: random } = seeded(Number(process.env.TEST_SEED));

let folder: string;
let data: string;
let backup: string;
let dump: string;
let records: number;

const run = (on: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<CommandResult> => runProgram(args, on);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bindery-killed-stores-"));
  data = join(folder, "data");
  backup = join(folder, "whole.bak");
  dump = join(folder, "whole.dump");
  await newStore(data, "demo");
  expect((await run(settings(data), "backup", backup)).code).toBe(0);
  expect((await run(settings(data), "dump", dump)).code).toBe(0);
  records = await countRecords(settings(data));
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command and ends it with SIGKILL after so many milliseconds, if it is still running. */
async function runFor(ms: number, env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [mainFile(), ...args], { env, cwd: ROOT, stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const timer = setTimeout(() => child.kill("SIGKILL"), ms);
  await ended;
  clearTimeout(timer);
}

/** Runs a command and ends it with SIGKILL so many milliseconds after its store has a file, if it is still running. */
async function runIntoFor(place: string, ms: number, ...args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [mainFile(), ...args], { env: settings(place), cwd: ROOT, stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("close", resolve));
  while (child.exitCode === null && !hasStore(place)) await sleep(2);
  const timer = setTimeout(() => child.kill("SIGKILL"), ms);
  await ended;
  clearTimeout(timer);
}

const hasStore = (place: string): boolean =>
  existsSync(place) && readdirSync(place).some((name) => /^bindery\./.test(name));

/** How long a command takes when nobody ends it: the moments to kill it lie within. */
async function timeOf(env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<number> {
  const began = performance.now();
  const { code, stderr } = await run(env, ...args);
  expect(code, stderr).toBe(0);
  return performance.now() - began;
}

async function countRecords(env: NodeJS.ProcessEnv): Promise<number> {
  const { stdout } = await run(env, "status", "--json");
  const { models } = JSON.parse(stdout) as { models: readonly { readonly published: number }[] };
  return models.reduce((sum, { published }) => sum + published, 0);
}

/** Starts the service: it has all records, or refuses with words that name the command and the cure. */
async function serveOrRefuse(on: string, more: Record<string, string> = {}): Promise<"whole" | "refused"> {
  try {
    const service = await startBindery({ data: on, env: more });
    await service.end("SIGTERM");
    await service.dispose();
  } catch (error) {
    expect(String(error)).toMatch(/`bindery (load|restore)`.* did not finish.*run it again/s);
    return "refused";
  }
  expect(await countRecords(settings(on, more))).toBe(records);
  return "whole";
}

describe.each(["restore", "load"] as const)("a %s into a new folder", (command) => {
  it("leaves the whole store or none, in whose place none is made", { timeout: 600_000 }, async () => {
    const file = command === "restore" ? backup : dump;
    const wholeMs = await timeOf(settings(join(folder, `timed-${command}`)), command, file);
    const outcomes: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const place = join(folder, `${command}-${round}`);
      // In the first half of the time the program only starts.
      await runIntoFor(place, wholeMs * 0.5 * random(), command, file);
      outcomes.push(await serveOrRefuse(place));
      if (outcomes.at(-1) === "refused") {
        expect((await run(settings(place), command, file)).code).toBe(0);
        expect(await serveOrRefuse(place)).toBe("whole");
      }
      expect(readdirSync(place).filter((name) => /load-|restore|unfinished/.test(name))).toEqual([]);
      rmSync(place, { recursive: true, force: true });
    }
    expect(outcomes.length).toBeGreaterThan(0);
  });
});

describe.each(["dump", "backup"] as const)("a killed %s", (command) => {
  it("leaves its file whole or not at all", { timeout: 600_000 }, async () => {
    const whole = join(folder, `whole.${command}-2`);
    const wholeMs = await timeOf(settings(data), command, whole);
    const file = join(folder, `killed.${command}`);
    for (let round = 0; round < ROUNDS; round++) {
      await runFor(wholeMs * (0.4 + 0.6 * random()), settings(data), command, file);
      if (command === "dump" && existsSync(file)) expect(readFileSync(file, "utf8")).toBe(readFileSync(dump, "utf8"));
      if (command === "backup" && existsSync(file)) {
        const place = join(folder, `from-${round}`);
        expect((await run(settings(place), "restore", file)).code).toBe(0);
        expect(await countRecords(settings(place))).toBe(records);
      }
      rmSync(file, { force: true });
    }
    expect((await run(settings(data), command, file)).code).toBe(0);
    expect(readdirSync(folder).filter((name) => name.startsWith(`killed.${command}`))).toEqual([`killed.${command}`]);
  });
});

describe("a part of a dump", () => {
  it("is never loaded as a whole one, wherever it is cut", { timeout: 120_000 }, async () => {
    const text = readFileSync(dump, "utf8");
    const lastLine = text.lastIndexOf("\n", text.length - 2) + 1;
    const cuts = [0, 1, text.indexOf("\n") + 1, Math.floor(text.length * random()), lastLine, text.length - 2];
    for (const cut of cuts) {
      const part = join(folder, "part.dump");
      writeFileSync(part, text.slice(0, cut));
      const place = mkdtempSync(join(folder, "part-"));
      const { code, stderr } = await run(settings(place), "load", part);
      expect([cut, code, stderr]).toEqual([
        cut,
        1,
        expect.stringMatching(/cut off|empty|not a dump|no dump|Line 1|damaged/i),
      ]);
      expect(existsSync(join(place, "bindery.sqlite"))).toBe(false);
    }
  });
});

describe.skipIf(!HAS_POSTGRES)("on PostgreSQL", () => {
  const onDatabase = async (): Promise<Record<string, string>> => {
    const url = await newDatabase();
    onTestFinished(() => dropDatabase(url));
    return { BINDERY_DATABASE_URL: url, BINDERY_KEY_FILE: join(folder, "shared.key") };
  };

  it("a killed load leaves the whole store or one that is refused", { timeout: 600_000 }, async () => {
    const wholeMs = await timeOf(settings(join(folder, "pg"), await onDatabase()), "load", dump);
    for (let round = 0; round < ROUNDS; round++) {
      const env = await onDatabase();
      const pool = openPool({ url: env.BINDERY_DATABASE_URL!, connections: 1 });
      onTestFinished(() => pool.close());
      await runFor(wholeMs * (0.4 + 0.6 * random()), settings(join(folder, "pg"), env), "load", dump);
      const begun = "SELECT to_regclass('bindery.feed_head') IS NOT NULL AS yes";
      // Killed before it had noted that it begins.
      if ((await pool.row<{ yes: boolean }>(begun))?.yes !== true) continue;
      const [note] = await pool.rows("SELECT 1 FROM meta WHERE name = 'unfinished load'");
      const [user] = await pool.rows('SELECT 1 FROM "user"');
      if (note === undefined && user === undefined) continue;
      const outcome = await serveOrRefuse(join(folder, "pg"), env);
      expect(outcome).toBe(note === undefined ? "whole" : "refused");
      if (outcome === "whole") continue;
      expect((await run(settings(join(folder, "pg"), env), "load", dump)).code).toBe(0);
      expect(await serveOrRefuse(join(folder, "pg"), env)).toBe("whole");
    }
  });

  it("a killed import keeps the next one out for less than 5 seconds", { timeout: 120_000 }, async () => {
    const env = settings(join(folder, "pg"), await onDatabase());
    const pool = openPool({ url: env.BINDERY_DATABASE_URL!, connections: 1 });
    onTestFinished(() => pool.close());
    expect((await run(env, "user", "add", "ada")).code).toBe(0);
    const file = join(folder, "long.ndjson");
    const lines = (count: number): string =>
      Array.from(
        { length: count },
        (_, n) => `${JSON.stringify({ id: `taxid:${9_900_000 + n}`, title: { en: `No. ${n}` } })}\n`,
      ).join("");
    writeFileSync(file, lines(100_000));
    const args = [mainFile(), "import", "vocabulary", "organisms", file];
    const first = spawn(process.execPath, args, { env, cwd: ROOT, stdio: "ignore" });
    await vi.waitFor(
      async () => {
        const row = await pool.row<{ n: number }>("SELECT count(*) AS n FROM term_stage");
        expect(row!.n).toBeGreaterThan(10_000);
      },
      { timeout: 60_000, interval: 100 },
    );

    writeFileSync(join(folder, "next.ndjson"), lines(10));
    const next = () => run(env, "import", "vocabulary", "organisms", join(folder, "next.ndjson"));
    const refused = await next();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      new RegExp(`another import into organisms is running on \\S+ \\(process ${first.pid}\\) since 20`),
    );

    first.kill("SIGKILL");
    const killed = performance.now();
    let outcome = await next();
    while (outcome.code !== 0 && performance.now() - killed < 30_000) {
      await sleep(200);
      outcome = await next();
    }
    expect([outcome.code, outcome.stderr]).toEqual([0, ""]);
    // What a start of the program takes on a busy machine comes on top.
    expect(performance.now() - killed).toBeLessThan(10_000);
  });
});
