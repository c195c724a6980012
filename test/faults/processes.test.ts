import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bindery, startBindery, type TestUser } from "../support/bindery.js";
import { deposit, eventually, publish } from "../support/deposit.js";
import type { SearchBody } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";

let bindery: Bindery;
let alice: TestUser;

beforeAll(async () => {
  bindery = await startBindery({ env: { BINDERY_WORKERS: "2" } });
  alice = await bindery.user("alice");
});
afterAll(() => bindery.dispose());

/** Processes that the first one started and that run. */
function processes(): number[] {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,stat="], { encoding: "utf8" }).trim().split("\n");
  const rows = lines.map((line) => line.trim().split(/\s+/));
  return rows
    .filter(([, parent, stat]) => Number(parent) === bindery.pid && !stat!.startsWith("Z"))
    .map(([pid]) => Number(pid));
}

/** Over a connection of its own, which any of the processes may take. */
async function get<T>(path: string): Promise<T> {
  const response = await fetch(`${bindery.url}${path}`, { headers: { connection: "close" } });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

const totalOf = async (word: string): Promise<number> =>
  (await get<SearchBody>(`/api/search/?q=${word}&facets=none`)).hits.total;

describe("a server of several processes", () => {
  it("answers the same through each of them, as soon as a write is acknowledged", async () => {
    expect(processes()).toHaveLength(2);
    for (let n = 1; n <= 15; n++) {
      const [{ id }] = await Promise.all([
        publish(alice.client, makeRecord(n, { title: `Shared title ${n}` })),
        deposit(alice.client, makeRecord(n, { title: `Shared draft ${n}` })),
      ]);
      expect(await Promise.all([1, 2, 3, 4].map(() => totalOf("shared")))).toEqual([n, n, n, n]);
      for (let i = 0; i < 2; i++) expect(await get(`/api/records/mst/${id}`)).toMatchObject({ id, state: "published" });
    }
  });

  it("refuses through each of them what one thread refuses", async () => {
    for (let i = 0; i < 4; i++) {
      const response = await fetch(`${bindery.url}/api/records/mst/`, {
        method: "POST",
        headers: { connection: "close", authorization: `Bearer ${alice.token}`, "content-type": "application/json" },
        body: "{",
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: "BODY_NOT_JSON" });
    }
  });

  it("loses no acknowledged write when one of them is killed, reads on, and starts another", {
    timeout: 90_000,
  }, async () => {
    const before = processes();
    const ids: string[] = [];
    let isOver = false;
    const writing = Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        for (let n = 0; !isOver; n++) {
          const made = await deposit(alice.client, makeRecord(n, { title: `Killed w${writer}n${n}` })).catch(
            () => undefined,
          );
          if (made !== undefined) ids.push(made.id);
        }
      }),
    );
    await eventually(async () => expect(ids.length).toBeGreaterThan(10), 30_000);
    process.kill(before[0]!, "SIGKILL");
    const count = ids.length;
    for (let i = 0; i < 10; i++) expect(await eventually(() => totalOf("shared"))).toBe(15);
    await eventually(async () => expect(ids.length).toBeGreaterThan(count + 10), 30_000);
    await eventually(async () => expect(processes()).toHaveLength(2), 30_000);
    expect(processes()).not.toContain(before[0]);
    isOver = true;
    await writing;
    for (const id of ids) expect((await alice.client.get(`/api/records/mst/${id}/draft`)).status).toBe(200);
  });

  it("ends whole with 0 when the first process is asked to, and with it when it is killed", async () => {
    const before = processes();
    expect((await bindery.end("SIGTERM")).code).toBe(0);
    expect(before.filter(isAlive)).toEqual([]);
    await bindery.restart();
    expect(await totalOf("shared")).toBe(15);
    const after = processes();
    await bindery.end("SIGKILL");
    await eventually(async () => expect(after.filter(isAlive)).toEqual([]));
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
