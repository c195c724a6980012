import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { findFreePort } from "../../src/app/processes/serve-http.js";
import { mainFile, ROOT, settings } from "../support/bindery.js";
import { eventually } from "../support/deposit.js";
import { newStore } from "../support/new-store.js";

interface Ready {
  readonly status: string;
  readonly warning?: string;
}

let data: string;
let port: number;
let started: ChildProcess[] = [];

beforeAll(async () => {
  port = await findFreePort("127.0.0.1");
});
afterEach(() => {
  for (const child of started) child.kill("SIGKILL");
  started = [];
  rmSync(data, { recursive: true, force: true });
});

const url = (path: string): string => `http://127.0.0.1:${port}${path}`;

const readJson = async (path: string): Promise<Ready> =>
  (await (await fetch(url(path), { signal: AbortSignal.timeout(5_000) })).json()) as Ready;

const droppedLines = async (): Promise<number> => {
  const text = await (await fetch(url("/metrics"))).text();
  return Number(/^bindery_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
};

/** Fills what a pipe and the log keep: each request is a line of about 200 bytes. */
const sendRequests = async (count: number): Promise<void> => {
  for (let sent = 0; sent < count; sent += 50) {
    await Promise.all(Array.from({ length: 50 }, () => readJson("/healthz")));
  }
};

type Stdio = number | "pipe" | "ignore";

/** Starts a server whose log goes to `stdout`, and waits until it answers. */
async function serveWith(stdout: Stdio, stderr: Stdio, ...through: readonly string[]): Promise<ChildProcess> {
  data = mkdtempSync(join(tmpdir(), "bindery-log-"));
  await newStore(data);
  const env = settings(data, { BINDERY_PORT: String(port), BINDERY_LOG_LEVEL: "info" });
  const [file, ...args] = [...through, process.execPath, mainFile(), "serve"];
  const child = spawn(file!, args, { env, cwd: ROOT, stdio: ["ignore", stdout, stderr] });
  started.push(child);
  await eventually(async () => expect(await readJson("/healthz")).toEqual({ status: "ok" }), 30_000);
  return child;
}

/** Sends a signal. @returns the exit code, and after how many milliseconds the process ended */
function end(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<{ code: number | null; ms: number }> {
  const begun = performance.now();
  const ended = new Promise<{ code: number | null; ms: number }>((resolve) =>
    child.once("exit", (code) => resolve({ code, ms: performance.now() - begun })),
  );
  child.kill(signal);
  return ended;
}

const expectOrderlyEnd = async (child: ChildProcess): Promise<void> => {
  const { code, ms } = await end(child);
  expect(code).toBe(0);
  expect(ms).toBeLessThan(5_000);
};

describe("a log that cannot be written", () => {
  it.each([1, 2])("on a full disk keeps no request from its answer (%i processes)", async (workers) => {
    const full = openSync("/dev/full", "w");
    const child = await serveWith(full, full, "env", `BINDERY_WORKERS=${workers}`);
    closeSync(full);
    await sendRequests(3_000 * workers);
    await eventually(async () => {
      expect(await readJson("/readyz")).toMatchObject({
        status: "ready",
        warning: expect.stringContaining("The log cannot be written to standard output: the disk is full."),
      });
      expect(await droppedLines()).toBeGreaterThan(0);
    });
    await expectOrderlyEnd(child);
  });

  it("because its reader takes nothing is dropped, counted, and said once it is read again", async () => {
    const child = await serveWith("pipe", "pipe");
    await sendRequests(4_000);
    expect(await droppedLines()).toBeGreaterThan(0);
    expect((await readJson("/readyz")).warning).toContain("its reader takes nothing");
    let text = "";
    child.stdout!.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    await eventually(async () => expect(text).toMatch(/"dropped":\d+,"msg":"\d+ log lines were dropped/));
    await eventually(async () => expect(await readJson("/readyz")).toEqual({ status: "ready" }));
    await expectOrderlyEnd(child);
    expect(text).toContain("Stopped.");
    // Lines are whole, however the pipe cut them.
    const lines = text.trim().split("\n").slice(1);
    for (const line of lines) if (!line.startsWith("Bindery serves")) JSON.parse(line);
  });

  it("because its reader takes nothing does not hold up the end", async () => {
    const child = await serveWith("pipe", "pipe");
    await sendRequests(4_000);
    await expectOrderlyEnd(child);
  });

  it("because its reader has ended does not end the service", async () => {
    const child = await serveWith("pipe", "pipe");
    child.stdout!.destroy();
    child.stderr!.destroy();
    await sendRequests(200);
    await eventually(async () => expect((await readJson("/readyz")).warning).toContain("its reader has ended"));
    await expectOrderlyEnd(child);
  });

  it("because it is closed is lost without a word", async () => {
    const child = await serveWith("ignore", "ignore", "sh", "-c", 'exec "$@" >&- 2>&-', "sh");
    await sendRequests(100);
    await expectOrderlyEnd(child);
  });

  it("because its terminal is stopped keeps no request from its answer", async () => {
    // The terminal shows nothing after Ctrl-S, and nobody reads its other side.
    const terminal = [
      "import fcntl, os, pty, signal, subprocess, sys, termios",
      "master, slave = pty.openpty()",
      "child = subprocess.Popen(sys.argv[1:], stdin=slave, stdout=slave, stderr=slave, start_new_session=True)",
      "os.write(master, b'\\x13')",
      "signal.signal(signal.SIGTERM, lambda *_: child.terminate())",
      "sys.exit(child.wait())",
    ].join("\n");
    const child = await serveWith("ignore", "ignore", "python3", "-c", terminal);
    await sendRequests(3_000);
    expect(await droppedLines()).toBeGreaterThan(0);
    await expectOrderlyEnd(child);
  });
});

describe("a command whose output cannot be written", () => {
  it.each(["audit", "config", "status"])("%s ends with 1", async (command) => {
    data = mkdtempSync(join(tmpdir(), "bindery-log-"));
    await newStore(data);
    const env = settings(data);
    const run = (redirection: string) =>
      spawnSync("sh", ["-c", `"$@" ${redirection}`, "sh", process.execPath, mainFile(), command], {
        env,
        encoding: "utf8",
        timeout: 20_000,
      });
    const full = run("> /dev/full");
    expect([full.status, full.stderr]).toEqual([1, expect.stringContaining("cannot be written")]);
    expect(full.stderr).not.toMatch(/\bat .*\.js:\d+/);
    expect(run("> /dev/full 2> /dev/full").status).toBe(1);
  });
});
