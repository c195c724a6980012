import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type SupervisedWorker, startWorker, type WorkerOptions } from "../../src/app/threads/workers.js";
import type { ThreadEvent } from "../../src/core/background.js";

let folder: string;
let lines: { msg: string }[];
let reports: string[];
let events: ThreadEvent[];
let remote: SupervisedWorker;
const block = (): string => join(folder, "block");

function start(limits: Partial<WorkerOptions> = {}): SupervisedWorker {
  remote = startWorker({
    name: "echo",
    file: new URL("./echo-worker.mjs", import.meta.url),
    data: { block: block() },
    logger: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }),
    backlog: { calls: 10, textLength: 1_000 },
    reports: (source, report) => {
      if (report.kind === "thread") events.push(report.event);
      else reports.push(`${source}: ${report.kind} of ${"task" in report && report.task}`);
    },
    ...limits,
  });
  return remote;
}

function nest(depth: number): unknown {
  let value: unknown = "x";
  for (let i = 0; i < depth; i++) value = { value };
  return value;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-workers-"));
  lines = [];
  reports = [];
  events = [];
});

afterEach(async () => {
  await remote.close();
  rmSync(folder, { recursive: true, force: true });
});

const UNAVAILABLE = { code: "STORE_UNAVAILABLE", status: 503 };

it("answers from another thread, errors too", async () => {
  await start().started;
  await expect(remote.call("echo", ["hello"])).resolves.toBe("hello");
  await expect(remote.call("refuse", [])).rejects.toMatchObject({ code: "RECORD_NOT_FOUND", params: { id: "abc" } });
});

it.each(["die", "crash"])(
  "fails the waiting calls of a thread that ends (%s), logs it and starts another",
  async (how) => {
    await start().started;
    const waiting = remote.call("never", []);
    remote.call(how, []).catch(() => undefined);
    await expect(waiting).rejects.toMatchObject(UNAVAILABLE);
    expect(lines.map((line) => line.msg)).toContainEqual(expect.stringMatching(/^The echo stopped; it restarts/));
    await expect(remote.call("echo", ["meanwhile"])).rejects.toMatchObject(UNAVAILABLE);
    await vi.waitFor(async () => expect(await remote.call("echo", ["again"])).toBe("again"), 5_000);
  },
);

/** Each attack on a thread, what its end is then said to be, and limits that end it soon. */
const ENDS = [
  ["die", "stopped", {}],
  ["crash", "stopped", {}],
  ["block", "silent", { silentMs: 1_000 }],
  ["block", "late", { callMs: () => 500, endsWhenLate: true }],
  ["never", "late", { callMs: () => 500, endsWhenLate: true }],
  ["fillMemory", "memory", { oldMegabytes: 32 }],
] as const;

it.each(ENDS)("replaces a thread after %s (%s), and says so", async (how, reason, limits) => {
  await start(limits).started;
  const attack = remote.call(how, []);
  // A thread that died without a word of its own ends the calls that wait, and only these.
  await expect(attack).rejects.toMatchObject({ ...UNAVAILABLE, cause: { reason } });
  await vi.waitFor(async () => expect(await remote.call("echo", ["again"])).toBe("again"), 10_000);
  expect(events).toContainEqual({ kind: "ended", reason });
  expect(events.at(-1)).toEqual({ kind: "ready" });
  expect(remote.waiting()).toBe(0);
});

it("is not replaced for a call that is late alone: that call fails, and is counted", async () => {
  await start({ callMs: (name) => (name === "never" ? 500 : 60_000) }).started;
  await expect(remote.call("never", [])).rejects.toMatchObject({ ...UNAVAILABLE, cause: { reason: "late" } });
  expect(events).toEqual([{ kind: "ready" }, { kind: "expired" }]);
  await expect(remote.call("echo", ["x"])).resolves.toBe("x");
});

it("is not replaced while it answers, however long one call takes", async () => {
  await start({ silentMs: 800 }).started;
  remote.call("never", []).catch(() => undefined);
  await sleep(2_000);
  expect(remote.waiting()).toBe(1);
  expect(events).toEqual([{ kind: "ready" }]);
});

it("fails calls whose arguments or answers nest too deep, and no others", async () => {
  await start().started;
  const other = remote.call("never", []);
  await expect(remote.call("nest", [2_500])).rejects.toThrow(/cannot be read/);
  await expect(remote.call("nest", [100_000])).rejects.toThrow(/call stack/);
  await expect(remote.call("echo", [nest(2_500)])).rejects.toThrow(/cannot be read/);
  await expect(remote.call("echo", [nest(100_000)])).rejects.toThrow(/call stack/);
  expect(remote.waiting()).toBe(1);
  await remote.close();
  await expect(other).rejects.toMatchObject(UNAVAILABLE);
});

it("refuses more calls than may wait, and takes others once those are done", async () => {
  await start({ callMs: () => 1_000 }).started;
  const calls = Array.from({ length: 30 }, () => remote.call("never", []));
  const reasons = await Promise.all(calls.map((call) => call.catch((error: Error) => error.message)));
  expect(reasons.filter((text) => /too many requests are waiting/.test(String(text)))).toHaveLength(20);
  expect(reasons.filter((text) => /did not answer in time/.test(String(text)))).toHaveLength(10);
  await expect(remote.call("echo", ["x"])).resolves.toBe("x");
});

it("ends a thread that is blocked when it is to be closed", async () => {
  await start({ closeMs: 500 }).started;
  remote.call("block", []).catch(() => undefined);
  await remote.close();
});

it("says why it cannot start, answers 503 with the reason, and starts as soon as it can", async () => {
  writeFileSync(block(), "");
  await expect(start().started).rejects.toMatchObject({ ...UNAVAILABLE, params: { reason: "the disk is full" } });
  await expect(remote.call("echo", ["x"])).rejects.toMatchObject({ params: { reason: "the disk is full" } });
  rmSync(block());
  await vi.waitFor(async () => expect(await remote.call("echo", ["x"])).toBe("x"), 10_000);
  expect(lines.map((line) => line.msg)).toContain("The echo is running again.");
});

it("hands on what the thread reports of its background work, each news once", async () => {
  await start().started;
  for (const name of ["fail", "fail", "work", "work", "fail"]) await remote.call(name, []);
  const news = ["error", "error", "success", "error"].map((kind) => `echo: ${kind} of index-merge`);
  await vi.waitFor(() => expect(reports).toEqual(news));
});

it("ends when it is asked to, and starts no other", async () => {
  await start().started;
  await remote.close();
  await expect(remote.call("echo", ["x"])).rejects.toMatchObject(UNAVAILABLE);
  expect(lines).toEqual([]);
});

it("is told apart from a file that is not there", async () => {
  remote = startWorker({
    name: "ghost",
    file: new URL("./no-such-worker.mjs", import.meta.url),
    data: {},
    logger: pino({ level: "silent" }),
    backlog: { calls: 1, textLength: 1 },
    reports: () => undefined,
  });
  await expect(remote.started).rejects.toThrow(/ghost stopped at its start/);
});
