import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type Bindery, mainFile, runCommand, settings, startBindery, type TestUser } from "../support/bindery.js";
import { eventually, publish } from "../support/deposit.js";
import type { Problem, SearchBody } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";

let bindery: Bindery | undefined;
let cleanup: (() => void)[] = [];

afterEach(async () => {
  await bindery?.dispose();
  bindery = undefined;
  for (const undo of cleanup.reverse()) undo();
  cleanup = [];
});

/** A small file system of its own, where this user may mount one (root may, most others not). */
function mountSmall(megabytes: number): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "bindery-disk-"));
  cleanup.push(() => rmSync(folder, { recursive: true, force: true }));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  cleanup.push(() => execFileSync("umount", ["-l", folder]));
  return folder;
}

const canMount = ((): boolean => {
  const folder = mountSmall(1);
  for (const undo of cleanup.reverse()) undo();
  cleanup = [];
  return folder !== undefined;
})();
const canLimit = ((): boolean => {
  try {
    execFileSync("prlimit", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

/** Deposits until one is refused because nothing can be written; returns how many were taken. */
async function depositUntilRefused(user: TestUser): Promise<number> {
  for (let taken = 0; taken < 5_000; taken++) {
    const answer = await user.client.post<Problem>("/api/records/mst/", makeRecord(taken));
    if (answer.status === 201) continue;
    expectUnavailable(answer);
    return taken;
  }
  throw new Error("The disk never got full.");
}

function expectUnavailable(answer: {
  status: number;
  body: Problem;
  headers: Record<string, unknown>;
  text: string;
}): void {
  expect(answer.status, answer.text).toBe(503);
  expect(answer.body).toMatchObject({ status: 503, code: "STORE_UNAVAILABLE" });
  expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
  expect(answer.text).not.toMatch(/sqlite|SQLITE|ENOSPC/);
}

interface Ready {
  readonly status: string;
  readonly warning?: string;
  readonly background_errors?: readonly { readonly task: string }[];
}

/** What an operator sees: `reason` undefined where writes work. */
async function expectTold(service: Bindery, reason?: RegExp): Promise<void> {
  await eventually(async () => {
    const { status, body, text } = await service.client.get<Ready>("/readyz");
    expect([status, body.status], text).toEqual([200, "ready"]);
    if (reason === undefined) expect(body.warning).toBeUndefined();
    else expect(body.warning).toMatch(reason);
    const tasks = (body.background_errors ?? []).map(({ task }) => task);
    expect(tasks.includes("writes"), text).toBe(reason !== undefined);
    expect(text).not.toContain(service.data);
    const metrics = (await service.client.get("/metrics")).text;
    expect(/^bindery_writes_refused (\d)$/m.exec(metrics)?.[1]).toBe(reason === undefined ? "0" : "1");
    expect(Number(/^bindery_disk_free_bytes (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThanOrEqual(0);
  }, 20_000);
}

/** Reads of every kind go on. */
async function expectReads(service: Bindery, user: TestUser, id: string): Promise<void> {
  for (const path of [
    "/healthz",
    `/api/records/mst/${id}`,
    "/api/search/?q=a*",
    "/api/vocabularies/organisms?q=coli",
  ]) {
    expect((await service.client.get(path)).status, path).toBe(200);
  }
  expect((await user.client.get<SearchBody>("/api/user/search/")).body.hits.total).toBeGreaterThan(0);
}

async function expectWritesAgain(user: TestUser): Promise<void> {
  await eventually(async () => {
    const answer = await user.client.post("/api/records/mst/", makeRecord(1));
    expect(answer.status, answer.text).toBe(201);
  }, 15_000);
}

describe("a disk that gets full", () => {
  it.runIf(canMount)("refuses writes with 503, goes on reading, and recovers by itself", async () => {
    const data = mountSmall(24)!;
    bindery = await startBindery({ data });
    const alice = await bindery.user("alice");
    const { id } = await publish(alice.client, makeRecord(1));
    await expectTold(bindery);
    const filler = openSync(join(data, "filler"), "w");
    expect(() => {
      for (;;) writeSync(filler, Buffer.alloc(64 * 1024));
    }).toThrow(/ENOSPC/);
    closeSync(filler);

    await depositUntilRefused(alice);
    await expectReads(bindery, alice, id);
    await expectTold(bindery, /^Nothing can be written: the disk is full\. Free room .*Reads continue/);
    expect((await bindery.cli("status")).stdout).toMatch(/: ready\nNothing can be written: the disk is full\./);
    expectUnavailable(await alice.client.post<Problem>("/api/records/mst/", makeRecord(2)));
    rmSync(join(data, "filler"));
    // Nobody writes meanwhile.
    await expectTold(bindery);
    await expectWritesAgain(alice);
    await expectReads(bindery, alice, id);
  });

  it.runIf(canLimit)("or a limit on the size of files does the same", async () => {
    bindery = await startBindery({ through: ["prlimit", `--fsize=${12 * 1024 * 1024}:unlimited`] });
    const alice = await bindery.user("alice");
    const { id } = await publish(alice.client, makeRecord(1));
    await depositUntilRefused(alice);
    // The log of the database begins again after a checkpoint, and would have room.
    execFileSync("prlimit", ["--pid", String(bindery.pid), "--fsize=4096:unlimited"]);
    await expectReads(bindery, alice, id);
    await expectTold(bindery, /^Nothing can be written: the disk (is full|has read or write errors)\. /);
    execFileSync("prlimit", ["--pid", String(bindery.pid), "--fsize=unlimited:unlimited"]);
    await expectTold(bindery);
    await expectWritesAgain(alice);
  });
});

describe("a disk that is read-only at the start", () => {
  /** A service that ended by `signal` on a disk that cannot be written any more. */
  async function stopOnReadOnlyDisk(signal: NodeJS.Signals): Promise<{ alice: TestUser; id: string; data: string }> {
    const data = mountSmall(64)!;
    bindery = await startBindery({ data });
    const alice = await bindery.user("alice");
    const { id } = await publish(alice.client, makeRecord(1));
    await bindery.end(signal);
    execFileSync("mount", ["-o", "remount,ro", data]);
    return { alice, id, data };
  }

  it.runIf(canMount)(
    "is read after a crash, writes are 503, and a start on a writable one takes them again",
    async () => {
      const { alice, id, data } = await stopOnReadOnlyDisk("SIGKILL");
      await bindery!.restart();
      await expectReads(bindery!, alice, id);
      expectUnavailable(await alice.client.post<Problem>("/api/records/mst/", makeRecord(2)));
      await expectTold(
        bindery!,
        /^Nothing can be written: the (disk or the data file is read-only|data file cannot be)/,
      );
      const copy = join(mountSmall(64)!, "copy.bak");
      const { code, stdout, stderr } = await bindery!.cli("backup", copy);
      expect([code, stdout], stderr).toEqual([0, expect.stringContaining(copy)]);
      expect(stderr).toMatch(/`bindery status` will not know of this backup: .*(read-only|cannot be opened)/);
      await bindery!.end("SIGTERM");
      execFileSync("mount", ["-o", "remount,rw", data]);
      await bindery!.restart();
      await expectTold(bindery!);
      await expectWritesAgain(alice);
      await expectReads(bindery!, alice, id);
    },
  );

  it.runIf(canMount)("stops the start with a clear word after a clean end", async () => {
    const { alice, data } = await stopOnReadOnlyDisk("SIGTERM");
    const env = settings(data);
    const { code, stdout, stderr } = await runCommand("timeout", ["20", process.execPath, mainFile(), "serve"], env);
    expect(code).toBe(1);
    expect(stdout + stderr).toContain(data);
    expect(stdout + stderr).not.toMatch(/\bat .*\.js:\d+|SQLITE_/);
    execFileSync("mount", ["-o", "remount,rw", data]);
    await bindery!.restart();
    await expectWritesAgain(alice);
  });
});

it("can be tried in one way at least on this machine", () => {
  expect(canMount || canLimit).toBe(true);
});
