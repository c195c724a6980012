import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { END_SIGNALS } from "../../src/app/processes/signals.js";
import { mainFile, ROOT, runProgram, settings, startBindery } from "../support/bindery.js";
import { newStore } from "../support/new-store.js";

/** Where Node's debugger listens. */
const DEBUGGER_PORT = 9229;

const isDebuggerOpen = (): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(true));
    probe.listen(DEBUGGER_PORT, "127.0.0.1", () => probe.close(() => resolve(false)));
  });

describe.each(["1", "2"])("a service of %s processes", (workers) => {
  it.each(END_SIGNALS.filter((signal) => !["SIGTERM", "SIGINT"].includes(signal)))(
    "ends by %s with 0",
    async (signal) => {
      const bindery = await startBindery({ env: { BINDERY_WORKERS: workers, BINDERY_LOG_LEVEL: "info" } });
      try {
        const { code, stdout } = await bindery.end(signal);
        expect(code).toBe(0);
        expect(stdout).toContain(`${signal}: finishing running requests.`);
        expect(stdout).toContain("Stopped.");
      } finally {
        await bindery.dispose();
      }
    },
  );

  it("opens no debugger by SIGUSR1, in no process, and goes on", async () => {
    expect(await isDebuggerOpen()).toBe(false);
    const bindery = await startBindery({ env: { BINDERY_WORKERS: workers } });
    try {
      const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === bindery.pid);
      for (const pid of [bindery.pid, ...children.map(Number)]) process.kill(pid, "SIGUSR1");
      await sleep(500);
      expect(await isDebuggerOpen()).toBe(false);
      expect((await bindery.client.get("/readyz")).status).toBe(200);
      expect(bindery.output()).not.toContain("Debugger listening");
      expect((await bindery.end("SIGTERM")).code).toBe(0);
    } finally {
      await bindery.dispose();
    }
  });
});

function parentOf(pid: string): number {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return 0;
  }
}

describe("a service that is ended while it starts", () => {
  it.each([0, 150, 400, 700, 1_000, 1_500])("ends in order after %i ms, and starts again", async (ms) => {
    const data = mkdtempSync(join(tmpdir(), "bindery-started-"));
    try {
      const child = spawn(process.execPath, [mainFile(), "serve"], { env: settings(data), cwd: ROOT });
      let output = "";
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          output += text;
        });
      }
      const end = new Promise<readonly unknown[]>((resolve) => child.once("close", (...how) => resolve(how)));
      await sleep(ms);
      child.kill("SIGTERM");
      // Before the program has read its code nobody listens for signals.
      expect(
        [
          [0, null],
          [null, "SIGTERM"],
        ],
        output,
      ).toContainEqual(await end);
      expect(output).not.toMatch(/\bat .*\.js:\d+/);
      const bindery = await startBindery({ data, env: { BINDERY_CATALOG: "" } });
      expect((await bindery.client.get("/readyz")).status).toBe(200);
      await bindery.dispose();
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  });
});

describe("a command that is ended by a signal", () => {
  let place: string;
  let data: string;
  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), "bindery-signals-"));
    data = join(place, "data");
    await newStore(data);
    const terms = Array.from(
      { length: 200_000 },
      (_, n) => `{"id":"taxid:${9_000_000 + n}","title":{"en":"Term ${n} of many"}}`,
    );
    writeFileSync(join(place, "terms.ndjson"), terms.join("\n"));
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  /** Runs a command, and ends it once `isBegun`. */
  async function endedBy(signal: NodeJS.Signals, args: readonly string[], isBegun: () => boolean) {
    const child = spawn(process.execPath, [mainFile(), ...args], { env: settings(data), cwd: ROOT });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.stdout.resume();
    const code = new Promise<number | null>((resolve) => child.once("close", resolve));
    while (!isBegun() && child.exitCode === null) await sleep(5);
    child.kill(signal);
    return { code: await code, stderr };
  }

  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("import: %s", async (signal, code) => {
    const args = ["import", "vocabulary", "organisms", join(place, "terms.ndjson")];
    const begun = Date.now();
    const isBegun = () => {
      const log = statSync(join(data, "bindery.sqlite-wal"), { throwIfNoEntry: false });
      return log !== undefined && log.size > 1e5 && log.mtimeMs > begun;
    };
    const ended = await endedBy(signal, args, isBegun);
    // Lines about progress may stand before it.
    expect(ended).toEqual({ code, stderr: expect.stringMatching(`(^|\n)Ended by ${signal} before it was done.\n$`) });
  });

  it("dump leaves no part of its file", async () => {
    const isBegun = () => readdirSync(place).includes("store.dump.part");
    const ended = await endedBy("SIGTERM", ["dump", join(place, "store.dump")], isBegun);
    expect(ended).toEqual({ code: 143, stderr: "Ended by SIGTERM before it was done.\n" });
    expect(readdirSync(place).filter((name) => name.startsWith("store.dump"))).toEqual([]);
  });

  it("load leaves a folder that no service starts on, and can be run again", { timeout: 120_000 }, async () => {
    const dump = join(place, "whole.dump");
    const run = (folder: string, ...args: readonly string[]) => runProgram(args, settings(folder));
    expect((await run(data, "dump", dump)).code).toBe(0);
    const whole = data;
    data = join(place, "loaded");
    try {
      const isBegun = () => existsSync(data) && readdirSync(data).includes("bindery.unfinished");
      const ended = await endedBy("SIGTERM", ["load", dump], isBegun);
      expect(ended).toEqual({ code: 143, stderr: expect.stringContaining("Ended by SIGTERM before it was done.\n") });
      const refused = await run(data, "serve");
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("bindery load")]);
      expect((await run(data, "load", dump)).code).toBe(0);
      expect((await run(data, "status")).code).toBe(0);
    } finally {
      data = whole;
    }
  });

  it("backup leaves no part of the copy", async () => {
    const part = join(place, "copy.part");
    const isBegun = () => readdirSync(place).includes("copy.part");
    const ended = await endedBy("SIGTERM", ["backup", join(place, "copy")], isBegun);
    expect(ended).toEqual({ code: 143, stderr: "Ended by SIGTERM before it was done.\n" });
    expect(readdirSync(place).filter((name) => join(place, name).startsWith(part))).toEqual([]);
    expect(readdirSync(place)).not.toContain("copy");
  });
});
