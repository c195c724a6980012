/** Kills, blocks and floods each thread: light requests are answered meanwhile, and no search stays open. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { LIMITS } from "../../src/core/limits.js";
import { type Bindery, startBindery } from "../support/bindery.js";
import { eventually } from "../support/deposit.js";
import { startScripted } from "../support/scripted-server.js";

const PRELOADED = fileURLToPath(new URL("./attacked-thread.mjs", import.meta.url));

/** A blocked thread is replaced after this time at the latest: two probes are 10 seconds, `searchTimeoutMs` is 1. */
const REPLACED_MS = LIMITS.threadSilentMsMax + 25_000;

let bindery: Bindery;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-attacks-"));
});
afterEach(async () => {
  await bindery.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function start(env: Readonly<Record<string, string>> = {}): Promise<void> {
  bindery = await startBindery({
    env: {
      ...{
        ATTACK_FOLDER: folder,
        NODE_OPTIONS: `--import ${PRELOADED}`,
        BINDERY_SEARCH_TIMEOUT_MS: "1000",
        BINDERY_WEBHOOK_PRIVATE: "on",
      },
      ...env,
    },
  });
}

const attack = (name: "kill" | "block" | "pause", thread: string): void =>
  writeFileSync(join(folder, `${name}-${thread}`), "");

async function metric(name: string): Promise<number> {
  const { text } = await bindery.client.get("/metrics");
  const line = text.split("\n").find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
}

const restarts = (thread: string, reason: string): Promise<number> =>
  metric(`bindery_thread_restarts_total{thread="${thread}",reason="${reason}"}`);

let searches = 0;
/** Not one that is kept. */
const search = () => bindery.client.get(`/api/records?q=light${++searches}`);

/** Searches and writes are answered, the service is ready, and nothing of an attack is left. */
async function expectWhole(write: () => Promise<{ readonly status: number }>): Promise<void> {
  await eventually(async () => {
    expect((await search()).status).toBe(200);
    expect((await write()).status).toBe(201);
    const ready = await bindery.client.get<{ threads?: unknown }>("/readyz");
    expect([ready.status, ready.body.threads]).toEqual([200, undefined]);
  });
  expect(await metric('bindery_search_turns{state="running"}')).toBe(0);
  expect(await metric('bindery_search_turns{state="waiting"}')).toBe(0);
}

/** Makes a draft that is long enough to be prepared on a thread of its own. */
async function writer() {
  const { client } = await bindery.user("alice");
  const description = "word ".repeat(20_000);
  return () => client.post("/api/records/mst", { metadata: { title: "Attack", description } });
}

it("answers searches after queries that nest as deep as they can be long", { timeout: 120_000 }, async () => {
  await start();
  const write = await writer();
  const attacks = ["(".repeat(1_500) + ")".repeat(1_500), "(".repeat(4_000), "-(".repeat(1_300), "title:(".repeat(500)];
  for (const text of attacks) {
    const q = encodeURIComponent(text.replace(/\(+/, (brackets) => `${brackets}ph `));
    for (const path of [`/api/query?q=${q}`, `/api/query?q=${q}&totals=true`, `/search?q=${q}&build=1`]) {
      expect((await bindery.client.get(path)).status, path.slice(0, 40)).toBeLessThan(500);
    }
  }
  await expectWhole(write);
});

it("gives long work a lower priority than requests", async () => {
  await start();
  const write = await writer();
  expect((await write()).status).toBe(201);
  const tasks = `/proc/${bindery.pid}/task`;
  // The nice value is the seventeenth field after the name, which may contain blanks.
  const niceOf = (task: string): string | undefined =>
    readFileSync(join(tasks, task, "stat"), "utf8")
      .split(") ")
      .at(-1)
      ?.split(" ")[16];
  const values = readdirSync(tasks).map(niceOf);
  expect(niceOf(String(bindery.pid))).toBe("0");
  // The thread that prepares long bodies; the page thread has not started.
  expect(values.filter((value) => value === "5")).toHaveLength(1);
});

it("replaces threads that are killed, and answers meanwhile", { timeout: 240_000 }, async () => {
  await start();
  const receiver = await startScripted();
  const added = await bindery.program("webhook", "add", receiver.url);
  expect(added.code, added.stderr).toBe(0);
  const write = await writer();
  await write();
  const threads = {
    search: "search",
    loader: "loader",
    prepare: "preparing",
    writer: "writer",
    relay: "webhook relay",
  };
  for (const [file, thread] of Object.entries(threads)) {
    attack("kill", file);
    await eventually(async () => expect(await restarts(thread, "stopped")).toBe(1));
    expect((await bindery.client.get("/healthz")).status).toBe(200);
    await expectWhole(write);
  }
  await receiver.close();
});

it("replaces threads that are blocked, and gives all turns back", { timeout: 240_000 }, async () => {
  await start();
  const write = await writer();
  await write();
  for (const file of ["search", "loader", "prepare", "writer"]) attack("block", file);
  await sleep(500);
  const waiting = [search(), search(), search(), search(), search(), write()];
  const began = performance.now();
  let slowest = 0;
  while ((await restarts("search", "silent")) === 0 && performance.now() - began < REPLACED_MS) {
    const asked = performance.now();
    expect((await bindery.client.get("/healthz")).status).toBe(200);
    slowest = Math.max(slowest, performance.now() - asked);
    await sleep(200);
  }
  expect(slowest).toBeLessThan(1_000);
  for (const answer of await Promise.all(waiting)) expect([200, 429, 503]).toContain(answer.status);
  await expectWhole(write);
  for (const thread of ["search", "loader", "writer"]) expect(await restarts(thread, "silent")).toBe(1);
});

it("refuses more than may wait, and is whole after that", async () => {
  await start();
  const write = await writer();
  const statuses = await Promise.all(
    Array.from({ length: 600 }, async (_, i) => {
      const text = i % 2 === 0 ? `${"(a* OR ".repeat(40)}b${")".repeat(40)}` : `flood${i} ${"(".repeat(2_000)}`;
      return (await bindery.client.get(`/api/query?totals=true&q=${encodeURIComponent(text)}`)).status;
    }),
  );
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  await expectWhole(write);
});

it("replaces a process that is stopped", { timeout: 240_000 }, async () => {
  await start({ BINDERY_WORKERS: "2" });
  const write = await writer();
  const { body } = await bindery.client.get<{ readonly status: string }>("/readyz");
  expect(body.status).toBe("ready");
  const pid = childOf(bindery.pid);
  process.kill(pid, "SIGSTOP");
  await sleep(REPLACED_MS);
  await expectWhole(write);
  expect(await restarts("process", "silent")).toBe(1);
});

/** Returns the id of the first process that a process started. */
function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0]);
}

it("says on the standard error that the main thread is blocked, counts it and goes on", {
  timeout: 120_000,
}, async () => {
  await start();
  attack("pause", "main");
  await eventually(async () => expect(bindery.output()).toContain("The main thread has not run for 10 s"), 30_000);
  await eventually(async () => expect(await metric("bindery_main_thread_blocks_total")).toBe(1), 30_000);
  const logged = /The main thread did not run for 1\d s: no request was answered/;
  await eventually(async () => expect(bindery.output()).toMatch(logged));
  expect((await bindery.client.get("/readyz")).status).toBe(200);
});

it("ends a process whose main thread stays blocked, without a loss", { timeout: 120_000 }, async () => {
  await start({ BINDERY_BLOCKED_SECONDS: "12" });
  const write = await writer();
  const { status } = await write();
  expect(status).toBe(201);
  attack("block", "main");
  await eventually(async () => expect(isRunning(bindery.pid)).toBe(false), 60_000);
  expect(bindery.output()).toContain("the process is ended (BINDERY_BLOCKED_SECONDS)");
  await bindery.restart();
  expect((await bindery.client.get("/readyz")).status).toBe(200);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
