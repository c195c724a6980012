import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { isRunning, PROCESS_NAME } from "./process-name.js";

/** The name of another process, as it would give it to itself. */
function nameOf(pid: number, ticks = ticksOf(pid)): string {
  return [hostname(), pid, 0, ticks].join(" ");
}

const statOf = (pid: number): readonly string[] =>
  readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]!.split(" ");
const ticksOf = (pid: number): string => statOf(pid)[19]!;

function start(script: string): ChildProcess {
  const child = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** A process that ended and stays in the system's table: its parent is a program that never asks for it. */
async function startZombie(): Promise<number> {
  const parent = start("sleep 60 & echo $!; exec sleep 60");
  const pid = await new Promise<number>((resolve) => {
    createInterface({ input: parent.stdout! }).once("line", (line) => resolve(Number(line)));
  });
  // The shell would ask for it: it may end only when the shell has become the other program.
  await vi.waitFor(() => expect(readFileSync(`/proc/${parent.pid}/comm`, "latin1")).toBe("sleep\n"));
  process.kill(pid, "SIGKILL");
  await vi.waitFor(() => expect(statOf(pid)[0]).toBe("Z"));
  return pid;
}

describe("isRunning", () => {
  it("knows this process, and not an earlier one of the same number", () => {
    expect(isRunning(PROCESS_NAME)).toBe(true);
    expect(isRunning(`${PROCESS_NAME} remake`)).toBe(true);
    const [host, pid, seconds] = PROCESS_NAME.split(" ");
    expect(isRunning([host, pid, Number(seconds) - 100, "-"].join(" "))).toBe(false);
    expect(isRunning([host, pid, seconds].join(" "))).toBe(true);
  });

  it("says nothing of a process elsewhere", () => {
    expect(isRunning("elsewhere 1 1 1")).toBeUndefined();
  });

  it("knows another process until it ended", async () => {
    const { pid } = start("exec sleep 60");
    expect(isRunning([hostname(), pid, 0].join(" "))).toBe(true);
    process.kill(pid!, "SIGKILL");
    await vi.waitFor(() => expect(isRunning([hostname(), pid, 0].join(" "))).toBe(false));
  });
});

describe.runIf(existsSync("/proc/self/stat"))("isRunning, where the system has a table of processes", () => {
  it("takes a zombie for ended", async () => {
    const pid = await startZombie();
    expect(() => process.kill(pid, 0)).not.toThrow();
    expect(isRunning(nameOf(pid))).toBe(false);
    expect(isRunning([hostname(), pid, 0, "remake"].join(" "))).toBe(false);
  });

  it("does not take another process that got the same number later for it", () => {
    const { pid } = start("exec sleep 60");
    expect(isRunning(nameOf(pid!))).toBe(true);
    expect(isRunning(nameOf(pid!, String(Number(ticksOf(pid!)) - 1)))).toBe(false);
  });

  it("reads past a name of a program that has brackets and blanks in it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "bindery-process-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    symlinkSync(execFileSync("sh", ["-c", "command -v sleep"], { encoding: "utf8" }).trim(), join(folder, "a) Z (b"));
    const child = start(`exec "${join(folder, "a) Z (b")}" 60`);
    await vi.waitFor(() => expect(readFileSync(`/proc/${child.pid}/stat`, "latin1")).toContain("(a) Z (b) S "));
    expect(isRunning([hostname(), child.pid, 0].join(" "))).toBe(true);
  });
});
