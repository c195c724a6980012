import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Remote, startWorker } from "../../src/app/threads/workers.js";

let folder: string;
let lines: { msg: string }[];
let reports: string[];
let remote: Remote;
const block = (): string => join(folder, "block");

function start(): Remote {
  remote = startWorker({
    name: "echo",
    file: new URL("./echo-worker.mjs", import.meta.url),
    data: { block: block() },
    logger: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }),
    backlog: { calls: 10, textLength: 1_000 },
    reports: (source, report) => void reports.push(`${source}: ${report.kind} of ${"task" in report && report.task}`),
  });
  return remote;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-workers-"));
  lines = [];
  reports = [];
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
